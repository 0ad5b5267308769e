// SPDX-License-Identifier: BSD-3-Clause
/* buffers.c - buffers by size, made when there is no idle one. */

#include "transport/buffers.h"
#include "transport/poison.h"
#include "transport/transport.h"

#include <stdlib.h>

/* buffers of 4 KiB: what MPI sends at once in shared memory, and two frames */
enum { CLASS_LEAST = 12 };

static int class_of(size_t bytes)
{
	int class = 64 - __builtin_clzll(bytes - 1);

	return class < CLASS_LEAST ? CLASS_LEAST : class;
}

static struct bspt_buffer *buffers_make(struct bspt_pool *pool, int class)
{
	struct bspt_buffer *b = aligned_alloc(64, (size_t)1 << class);

	if (!b)
		return NULL;
	b->class = class;
	b->older = pool->all.older;
	b->newer = &pool->all;
	b->older->newer = b;
	pool->all.older = b;
	return b;
}

static void buffers_destroy(struct bspt_buffer *b)
{
	b->older->newer = b->newer;
	b->newer->older = b->older;
	free(b);
}

void bspt_pool_init(struct bspt_pool *pool, size_t idle_most)
{
	*pool = (struct bspt_pool){ .idle_most = idle_most };
	pool->all.older = pool->all.newer = &pool->all;
}

void bspt_pool_free(struct bspt_pool *pool)
{
	while (pool->all.newer != &pool->all)
		buffers_destroy(pool->all.newer);
}

struct bspt_buffer *bspt_buffer_take(struct bspt_pool *pool, size_t want)
{
	int class = class_of(want + sizeof(struct bspt_buffer));
	struct bspt_idle *idle = &pool->idle[class];
	struct bspt_buffer *b = idle->first;

	if (!b)
		return buffers_make(pool, class);
	idle->first = b->next;
	if (--idle->n < idle->least)
		idle->least = idle->n;
	pool->idle_bytes -= (size_t)1 << class;
	bspt_poison_fresh(b + 1, bspt_buffer_room(b));
	return b;
}

void bspt_buffer_give_back(struct bspt_pool *pool, struct bspt_buffer *b)
{
	size_t bytes = (size_t)1 << b->class;

	bspt_poison_released(b + 1, bspt_buffer_room(b));
	if (pool->idle_bytes + bytes > pool->idle_most) {
		buffers_destroy(b);
		return;
	}
	b->next = pool->idle[b->class].first;
	pool->idle[b->class].first = b;
	pool->idle[b->class].n++;
	pool->idle_bytes += bytes;
}

/* Free the buffers at the end of the list, idle for longest; returns how many bytes. */
static size_t buffers_trim_class(struct bspt_pool *pool, int class)
{
	struct bspt_idle *idle = &pool->idle[class];
	size_t spare = idle->least, freed = spare << class;
	struct bspt_buffer **at = &idle->first, *b, *next;

	idle->n -= spare;
	idle->least = idle->n;
	if (!spare)
		return 0;
	for (size_t i = 0; i < idle->n; i++)
		at = &(*at)->next;
	b = *at;
	*at = NULL;
	for (; b; b = next) {
		next = b->next;
		buffers_destroy(b);
	}
	pool->idle_bytes -= freed;
	return freed;
}

size_t bspt_pool_trim(struct bspt_pool *pool)
{
	size_t freed = 0;

	if (pool->idle_bytes < BSPT_TRIM_LEAST)
		return 0;
	for (int class = CLASS_LEAST; class < BSPT_BUFFER_CLASSES; class++)
		freed += buffers_trim_class(pool, class);
	return freed;
}
