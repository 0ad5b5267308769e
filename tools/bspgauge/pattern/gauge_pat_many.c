// SPDX-License-Identifier: BSD-3-Clause
/* gauge_pat_many.c - one process sends to all others, or all to one. */

/*
 * The others answer with a byte each when they have theirs; or the one does when it has all. This
 * one, the server, is another one in each sample. one_to_n is timed by the server until it has all
 * answers, n_to_one by the slowest of the others until its answer has come. The first run with a
 * server is not timed.
 */

#include "tools/bspgauge/gauge.h"

struct crowd {
	struct gauge *g;
	bool to_one;
	uint64_t bytes;
};

/* One side of messages between @server and all others. */
static struct gauge_script *fan_load(struct gauge *g, int server, bool from_server, uint64_t bytes)
{
	struct gauge_script *s = gauge_script(true);
	int first = g->m.me == server ? 0 : server;
	int last = g->m.me == server ? g->m.nprocs - 1 : server;

	for (int q = first; q <= last; q++)
		if (q != g->m.me && (g->m.me == server) == from_server)
			gauge_script_send(s, q, bytes);
		else if (q != g->m.me)
			gauge_script_recv(s, q, bytes);
	gauge_script_load(g, s);
	return s;
}

static double fan_sample(struct measure *m, void *what)
{
	const struct crowd *c = what;
	int server = (int)gauge_random(c->g, (unsigned int)m->nprocs);
	struct gauge_script *there = fan_load(c->g, server, !c->to_one, c->bytes),
			    *back = fan_load(c->g, server, c->to_one, 1);
	double ns = 0;

	for (int i = m->virtual_time ? 1 : 0; i < 2; i++) {
		measure_align(m);
		ns = gauge_script_run(c->g, there);
		ns += gauge_script_run(c->g, back);
	}
	gauge_script_free(there);
	gauge_script_free(back);
	return measure_most(m, (m->me == server) != c->to_one ? ns : 0) * 1e-3;
}

/* Two plots for both patterns: their series tell them apart. */
static void fan_run(struct gauge *g, const char *name, bool to_one)
{
	const char *label = to_one ? "to one" : "to many";

	gauge_series(g->result, "many", "us", "%s", label);
	gauge_series(g->result, "many_bandwidth", "MB/s", "%s", label);
	for (int i = 0; i < g->nsizes; i++) {
		struct crowd c = { g, to_one, g->request->size[i] };
		double part = (i + 1.0) / g->nsizes;
		struct measure_value us;

		measure_say(&g->m, part, "%s: %s, %llu bytes", g->module->name, name,
			    (unsigned long long)c.bytes);
		us = measure_take(&g->m, fan_sample, &c, part);
		gauge_add_time_and_rate(g, (double)c.bytes, &us,
					(double)c.bytes * (g->m.nprocs - 1));
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
	.summary = "one process, another in each sample, sends to all others, which answer",
	.needs = GAUGE_NONBLOCKING | GAUGE_RELIABLE,
	.nprocs_least = 2,
	.weight = 0.5,
	.run = run_one_to_n,
};

const struct gauge_pattern gauge_pat_n_to_one = {
	.name = "n_to_one",
	.summary = "all others send to one, another in each sample, which answers when it has all",
	.needs = GAUGE_NONBLOCKING | GAUGE_RELIABLE,
	.nprocs_least = 2,
	.weight = 0.5,
	.run = run_n_to_one,
};
