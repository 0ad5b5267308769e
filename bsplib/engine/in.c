// SPDX-License-Identifier: BSD-3-Clause
/* in.c - receiving: chunks are taken in, counted, and held or handled. */

#include "bsplib/engine/in.h"

#include "bsplib/core/base.h"
#include "bsplib/core/hooks.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/flow.h"
#include "bsplib/engine/hold.h"
#include "bsplib/engine/record.h"
#include "bsplib/engine/still.h"

/* ---- Chunks of the transport ------------------------------------------------ */

void bspi_pump_aside(unsigned int *idle)
{
	struct bspi_arrival a = { .done = false };

	a.chunk = bspi.net->ops->poll(bspi.net, &a.from, &a.len);
	if (a.chunk) {
		bspi_arrivals_add(&bspi_engine.stash, &a);
		*idle = 0;
	} else {
		bspi.net->ops->wait(bspi.net, (*idle)++);
	}
}

static void note_count(const struct bspi_arrival *a)
{
	const struct bspi_head *h = bspi_head_of(a->chunk);
	struct bspi_count *c = &bspi_engine.count[h->flags >> BSPI_EPOCH_SHIFT & 1];

	if (h->flags & BSPI_UNCOUNTED)
		return;			/* a process that waits for these knows their number */
	c->arrived++;
	if (!(h->flags & (BSPI_END | BSPI_LAST)))
		return;
	c->expected += h->sent;
	if (h->flags & BSPI_LAST) {
		c->lasts++;
		if (BSPI_UNLIKELY(bspi.consensus))
			bspi_hooks.ended(a);
		return;
	}
	c->ends++;
	c->any |= h->sum;
	c->all &= h->sum;
}

/* Take in one chunk by @t, if there is one: count it, and handle it or hold it. */
static bool take_in_from(struct bspt *t)
{
	struct bspi_arrivals *s = &bspi_engine.stash;
	struct bspi_arrival a = { .done = false };
	bool moved;

	if (BSPI_UNLIKELY(s->n) && t == bspi.net) {
		a = s->at[bspi_engine.first_stashed++];
		if (bspi_engine.first_stashed == s->n)
			bspi_engine.first_stashed = s->n = 0;
	} else {
		a.chunk = t->ops->poll(t, &a.from, &a.len);
	}
	moved = BSPI_UNLIKELY(bspi.bulks) && bspi_hooks.settle_bulk();
	if (!a.chunk)
		return moved;
	if (BSPI_UNLIKELY(a.len < sizeof(struct bspi_head)))
		bspi_fail_damaged(a.from);
	bspi_still_end();
	if (a.from != bspi.me) {
		if (BSPI_UNLIKELY(bspi.clock))
			a.time = bspi_clock_note(a.from, a.chunk, a.len);
		note_count(&a);
	}
	if (bspi_head_of(a.chunk)->flags & BSPI_GOALS)
		bspi_hooks.on_goals(&a);
	if (BSPI_UNLIKELY(bspi_is_relaxed()))
		bspi_hooks.arrive(&a);
	else
		bspi_hold(&a);
	return true;
}

/* The same, and move runs on that have got something. */
bool bspi_take_in(void)
{
	bool some = take_in_from(bspi.net);

	if (BSPI_UNLIKELY(bspi.goal_work)) {
		bspi_still_end();
		some |= bspi_hooks.move_goals();
	}
	return some;
}

/* Nothing has come: report to peers that may wait for it, and wait. */
void bspi_wait(unsigned int *idle)
{
	if (BSPI_UNLIKELY(bspi_is_relaxed()))
		bspi_flow_report();
	if (*idle)
		bspi_still_begin();	/* before a wait that may sleep */
	bspi.net->ops->wait(bspi.net, (*idle)++);
}

void bspi_pump(unsigned int *idle)
{
	if (bspi_take_in())
		*idle = 0;
	else
		bspi_wait(idle);
}

void bspi_pump_for(unsigned int *idle, enum bspi_wait_for what, uint32_t first, uint32_t second)
{
	bspi_show_awaited(what, first, second);
	bspi_pump(idle);
}

bool bspi_drain(void)
{
	bool some = false;

	while (bspi.net && bspi_take_in())
		some = true;
	return some;
}

/* Chunks that this process sent to itself are here as soon as they are sent. */
void bspi_take_in_own(void)
{
	while (bspi_engine.out[bspi.me].touched && take_in_from(bspi.self))
		;
}
