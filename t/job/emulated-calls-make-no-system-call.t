#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# On an emulated network a put of a few bytes takes no system call to know how long was computed.
# shellcheck disable=SC1091,SC2154

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

strace -o /dev/null true 2>/dev/null || skip_all "no strace here"
test -z "$BSP_SANITIZE" || skip_all "not applicable: programs are sanitized"

cat >puts.c <<'END'
#include <bsp.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	static double x;
	int n = argc > 1 ? atoi(argv[1]) : 0;

	bsp_begin(bsp_nprocs());
	bsp_push_reg(&x, sizeof x);
	bsp_sync();
	for (int i = 0; i < n; i++)
		bsp_put(bsp_nprocs() - 1, &x, &x, 0, sizeof x);
	bsp_sync();
	bsp_end();
	return 0;
}
END
bspcc -o puts puts.c || bail "the program does not compile"

# clocks PUTS: how often all processes read a clock by a system call
clocks()
{
	strace -f -e trace=clock_gettime -o trace bsprun -n 2 --emulate sp2 ./puts "$1" >/dev/null
	grep -c 'clock_gettime(CLOCK_THREAD_CPUTIME_ID' trace
}

without=$(clocks 0)
# Where the clock of the system is a system call, 10 us pass within each put that strace stops.
grep -q 'clock_gettime(CLOCK_MONOTONIC' trace &&
	skip_all "not applicable: the clock of the system is a system call here, too"
with=$(clocks 10000)
ok $((!(without > 0))) "the clock of the processor is read by system calls"
# Two for each put are 40000; a look is due every 10 us.
ok $((!(with - without < 10000))) "10000 puts of each process read it less often than that" ||
	diag "$without without puts, $with with them"

done_testing
