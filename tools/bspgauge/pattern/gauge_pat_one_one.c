// SPDX-License-Identifier: BSD-3-Clause
/* gauge_pat_one_one.c - random pairs that answer each other, or send to each other at once. */

/*
 * Small messages go several times in a sample, so that the clock and the start of a schedule are a
 * small part. With more than two processes all pairs play at once, which is a bisection of the
 * network, and the slowest pair counts. Every sample has other pairs, and the first play of a pair
 * is not timed; of an odd number of processes one has no partner. Two processes are a ping-pong,
 * which process 0 begins.
 */

#include "tools/bspgauge/gauge.h"

enum { TURNS = 16, SMALL = 8192 };

struct game {
	struct gauge *g;
	struct gauge_script *script;	/* of two processes; else each sample has one */
	uint64_t bytes;
	int turns;
	bool both;			/* send at once, and then receive */
};

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

static struct gauge_script *load_game(const struct game *p, int partner)
{
	struct gauge_script *s = gauge_script(p->both);
	bool first = p->both || p->g->m.me < partner;

	for (int i = 0; i < (p->both ? 1 : p->turns) && partner >= 0; i++) {
		if (first)
			gauge_script_send(s, partner, p->bytes);
		gauge_script_recv(s, partner, p->bytes);
		if (!first)
			gauge_script_send(s, partner, p->bytes);
	}
	gauge_script_load(p->g, s);
	return s;
}

/* ns of all turns. */
static double play(const struct game *p, struct gauge_script *s)
{
	double ns = 0;

	for (int i = 0; i < (p->both ? p->turns : 1); i++)
		ns += gauge_script_run(p->g, s);
	return ns;
}

/* New pairs; ns of the slowest. */
static double play_in_pairs(const struct game *p)
{
	struct gauge_script *s = load_game(p, partner_of(p->g));
	struct measure *m = &p->g->m;
	double ns;

	if (!m->virtual_time)
		play(p, s);
	measure_align(m);
	ns = measure_most(m, play(p, s));
	gauge_script_free(s);
	return ns;
}

/* Half of a round trip in us, or all of a turn in which both send. */
static double one_one_sample(struct measure *m, void *what)
{
	const struct game *p = what;
	double ns = m->nprocs > 2 ? play_in_pairs(p) : play(p, p->script);

	return ns / ((p->both ? 1e3 : 2e3) * p->turns);
}

static void one_one_measure(struct gauge *g, bool both, uint64_t bytes, double part)
{
	struct game p = { .g = g, .bytes = bytes, .both = both };
	struct measure_value us;

	p.turns = bytes <= SMALL ? TURNS : 1;
	if (g->m.nprocs == 2)
		p.script = load_game(&p, partner_of(g));
	us = measure_take(&g->m, one_one_sample, &p, part);
	if (p.script)
		gauge_script_free(p.script);
	gauge_add_time_and_rate(g, (double)bytes, &us, (double)bytes);
}

static void one_one_run_as(struct gauge *g, const char *name, bool both)
{
	gauge_series(g->result, "latency", "us", "%s", name);
	gauge_series(g->result, "bandwidth", "MB/s", "%s", name);
	for (int i = 0; i < g->nsizes; i++) {
		double part = (i + 1.0) / g->nsizes;

		measure_say(&g->m, part, "%s: %s, %llu bytes", g->module->name, name,
			    (unsigned long long)g->request->size[i]);
		one_one_measure(g, both, g->request->size[i], part);
	}
}

static void one_one_run(struct gauge *g)
{
	one_one_run_as(g, "one_one", false);
}

static void ping_ping_run(struct gauge *g)
{
	one_one_run_as(g, "ping_ping", true);
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

const struct gauge_pattern gauge_pat_ping_ping = {
	.name = "ping_ping",
	.summary = "pairs that send to each other at the same time: pipelining in both directions",
	.needs = GAUGE_NONBLOCKING | GAUGE_RELIABLE,
	.nprocs_least = 2,
	.weight = 0.7,
	.run = ping_ping_run,
};
