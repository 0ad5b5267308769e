/* SPDX-License-Identifier: BSD-3-Clause */
/* With BSP_SYNC=classic no read or serve waits, and the results are the same. */
#include "../lib/relaxed.h"

enum { SUPERSTEPS = 50 };

static int x, y, a, b;

static void absurd_counts(void)
{
	int v = 3 + (int)bsp_nprocs(), got = 0;

	enter_relaxed();
	publish(&x, sizeof x);
	bsp_put(right(), &v, &x, 0, sizeof x);
	bsp_serve(&x, 1000);
	bsp_get(right(), &x, 0, &got, sizeof got);
	bsp_sync();
	is_int(v, x, "a put is there without a read");
	is_int(0, got, "a get has its value");
	is_int(1, bsp_read_test(&x, 1000), "bsp_read_test says yes, whatever n is");
	bsp_read(&x, 1000);
	bsp_read(&x, 1000);
	bsp_read(&x, 0);
	bsp_put(right(), &v, &x, 0, sizeof x);
	bsp_sync();
	bsp_sync();
	bsp_end();
}

/* Two regions, one read every superstep, one every other; then every process has all values. */
static void program(void)
{
	enter_relaxed();
	bsp_push_reg(&a, sizeof a);
	bsp_push_reg(&b, sizeof b);
	bsp_sync();
	x = 1 + (int)bsp_pid();
	y = 0;
	for (int s = 0; s < SUPERSTEPS; s++) {
		bsp_put(right(), &x, &a, 0, sizeof x);
		if (s % 2)
			bsp_put(left(), &y, &b, 0, sizeof y);
		bsp_sync();
		bsp_read(&a, 1);
		x = 3 * x + a;
		x %= 1000003;
		if (s % 2) {
			bsp_read(&b, 1);
			y = (y + b + x) % 1000003;
		}
	}
	printf("%d %d %d\n", (int)bsp_pid(), x, y);
	bsp_end();
}

/* The lines of the last job, in the order of the processes. */
static void sorted_lines(char *sorted)
{
	sorted[0] = '\0';
	for (int pid = 0; pid < 4; pid++) {
		const char *line = job_out();

		while (*line && *line != '0' + pid)
			line += strcspn(line, "\n") + 1;
		strncat(sorted, line, strcspn(line, "\n") + 1);
	}
}

int main(void)
{
	static char relaxed[400], classic[400];

	setenv("BSP_SYNC", "classic", 1);
	lives_ok(absurd_counts, 0, "counts that no put satisfies");
	lives_ok(absurd_counts, 1, "counts that no put satisfies, one process");
	lives_ok(program, 0, "a program for both modes, forced to classic");
	sorted_lines(classic);
	setenv("BSP_SYNC", "program", 1);
	lives_ok(program, 0, "a program for both modes, relaxed");
	sorted_lines(relaxed);
	ok(strlen(relaxed) > 4, "it has a result");
	is_str(relaxed, classic, "the results are the same");
	return done_testing();
}
