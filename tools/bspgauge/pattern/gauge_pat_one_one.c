// SPDX-License-Identifier: BSD-3-Clause
/* gauge_pat_one_one.c - random pairs that answer each other: latency and bandwidth. */

/*
 * Small messages go there and back several times in a sample, so that the clock and the start
 * of a schedule are a small part. With more than two processes all pairs play at once, which is
 * a bisection of the network, and the slowest pair counts.
 */

#include "tools/bspgauge/gauge.h"

enum { TURNS = 16, SMALL = 8192 };

struct game {
	struct gauge *g;
	struct gauge_script *script;
	int turns;
};

/* Half of a round trip in us; of the slowest pair. */
static double one_one_sample(struct measure *m, void *what)
{
	struct game *p = what;
	double ns;

	if (m->nprocs > 2)
		measure_align(m);
	ns = gauge_script_run(p->g, p->script);
	if (m->nprocs > 2)
		ns = measure_most(m, ns);
	return ns / (2e3 * p->turns);
}

/* The partner of this process; -1: it has none. */
static int partner_of(struct gauge *g)
{
	int order[GAUGE_STEPS], n = g->m.nprocs;

	if (n == 2)
		return 1 - g->m.me;
	gauge_shuffle(g, order, n);
	for (int i = 0; i < n; i++)
		if (order[i] == g->m.me)
			return (i ^ 1) < n ? order[i ^ 1] : -1;
	return -1;
}

static void write_script(struct game *p, int partner, uint64_t bytes)
{
	bool first = p->g->m.me < partner;

	for (int i = 0; i < p->turns && partner >= 0; i++) {
		if (first)
			gauge_script_send(p->script, partner, bytes);
		gauge_script_recv(p->script, partner, bytes);
		if (!first)
			gauge_script_send(p->script, partner, bytes);
	}
}

static struct measure_value bandwidth(const struct measure_value *us, uint64_t bytes)
{
	struct measure_value v = *us;

	v.median = (double)bytes / us->median;
	v.low = (double)bytes / us->high;
	v.high = (double)bytes / us->low;
	return v;
}

static void one_one_run(struct gauge *g)
{
	struct gauge_series *s[2];
	int partner = partner_of(g);

	gauge_series(g->result, "latency", "us", "one_one");
	gauge_series(g->result, "bandwidth", "MB/s", "one_one");
	s[0] = &g->result->series[0];
	s[1] = &g->result->series[1];
	for (int i = 0; i < g->nsizes; i++) {
		uint64_t bytes = g->request->size[i];
		struct game p = { g, gauge_script(false), bytes <= SMALL ? TURNS : 1 };
		double part = (i + 1.0) / g->nsizes;
		struct measure_value us, rate;

		measure_say(&g->m, part, "%s: one_one, %llu bytes", g->module->name,
			    (unsigned long long)bytes);
		write_script(&p, partner, bytes);
		gauge_script_load(g, p.script);
		us = measure_take(&g->m, one_one_sample, &p, part);
		gauge_script_free(p.script);
		gauge_add_taken(g, s[0], (double)bytes, &us);
		if (!us.flagged) {
			rate = bandwidth(&us, bytes);
			gauge_add(s[1], (double)bytes, &rate);
		}
	}
}

const struct gauge_pattern gauge_pat_one_one = {
	.name = "one_one",
	.summary =
		"pairs that answer each other: latency and bandwidth; with more than one pair, "
		"bisection",
	.needs = 0,
	.nprocs_least = 2,
	.weight = 1.5,
	.run = one_one_run,
};
