// SPDX-License-Identifier: BSD-3-Clause
/* gauge_pat_ebb.c - effective bisection bandwidth: random pairs at once. */

/*
 * Hoefler, Schneider and Lumsdaine, Multistage Switches are not Crossbars (2008): one half of
 * the processes sends to the other, each to one, and the mean of all pairings is what an
 * application can expect of the network's bisection.
 */

#include "tools/bspgauge/gauge.h"

#include <math.h>

enum { PAIRINGS_LEAST = 4, PAIRINGS = 64, ROUNDS = 3, POINTS = 21 };

/* The partner in this pairing, and whether this process sends; -1: it has none. */
static int pair(struct gauge *g, bool *sends)
{
	int order[GAUGE_STEPS], half = g->m.nprocs / 2;

	gauge_shuffle(g, order, g->m.nprocs);
	for (int i = 0; i < 2 * half; i++)
		if (order[i] == g->m.me) {
			*sends = i < half;
			return order[i < half ? i + half : i - half];
		}
	return -1;
}

/*
 * The mean over the pairs, MB/s, of the best round, by the time of the one that sends first.
 * On process 0.
 */
static double mean_bandwidth(struct gauge *g, struct gauge_script *s, bool sends, uint64_t bytes)
{
	double best = 0;

	for (int r = 0; r < ROUNDS; r++) {
		const double *all;
		double ns, sum = 0;

		measure_align(&g->m);
		ns = gauge_script_run(g, s);
		all = measure_gather(&g->m, sends ? 2e3 * (double)bytes / ns : 0);
		for (int q = 0; all && q < g->m.nprocs; q++)
			sum += all[q];
		best = fmax(best, sum / (g->m.nprocs / 2));
	}
	return best;
}

static double ebb_once(struct gauge *g, uint64_t bytes)
{
	struct gauge_script *s = gauge_script(false);
	bool sends = false;
	int other = pair(g, &sends);
	double rate;

	if (other >= 0 && sends) {
		gauge_script_send(s, other, bytes);
		gauge_script_recv(s, other, bytes);
	} else if (other >= 0) {
		gauge_script_recv(s, other, bytes);
		gauge_script_send(s, other, bytes);
	}
	gauge_script_load(g, s);
	rate = mean_bandwidth(g, s, sends, bytes);
	gauge_script_free(s);
	return rate;
}

static void ebb_run(struct gauge *g)
{
	uint64_t bytes = g->request->size[g->nsizes - 1];
	struct gauge_series *s;
	struct measure_value v;
	double rates[MEASURE_SAMPLES];
	int n = 0, samples = g->m.samples, most = samples ? samples : PAIRINGS;

	do {
		measure_say(&g->m, (double)n / most, "%s: pairing %d", g->module->name, n + 1);
		rates[n++] = ebb_once(g, bytes);
	} while (n < most && (samples || n < PAIRINGS_LEAST || measure_has_time(&g->m, 1)));
	v = measure_median(rates, n);
	gauge_value(g->result, "ebb", "MB/s", &v);
	s = gauge_series(g->result, "bisection", "MB/s", "pairs, %llu bytes",
			 (unsigned long long)bytes);
	for (int i = 0; i < POINTS; i++) {
		double rate = rates[i * (n - 1) / (POINTS - 1)];
		struct measure_value at = { .median = rate, .low = rate, .high = rate, .n = 1 };

		gauge_add(s, (double)i / (POINTS - 1), &at);
	}
}

const struct gauge_pattern gauge_pat_ebb = {
	.name = "ebb",
	.summary =
		"effective bisection bandwidth: random pairs at once, and other pairs, and others",
	.needs = GAUGE_RELIABLE,
	.nprocs_least = 4,
	.weight = 0.7,
	.run = ebb_run,
};
