// SPDX-License-Identifier: BSD-3-Clause
/* self.c - the transport of one process to itself: the contract as a program. */

/*
 * Chunks are heap buffers. A sent chunk joins a queue, poll() takes it from
 * there, release() puts it among the idle ones, where chunk() finds it again.
 * A tally has one participant and ends when it is entered. A window is the memory
 * itself. This is also how a process of a larger job reaches itself.
 */

#include "transport/transport.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_LEAST = 4096 };

/* What precedes the bytes of a chunk; 64 bytes, so that these stay aligned. */
struct buffer {
	struct buffer *next;	/* in the queue or among the idle */
	struct buffer *made_before;
	size_t room;
	size_t len;		/* of a sent one */
	char pad[32];
};

_Static_assert(sizeof(struct buffer) == 64, "chunks are aligned to 64");

struct bspt_self {
	struct bspt base;
	struct buffer *first;	/* sent and not yet polled, oldest first */
	struct buffer **last;
	struct buffer *idle;	/* most recently used first */
	struct buffer *made;	/* all there are, the last one first */
	uint64_t counted;	/* tally_add() of the round to come */
	uint32_t word;
	bool entered;
	uint32_t stamp;
};

static struct bspt_self *self_of(struct bspt *t)
{
	return (struct bspt_self *)t;
}

static struct buffer *buffer_of(void *chunk)
{
	return (struct buffer *)chunk - 1;
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

/* Nobody is far away; a copy in, and out. */
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
	s->last = &s->first;
	*out = &s->base;
	return 0;
}

static void self_close(struct bspt *t)
{
	struct bspt_self *s = self_of(t);

	while (s->made) {
		struct buffer *b = s->made;

		s->made = b->made_before;
		free(b);
	}
	free(s);
}

/* The most recently used idle buffer that is large enough, off the list; or NULL. */
static struct buffer *take_idle(struct bspt_self *s, size_t want)
{
	for (struct buffer **at = &s->idle; *at; at = &(*at)->next) {
		struct buffer *b = *at;

		if (b->room >= want) {
			*at = b->next;
			return b;
		}
	}
	return NULL;
}

static struct buffer *make(struct bspt_self *s, size_t want)
{
	size_t room = want < ROOM_LEAST ? ROOM_LEAST : (want + 63) & ~(size_t)63;
	struct buffer *b = aligned_alloc(64, sizeof(*b) + room);

	if (!b)
		return NULL;
	b->room = room;
	b->made_before = s->made;
	s->made = b;
	return b;
}

static void *self_chunk(struct bspt *t, int peer, size_t want, size_t *room)
{
	struct buffer *b;

	(void)peer;
	if (want > t->max_chunk)
		want = t->max_chunk;
	b = take_idle(self_of(t), want);
	if (!b)
		b = make(self_of(t), want);
	if (!b)
		return NULL;
	*room = b->room;
	return b + 1;
}

static void self_send(struct bspt *t, int peer, void *chunk, size_t len)
{
	struct bspt_self *s = self_of(t);
	struct buffer *b = buffer_of(chunk);

	(void)peer;
	b->len = len;
	b->next = NULL;
	*s->last = b;
	s->last = &b->next;
	t->stats.chunks_sent++;
	t->stats.bytes_sent += len;
}

/* Idle buffers are for reuse, the last one first. */
static void self_release(struct bspt *t, int peer, void *chunk)
{
	struct bspt_self *s = self_of(t);
	struct buffer *b = buffer_of(chunk);

	(void)peer;
	b->next = s->idle;
	s->idle = b;
}

static void *self_poll(struct bspt *t, int *peer, size_t *len)
{
	struct bspt_self *s = self_of(t);
	struct buffer *b = s->first;

	if (!b)
		return NULL;
	s->first = b->next;
	if (!s->first)
		s->last = &s->first;
	*peer = t->me;
	*len = b->len;
	t->stats.chunks_received++;
	return b + 1;
}

/* Nothing can arrive while we wait for ourselves. */
static void self_wait(struct bspt *t, unsigned int idle)
{
	(void)t;
	(void)idle;
}

static void self_tally_add(struct bspt *t, int peer, uint32_t n)
{
	(void)peer;
	self_of(t)->counted += n;
}

static void self_tally_enter(struct bspt *t, uint32_t word)
{
	self_of(t)->word = word;
	self_of(t)->entered = true;
}

static bool self_tally_test(struct bspt *t, struct bspt_tally *result)
{
	struct bspt_self *s = self_of(t);

	if (!s->entered)
		return false;
	*result = (struct bspt_tally){ .chunks = s->counted, .any = s->word, .all = s->word };
	s->entered = false;
	s->counted = 0;
	return true;
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

static void self_conceal(struct bspt *t, uint64_t window)
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

static void self_stamp(struct bspt *t, uint32_t value)
{
	self_of(t)->stamp = value;
}

static uint32_t self_stamp_of(struct bspt *t, int peer)
{
	(void)peer;
	return self_of(t)->stamp;
}

const struct bspt_ops bspt_self_ops = {
	.name = "self",
	.summary = "one process: memory of its own",
	.caps = BSPT_CAP_TALLY | BSPT_CAP_WINDOW,
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
	.wait = self_wait,
	.tally_add = self_tally_add,
	.tally_enter = self_tally_enter,
	.tally_test = self_tally_test,
	.expose = self_expose,
	.conceal = self_conceal,
	.window_write = self_window_write,
	.window_read = self_window_read,
	.stamp = self_stamp,
	.stamp_of = self_stamp_of,
};
