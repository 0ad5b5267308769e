# SPDX-License-Identifier: BSD-3-Clause
# thousands.sh - a program for jobs of thousands: supersteps in a ring, and the memory of a process.
# shellcheck shell=sh

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
	int steps = argc > 1 ? atoi(argv[1]) : 0, a[2] = { -1, -1 }, n, me;
	long mine[3], all[3] = { 0, 0, 0 };
	double begin;
	FILE *file;

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
	mine[2] = value_of("/proc/self/smaps_rollup", "Private_Dirty: %ld");
	/* by a file: a message of each to process 0 would open the endpoint of each */
	file = fopen("memory", "a");
	if (!file || fprintf(file, "%ld %ld %ld\n", mine[0], mine[1], mine[2]) < 0 || fclose(file))
		bsp_abort("no file for what is measured");
	bsp_sync();
	file = me ? NULL : fopen("memory", "r");
	while (file && fscanf(file, "%ld %ld %ld", &mine[0], &mine[1], &mine[2]) == 3) {
		all[0] += mine[0];
		all[1] += mine[1];
		all[2] += mine[2];
	}
	if (me == 0)
		remove("memory");
	if (me == 0)
		printf("%ld kB (PSS), %ld of it written and its own, and %ld kB of page tables "
		       "a process, %.0f ms a superstep\n", all[0] / n, all[2] / n, all[1] / n,
		       1000 * begin / (steps + 1));
	bsp_end();
	return 0;
}
END
bspcc -O2 -o ring ring.c || bail "ring.c does not compile"
