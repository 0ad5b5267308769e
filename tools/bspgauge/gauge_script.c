// SPDX-License-Identifier: BSD-3-Clause
/* gauge_script.c - what a process does in a pattern, over the library or a module. */

#include "gauge.h"

#include "bsp.h"
#include "bsp_goal.h"

#include <math.h>
#include <stdlib.h>

/* ---- Writing it ---------------------------------------------------------------------------- */

struct gauge_script *gauge_script(bool together)
{
	struct gauge_script *s = gauge_memory(NULL, sizeof(*s));

	*s = (struct gauge_script){ .together = together };
	return s;
}

static void script_add(struct gauge_script *s, bool send, int peer, uint64_t bytes)
{
	if (s->n == GAUGE_STEPS)
		measure_fail("a script of more than %d steps", GAUGE_STEPS);
	s->step[s->n++] = (struct gauge_step){ send, peer, bytes };
}

void gauge_script_send(struct gauge_script *s, int peer, uint64_t bytes)
{
	script_add(s, true, peer, bytes);
}

void gauge_script_recv(struct gauge_script *s, int peer, uint64_t bytes)
{
	script_add(s, false, peer, bytes);
}

/* ---- As a schedule ------------------------------------------------------------------ */

static struct goal_graph *graph_of(const struct gauge *g, const struct gauge_script *s)
{
	struct goal_graph *graph = goal_graph_create(g->m.nprocs, g->m.me);
	int last = -1;

	if (!graph)
		measure_fail("no memory");
	goal_buffer(graph);
	goal_buffer(graph);
	for (int i = 0; i < s->n; i++) {
		const struct gauge_step *t = &s->step[i];
		int op = t->send ? goal_send(graph, t->bytes, GOAL_AT(0, 0), t->peer, 0) :
				   goal_recv(graph, t->bytes, GOAL_AT(1, 0), t->peer, 0);

		if (last >= 0 && !s->together)
			goal_requires(graph, op, last);
		last = op;
	}
	return graph;
}

void gauge_script_load(struct gauge *g, struct gauge_script *s)
{
	if (g->module->can & GAUGE_LIBRARY)
		s->schedule = measure_load(graph_of(g, s));
}

void gauge_script_free(struct gauge_script *s)
{
	if (s->schedule)
		goal_unload(s->schedule);
	free(s);
}

/* ---- Doing it ----------------------------------------------------------------------- */

static bool script_step(struct gauge *g, const struct gauge_step *t)
{
	if (!t->send)
		return g->module->recv(&g->job, t->peer, t->bytes);
	g->module->send(&g->job, t->peer, t->bytes);
	return true;
}

void gauge_script_start(struct gauge *g, struct gauge_script *s)
{
	void *buffers[2] = { g->job.src, g->job.dst };

	if (s->schedule) {
		s->run = goal_start(s->schedule, buffers);
		return;
	}
	for (int i = 0; i < s->n; i++) {
		const struct gauge_step *t = &s->step[i];

		s->request[s->nrequests++] = t->send ?
						     g->module->isend(&g->job, t->peer, t->bytes) :
						     g->module->irecv(&g->job, t->peer, t->bytes);
	}
}

bool gauge_script_test(struct gauge *g, struct gauge_script *s)
{
	int left = 0;

	if (s->schedule)
		return goal_test(&s->run);
	for (int i = 0; i < s->nrequests; i++)
		if (!g->module->test(&g->job, s->request[i]))
			s->request[left++] = s->request[i];
	s->nrequests = left;
	return left == 0;
}

void gauge_script_round(struct gauge *g)
{
	g->job.round++;
	if (!(g->module->can & GAUGE_RELIABLE))
		bsp_sync();
}

bool gauge_script_do(struct gauge *g, struct gauge_script *s)
{
	bool all = true;

	if (s->schedule) {
		gauge_script_start(g, s);
		goal_wait(s->run);
	} else if (s->together) {
		gauge_script_start(g, s);
		while (!gauge_script_test(g, s))
			;
	} else {
		for (int i = 0; i < s->n && all; i++)
			all = script_step(g, &s->step[i]);
	}
	return all;
}

double gauge_script_run(struct gauge *g, struct gauge_script *s)
{
	double began;
	bool all;

	gauge_script_round(g);
	began = measure_now(&g->m);
	all = gauge_script_do(g, s);
	return all ? measure_now(&g->m) - began : (double)NAN;
}

/* ---- What measure_plogp() measures with --------------------------------------------- */

/*
 * A way by calls that block. Receives are of messages that are there: process 0 looks away for
 * as long as the whole train takes, and a little, before the clock starts.
 */
struct way {
	struct gauge *g;
	enum measure_way way;
	int n;
	uint64_t bytes;
	double train_ns;	/* that the train took at least so far; 0: not known */
};

static void *script_load_way(struct measure *m, enum measure_way way, int n, uint64_t bytes)
{
	struct way *w = gauge_memory(NULL, sizeof(*w));

	*w = (struct way){ .g = (struct gauge *)m, .way = way, .n = n, .bytes = bytes };
	return w;
}

/* False: one was lost, and those after it are not waited for. */
static bool train(struct gauge *g, int peer, int n, uint64_t bytes, bool send)
{
	const struct gauge_step step = { send, peer, bytes };

	for (int i = 0; i < n; i++)
		if (!script_step(g, &step))
			return false;
	return true;
}

/*
 * A sample of process 0; the peer does the opposite, and processes between them nothing. A sample
 * in which a message was lost is NAN: a train of which the peer misses one has no answer.
 */
static double script_sample_first(struct way *w)
{
	struct gauge *g = w->g;
	double began = measure_now(&g->m), took, all;
	bool came;

	if (w->way == MEASURE_RECEIVES) {
		gauge_wait(&g->m, 3 * w->train_ns);
		began = measure_now(&g->m);
	}
	came = train(g, g->m.peer, w->n, w->bytes, w->way != MEASURE_RECEIVES);
	took = measure_now(&g->m) - began;
	came = came && train(g, g->m.peer, 1, 1, w->way == MEASURE_RECEIVES);
	if (!came)
		return (double)NAN;
	if (w->way == MEASURE_PRTT)
		took = measure_now(&g->m) - began;
	all = measure_now(&g->m) - began;
	w->train_ns = w->train_ns > 0 ? fmin(w->train_ns, all) : all;
	return took;
}

static double sample_way(struct measure *m, void *what)
{
	struct way *w = what;
	struct gauge *g = w->g;

	gauge_script_round(g);
	if (m->me == 0)
		return script_sample_first(w);
	if (m->me == m->peer && train(g, 0, w->n, w->bytes, w->way == MEASURE_RECEIVES))
		train(g, 0, 1, 1, w->way != MEASURE_RECEIVES);
	return 0;
}

static void unload_way(struct measure *m, void *loaded)
{
	(void)m;
	free(loaded);
}

const struct measure_carrier gauge_messages = { .load = script_load_way,
						.sample = sample_way,
						.unload = unload_way };
