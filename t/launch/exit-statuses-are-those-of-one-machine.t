#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A job of mpirun or mpiexec has the exit status that it has without a launcher.
# shellcheck disable=SC1090,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/launched.sh"

cat >ends.c <<'END_C'
#include <bsp.h>
#include <stdlib.h>

/* ends STATUS PROCESS (-1: all): exit(STATUS) in the second superstep */
int main(int argc, char **argv)
{
	bsp_begin(bsp_nprocs());
	bsp_sync();
	if (argc < 3 || atoi(argv[2]) < 0 || atoi(argv[2]) == bsp_pid())
		exit(atoi(argv[1]));
	bsp_sync();
	bsp_end();
	return 0;
}
END_C
compile ends

# ends STATUS EXPECTED PROCESS [COMMAND]...
ends()
{
	status=$1 expected=$2 process=$3
	shift 3
	timeout -k 5 "$(limit)" "$@" ./ends "$status" "$process" >out 2>err </dev/null
	is "$expected" $? "${1##*/}: exit($status), process $process" || diag "$(cat err)"
}

for process in 0 1 -1; do
	ends 7 7 $process env BSP_NPROCS=3
	ends 7 7 $process "$MPIRUN" --oversubscribe -n 3
	like "was not called before the end of the program \(exit status 7\)" "$(cat err)" \
		"and the message names it"
done
ends 7 7 0 env BSP_NPROCS=1
ends -1 255 1 env BSP_NPROCS=3
like "exited with status 255 before bsp_end \(process 1, " "$(cat err)" "and the message names it"
ends -1 255 0 env BSP_NPROCS=1
ends 0 1 1 env BSP_NPROCS=3
ends 0 1 1 "$MPIRUN" --oversubscribe -n 3
ends 256 1 1 "$MPIRUN" --oversubscribe -n 3
if test "$MPICH_EXEC"; then
	for process in 0 1 -1; do
		BSP_TRANSPORT=mpi ends 7 7 $process "$MPICH_EXEC" -n 3
	done
else
	skip "no mpicc.mpich and mpiexec.hydra here"
fi

# A program that cannot be started ends bsprun with 126 or 127; a signal keeps its own status.
: >plain
cat >dies.c <<'END_C'
#include <bsp.h>
#include <signal.h>

int main(void)
{
	bsp_begin(bsp_nprocs());
	raise(SIGILL);
	bsp_end();
	return 0;
}
END_C
compile dies
# bsprun_ends STATUS PROGRAM
bsprun_ends()
{
	PATH=$tap_dir/bin:$PATH timeout -k 5 "$(limit)" "$top_builddir/tools/bsprun/bsprun" \
		--launcher mpirun -n 2 "$2" >out 2>err </dev/null
	is "$1" $? "bsprun --launcher mpirun $2: status $1" || diag "$(cat err)"
}
mkdir bin
ln -s "$MPIRUN" bin/mpirun
bsprun_ends 127 ./missing
bsprun_ends 127 no-program-of-this-name
bsprun_ends 126 ./plain
bsprun_ends 132 ./dies

done_testing
