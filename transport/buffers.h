/* SPDX-License-Identifier: BSD-3-Clause */
/* buffers.h - chunks in private memory that is used again. */

/*
 * A buffer is a head of 64 bytes and the bytes of a chunk behind it. Buffers are of 2^i bytes,
 * head included, and a pool knows all it has made. A buffer that is given back is idle: the next
 * chunk of its size gets it, up to a limit of bytes beyond which it is freed. A pool belongs to one
 * transport object and is used by one thread at a time.
 *
 * This is part of each transport that wants it, so plugins have it too (Makefile.include).
 */
#ifndef BSPT_BUFFERS_H
#define BSPT_BUFFERS_H

#include <stddef.h>

enum { BSPT_BUFFER_CLASSES = 64 };

struct bspt_buffer {
	struct bspt_buffer *next;		/* among the idle, or in a queue */
	struct bspt_buffer *older, *newer;	/* all of the pool */
	size_t len;				/* of the chunk */
	/* how much of it has come or left, as the transport counts */
	size_t done;
	int peer;				/* its sender or its receiver */
	int class;
	/* what a transport moves together with the chunk, which follows */
	char before[16];
};

_Static_assert(sizeof(struct bspt_buffer) == 64, "chunks are aligned to 64");

/* Idle buffers of one size, used last first. */
struct bspt_idle {
	struct bspt_buffer *first;
	size_t n, least;	/* least: there were always so many since the last trim */
};

struct bspt_pool {
	struct bspt_idle idle[BSPT_BUFFER_CLASSES];
	size_t idle_bytes, idle_most;
	struct bspt_buffer all;			/* both ends of the list of all */
};

/* First in, first out. */
struct bspt_queue {
	struct bspt_buffer *first, *last;	/* last: of no meaning if there is no first */
};

void bspt_pool_init(struct bspt_pool *pool, size_t idle_most);
/* Frees all buffers of the pool, idle or not. */
void bspt_pool_free(struct bspt_pool *pool);

/*
 * One for a chunk of @want bytes, or NULL without memory; its len, done and peer are what they
 * were.
 */
struct bspt_buffer *bspt_buffer_take(struct bspt_pool *pool, size_t want);
void bspt_buffer_give_back(struct bspt_pool *pool, struct bspt_buffer *b);

/* As the slot: frees those for which there has been no use since the last call. How many bytes. */
size_t bspt_pool_trim(struct bspt_pool *pool);

static inline struct bspt_buffer *bspt_buffer_of(void *chunk)
{
	return (struct bspt_buffer *)chunk - 1;
}

/* The longest chunk it can hold. */
static inline size_t bspt_buffer_room(const struct bspt_buffer *b)
{
	return ((size_t)1 << b->class) - sizeof(*b);
}

static inline void bspt_queue_append(struct bspt_queue *q, struct bspt_buffer *b)
{
	b->next = NULL;
	if (q->first)
		q->last->next = b;
	else
		q->first = b;
	q->last = b;
}

/* NULL: it is empty. */
static inline struct bspt_buffer *bspt_queue_take(struct bspt_queue *q)
{
	struct bspt_buffer *b = q->first;

	if (b)
		q->first = b->next;
	return b;
}

#endif
