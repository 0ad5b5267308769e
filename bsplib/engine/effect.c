// SPDX-License-Identifier: BSD-3-Clause
/* effect.c - held chunks take effect: requests are served, the rest is handled in its order. */

#include "bsplib/engine/effect.h"

#include "bsplib/core/base.h"
#include "bsplib/core/hooks.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/hold.h"
#include "bsplib/engine/in.h"
#include "bsplib/engine/out.h"
#include "bsplib/engine/record.h"

#include <stdlib.h>

enum { ONE_IN = 8 };	/* a list of one process in so many or more is long */

static int by_process(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

void bspi_put_in_order(int *list, int n, bool (*is)(const struct bspi_out *))
{
	int k = 0;

	if (n < bspi.nprocs / ONE_IN) {
		if (n > 1)
			qsort(list, (size_t)n, sizeof(*list), by_process);
		return;
	}
	for (int q = 0; k < n; q++)
		if (is(&bspi_engine.out[q]))
			list[k++] = q;
}

static bool out_asks(const struct bspi_out *o)
{
	return o->flags == BSPI_REPLY;
}

/* Senders of gets of later supersteps are among them, too, which does no harm. */
static void find_asking(size_t i)
{
	bspi_engine.nasking = 0;
	for (; i < bspi_engine.held.n; i++) {
		const struct bspi_arrival *a = &bspi_engine.held.at[i];
		struct bspi_out *o = &bspi_engine.out[a->from];

		if (o->flags == BSPI_REPLY || !(bspi_head_of(a->chunk)->flags & BSPI_GETS))
			continue;
		o->flags = BSPI_REPLY;
		bspi_engine.asking[bspi_engine.nasking++] = a->from;
	}
	bspi_put_in_order(bspi_engine.asking, bspi_engine.nasking, out_asks);
}

/* Answers are sent in the order of processes: in virtual time it matters. */
void bspi_serve_requests(size_t i)
{
	find_asking(i);
	bspi_handle_held(i, BSPI_GETS, BSPI_AT_REQUEST);
	for (int k = 0; k < bspi_engine.nasking; k++) {
		int q = bspi_engine.asking[k];

		if (bspi_has_records(&bspi_engine.out[q]))
			bspi_out_send(q);
		bspi_engine.out[q].flags = 0;
	}
	bspi_take_in_own();
}

static bool is_of_later(const struct bspi_arrival *a)
{
	return bspi_before(bspi.step, bspi_head_of(a->chunk)->step);
}

/* The flags of all that took effect, in the order of their senders. */
static uint32_t let_take_effect(void)
{
	uint32_t flags = 0;

	bspi_sort_by_sender(&bspi_engine.held);
	for (size_t i = 0; i < bspi_engine.held.n; i++) {
		const struct bspi_arrival *a = &bspi_engine.held.at[i];
		const struct bspi_head *h = bspi_head_of(a->chunk);

		if (a->done || is_of_later(a) || (h->flags & BSPI_REPLY))
			continue;
		flags |= h->flags;
		bspi_let_take_effect(a);
	}
	return flags;
}

void bspi_let_take_effect(const struct bspi_arrival *a)
{
	bspi_engine.arriving = bspi_head_of(a->chunk);
	bspi_engine.time = a->time;
	bspi_handle(a, BSPI_AT_EFFECT);
	if (BSPI_UNLIKELY(bspi_is_relaxed()))
		bspi_hooks.effected(a);
}

/* Chunks of a later superstep stay held. */
void bspi_apply(bool messages_stay)
{
	bool keep = (let_take_effect() & BSPI_MSGS) && messages_stay;
	struct bspi_arrivals *held = &bspi_engine.held;
	size_t left = 0, n = held->n;

	for (size_t i = 0; i < n; i++) {
		if (is_of_later(&held->at[i]))
			held->at[left++] = held->at[i];
		else if (keep)
			bspi_arrivals_add(&bspi_engine.kept, &held->at[i]);
		else
			bspi_release(&held->at[i]);
	}
	held->n = left;
}
