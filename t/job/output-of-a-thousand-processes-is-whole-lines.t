#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What 1024 processes print comes as whole lines with few descriptors allowed; with too few none
# starts.
# shellcheck disable=SC3045

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

n=1024
test -z "$BSP_SANITIZE" || n=100

cat >say.c <<'END'
#include <bsp.h>
#include <stdio.h>
int main(void)
{
	bsp_begin(bsp_nprocs());
	for (int i = 0; i < 20; i++)
		printf("line %d of process %d ends here\n", i, (int)bsp_pid());
	bsp_sync();
	bsp_end();
	return 0;
}
END
bspcc -o say say.c
is 0 $? "the program is compiled"

# The supervisor may raise its own limit, and the processes have what the user set.
(ulimit -S -n 100 && BSP_TAG_OUTPUT=1 bsprun -n $n ./say >out 2>err)
is 0 $? "$n processes with 100 descriptors, more if need be: status 0"
is "$((20 * n))" "$(grep -cE '^\[([0-9]+)\] line [0-9]+ of process \1 ends here$' out)" \
	"each line is whole and has its process"
is "$((20 * n))" "$(sort -u out | wc -l)" "each comes once, and nothing else"

(ulimit -n 100 && BSP_TAG_OUTPUT=1 bsprun -n $n ./say >out 2>err)
is 1 $? "100 descriptors and no more: status 1"
like "^bsp_begin: cannot start $n processes: Too many open files; .*ulimit -n" "$(cat err)" \
	"the message says what to raise"
is 1 "$(wc -l <err)" "and there is one"
is 0 "$(wc -c <out)" "no process has printed anything"

done_testing
