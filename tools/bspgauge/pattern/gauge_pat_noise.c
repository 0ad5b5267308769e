// SPDX-License-Identifier: BSD-3-Clause
/* gauge_pat_noise.c - how much the system takes from a program that only computes. */

/*
 * Fixed work: the same piece over and over; what it takes beyond the quickest is noise. All
 * processes work at the same time, as they would in a program, and the curve is that of process
 * 0.
 */

#include "tools/bspgauge/gauge.h"
#include "tools/measure/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	PIECES = 4096,
	PIECE_US = 50,
	FIRST = 10000,
	FIRST_ROUNDS = 16,
	POINTS = 21,
	MOST_SECONDS = 2
};

/* How much is a piece. */
static long noise_calibrate(const struct measure *m)
{
	return (long)(FIRST * PIECE_US / gauge_work_us(m, FIRST, FIRST_ROUNDS)) + 1;
}

/* The share of time that is lost, of the processes. */
static void add_lost(struct gauge *g, const double *us, int n)
{
	const double *all;
	double sum = 0, *copy;
	struct measure_value v;

	for (int i = 0; i < n; i++)
		sum += us[i];
	all = measure_gather(&g->m, 100 * (1 - us[0] * n / sum));
	if (!all)
		return;
	copy = gauge_memory(NULL, (size_t)g->m.nprocs * sizeof(*copy));
	memcpy(copy, all, (size_t)g->m.nprocs * sizeof(*copy));
	v = measure_median(copy, g->m.nprocs);
	gauge_value(g->result, "lost", "%", &v);
	free(copy);
}

static void noise_run(struct gauge *g)
{
	double *us = gauge_memory(NULL, PIECES * sizeof(*us)),
	       limit = fmin(g->m.seconds, MOST_SECONDS), began;
	long piece = noise_calibrate(&g->m);
	struct measure_value longest;
	struct gauge_series *s;
	int n = 0;

	measure_align(&g->m);
	began = measure_now(&g->m);
	do {
		us[n++] = gauge_work_us(&g->m, piece, 1);
	} while (n < PIECES && (n < POINTS || measure_now(&g->m) - began < limit * 1e9));
	sample_sort(us, n);
	add_lost(g, us, n);
	longest = (struct measure_value){ .median = us[n - 1] - us[0], .low = us[n - 1] - us[0],
					  .high = us[n - 1] - us[0], .n = n };
	gauge_value(g->result, "longest", "us", &longest);
	s = gauge_series(g->result, "noise", "", "work of %d us", PIECE_US);
	for (int i = 0; i < POINTS; i++) {
		double slower = us[i * (n - 1) / (POINTS - 1)] / us[0];
		struct measure_value at = {
			.median = slower, .low = slower, .high = slower, .n = 1
		};

		gauge_add(s, (double)i / (POINTS - 1), &at);
	}
	free(us);
}

const struct gauge_pattern gauge_pat_noise = {
	.name = "noise",
	.summary = "what the operating system takes from a program that only computes",
	.needs = GAUGE_REAL_TIME,
	.nprocs_least = 2,
	.weight = 0.3,
	.run = noise_run,
};
