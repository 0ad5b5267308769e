// SPDX-License-Identifier: BSD-3-Clause
/* schedule_match.c - which message belongs to which receive; messages that wait for theirs. */

/*
 * As in the paper on GOAL (section 3.3): a message is matched against the receives that are
 * posted, in their order, and waits in a queue of unexpected ones if there is none; a receive
 * looks there first. Both by run. Messages of runs that have not been started here wait by
 * the number of their schedule and run, loaded or not.
 *
 * A run has queues by the hash of source and tag, as many as it has receives, so the usual one
 * holds one entry. If there is a receive from any process or of any tag it has one queue: the
 * order in it is that of all.
 *
 * Memory of messages is kept for others: what waits is bounded by the credit of the senders.
 */

#include "bsplib/schedule/run.h"

#include "bsplib/core/error.h"
#include "bsplib/core/status.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* bytes of the smallest message with its head; classes double */
	SHORTEST = 128,
	CLASSES = 12,			/* above: not kept */
	BUCKETS_LEAST = 256,
};

/* Messages of runs to come. */
struct bucket {
	struct bspi_run_message *first, **end;
};

static struct {
	struct bucket *buckets;
	uint32_t nbuckets;		/* a power of two */
	size_t nearly;			/* messages in all buckets */
	struct bspi_run_message *dropped, **dropped_end;	/* no receive takes them */
	struct bspi_run_message *unused[CLASSES];
} matching;

/* ---- Memory ------------------------------------------------------------------------ */

struct bspi_run_message *bspi_run_message_new(size_t bytes)
{
	size_t need = sizeof(struct bspi_run_message) + bytes;
	struct bspi_run_message *m;
	uint8_t class = 0;

	while (class < CLASSES && (size_t)SHORTEST << class < need)
		class++;
	m = class < CLASSES ? matching.unused[class] : NULL;
	if (m)
		matching.unused[class] = m->next;
	else
		m = malloc(class < CLASSES ? (size_t)SHORTEST << class : need);
	if (!m)
		bspi_fail_memory("goal_wait", bspi_own_site());
	m->class = class;
	return m;
}

void bspi_run_message_free(struct bspi_run_message *m)
{
	if (m->class == CLASSES) {
		free(m);
		return;
	}
	m->next = matching.unused[m->class];
	matching.unused[m->class] = m;
}

static void match_free_all(struct bspi_run_message *m)
{
	while (m) {
		struct bspi_run_message *next = m->next;

		free(m);
		m = next;
	}
}

static struct bucket *match_new_buckets(uint32_t n)
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
	matching.nbuckets = BUCKETS_LEAST;
	matching.buckets = match_new_buckets(matching.nbuckets);
	matching.dropped_end = &matching.dropped;
}

void bspi_match_close(void)
{
	for (uint32_t i = 0; i < matching.nbuckets; i++)
		match_free_all(matching.buckets[i].first);
	for (int i = 0; i < CLASSES; i++)
		match_free_all(matching.unused[i]);
	match_free_all(matching.dropped);
	free(matching.buckets);
	memset(&matching, 0, sizeof(matching));
}

/* ---- Runs to come ---------------------------------------------------------------- */

static struct bucket *match_bucket(uint32_t schedule, uint32_t run)
{
	return &matching.buckets[bspi_run_hash(schedule, run) & (matching.nbuckets - 1)];
}

static void message_append(struct bspi_run_message ***end, struct bspi_run_message *m)
{
	m->next = NULL;
	**end = m;
	*end = &m->next;
}

static void match_add_early(struct bspi_run_message *m)
{
	message_append(&match_bucket(m->schedule, m->run)->end, m);
}

/* Entries of one run stay in one bucket, in their order. */
static void match_grow(void)
{
	struct bucket *old = matching.buckets;
	uint32_t n = matching.nbuckets;

	matching.nbuckets = 2 * n;
	matching.buckets = match_new_buckets(2 * n);
	for (uint32_t i = 0; i < n; i++) {
		for (struct bspi_run_message *m = old[i].first, *next; m; m = next) {
			next = m->next;
			match_add_early(m);
		}
	}
	free(old);
}

void bspi_match_early(struct bspi_run_message *m)
{
	if (++matching.nearly > 4 * (size_t)matching.nbuckets)
		match_grow();
	match_add_early(m);
}

/* Off its list. */
static struct bspi_run_message *match_take(struct bspi_run_message **at,
					   struct bspi_run_message ***end)
{
	struct bspi_run_message *m = *at;

	*at = m->next;
	if (!*at)
		*end = at;
	return m;
}

void bspi_match_start(struct goal_request *r)
{
	struct bucket *b = match_bucket(r->s->number, r->number);
	struct bspi_run_message **at = &b->first;

	while (matching.nearly && *at) {
		if ((*at)->run != r->number || (*at)->schedule != r->s->number) {
			at = &(*at)->next;
			continue;
		}
		matching.nearly--;
		bspi_match_wait(r, match_take(at, &b->end));
	}
}

static void match_drop(struct bspi_run_message *m)
{
	message_append(&matching.dropped_end, m);
	bspi.goal_work |= BSPI_GOAL_CARRY;
}

struct bspi_run_message *bspi_match_next_dropped(void)
{
	return matching.dropped ? match_take(&matching.dropped, &matching.dropped_end) : NULL;
}

static void match_drop_from(struct bucket *b, uint32_t schedule)
{
	struct bspi_run_message **at = &b->first;

	while (*at) {
		if ((*at)->schedule != schedule) {
			at = &(*at)->next;
			continue;
		}
		matching.nearly--;
		match_drop(match_take(at, &b->end));
	}
}

void bspi_match_unload(uint32_t schedule)
{
	for (uint32_t i = 0; matching.nearly && i < matching.nbuckets; i++)
		match_drop_from(&matching.buckets[i], schedule);
}

/* ---- Runs under way ---------------------------------------------------------------- */

/* Most schedules have one queue, where the hash does not matter. */
static inline struct bspi_run_queue *match_queue(struct goal_request *r, uint32_t from,
						 uint32_t tag)
{
	return &r->queues[(from * 31 + tag) & r->s->queue_mask];
}

static inline bool match_fits(const struct goal_op *op, uint32_t from, uint32_t tag)
{
	return (op->peer == from || op->peer == GOAL_ANY) && (op->tag == tag ||
							      op->tag == GOAL_ANY);
}

const struct goal_op *bspi_match_receive(struct goal_request *r, int from, uint32_t tag)
{
	struct bspi_run_queue *q = match_queue(r, from, tag);

	for (struct bspi_run_posted **at = &q->posted; *at; at = &(*at)->next) {
		struct bspi_run_posted *p = *at;

		if (!match_fits(p->op, from, tag))
			continue;
		*at = p->next;
		if (!*at)
			q->posted_end = at;
		return p->op;
	}
	return NULL;
}

void bspi_match_wait(struct goal_request *r, struct bspi_run_message *m)
{
	r->nwaiting++;
	message_append(&match_queue(r, m->from, m->tag)->waiting_end, m);
}

struct bspi_run_message *bspi_match_message(struct goal_request *r, const struct goal_op *op)
{
	struct bspi_run_queue *q = match_queue(r, op->peer, op->tag);
	struct bspi_run_posted *p;

	for (struct bspi_run_message **at = &q->waiting; *at; at = &(*at)->next) {
		if (!match_fits(op, (*at)->from, (*at)->tag))
			continue;
		r->nwaiting--;
		return match_take(at, &q->waiting_end);
	}
	p = &r->posted[r->nposted++];
	*p = (struct bspi_run_posted){ .op = op };
	*q->posted_end = p;
	q->posted_end = &p->next;
	return NULL;
}

void bspi_match_over(struct goal_request *r)
{
	for (uint32_t i = 0; r->nwaiting && i <= r->s->queue_mask; i++) {
		struct bspi_run_queue *q = &r->queues[i];

		for (; q->waiting; r->nwaiting--)
			match_drop(match_take(&q->waiting, &q->waiting_end));
	}
}
