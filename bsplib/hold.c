// SPDX-License-Identifier: BSD-3-Clause
/* hold.c - chunks that have arrived: held until their turn comes, and given back in their order. */

/*
 * Those of one peer are given back in the order in which they came, whatever takes effect when. So one that is done when it
 * arrives, a message of a schedule, waits while an earlier one of its peer is held.
 */

#include "bspi.h"

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
	o->t->ops->release(o->t, o->peer, a->chunk);
}

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
}

void bspi_release(const struct bspi_arrival *a)
{
	bspi.flow[a->from].nheld--;
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
