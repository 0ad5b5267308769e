// SPDX-License-Identifier: BSD-3-Clause
/* measure_schedule.c - messages of schedules, as what a network is measured with. */

#include "measure.h"

#include "bsp_goal.h"

#include <stdlib.h>

/* Messages of one kind: @n of @bytes, each waiting for the one before to end, or only to start. */
struct train {
	int n;
	uint64_t bytes;
	bool blocking;
};

/* Messages one after the other to or from @peer; the last operation. */
static int add_messages(struct goal_graph *g, const struct train *t, int peer, bool send)
{
	int last = -1;

	for (int i = 0; i < t->n; i++) {
		int op = send ? goal_send(g, t->bytes, GOAL_AT(0, 0), peer, 0) :
				goal_recv(g, t->bytes, GOAL_AT(0, 0), peer, 0);

		if (last >= 0 && t->blocking)
			goal_requires(g, op, last);
		else if (last >= 0)
			goal_irequires(g, op, last);
		last = op;
	}
	return last;
}

static struct goal_graph *create(const struct measure *m)
{
	struct goal_graph *g = goal_graph_create(m->nprocs, m->me);

	if (!g)
		measure_fail("no memory");
	goal_buffer(g);
	return g;
}

/* Process 0 sends a train and is answered once, when the last has been received. */
static struct goal_schedule *load_prtt(const struct measure *m, const struct train *t)
{
	struct goal_graph *g = create(m);

	if (m->me == 0) {
		add_messages(g, t, m->peer, true);
		goal_recv(g, 1, GOAL_NOWHERE, m->peer, 1);
	} else if (m->me == m->peer) {
		int ack = goal_send(g, 1, GOAL_NOWHERE, 0, 1);

		for (int i = 0; i < t->n; i++)
			goal_requires(g, ack, goal_recv(g, t->bytes, GOAL_AT(0, 0), 0, 0));
	}
	return measure_load(g);
}

/* Only a train, from @from to @to. */
static struct goal_schedule *schedule_load_way(const struct measure *m, const struct train *t,
					       int from, int to)
{
	struct goal_graph *g = create(m);

	if (m->me == from)
		add_messages(g, t, to, true);
	else if (m->me == to)
		add_messages(g, t, from, false);
	return measure_load(g);
}

/* A way, ready to be measured. */
struct loaded {
	enum measure_way way;
	struct goal_schedule *train, *word;	/* @word of receives only */
	unsigned char *room;	/* what is sent and received; the same on each side */
};

/* How long a run takes here, in ns. */
static double fly(const struct measure *m, const struct loaded *l, struct goal_schedule *s)
{
	void *buffers[1] = { l->room };
	double began = measure_now(m);
	struct goal_request *f = goal_start(s, buffers);

	goal_wait(f);
	return measure_now(m) - began;
}

/* ---- The carrier ---------------------------------------------------------------------------- */

static void *load_way_of(struct measure *m, enum measure_way way, int n, uint64_t bytes)
{
	struct train t = { .n = n, .bytes = bytes, .blocking = way != MEASURE_PRTT };
	struct train word = { .n = 1, .bytes = 1 };
	struct loaded *l = calloc(1, sizeof(*l));

	if (!l || !(l->room = calloc(1, bytes)))
		measure_fail("no memory");
	l->way = way;
	if (way == MEASURE_PRTT)
		l->train = load_prtt(m, &t);
	else if (way == MEASURE_SENDS)
		l->train = schedule_load_way(m, &t, 0, m->peer);
	else
		l->train = schedule_load_way(m, &t, m->peer, 0);
	if (way == MEASURE_RECEIVES)
		l->word = schedule_load_way(m, &word, m->peer, 0);
	return l;
}

static double schedule_sample(struct measure *m, void *what)
{
	const struct loaded *l = what;
	void *buffers[1] = { l->room };
	struct goal_request *train;

	if (l->way != MEASURE_RECEIVES)
		return fly(m, l, l->train);
	/* the peer starts its train, then says so; that comes last, so the others are here */
	if (m->me == 0) {
		fly(m, l, l->word);
		return fly(m, l, l->train);
	}
	train = goal_start(l->train, buffers);
	fly(m, l, l->word);
	goal_wait(train);
	return 0;
}

static void schedule_unload(struct measure *m, void *what)
{
	struct loaded *l = what;

	(void)m;
	goal_unload(l->train);
	if (l->word)
		goal_unload(l->word);
	free(l->room);
	free(l);
}

const struct measure_carrier measure_schedules = { .load = load_way_of,
						   .sample = schedule_sample,
						   .unload = schedule_unload };
