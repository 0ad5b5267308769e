// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_sim_queue.c - events of the simulator, in the order of time. */

#include "goal/sim/goal_sim_queue.h"

#include <stdlib.h>

enum { CHUNK_EVENTS = 127 };

struct goal_queue_chunk {
	struct goal_queue_chunk *next;
	size_t n;
	struct goal_event event[CHUNK_EVENTS];
};

void goal_queue_init(struct goal_queue *q)
{
	*q = (struct goal_queue){ .present = 0 };
}

static void free_chunks(struct goal_queue_chunk *c)
{
	while (c) {
		struct goal_queue_chunk *next = c->next;

		free(c);
		c = next;
	}
}

void goal_queue_free(struct goal_queue *q)
{
	for (int i = 0; i < 64; i++)
		free_chunks(q->bucket[i].head);
	free_chunks(q->spare);
	free(q->now);
	free(q->early.event);
}

/* ---- Buckets ---------------------------------------------------------------- */

static void put_later(struct goal_queue *q, const struct goal_event *event)
{
	int i = 63 - __builtin_clzll(event->time ^ q->present);
	struct goal_queue_chunk *tail = q->bucket[i].tail, *c = tail;

	if (!tail || tail->n == CHUNK_EVENTS) {
		c = q->spare;
		if (c)
			q->spare = c->next;
		else
			c = malloc(sizeof(*c));
		if (!c) {
			q->broken = true;
			return;
		}
		c->next = NULL;
		c->n = 0;
		if (tail)
			tail->next = c;
		else
			q->bucket[i].head = c;
		q->bucket[i].tail = c;
	}
	c->event[c->n++] = *event;
}

static void put_now(struct goal_queue *q, const struct goal_event *event)
{
	if (q->last == q->most) {
		size_t most = q->most ? 2 * q->most : 64;
		struct goal_event *now = realloc(q->now, most * sizeof(*now));

		if (!now) {
			q->broken = true;
			return;
		}
		q->now = now;
		q->most = most;
	}
	q->now[q->last++] = *event;
}

void goal_queue_push(struct goal_queue *q, const struct goal_event *event)
{
	q->n++;
	if (event->time != q->present)
		put_later(q, event);
	else if (q->first == q->last || q->now[q->last - 1].order <= event->order)
		put_now(q, event);
	else if (!goal_line_add(&q->early, event))
		q->broken = true;
}

/* ---- The next present --------------------------------------------------------- */

static void spread(struct goal_queue *q, struct goal_queue_chunk *c)
{
	while (c) {
		struct goal_queue_chunk *next = c->next;

		for (size_t i = 0; i < c->n; i++) {
			/* In any order. */
			if (c->event[i].time == q->present)
				put_now(q, &c->event[i]);
			else
				put_later(q, &c->event[i]);
		}
		c->next = q->spare;
		q->spare = c;
		c = next;
	}
}

static int by_order(const void *a, const void *b)
{
	const struct goal_event *x = a, *y = b;

	return (x->order > y->order) - (x->order < y->order);
}

static void advance(struct goal_queue *q)
{
	struct goal_queue_chunk *first, *c;
	uint64_t earliest = UINT64_MAX;
	size_t n = 1;
	int i = 0;

	while (!q->bucket[i].head)
		i++;
	first = q->bucket[i].head;
	q->bucket[i].head = q->bucket[i].tail = NULL;
	q->first = q->last = 0;
	for (c = first; c; c = c->next)
		for (size_t j = 0; j < c->n; j++)
			if (c->event[j].time < earliest)
				earliest = c->event[j].time;
	q->present = earliest;
	spread(q, first);
	/* They are in order already, unless some were put off. */
	while (n < q->last && q->now[n - 1].order < q->now[n].order)
		n++;
	if (n < q->last)
		qsort(q->now, q->last, sizeof(*q->now), by_order);
}

bool goal_queue_pop(struct goal_queue *q, struct goal_event *event)
{
	if (!q->n || q->broken)
		return false;
	if (q->first == q->last && !q->early.n)
		advance(q);
	if (q->broken)
		return false;
	q->n--;
	if (q->early.n &&
	    (q->first == q->last || q->early.event[0].order < q->now[q->first].order))
		*event = goal_line_take(&q->early);
	else
		*event = q->now[q->first++];
	return true;
}
