#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 4096 processes run 100 supersteps; the memory that a process has is printed.

. "${0%/*}/../lib/env.sh"
. "$top_srcdir/t/lib/installed.sh"

cat >ring.c <<'END'
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>

static long value_of(const char *path, const char *format)
{
	FILE *file = fopen(path, "r");
	char line[200];
	long value = 0;

	while (file && fgets(line, sizeof line, file) && sscanf(line, format, &value) != 1)
		;
	if (file)
		fclose(file);
	return value;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 0, a[2] = { -1, -1 }, n, me, count;
	long mine[2], all[2] = { 0, 0 };
	double begin;

	bsp_begin(bsp_nprocs());
	n = bsp_nprocs();
	me = bsp_pid();
	begin = bsp_time();
	if (steps)
		bsp_push_reg(a, sizeof a);
	bsp_sync();
	for (int s = 0; s < steps; s++) {
		int x = 7 * me + s, l = (me + n - 1) % n, r = (me + 1) % n;

		bsp_put(r, &x, a, 0, sizeof x);
		bsp_put(l, &x, a, sizeof x, sizeof x);
		bsp_sync();
		if (a[0] != 7 * l + s || a[1] != 7 * r + s)
			bsp_abort("a put has not arrived");
	}
	begin = bsp_time() - begin;
	mine[0] = value_of("/proc/self/smaps_rollup", "Pss: %ld");
	mine[1] = value_of("/proc/self/status", "VmPTE: %ld");
	bsp_sync();
	bsp_send(0, NULL, mine, sizeof mine);
	bsp_sync();
	bsp_qsize(&count, NULL);
	for (int i = 0; i < count; i++) {
		bsp_move(mine, sizeof mine);
		all[0] += mine[0];
		all[1] += mine[1];
	}
	if (me == 0)
		printf("%ld kB (PSS) and %ld kB of page tables a process, "
		       "%.0f ms a superstep\n", all[0] / n, all[1] / n, 1000 * begin / (steps + 1));
	bsp_end();
	return 0;
}
END
bspcc -O2 -o ring ring.c
is 0 $? "the program is compiled"

for n in 64 256 1024 4096; do
	seen=$(bsprun -n $n ./ring 2>&1)
	is 0 $? "$n processes that are idle"
	figure "$n idle processes: $seen"
done
for n in 1024 4096; do
	seen=$(bsprun -n $n ./ring 100 2>&1)
	is 0 $? "$n processes, 100 supersteps with two puts"
	figure "$n processes that put to two: $seen"
done
done_testing
