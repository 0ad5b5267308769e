// SPDX-License-Identifier: BSD-3-Clause
/* arrival.c - relaxed synchronisation: when a chunk that has arrived takes effect. */

/*
 * The protocol is that of Kim, Ha and Jhon, Relaxed barrier synchronization for the BSP
 * model of computation on message-passing architectures (1998), Fig. 1. A chunk of
 * superstep s' takes effect at a process in superstep s
 *
 *	when it arrives		if s' < s; or s' = s, and the process is in bsp_sync and
 *				has answered the gets of s. bspi_engine.due is that bound.
 *	at the next bsp_sync	if s' = s: it is among bspi_engine.held, as in a classic superstep
 *	in a later bsp_sync	if s' > s: it waits in a queue of its sender, flow[].later
 *
 * Each put that takes effect adds one to the updates of its area (the paper's sigma), for
 * which bsp_read waits. A put that comes after the bsp_read that should have counted it is of an
 * older superstep than that read, which the receiver sees and reports.
 *
 * The data travel with the timestamp (eager), unless BSP_EAGER says that they
 * ask first (ask.c). Where memory is shared, a chunk that does not fit a slot is
 * pulled: the receiver copies out of the block in which the sender put it.
 *
 * Chunks of one peer arrive in the order of their supersteps and are released in the order of
 * their arrival. An urgent one is handled at once and then waits for its release (done).
 *
 * All chunks of the epoch before take effect at the barrier that ends it.
 */

#include "bsplib/sync/arrival.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/hooks.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/effect.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/flow.h"
#include "bsplib/engine/hold.h"
#include "bsplib/engine/out.h"
#include "bsplib/engine/record.h"
#include "bsplib/sync/reason.h"
#include "bsplib/transfer/ask.h"
#include "bsplib/transfer/bulk.h"
#include "bsplib/transfer/target.h"

#include <stdlib.h>
#include <string.h>

/*
 * Processes with a queue of later supersteps: without the list each superstep in which one of them
 * is ahead would look at all processes of the job.
 */
static struct {
	int *from;
	int n;
} early;

/* ---- Urgent chunks ---------------------------------------------------------- */

/* The data of a put that is granted leave at once. */
static void handle_urgent(const struct bspi_arrival *a)
{
	bool grants = bspi_asking() && a->len > sizeof(struct bspi_head);

	if (bspi_head_of(a->chunk)->flags & BSPI_GOALS)
		return;			/* handled before */
	if (grants || bspi_engine.stage == BSPI_STAGE_CREDIT)
		bspi_clock_need(a->time);
	else
		bspi_clock_pass(a->time);
	if (a->len == sizeof(struct bspi_head))
		return;
	bspi_clock_advance();
	bspi_handle(a, BSPI_ON_ARRIVAL);
	if (bspi_has_records(&bspi_engine.out[a->from]))
		bspi_out_send(a->from);
}

/* ---- Arrivals --------------------------------------------------------------- */

static _Noreturn void refuse_late_get(int from, uint32_t step, const struct bspi_rec *rec)
{
	bspi_fail_of(from, step, bspi_get_name(bspi_is_hp(rec)), bspi_site_of(rec),
		     "came too late: process %d has ended this superstep, last at %s, and is in "
		     "superstep %u; announce the get there with bsp_serve",
		     bspi.me, bspi_site_text(bspi_own_site()), bspi.step);
}

static const char *look_for_gets(int from, const char *at, const char *end)
{
	const struct bspi_rec *rec = (const struct bspi_rec *)at;

	if (bspi_kind_of(rec->what) == BSPI_GET)
		refuse_late_get(from, bspi_engine.arriving->step, rec);
	return bspi_after(from, at, end);
}

/* ---- Chunks of later supersteps ---------------------------------------------- */

/*
 * Append to the queue of the sender, which first moves to the start of its array if half is
 * unused.
 */
static void hold_for_later(struct bspi_arrival *a)
{
	struct bspi_flow *f = &bspi_engine.flow[a->from];
	struct bspi_arrivals *l = &f->later;

	if (f->first >= 64 && 2 * f->first >= l->n) {
		l->n -= f->first;
		memmove(l->at, l->at + f->first, l->n * sizeof(*l->at));
		f->first = 0;
	}
	bspi_hold_until_its_turn(a, l);
	if (!f->is_early)
		early.from[early.n++] = a->from;
	f->is_early = true;
}

static bool arrival_is_later(const struct bspi_arrival *a)
{
	return !a->done && bspi_before(bspi.step, bspi_head_of(a->chunk)->step);
}

static void bring_in_from(struct bspi_flow *f)
{
	struct bspi_arrivals *l = &f->later;

	for (; f->first < l->n && !arrival_is_later(&l->at[f->first]); f->first++)
		bspi_arrivals_add(&bspi_engine.held, &l->at[f->first]);
	if (f->first == l->n)
		f->first = l->n = 0;
}

void bspi_bring_in(void)
{
	int left = 0;

	for (int i = 0; i < early.n; i++) {
		struct bspi_flow *f = &bspi_engine.flow[early.from[i]];

		bring_in_from(f);
		f->is_early = f->later.n > 0;
		if (f->is_early)
			early.from[left++] = early.from[i];
	}
	early.n = left;
}

static void arrival_hold(struct bspi_arrival *a)
{
	struct bspi_flow *f = &bspi_engine.flow[a->from];
	bool has_detail = bspi_head_of(a->chunk)->flags & BSPI_DETAIL;	/* for which the job ends */

	if (has_detail || (f->later.n == 0 && !arrival_is_later(a))) {
		bspi_hold_until_its_turn(a, &bspi_engine.held);
	} else {
		hold_for_later(a);
		bring_in_from(f);
	}
}

/* ---- Arrivals --------------------------------------------------------------- */

static bool is_of_this_epoch(const struct bspi_head *h)
{
	uint32_t epoch = bspi_engine.epoch << BSPI_EPOCH_SHIFT >> BSPI_EPOCH_SHIFT;

	return h->flags >> BSPI_EPOCH_SHIFT == epoch;
}

static _Noreturn __attribute__((cold)) void refuse_barrier(int q)
{
	bspi_fail("bsp_sync", bspi_own_site(),
		  "process %d called %s in superstep %u and so ends it with a barrier, and this "
		  "process does not; all processes call bsp_sync, bsp_end and what needs a "
		  "barrier alike",
		  q, bspi_reason_name(bspi_engine.flow[q].end_sum), bspi_engine.flow[q].end_step);
}

static void note_end(int from, const struct bspi_head *h)
{
	struct bspi_flow *f = &bspi_engine.flow[from];

	if (!is_of_this_epoch(h))
		return;			/* it is noted when the next epoch begins */
	f->ended = true;
	f->end_step = h->step;
	f->end_sum = h->sum;
	if (bspi_engine.stage != BSPI_STAGE_BARRIER && bspi_before(h->step, bspi_engine.due))
		refuse_barrier(from);
}

void bspi_refuse_barrier_of_others(void)
{
	for (int q = 0; bspi_count_now()->ends && q < bspi.nprocs; q++)
		if (bspi_engine.flow[q].ended &&
		    !bspi_before(bspi.step, bspi_engine.flow[q].end_step))
			refuse_barrier(q);
}

static void arrival_take(struct bspi_arrival *a)
{
	const struct bspi_head *h = bspi_head_of(a->chunk);
	bool first = !bspi_engine.flow[a->from].nheld;
	bool due = bspi_before(h->step, bspi_engine.due) &&
		   !(h->flags & (BSPI_REPLY | BSPI_DETAIL));

	if (!(h->flags & BSPI_END) && is_of_this_epoch(h))
		bspi_flow_acknowledged(a->from, h->taken);
	if (BSPI_UNLIKELY(h->flags & BSPI_END))
		note_end(a->from, h);
	if (BSPI_UNLIKELY(h->flags & BSPI_URGENT)) {
		handle_urgent(a);
		a->done = true;
	} else if (first && due) {
		bspi_engine.arriving = h;
		if (BSPI_UNLIKELY(h->flags & BSPI_GETS))
			bspi_scan(a, look_for_gets);
		bspi_let_take_effect(a);
		if (BSPI_UNLIKELY(bspi.bulks))
			bspi_bulk_settle();
		a->done = true;
	}
	if (first && a->done)
		bspi_give_back(a);
	else
		arrival_hold(a);
}

/* ---- Epochs ----------------------------------------------------------------- */

void bspi_arrivals_open(void)
{
	bspi_hooks.arrive = arrival_take;
	bspi_hooks.effected = bspi_ask_answer;
	early.n = 0;
	early.from = malloc((size_t)bspi.nprocs * sizeof(*early.from));
	if (!early.from)
		bspi_fail_memory("bsp_begin", NULL);
}

void bspi_arrivals_close(void)
{
	free(early.from);
	early.from = NULL;
}

void bspi_arrivals_begin(void)
{
	bspi_engine.due = bspi.step;
}

/* All that is left is of the next superstep. */
void bspi_arrivals_end(void)
{
	for (int i = 0; i < early.n; i++) {
		struct bspi_flow *f = &bspi_engine.flow[early.from[i]];

		for (; f->first < f->later.n; f->first++)
			bspi_arrivals_add(&bspi_engine.held, &f->later.at[f->first]);
		f->first = f->later.n = 0;
		f->is_early = false;
	}
	early.n = 0;
}
