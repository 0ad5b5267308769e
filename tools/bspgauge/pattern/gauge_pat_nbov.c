// SPDX-License-Identifier: BSD-3-Clause
/* gauge_pat_nbov.c - what non-blocking transfers cost the processor. */

/*
 * Process 0 starts a send and asks until it is done, then does the same with the receive of the
 * answer; the peer only answers. One part of a sample is kept, so each part has samples of its
 * own.
 */

#include "tools/bspgauge/gauge.h"

enum part { START_SEND, START_RECEIVE, TEST, ROUND_TRIP, PARTS };

static const char *const names[PARTS] = { "start of a send", "start of a receive", "a test",
					  "round trip" };

struct game {
	struct gauge *g;
	struct gauge_script *there, *back;
	enum part part;
};

static double nbov_finish(struct game *p, struct gauge_script *s, int *tests)
{
	double began = measure_now(&p->g->m);
	bool done = false;

	while (!done) {
		done = gauge_script_test(p->g, s);
		++*tests;
	}
	return measure_now(&p->g->m) - began;
}

static double nbov_sample_first(struct game *p)
{
	const struct measure *m = &p->g->m;
	double began = measure_now(m), ns[PARTS], testing;
	int tests = 0;

	gauge_script_start(p->g, p->there);
	ns[START_SEND] = measure_now(m) - began;
	testing = nbov_finish(p, p->there, &tests);
	ns[START_RECEIVE] = -measure_now(m);
	gauge_script_start(p->g, p->back);
	ns[START_RECEIVE] += measure_now(m);
	testing += nbov_finish(p, p->back, &tests);
	ns[TEST] = testing / tests;
	ns[ROUND_TRIP] = measure_now(m) - began;
	return ns[p->part] * 1e-3;
}

static double nbov_sample(struct measure *m, void *what)
{
	struct game *p = what;
	int tests = 0;

	if (m->me == 0)
		return nbov_sample_first(p);
	if (m->me != m->peer)
		return 0;
	gauge_script_start(p->g, p->there);
	nbov_finish(p, p->there, &tests);
	gauge_script_start(p->g, p->back);
	nbov_finish(p, p->back, &tests);
	return 0;
}

static void nbov_measure_size(struct gauge *g, uint64_t bytes, int i)
{
	struct game p = { g, gauge_script(true), gauge_script(true), START_SEND };

	if (g->m.me == 0) {
		gauge_script_send(p.there, g->m.peer, bytes);
		gauge_script_recv(p.back, g->m.peer, bytes);
	} else if (g->m.me == g->m.peer) {
		gauge_script_recv(p.there, 0, bytes);
		gauge_script_send(p.back, 0, bytes);
	}
	gauge_script_load(g, p.there);
	gauge_script_load(g, p.back);
	for (int k = 0; k < PARTS; k++) {
		struct measure_value v;

		p.part = (enum part)k;
		v = measure_take(&g->m, nbov_sample, &p, (i + (k + 1.0) / PARTS) / g->nsizes);
		measure_clamp(&v, 0);
		gauge_add_taken(g, &g->result->series[k], (double)bytes, &v);
	}
	gauge_script_free(p.there);
	gauge_script_free(p.back);
}

static void nbov_run(struct gauge *g)
{
	for (int k = 0; k < PARTS; k++)
		gauge_series(g->result, "nonblocking", "us", "%s", names[k]);
	for (int i = 0; i < g->nsizes; i++) {
		measure_say(&g->m, (double)i / g->nsizes, "%s: nbov, %llu bytes", g->module->name,
			    (unsigned long long)g->request->size[i]);
		nbov_measure_size(g, g->request->size[i], i);
	}
}

const struct gauge_pattern gauge_pat_nbov = {
	.name = "nbov",
	.summary = "what starting, testing and finishing non-blocking transfers costs",
	.needs = GAUGE_NONBLOCKING | GAUGE_RELIABLE | GAUGE_REAL_TIME,
	.nprocs_least = 2,
	.weight = 0.7,
	.run = nbov_run,
};
