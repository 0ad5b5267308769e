#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# demo.sh - from a fresh machine to BSP programs that run, and how fast they communicate.

# Can be run again: what is installed and built stays. Logs are in build/log/.

cd "$(dirname "$0")" || exit 1
. build-aux/setup.sh

install_packages
prepare
make_build "$build" "" || stop

# As a user works, but with what lies in the build folder instead of an installation.
BSP_INCLUDEDIR=$PWD/include
BSP_LIBDIR=$PWD/$build/.libs
PATH=$PWD/$build/tools:$PATH
# Containers run as root, which mpirun refuses unless told that it is meant.
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export BSP_INCLUDEDIR BSP_LIBDIR PATH OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

# In a shell of its own, for the sake of cd.
compile_examples()
(
	mkdir -p "$build/demo" && cd examples || exit
	for name in hello samplesort laplace; do
		bspcc -O2 -o "../$build/demo/$name" "$name.c" -lm || exit
	done
	bspcc -O2 -o "../$build/demo/spmv" spmv.c mtx.c -lm
)

show()
{
	say
	say "\$ $*"
	eval "$*"
}

step "bspcc: compile the examples" demo compile_examples || stop
bench=$PWD/$build/bench/bspbench
bspbench()
{
	"$bench" "$@"
}

cd "$build/demo" || exit
status=0
show "bsprun -n 4 ./hello" || status=1
show "./samplesort 10000000" || status=1
show "./laplace 300 >laplace.mtx && ./spmv laplace.mtx" || status=1
show "bspbench --quick >bspbench.txt" || status=1
grep -E '^(figure|empty|superstep|8-byte|total exchange by (put|hpput|get) 1 MiB)' bspbench.txt
say "All rows, and what they mean: $build/demo/bspbench.txt, bench/README.md"
exit $status
