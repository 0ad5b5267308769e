// SPDX-License-Identifier: BSD-3-Clause
/* measure_schedule.c - messages of schedules, as what a network is measured with. */

#include "measure.h"

#include "bsp_goal.h"

#include <stdlib.h>
#include <string.h>

/* Messages of one kind: @n of @bytes, each waiting for the one before to end, or only to start. */
struct train {
	int n;
	uint64_t bytes;
	bool blocking;
};

/*
 * Messages one after the other to or from @peer; the last operation. Each has its own bytes, as
 * segments of a broadcast have: those that were sent before are in a cache.
 */
static int add_messages(struct goal_graph *g, const struct train *t, int peer, bool send)
{
	int last = -1;

	for (int i = 0; i < t->n; i++) {
		struct goal_place at = GOAL_AT(0, i * t->bytes);
		int op = send ? goal_send(g, t->bytes, at, peer, 0) :
				goal_recv(g, t->bytes, at, peer, 0);

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
			goal_requires(g, ack,
				      goal_recv(g, t->bytes, GOAL_AT(0, i * t->bytes), 0, 0));
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

/* Local operations on both, each waiting for the one before to end: folds of doubles, or copies. */
static struct goal_schedule *load_chain(const struct measure *m, const struct train *t, bool folds)
{
	struct goal_graph *g = create(m);
	int last = -1, op;

	goal_buffer(g);
	for (int i = 0; i < t->n && (m->me == 0 || m->me == m->peer); i++) {
		op = goal_local(g, folds ? GOAL_ADD : GOAL_COPY, folds ? GOAL_F64 : GOAL_NONE,
				t->bytes, GOAL_AT(0, 0), GOAL_AT(1, 0));
		if (last >= 0)
			goal_requires(g, op, last);
		last = op;
	}
	return measure_load(g);
}

/* A message from each of both to the other. */
static struct goal_schedule *load_cross(const struct measure *m, uint64_t bytes)
{
	struct goal_graph *g = create(m);
	int other = m->me == 0 ? m->peer : 0;

	goal_buffer(g);
	if (m->me == 0 || m->me == m->peer) {
		goal_send(g, bytes, GOAL_AT(0, 0), other, 0);
		goal_recv(g, bytes, GOAL_AT(1, 0), other, 0);
	}
	return measure_load(g);
}

/* A way, ready to be measured. */
struct loaded {
	enum measure_way way;
	struct goal_schedule *train, *word;	/* @word of receives only */
	unsigned char *room;	/* all that is sent or received; the same on each side */
	/* what is received while @room is sent, or read by local operations */
	unsigned char *in;
	bool is_answered;	/* of MEASURE_ALONE */
};

/* How long a run takes here, in ns. */
static double fly(const struct measure *m, const struct loaded *l, struct goal_schedule *s)
{
	void *buffers[2] = { l->room, l->in };
	double began = measure_now(m);
	struct goal_request *f = goal_start(s, buffers);

	goal_wait(f);
	return measure_now(m) - began;
}

/* ---- The carrier ---------------------------------------------------------------------------- */

/*
 * Memory that has been written: reads of any other are of one page of zeros, in a cache. Processes
 * between the two send and receive nothing, and have a byte.
 */
static unsigned char *written_room(const struct measure *m, uint64_t bytes)
{
	uint64_t used = m->me == 0 || m->me == m->peer ? bytes : 1;
	unsigned char *room = malloc(used);

	if (!room)
		measure_fail("no memory");
	return memset(room, 1, used);
}

static struct goal_schedule *load_train(struct measure *m, struct loaded *l, const struct train *t)
{
	switch (l->way) {
	case MEASURE_PRTT:
		return load_prtt(m, t);
	case MEASURE_RECEIVES:
		return schedule_load_way(m, t, m->peer, 0);
	case MEASURE_CROSS:
		l->in = written_room(m, t->bytes);
		return load_cross(m, t->bytes);
	case MEASURE_FOLDS:
	case MEASURE_COPIES:
		l->in = written_room(m, t->bytes);
		return load_chain(m, t, l->way == MEASURE_FOLDS);
	case MEASURE_ALONE:
		l->is_answered = !measure_has_one_clock(m);
		if (l->is_answered)
			return load_prtt(m, t);
		return schedule_load_way(m, t, 0, m->peer);
	default:
		return schedule_load_way(m, t, 0, m->peer);
	}
}

static void *load_way_of(struct measure *m, enum measure_way way, int n, uint64_t bytes)
{
	struct train t = { .n = n, .bytes = bytes, .blocking = way != MEASURE_PRTT };
	struct train word = { .n = 1, .bytes = 1 };
	struct loaded *l = calloc(1, sizeof(*l));

	if (!l)
		measure_fail("no memory");
	if (way == MEASURE_FOLDS)
		t.bytes = measure_task_of(GOAL_REDUCE, bytes).bytes;
	l->room = written_room(m, n * t.bytes);
	l->way = way;
	l->train = load_train(m, l, &t);
	if (way == MEASURE_RECEIVES)
		l->word = schedule_load_way(m, &word, m->peer, 0);
	return l;
}

/* The mean of process 0 and the peer, on process 0. */
static double mean_of_both(struct measure *m, double took)
{
	const double *all = measure_gather(m, took);

	return all ? (all[0] + all[m->peer]) / 2 : 0;
}

/* From a start in common. */
static double sample_pair(struct measure *m, const struct loaded *l)
{
	double took;

	measure_align(m);
	took = fly(m, l, l->train);
	if (l->is_answered)
		return took - m->answer_ns;
	return measure_has_one_clock(m) ? measure_most(m, took) : mean_of_both(m, took);
}

static double schedule_sample(struct measure *m, void *what)
{
	const struct loaded *l = what;
	void *buffers[1] = { l->room };
	struct goal_request *train;

	if (l->way == MEASURE_ALONE || l->way == MEASURE_CROSS)
		return sample_pair(m, l);
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
	free(l->in);
	free(l);
}

const struct measure_carrier measure_schedules = { .load = load_way_of,
						   .sample = schedule_sample,
						   .unload = schedule_unload,
						   .has_pairs = true };
