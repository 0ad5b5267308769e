// SPDX-License-Identifier: BSD-3-Clause
/* measure_plogp.c - L, os(m), or(m) and g(m) between process 0 and the last one. */

/*
 * Sizes. At first powers of four; then, where the gap in the middle of two sizes is not what lies on a line between them,
 * that size joins and both halves are looked at again. So there are many where the curve bends or jumps, as protocols
 * change, and few where it is straight, which is all that the models take it for.
 */

#include "measure.h"

#include "bsp_goal.h"

#include <math.h>
#include <stdlib.h>

enum {
	TRAIN_MOST = 16,
	TRAIN_LEAST = 3,
	TRAIN_BYTES = 4 << 20,	/* of all messages of a train, if they are more than the least */
	BLOCKING = 4,		/* messages in which overheads are measured: few, so that credit does not run out */
	WIDE_JUMP = 2,		/* a gap that is so many times what the line before it says */
};

/* What is sent and received; the same room on each side. */
static unsigned char *room;

/* ---- Schedules --------------------------------------------------------------------------- */

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
		bsp_abort("bspprobe: no memory");
	goal_buffer(g);
	return g;
}

/* Process 0 sends a train and hears once, when the last has been received. */
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
static struct goal_schedule *load_way(const struct measure *m, const struct train *t, int from, int to)
{
	struct goal_graph *g = create(m);

	if (m->me == from)
		add_messages(g, t, to, true);
	else if (m->me == to)
		add_messages(g, t, from, false);
	return measure_load(g);
}

/* How long a flight takes here, in ns. */
static double fly(struct goal_schedule *s)
{
	void *buffers[1] = { room };
	double began = bsp_time();
	struct goal_flight *f = goal_start(s, buffers);

	goal_wait(f);
	return (bsp_time() - began) * 1e9;
}

/* ---- Samples ------------------------------------------------------------------------------ */

static double sample_one(struct measure *m, void *what)
{
	struct goal_schedule *const *s = what;

	(void)m;
	return fly(*s);
}

static struct measure_value prtt(struct measure *m, uint64_t bytes, int n, double part)
{
	struct train t = { .n = n, .bytes = bytes };
	struct goal_schedule *s = load_prtt(m, &t);
	struct measure_value v = measure_take(m, sample_one, &s, part);

	goal_unload(s);
	return v;
}

/* Sends that wait for each other, as process 0 sees them. */
static struct measure_value send_time(struct measure *m, uint64_t bytes, int n, double part)
{
	struct train t = { .n = n, .bytes = bytes, .blocking = true };
	struct goal_schedule *s = load_way(m, &t, 0, m->peer);
	struct measure_value v = measure_take(m, sample_one, &s, part);

	goal_unload(s);
	return v;
}

/* The peer starts its train, then says so; that comes last, so the others are here. */
static double sample_receive(struct measure *m, void *what)
{
	struct goal_schedule *const *s = what;
	void *buffers[1] = { room };
	struct goal_flight *train;

	if (m->me == 0) {
		fly(s[1]);
		return fly(s[0]);
	}
	train = goal_start(s[0], buffers);
	fly(s[1]);
	goal_wait(train);
	return 0;
}

static struct measure_value receive_time(struct measure *m, uint64_t bytes, int n, double part)
{
	struct train t = { .n = n, .bytes = bytes, .blocking = true }, word = { .n = 1, .bytes = 1 };
	struct goal_schedule *s[2] = { load_way(m, &t, m->peer, 0), load_way(m, &word, m->peer, 0) };
	struct measure_value v = measure_take(m, sample_receive, s, part);

	goal_unload(s[0]);
	goal_unload(s[1]);
	return v;
}

/* ---- Points --------------------------------------------------------------------------------- */

/* Of @n messages and one, what each of those more costs. */
static struct measure_value per_message(const struct measure_value *many, const struct measure_value *one, int n,
					double least)
{
	struct measure_value v = measure_difference(many, one, n - 1);

	measure_clamp(&v, least);
	return v;
}

static void measure_point_at(struct measure *m, struct measure_point *p, uint64_t bytes, double part)
{
	struct measure_value many, one;
	int fit = (int)(TRAIN_BYTES / bytes);

	*p = (struct measure_point){ .bytes = bytes };
	p->n = fit > TRAIN_MOST ? TRAIN_MOST : fit < TRAIN_LEAST ? TRAIN_LEAST : fit;
	p->one = prtt(m, bytes, 1, part);
	p->train = prtt(m, bytes, p->n, part);
	p->g = per_message(&p->train, &p->one, p->n, 1);
	many = send_time(m, bytes, BLOCKING, part);
	one = send_time(m, bytes, 1, part);
	p->os = per_message(&many, &one, BLOCKING, 0);
	many = receive_time(m, bytes, BLOCKING, part);
	one = receive_time(m, bytes, 1, part);
	p->or_ = per_message(&many, &one, BLOCKING, 0);
}

/* What a line between points @a and @b says at @bytes. */
static double on_line(const struct measure_point *a, const struct measure_point *b, uint64_t bytes)
{
	double slope = (b->g.median - a->g.median) / (double)(b->bytes - a->bytes);

	return a->g.median + slope * (double)(bytes - a->bytes);
}

/* Put it where it belongs by size; its place. */
static int insert(struct measure_machine *k, const struct measure_point *p)
{
	int i = k->npoints++;

	for (; i > 0 && k->point[i - 1].bytes > p->bytes; i--)
		k->point[i] = k->point[i - 1];
	k->point[i] = *p;
	return i;
}

/* Is the curve bent there, beyond what is noise? */
static bool is_bent(const struct measure_point *p, double line)
{
	double off = fabs(p->g.median - line), noise = p->g.high - p->g.low;

	return off > 0.05 * line && off > noise;
}

/* Between sizes @low and @high; deeper where it is bent. */
static void refine(struct measure *m, struct measure_machine *k, uint64_t low, uint64_t high, double part)
{
	uint64_t middle = (uint64_t)sqrt((double)low * (double)high);
	struct measure_point p;
	bool deeper = false;
	int i;

	if (middle <= low + low / 8 || k->npoints == BSPI_SIZES_MOST || !measure_has_time(m, part))
		return;
	measure_say(m, part, "messages of %llu bytes", (unsigned long long)middle);
	measure_point_at(m, &p, middle, part);
	i = insert(k, &p);
	if (m->me == 0)
		deeper = is_bent(&p, on_line(&k->point[i - 1], &k->point[i + 1], middle));
	measure_agree(m, &deeper, sizeof(deeper));
	if (!deeper)
		return;
	refine(m, k, low, middle, part);
	refine(m, k, middle, high, part);
}

/* Where the gap is much more than the two sizes before it would have it. */
static void mark_changes(struct measure_machine *k)
{
	for (int i = 2; i < k->npoints; i++) {
		const struct measure_point *a = &k->point[i - 2], *b = &k->point[i - 1];
		double line = fmax(on_line(a, b, k->point[i].bytes), b->g.median);

		k->point[i].changes = k->point[i].g.median > WIDE_JUMP * line;
	}
}

void measure_plogp(struct measure *m, struct measure_machine *k, double part)
{
	uint64_t sizes[BSPI_SIZES_MOST];
	int n = 0;

	for (uint64_t bytes = 1; bytes <= m->bytes_most; bytes *= 4)
		sizes[n++] = bytes;
	room = calloc(1, m->bytes_most);
	if (!room)
		bsp_abort("bspprobe: no memory");
	for (int i = 0; i < n; i++) {
		measure_say(m, part * i / (2 * n), "messages of %llu bytes", (unsigned long long)sizes[i]);
		measure_point_at(m, &k->point[k->npoints++], sizes[i], part);
	}
	for (int i = 0; i + 1 < n; i++)
		refine(m, k, sizes[i], sizes[i + 1], part);
	free(room);
	mark_changes(k);
	k->L = k->point[0].one;
	k->L.median = k->L.median / 2 - k->point[0].g.median;
	k->L.low = k->L.low / 2 - k->point[0].g.high;
	k->L.high = k->L.high / 2 - k->point[0].g.low;
	measure_clamp(&k->L, 0);
}
