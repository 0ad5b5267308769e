// SPDX-License-Identifier: BSD-3-Clause
/* trim.c - memory that a large superstep took goes back to the system when smaller ones follow. */

/*
 * Every BSPI_TRIM_STEPS supersteps the transports give back chunks that were idle since the last
 * time, and the runtime shortens arrays that were nearly empty all that time. So a program whose
 * large supersteps come again within BSPI_TRIM_STEPS keeps its memory, and one that has had its
 * last has given it back at most 2 * BSPI_TRIM_STEPS supersteps later.
 *
 * Memory of malloc() is freed; but the C library keeps pages between pieces that are in use, so
 * malloc_trim() gives back those, too. It is called only when much has been freed.
 */

#include "bsplib/engine/trim.h"

#include "bsplib/core/state.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/flow.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdlib.h>

/* An array that had at most *@most elements of @size, and has @n. How many bytes it loses. */
size_t bspi_shrink(void **array, size_t n, size_t size, size_t *room, size_t *most)
{
	size_t want = *most > n ? *most : n, old = *room;
	void *shorter;

	*most = n;
	want = 2 * want + 16;
	if (old * size < BSPI_ARRAY_LEAST || want > old / 2)
		return 0;
	shorter = realloc(*array, want * size);
	if (!shorter)
		return 0;
	*array = shorter;
	*room = want;
	return (old - want) * size;
}

static size_t shrink_arrivals(struct bspi_arrivals *a)
{
	return BSPI_SHRINK(a->at, a->n, a->room, a->most);
}

/* Queues of chunks that came too early: without a look at each process while none is long. */
static size_t shrink_later(void)
{
	size_t freed = 0;

	if (!bspi_engine.long_queues)
		return 0;
	bspi_engine.long_queues = false;
	for (int q = 0; q < bspi.nprocs; q++) {
		struct bspi_arrivals *later = &bspi_engine.flow[q].later;

		freed += shrink_arrivals(later);
		bspi_engine.long_queues |= later->room * sizeof(*later->at) >= BSPI_ARRAY_LEAST;
	}
	return freed;
}

void bspi_trim(size_t freed)
{
	freed += shrink_arrivals(&bspi_engine.held) + shrink_arrivals(&bspi_engine.kept) +
		 shrink_arrivals(&bspi_engine.stash);
	freed += shrink_later();
	if (bspi.net && bspi.net != bspi.self)
		freed += bspi.net->ops->trim(bspi.net);
	freed += bspi.self->ops->trim(bspi.self);
#ifdef __GLIBC__
	if (freed >= BSPT_TRIM_LEAST)
		malloc_trim(BSPT_TRIM_LEAST);
#endif
}
