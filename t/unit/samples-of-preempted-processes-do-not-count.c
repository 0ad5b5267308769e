/* SPDX-License-Identifier: BSD-3-Clause */
/* A sample in which another program had the processor of a process is no part of the median, unless
 * too few others are left. */
#include "../../tools/measure/measure_job.c"
#include "../../tools/measure/measure_stats.c"
#include "../../tools/measure/sample.c"
#include "../lib/tap.h"

enum { NPROCS = 3 };

void measure_clock_open(void)
{
}

static unsigned char flags[NPROCS * MEASURE_SAMPLES];
static struct measure m = { .nprocs = NPROCS, .preempted = flags };

/* Samples of 1, 2, ... @n, of which those from @from on were disturbed, each on another process. */
static struct measure_value of_samples(int n, int from)
{
	memset(flags, 0, sizeof flags);
	for (int i = 0; i < n; i++) {
		m.last[i] = i + 1;
		flags[i % NPROCS * MEASURE_SAMPLES + i] = i >= from;
	}
	return median_of_undisturbed(&m, n);
}

int main(void)
{
	struct measure_value v = of_samples(9, 9);

	ok(v.median == 5 && v.n == 9, "without a disturbance all count");
	v = of_samples(9, 5);
	ok(v.median == 3 && v.n == 5, "four of nine do not, whichever process was preempted");
	v = of_samples(9, 3);
	ok(v.median == 2 && v.n == 3, "three are enough");
	v = of_samples(9, 2);
	ok(v.median == 5 && v.n == 9, "two are not: all count");
	m.last[0] = NAN;
	flags[1 * MEASURE_SAMPLES + 7] = 0;
	v = median_of_undisturbed(&m, 9);
	ok(v.n == 2 && v.lost == 1, "of those that count one was lost");
	m.samples = 9;
	v = of_samples(9, 5);
	ok(v.median == 5 && v.n == 9, "where a number was asked for, all count");
	return done_testing();
}
