// SPDX-License-Identifier: BSD-3-Clause
/* gauge_pat_many.c - one process sends to all others, or all to one. */

/*
 * The others answer with a byte each when they have theirs; or the one does when it has all. A
 * sample ends at process 0 when all answers are there: the one is process 0, from whom one_to_n
 * is timed, and n_to_one is timed by the slowest of the others.
 */

#include "tools/bspgauge/gauge.h"

struct crowd {
	struct gauge *g;
	struct gauge_script *there, *back;
	bool to_one;
};

static double fan_sample(struct measure *m, void *what)
{
	struct crowd *c = what;
	double ns;

	measure_align(m);
	ns = gauge_script_run(c->g, c->there);
	ns += gauge_script_run(c->g, c->back);
	return (c->to_one ? measure_most(m, ns) : ns) * 1e-3;
}

/* The step of one side of a message. */
static void fan_add(struct gauge *g, struct gauge_script *s, bool from_one, uint64_t bytes)
{
	if (g->m.me != 0 && from_one)
		gauge_script_recv(s, 0, bytes);
	else if (g->m.me != 0)
		gauge_script_send(s, 0, bytes);
	for (int q = 1; g->m.me == 0 && q < g->m.nprocs; q++)
		if (from_one)
			gauge_script_send(s, q, bytes);
		else
			gauge_script_recv(s, q, bytes);
}

static void fan_measure_size(struct gauge *g, struct gauge_series *s, bool to_one, uint64_t bytes,
			     double part)
{
	struct crowd c = { g, gauge_script(true), gauge_script(true), to_one };
	struct measure_value v;

	fan_add(g, c.there, !to_one, bytes);
	fan_add(g, c.back, to_one, 1);
	gauge_script_load(g, c.there);
	gauge_script_load(g, c.back);
	v = measure_take(&g->m, fan_sample, &c, part);
	gauge_add_taken(g, s, (double)bytes, &v);
	gauge_script_free(c.there);
	gauge_script_free(c.back);
}

/* Both patterns are in one plot: their series tell them apart. */
static void fan_run(struct gauge *g, const char *name, bool to_one)
{
	struct gauge_series *s =
		gauge_series(g->result, "many", "us", to_one ? "to one" : "to many");

	for (int i = 0; i < g->nsizes; i++) {
		double part = (i + 1.0) / g->nsizes;

		measure_say(&g->m, part, "%s: %s, %llu bytes", g->module->name, name,
			    (unsigned long long)g->request->size[i]);
		fan_measure_size(g, s, to_one, g->request->size[i], part);
	}
}

static void run_one_to_n(struct gauge *g)
{
	fan_run(g, "one_to_n", false);
}

static void run_n_to_one(struct gauge *g)
{
	fan_run(g, "n_to_one", true);
}

const struct gauge_pattern gauge_pat_one_to_n = {
	.name = "one_to_n",
	.summary = "one process sends to all others at once, who answer",
	.needs = GAUGE_NONBLOCKING | GAUGE_RELIABLE,
	.nprocs_least = 2,
	.weight = 0.5,
	.run = run_one_to_n,
};

const struct gauge_pattern gauge_pat_n_to_one = {
	.name = "n_to_one",
	.summary = "all others send to one at once, which answers when it has all",
	.needs = GAUGE_NONBLOCKING | GAUGE_RELIABLE,
	.nprocs_least = 2,
	.weight = 0.5,
	.run = run_n_to_one,
};
