// SPDX-License-Identifier: BSD-3-Clause
/* schedule_match.c - which message belongs to which receive; messages that wait for theirs. */

/*
 * As the paper has it (section 3.3): a message is matched against the receives that are posted, in
 * their order, and waits in a queue of unexpected ones if there is none; a receive looks there first. Both by
 * flight. Messages of flights that have not been started here wait by the number of their schedule and flight, be it loaded
 * or not.
 *
 * A flight has queues by the hash of source and tag, as many as it has receives, so the usual one holds one
 * entry. If there is a receive from any process or of any tag it has one queue: the order in it is that of all.
 *
 * Memory of messages is kept for others: what waits is bounded by the credit of the senders.
 */

#include "bsplib/schedule/flight.h"

#include "bsplib/core/error.h"
#include "bsplib/core/status.h"

#include <stdlib.h>
#include <string.h>

enum {
	SHORTEST = 128,			/* bytes of the smallest message with its head; classes double */
	CLASSES = 12,			/* above: not kept */
	BUCKETS_LEAST = 256,
};

/* Messages of flights to come. */
struct bucket {
	struct goal_message *first, **end;
};

static struct {
	struct bucket *buckets;
	uint32_t nbuckets;		/* a power of two */
	size_t nearly;			/* messages in all buckets */
	struct goal_message *dropped, **dropped_end;	/* no receive takes them */
	struct goal_message *unused[CLASSES];
} match;

/* ---- Memory ------------------------------------------------------------------------ */

struct goal_message *bspi_message_new(size_t bytes)
{
	size_t need = sizeof(struct goal_message) + bytes;
	struct goal_message *m;
	uint8_t class = 0;

	while (class < CLASSES && (size_t)SHORTEST << class < need)
		class++;
	m = class < CLASSES ? match.unused[class] : NULL;
	if (m)
		match.unused[class] = m->next;
	else
		m = malloc(class < CLASSES ? (size_t)SHORTEST << class : need);
	if (!m)
		bspi_fail_memory("goal_wait", bspi_own_place());
	m->class = class;
	return m;
}

void bspi_message_free(struct goal_message *m)
{
	if (m->class == CLASSES) {
		free(m);
		return;
	}
	m->next = match.unused[m->class];
	match.unused[m->class] = m;
}

static void free_list(struct goal_message *m)
{
	while (m) {
		struct goal_message *next = m->next;

		free(m);
		m = next;
	}
}

static struct bucket *new_buckets(uint32_t n)
{
	struct bucket *b = calloc(n, sizeof(*b));

	if (!b)
		bspi_fail_memory("goal_wait", NULL);
	for (uint32_t i = 0; i < n; i++)
		b[i].end = &b[i].first;
	return b;
}

void bspi_match_open(void)
{
	match.nbuckets = BUCKETS_LEAST;
	match.buckets = new_buckets(match.nbuckets);
	match.dropped_end = &match.dropped;
}

void bspi_match_close(void)
{
	for (uint32_t i = 0; i < match.nbuckets; i++)
		free_list(match.buckets[i].first);
	for (int i = 0; i < CLASSES; i++)
		free_list(match.unused[i]);
	free_list(match.dropped);
	free(match.buckets);
	memset(&match, 0, sizeof(match));
}

/* ---- Flights to come ---------------------------------------------------------------- */

static struct bucket *bucket_of(uint32_t schedule, uint32_t flight)
{
	return &match.buckets[bspi_flight_hash(schedule, flight) & (match.nbuckets - 1)];
}

static void add(struct goal_message ***end, struct goal_message *m)
{
	m->next = NULL;
	**end = m;
	*end = &m->next;
}

static void add_early(struct goal_message *m)
{
	add(&bucket_of(m->schedule, m->flight)->end, m);
}

/* Those of one flight stay in one bucket, in their order. */
static void grow(void)
{
	struct bucket *old = match.buckets;
	uint32_t n = match.nbuckets;

	match.nbuckets = 2 * n;
	match.buckets = new_buckets(2 * n);
	for (uint32_t i = 0; i < n; i++) {
		for (struct goal_message *m = old[i].first, *next; m; m = next) {
			next = m->next;
			add_early(m);
		}
	}
	free(old);
}

void bspi_match_early(struct goal_message *m)
{
	if (++match.nearly > 4 * (size_t)match.nbuckets)
		grow();
	add_early(m);
}

/* Off its list. */
static struct goal_message *take(struct goal_message **at, struct goal_message ***end)
{
	struct goal_message *m = *at;

	*at = m->next;
	if (!*at)
		*end = at;
	return m;
}

void bspi_match_start(struct goal_flight *f)
{
	struct bucket *b = bucket_of(f->s->number, f->number);
	struct goal_message **at = &b->first;

	while (match.nearly && *at) {
		if ((*at)->flight != f->number || (*at)->schedule != f->s->number) {
			at = &(*at)->next;
			continue;
		}
		match.nearly--;
		bspi_match_wait(f, take(at, &b->end));
	}
}

static void match_drop(struct goal_message *m)
{
	add(&match.dropped_end, m);
	bspi.goal_work |= BSPI_GOAL_CARRY;
}

struct goal_message *bspi_match_next_dropped(void)
{
	return match.dropped ? take(&match.dropped, &match.dropped_end) : NULL;
}

static void match_drop_from(struct bucket *b, uint32_t schedule)
{
	struct goal_message **at = &b->first;

	while (*at) {
		if ((*at)->schedule != schedule) {
			at = &(*at)->next;
			continue;
		}
		match.nearly--;
		match_drop(take(at, &b->end));
	}
}

void bspi_match_unload(uint32_t schedule)
{
	for (uint32_t i = 0; match.nearly && i < match.nbuckets; i++)
		match_drop_from(&match.buckets[i], schedule);
}

/* ---- Flights under way ---------------------------------------------------------------- */

/* Most schedules have one queue, where the hash does not matter. */
static inline struct goal_queue *queue_of(struct goal_flight *f, uint32_t from, uint32_t tag)
{
	return &f->queues[(from * 31 + tag) & f->s->queue_mask];
}

static inline bool fits(const struct goal_op *op, uint32_t from, uint32_t tag)
{
	return (op->peer == from || op->peer == GOAL_ANY) && (op->tag == tag || op->tag == GOAL_ANY);
}

const struct goal_op *bspi_match_receive(struct goal_flight *f, int from, uint32_t tag)
{
	struct goal_queue *q = queue_of(f, from, tag);

	for (struct goal_posted **at = &q->posted; *at; at = &(*at)->next) {
		struct goal_posted *p = *at;

		if (!fits(p->op, from, tag))
			continue;
		*at = p->next;
		if (!*at)
			q->posted_end = at;
		return p->op;
	}
	return NULL;
}

void bspi_match_wait(struct goal_flight *f, struct goal_message *m)
{
	f->nwaiting++;
	add(&queue_of(f, m->from, m->tag)->waiting_end, m);
}

struct goal_message *bspi_match_message(struct goal_flight *f, const struct goal_op *op)
{
	struct goal_queue *q = queue_of(f, op->peer, op->tag);
	struct goal_posted *p;

	for (struct goal_message **at = &q->waiting; *at; at = &(*at)->next) {
		if (!fits(op, (*at)->from, (*at)->tag))
			continue;
		f->nwaiting--;
		return take(at, &q->waiting_end);
	}
	p = &f->posted[f->nposted++];
	*p = (struct goal_posted){ .op = op };
	*q->posted_end = p;
	q->posted_end = &p->next;
	return NULL;
}

void bspi_match_over(struct goal_flight *f)
{
	for (uint32_t i = 0; f->nwaiting && i <= f->s->queue_mask; i++) {
		struct goal_queue *q = &f->queues[i];

		for (; q->waiting; f->nwaiting--)
			match_drop(take(&q->waiting, &q->waiting_end));
	}
}
