#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# demo.sh - from a fresh machine to BSP programs that run, with barriers and without.

# Can be run again: installed packages and built files stay. Logs are in build/log/.

cd "$(dirname "$0")" || exit 1
. build-aux/setup.sh

install_packages "$packages$example_packages"
prepare
make_build "$build" "" || stop

# As a user works, but with what lies in the build folder instead of an installation.
BSP_INCLUDEDIR=$PWD/include
BSP_LIBDIR=$PWD/$build/.libs
PATH=$PWD/$build/tools/bsprun:$PWD/$build/tools/bspinfo:$PWD/$build/tools/bspcc:$PATH
# Containers run as root, which mpirun refuses without these.
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export BSP_INCLUDEDIR BSP_LIBDIR PATH OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

# In a shell of its own, for the sake of cd.
compile_examples()
(
	mkdir -p "$build/demo" && cd examples || exit
	for name in hello samplesort laplace_matrix; do
		bspcc -O2 -o "../$build/demo/$name" "$name.c" -lm || exit
	done
	bspcc -O2 -o "../$build/demo/spmv" spmv.c mtx.c -lm &&
		bspcc -O2 -march=native -o "../$build/demo/lu" lu.c lu_*.c -lm &&
		bspcc -O2 -ffp-contract=off -o "../$build/demo/ocean" ocean.c ocean_*.c -lm || exit
	if pkg-config --exists fftw3; then
		bspcc -O2 -o "../$build/demo/ft" ft.c ft_*.c -lfftw3 -lm
	fi
)

# compare NETWORK PROGRAM ARGUMENT...: what relaxed barriers gain, on an emulated cluster. One
# round, as each computes for the same times there, those of one recorded run, and saves the same.
compare()
{
	network=$1
	shift
	test -x "$1" || return 0
	show "bsprun -n 32 --emulate $network --compare --html $page $*" || status=1
}

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
show "./laplace_matrix 300 >laplace.mtx && ./spmv laplace.mtx" || status=1
show "bspbench --quick >bspbench.txt" || status=1
grep -E '^(figure|empty|superstep|8-byte|total exchange by (put|hpput|get) 1 MiB)' bspbench.txt
say "All rows, and what they mean: $build/demo/bspbench.txt, bench/README.md"
page=relaxed.html
rm -f "$page"
for network in sp2 gigabit; do
	compare "$network" ./ft -c A
	compare "$network" ./lu W
	compare "$network" ./ocean -n 130
done
say
say "The same programs with barriers and relaxed, as a page: $PWD/$page"
say "Relaxed is the eager protocol of this library; for the paper's: make papers PAPER=relaxed"
exit $status
