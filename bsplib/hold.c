// SPDX-License-Identifier: BSD-3-Clause
/* hold.c - chunks that have arrived: held until their turn comes, and given back in their order. */

/*
 * Those of one peer are given back in the order in which they came, whatever takes effect when. So one that is done when it
 * arrives, a message of a schedule, waits while an earlier one of its peer is held.
 *
 * Schedules may run for long inside of one superstep, and what waits so must not pile up. When PILE_MOST of a peer wait,
 * what is held of it is copied into memory of our own, and all of its chunks are given back. Of one that waits only
 * the head is left. Messages that the program has been shown by bsp_hpmove() stay where they are, and then chunks do pile up until
 * the next bsp_sync. A thread that makes progress moves none of the queue, which the program may be reading; the program's next
 * call does.
 */

#include "bspi.h"

#include <stdlib.h>

enum { PILE_MOST = 64, LINE = 64 };

void bspi_arrivals_add(struct bspi_arrivals *list, const struct bspi_arrival *a)
{
	list->at = bspi_grow(list->at, list->n, sizeof(*a), &list->room);
	list->at[list->n++] = *a;
}

void bspi_give_back(const struct bspi_arrival *a)
{
	const struct bspi_out *o = &bspi.out[a->from];

	if (BSPI_UNLIKELY(bspi.clock))
		bspi_clock_drop(a->time);
	if (BSPI_UNLIKELY(a->copied))
		free(a->chunk);
	else
		o->t->ops->release(o->t, o->peer, a->chunk);
}

/* ---- Copies -------------------------------------------------------------------- */

static void copy_one(struct bspi_arrival *a)
{
	const struct bspi_out *o = &bspi.out[a->from];
	size_t len = a->done ? sizeof(struct bspi_head) : a->len;
	char *copy = aligned_alloc(LINE, (len + LINE - 1) / LINE * LINE);

	if (!copy)
		bspi_fail_memory("bsp_sync", bspi_own_place());
	memcpy(copy, a->chunk, len);
	o->t->ops->release(o->t, o->peer, a->chunk);
	a->chunk = copy;
	a->copied = true;
	bspi.flow[a->from].nheld--;
}

static void copy_all_of(int from, struct bspi_arrivals *list, size_t i)
{
	for (; i < list->n; i++)
		if (list->at[i].from == from && !list->at[i].copied)
			copy_one(&list->at[i]);
}

/* Messages in the queue move with them, unless the program knows where they are. */
static bool copy_kept_of(int from)
{
	for (size_t i = 0; i < bspi.kept.n; i++) {
		struct bspi_arrival *a = &bspi.kept.at[i];
		const char *old = a->chunk;

		if (a->from != from || a->copied)
			continue;
		if (bspi.in_turn || bspi.queue.shown)
			return false;
		copy_one(a);
		bspi_queue_moved(old, a->len, a->chunk);
	}
	return true;
}

void bspi_hold_pile(int from)
{
	struct bspi_flow *f = &bspi.flow[from];

	if (++f->npiled < PILE_MOST)
		return;
	f->npiled = 0;
	if (!copy_kept_of(from))
		return;
	copy_all_of(from, &bspi.held, 0);
	copy_all_of(from, &f->later, f->first);
}

/* ---- Holding and giving back ------------------------------------------------------ */

static bool is_done(const struct bspi_arrival *a)
{
	uint32_t flags = bspi_head_of(a->chunk)->flags;

	return (flags & BSPI_GOALS) && (flags & BSPI_URGENT);
}

void bspi_hold(struct bspi_arrival *a)
{
	struct bspi_flow *f = &bspi.flow[a->from];

	a->done = is_done(a);
	if (a->done && !f->nheld) {
		bspi_give_back(a);
		return;
	}
	f->nheld++;
	bspi_arrivals_add(&bspi.held, a);
	if (a->done)
		bspi_hold_pile(a->from);
}

void bspi_release(const struct bspi_arrival *a)
{
	bspi.flow[a->from].nheld -= !a->copied;
	if (BSPI_UNLIKELY(bspi.relaxed))
		bspi_arrival_released(a);
	bspi_give_back(a);
}

void bspi_release_kept(void)
{
	for (size_t i = 0; i < bspi.kept.n; i++)
		bspi_release(&bspi.kept.at[i]);
	bspi.kept.n = 0;
}
