// SPDX-License-Identifier: BSD-3-Clause
/* hold.c - chunks that have arrived: held until they take effect, released in their order. */

/*
 * The chunks of one peer are released in the order of their arrival, in whichever order they take
 * effect.
 * So one that is done when it arrives, a message of a schedule, waits while an earlier one of its
 * peer is held.
 *
 * All that is left of a chunk that is done is its head: len says so, and no loop over records
 * finds any in it.
 *
 * Schedules may run for long inside of one superstep, and chunks must not pile up meanwhile. When
 * PILE_MOST chunks of one peer that are done wait at the same time, or a multiple of it, what is
 * held of that peer is copied into memory of our own, and all of its chunks are given back.
 * Messages that the program has been shown by bsp_hpmove() stay where they are, and then chunks
 * do pile up until the next bsp_sync. A thread that makes progress moves none of the queue, which
 * the program may be reading; the program's next call does.
 */

#include "bsplib/engine/hold.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/hooks.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/flow.h"
#include "bsplib/engine/trim.h"

#include "transport/poison.h"

#include <stdlib.h>
#include <string.h>

enum {
	PILE_MOST = 64, FEW = 24, LINE = 64, HEAD = sizeof(struct bspi_head),
	DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS,
};

void bspi_arrivals_add(struct bspi_arrivals *list, const struct bspi_arrival *a)
{
	list->at = bspi_grow(list->at, list->n, sizeof(*a), &list->room);
	list->at[list->n++] = *a;
	bspi_engine.long_queues |= list->room >= BSPI_ARRAY_LEAST / sizeof(*a);
	if (list->most < list->n)
		list->most = list->n;
}

static bool is_sorted(const struct bspi_arrivals *list)
{
	for (size_t i = 1; i < list->n; i++)
		if (list->at[i - 1].from > list->at[i].from)
			return false;
	return true;
}

/* @to has those of @from by eight bits of their senders, in their order where these are equal. */
static void sort_by_digit(const struct bspi_arrival *from, size_t n, struct bspi_arrival *to,
			  int shift)
{
	size_t end[DIGITS + 1] = { 0 };

	for (size_t i = 0; i < n; i++)
		end[(from[i].from >> shift) % DIGITS + 1]++;
	for (int d = 0; d < DIGITS; d++)
		end[d + 1] += end[d];
	for (size_t i = 0; i < n; i++)
		to[end[(from[i].from >> shift) % DIGITS]++] = from[i];
}

/* Linear in the number of chunks, however many processes there are, up to DIGITS * DIGITS. */
static void sort_many(struct bspi_arrivals *list)
{
	struct bspi_arrival *sorted = malloc(list->n * sizeof(*sorted));

	if (!sorted)
		bspi_fail_memory("bsp_sync", bspi_own_site());
	sort_by_digit(list->at, list->n, sorted, 0);
	sort_by_digit(sorted, list->n, list->at, DIGIT_BITS);
	free(sorted);
}

static void sort_few(struct bspi_arrivals *list)
{
	for (size_t i = 1; i < list->n; i++) {
		struct bspi_arrival a = list->at[i];
		size_t k = i;

		for (; k > 0 && list->at[k - 1].from > a.from; k--)
			list->at[k] = list->at[k - 1];
		list->at[k] = a;
	}
}

void bspi_sort_by_sender(struct bspi_arrivals *list)
{
	if (BSPI_LIKELY(is_sorted(list)))
		return;
	if (list->n <= FEW)
		sort_few(list);
	else
		sort_many(list);
}

void bspi_give_back(const struct bspi_arrival *a)
{
	const struct bspi_out *o = bspi_out_of(a->from);

	if (BSPI_UNLIKELY(bspi_is_relaxed()))
		bspi_flow_released(a);
	if (BSPI_UNLIKELY(bspi.clock))
		bspi_clock_drop(a->time);
	if (BSPI_UNLIKELY(a->copied))
		free(a->chunk);
	else
		o->t->ops->release(o->t, o->peer, a->chunk);
}

/* ---- Copies -------------------------------------------------------------------- */

/* Its chunk is no longer the transport's. */
static void forget_held(const struct bspi_arrival *a)
{
	struct bspi_flow *f = &bspi_engine.flow[a->from];

	f->nheld--;
	f->ndone -= a->done;
}

static void copy_one(struct bspi_arrival *a)
{
	const struct bspi_out *o = bspi_out_of(a->from);
	size_t room = (a->len + LINE - 1) / LINE * LINE;
	char *copy = aligned_alloc(LINE, room);

	if (!copy)
		bspi_fail_memory("bsp_sync", bspi_own_site());
	memcpy(copy, a->chunk, a->len);
	bspt_poison_arrived(copy, a->len, room);
	o->t->ops->release(o->t, o->peer, a->chunk);
	forget_held(a);
	a->chunk = copy;
	a->copied = true;
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
	for (size_t i = 0; i < bspi_engine.kept.n; i++) {
		struct bspi_arrival *a = &bspi_engine.kept.at[i];
		const char *old = a->chunk;

		if (a->from != from || a->copied)
			continue;
		if (!bspi_hooks.messages_may_move())
			return false;
		copy_one(a);
		bspi_hooks.messages_moved(old, a->len, a->chunk);
	}
	return true;
}

/* ---- Holding and giving back ------------------------------------------------------ */

void bspi_hold(struct bspi_arrival *a)
{
	const struct bspi_flow *f = &bspi_engine.flow[a->from];
	uint32_t flags = bspi_head_of(a->chunk)->flags;

	/* messages of schedules are handled on arrival */
	a->done = (flags & BSPI_GOALS) && (flags & BSPI_URGENT);
	if (a->done && !f->nheld)
		bspi_give_back(a);
	else
		bspi_hold_until_its_turn(a, &bspi_engine.held);
}

void bspi_hold_until_its_turn(struct bspi_arrival *a, struct bspi_arrivals *list)
{
	struct bspi_flow *f = &bspi_engine.flow[a->from];

	f->nheld++;
	if (!a->done) {
		bspi_arrivals_add(list, a);
		return;
	}
	f->ndone++;
	bspt_poison_released(a->chunk + HEAD, a->len - HEAD);
	a->len = HEAD;
	bspi_arrivals_add(list, a);
	if (f->ndone % PILE_MOST == 0 && copy_kept_of(a->from)) {
		copy_all_of(a->from, &bspi_engine.held, 0);
		copy_all_of(a->from, &f->later, f->first);
	}
}

void bspi_release(const struct bspi_arrival *a)
{
	if (!a->copied)
		forget_held(a);
	bspi_give_back(a);
}

void bspi_release_kept(void)
{
	for (size_t i = 0; i < bspi_engine.kept.n; i++)
		bspi_release(&bspi_engine.kept.at[i]);
	bspi_engine.kept.n = 0;
}
