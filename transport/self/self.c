// SPDX-License-Identifier: BSD-3-Clause
/* self.c - the transport of one process to itself: the contract as a program. */

/*
 * Chunks are buffers of a pool. A sent chunk joins a queue, poll() takes it from
 * there, release() gives it back to the pool, where chunk() finds it again.
 * A counting barrier has one participant and ends when it is entered. A window is the memory
 * itself. This is also how a process of a larger job reaches itself.
 */

#include "transport/buffers.h"
#include "transport/poison.h"
#include "transport/transport.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IDLE_MOST = 256 << 20 };	/* bytes of buffers kept for the next superstep */

struct bspt_self {
	struct bspt base;
	struct bspt_pool pool;
	struct bspt_queue sent;	/* and not yet polled */
	uint64_t counted;	/* count_add() of the round to come */
	uint32_t word;
	bool entered;
	uint32_t published;
};

static struct bspt_self *self_of(struct bspt *t)
{
	return (struct bspt_self *)t;
}

static int self_probe(int nprocs, char *why, size_t len)
{
	if (nprocs <= 1)
		return 0;
	snprintf(why, len, "it is for one process, not %d", nprocs);
	return -EINVAL;
}

static int self_prepare(struct bspt_plan *plan)
{
	plan->shared = NULL;
	return 0;
}

/* No peer is remote; a copy in, and a copy out. */
static const struct bspt_cost cost = { .L = 20, .o = 20, .g = 20, .G = 0.02 };

static int self_open(const struct bspt_plan *plan, int me, struct bspt **out)
{
	struct bspt_self *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->base.me = me;
	s->base.nprocs = plan->nprocs;
	s->base.max_chunk = SIZE_MAX / 4;
	s->base.good_chunk = SIZE_MAX / 4;
	s->base.min_direct = 1;
	s->base.min_bulk = SIZE_MAX;
	s->base.cost = cost;
	bspt_pool_init(&s->pool, IDLE_MOST);
	*out = &s->base;
	return 0;
}

static void self_close(struct bspt *t)
{
	struct bspt_self *s = self_of(t);

	bspt_pool_free(&s->pool);
	free(s);
}

static void *self_chunk(struct bspt *t, int peer, size_t want, size_t *room)
{
	struct bspt_buffer *b;

	(void)peer;
	if (want > t->max_chunk)
		want = t->max_chunk;
	b = bspt_buffer_take(&self_of(t)->pool, want);
	if (!b)
		return NULL;
	*room = bspt_buffer_room(b);
	return b + 1;
}

static void self_send(struct bspt *t, int peer, void *chunk, size_t len)
{
	struct bspt_buffer *b = bspt_buffer_of(chunk);

	(void)peer;
	b->len = len;
	bspt_poison_sent(b + 1, bspt_buffer_room(b));
	bspt_queue_append(&self_of(t)->sent, b);
	t->stats.chunks_sent++;
	t->stats.bytes_sent += len;
}

static void self_release(struct bspt *t, int peer, void *chunk)
{
	(void)peer;
	bspt_buffer_give_back(&self_of(t)->pool, bspt_buffer_of(chunk));
}

static size_t self_trim(struct bspt *t)
{
	return bspt_pool_trim(&self_of(t)->pool);
}

static void *self_poll(struct bspt *t, int *peer, size_t *len)
{
	struct bspt_buffer *b = bspt_queue_take(&self_of(t)->sent);

	if (!b)
		return NULL;
	*peer = t->me;
	*len = b->len;
	bspt_poison_arrived(b + 1, b->len, bspt_buffer_room(b));
	t->stats.chunks_received++;
	return b + 1;
}

/* Nothing can arrive while we wait for ourselves. */
static void self_wait(struct bspt *t, unsigned int idle)
{
	(void)t;
	(void)idle;
}

static void self_count_add(struct bspt *t, int peer, uint32_t n)
{
	(void)peer;
	self_of(t)->counted += n;
}

static void self_count_enter(struct bspt *t, uint32_t word)
{
	self_of(t)->word = word;
	self_of(t)->entered = true;
}

static bool self_count_test(struct bspt *t, struct bspt_counts *result)
{
	struct bspt_self *s = self_of(t);

	if (!s->entered)
		return false;
	*result = (struct bspt_counts){ .chunks = s->counted, .any = s->word, .all = s->word };
	s->entered = false;
	s->counted = 0;
	return true;
}

static void self_survey(struct bspt *t)
{
	(void)t;
}

static int self_expose(struct bspt *t, void *base, size_t len, uint64_t *window,
		       size_t *head, size_t *tail)
{
	(void)t;
	(void)len;
	*window = (uintptr_t)base;
	*head = 0;
	*tail = 0;
	return 0;
}

static int self_withdraw(struct bspt *t, uint64_t window)
{
	(void)t;
	(void)window;
	return 0;
}

static void self_collect(struct bspt *t, uint64_t window, size_t offset, void *dst, size_t len)
{
	(void)t;
	memmove(dst, (char *)(uintptr_t)window + offset, len);
}

static void self_unexpose(struct bspt *t, uint64_t window)
{
	(void)t;
	(void)window;
}

static void self_window_write(struct bspt *t, int peer, uint64_t window, size_t offset,
			      const void *src, size_t len)
{
	(void)t;
	(void)peer;
	memmove((char *)(uintptr_t)window + offset, src, len);
}

static void self_window_read(struct bspt *t, int peer, uint64_t window, size_t offset,
			     void *dst, size_t len)
{
	(void)t;
	(void)peer;
	memmove(dst, (char *)(uintptr_t)window + offset, len);
}

static void self_publish(struct bspt *t, uint32_t value)
{
	self_of(t)->published = value;
}

static uint32_t self_published_by(struct bspt *t, int peer)
{
	(void)peer;
	return self_of(t)->published;
}

const struct bspt_ops bspt_self_ops = {
	.name = "self",
	.summary = "one process: memory of its own",
	.caps = BSPT_CAP_COUNTING | BSPT_CAP_WINDOW | BSPT_PRIVILEGED,
	.accepts = bspt_accepts_none,
	.probe = self_probe,
	.prepare = self_prepare,
	.open = self_open,
	.close = self_close,
	.via = bspt_via_itself,
	.chunk = self_chunk,
	.send = self_send,
	.discard = self_release,
	.poll = self_poll,
	.release = self_release,
	.trim = self_trim,
	.wait = self_wait,
	.count_add = self_count_add,
	.count_enter = self_count_enter,
	.count_test = self_count_test,
	.survey = self_survey,
	.expose = self_expose,
	.withdraw = self_withdraw,
	.collect = self_collect,
	.unexpose = self_unexpose,
	.window_write = self_window_write,
	.window_read = self_window_read,
	.publish = self_publish,
	.published_by = self_published_by,
};
