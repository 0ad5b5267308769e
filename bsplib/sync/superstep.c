// SPDX-License-Identifier: BSD-3-Clause
/* superstep.c - the order of a superstep's end, classic and relaxed: bsp_sync and bsp_end. */

/*
 * bspi_superstep() is bsp_sync and bsp_end. A superstep ends in one of three ways, each of which
 * is a function here: with a barrier, without one, or in bsp_end. Everything that happens then is
 * called from these three, in the order in which it happens.
 *
 * The steps after the wait need no second barrier: this process alone reads and writes its
 * buffers, so gets and puts are ordered as its own steps are.
 *
 * A chunk carries the superstep in which it was sent; one of a later superstep than ours is held
 * until its turn comes. Chunks are given back at the end of bsp_sync, in the order in which they
 * came. If there is a message among them, all are kept until the next bsp_sync, because messages
 * are read in place.
 *
 * Between two barriers lies an epoch; a classic superstep is one of its own.
 */

#include "bsplib/sync/superstep.h"

#include "bsplib/collective/coll.h"
#include "bsplib/core/base.h"
#include "bsplib/core/observe.h"
#include "bsplib/core/phase.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/credit.h"
#include "bsplib/engine/effect.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/hold.h"
#include "bsplib/engine/in.h"
#include "bsplib/engine/out.h"
#include "bsplib/engine/record.h"
#include "bsplib/engine/trim.h"
#include "bsplib/schedule/schedule.h"
#include "bsplib/sync/areas.h"
#include "bsplib/sync/arrival.h"
#include "bsplib/sync/classic.h"
#include "bsplib/sync/neighbors.h"
#include "bsplib/sync/relaxed.h"
#include "bsplib/sync/unread.h"
#include "bsplib/transfer/answer.h"
#include "bsplib/transfer/ask.h"
#include "bsplib/transfer/bsmp.h"
#include "bsplib/transfer/bulk.h"
#include "bsplib/transfer/direct.h"
#include "bsplib/transfer/fast.h"
#include "bsplib/transfer/region.h"
#include "bsplib/transfer/twophase.h"

#include "bsp.h"

/* ---- Between two supersteps --------------------------------------------------- */

static bool reads_messages_in_place(void)
{
	return !bspi_wants_relaxed();
}

static __attribute__((noinline)) void after_barrier(void)
{
	if ((bspi.mode & (BSPI_MODE_COUNTS | BSPI_MODE_TURNS)) | bspi.slow)
		bspi_relaxed_after_barrier();
	if (bspi.mode & BSPI_MODE_NEIGHBORS)
		bspi_neighbors_end();
}

static void begin_epoch(void)
{
	bspi_engine_begin_epoch();
	bspi_direct_begin_epoch();
	bspi_tags_begin_epoch();
	if (BSPI_UNLIKELY((bspi.mode & (BSPI_MODE_COUNTS | BSPI_MODE_TURNS |
					BSPI_MODE_NEIGHBORS)) | bspi.slow))
		after_barrier();
}

/*
 * Peers write directly to regions once this process is in the superstep of the write, which the
 * number published says.
 */
static void begin_superstep(void)
{
	bspi_engine_begin_superstep();
	if (bspi_regions.windows)
		bspi.net->ops->publish(bspi.net, bspi.step);
	bspi_region_answer();
}

/* ---- Waits --------------------------------------------------------------------- */

static void superstep_wait_for_all(void)
{
	bspi_classic_wait();
	if (BSPI_UNLIKELY(bspi.clock)) {
		bspi_clock_need_held(0);
		bspi_clock_advance();
	}
}

/*
 * A chunk that a peer still waits for may be held back here, and only this process can move it on.
 * The peer is in the same bsp_sync, since it lacks the chunk, and takes it in.
 */
static void wait_until_sent(void)
{
	for (int i = 0; i < bspi_engine.ncarriers; i++)
		while (bspi_engine.carriers[i]->unsent)
			/* that it left wakes no process, so no sleep */
			bspi_pump_for(&(unsigned int){ 0 }, BSPI_WAIT_SENT,
				      bspi_engine.carriers[i]->unsent, 0);
}

/* All of the superstep is here, and nothing of it has taken effect. */
static __attribute__((noinline)) void at_barrier(void)
{
	if (bspi.mode & BSPI_MODE_NEIGHBORS)
		bspi_neighbors_compare();
	if (bspi.mode & (BSPI_MODE_COUNTS | BSPI_MODE_TURNS))
		bspi_unread_at_barrier();
}

/* ---- The three ends -------------------------------------------------------------- */

static void end_with_barrier(void)
{
	bool areas_change = bspi_regions.npush | bspi_regions.npop;

	/* Send: records of parts that have some left, all chunks, the numbers of chunks. */
	bspi_engine_enter(BSPI_STAGE_BARRIER);
	bspi_coll_agree_at_barrier();
	if (bspi_direct.ndeferred)
		bspi_direct_finish();
	if (areas_change)
		bspi_areas_announce();
	if (bspi_regions.npop && bspi_direct.nunnoted)
		bspi_direct_note_popped();
	if (BSPI_UNLIKELY(bspi_is_relaxed())) {
		bspi_out_recall();
		bspi_ask_send(true);
	}
	if (BSPI_UNLIKELY(bspi.bulks))
		bspi_bulk_send_all();
	bspi_classic_announce();

	/* Do the steps that need no peer while the chunks travel. */
	bspi_make_ready();
	bspi_queue_clear();
	bspi_release_kept();
	bspi_take_in_own();
	if (BSPI_UNLIKELY(bspi_is_relaxed()))
		bspi_bring_in();

	superstep_wait_for_all();
	if (BSPI_UNLIKELY(bspi.mode & (BSPI_MODE_COUNTS | BSPI_MODE_TURNS |
				       BSPI_MODE_NEIGHBORS)))
		at_barrier();

	/* Register; serve gets; write their answers, then puts, in the order of their senders. */
	if (areas_change)
		bspi_areas_agree();
	if (bspi_is_held(BSPI_GETS))
		bspi_serve_requests(0);
	if (bspi_engine.owed)
		bspi_await_answers();
	if (bspi_engine.held.n)
		bspi_apply(reads_messages_in_place());
	if (BSPI_UNLIKELY(bspi.bulks))
		bspi_bulk_wait();
	if (areas_change)
		bspi_region_settle();
	if (bspi.env.shuffle)
		bspi_queue_shuffle();

	wait_until_sent();
	begin_epoch();
	begin_superstep();
}

/* A relaxed superstep: a process waits for updates where it reads them (relaxed.c). */
static void end_without_barrier(void)
{
	bspi_refuse_barrier_of_others();

	/* Send all of the superstep. */
	bspi_ask_send(false);
	if (BSPI_UNLIKELY(bspi.bulks))
		bspi_bulk_send_all();
	bspi_out_send_all();

	/* Take in chunks, as peers may wait for that; wait for announced gets and serve them. */
	bspi_make_ready();
	bspi_queue_clear();
	bspi_take_in_own();
	bspi_relaxed_look();
	bspi_bring_in();
	bspi_relaxed_serve();
	if (bspi_engine.held.n)
		bspi_apply(reads_messages_in_place());
	bspi_engine.due = bspi.step + 1;
	/* again: a peer that has come to a barrier meanwhile takes in nothing of this superstep */
	bspi_refuse_barrier_of_others();

	/* Wait for peers that are too far behind. */
	BSPI_EVENT(credit_begins, ());
	if (BSPI_UNLIKELY(bspi.bulks))
		bspi_bulk_settle();
	bspi_ask_wait();
	if (BSPI_UNLIKELY(bspi.bulks))
		bspi_bulk_wait_sent();
	bspi_credit_wait();
	BSPI_EVENT(credit_ends, ());

	/* The epoch goes on, so the processes that are sent to stay touched. */
	bspi_tags_begin_superstep();
	bspi_out_begin_superstep();
	begin_superstep();
}

static void drop_requests(void)
{
	bspi_out_forget();
	bspi_ask_forget();
	bspi_bulk_forget();
	bspi_answers_forget();
	bspi_direct_forget();
	bspi_twophase_forget();
	bspi_region_forget();
}

/* In bsp_end all processes meet, and only records for process 0 take effect. */
static void end_job(void)
{
	bspi_engine_enter(BSPI_STAGE_BARRIER);
	bspi_coll_agree_at_barrier();
	drop_requests();
	BSPI_EVENT(job_ends, ());
	bspi_coll_agree_send();
	if (BSPI_UNLIKELY(bspi_is_relaxed()))
		bspi_out_recall();
	bspi_classic_announce();
	if (BSPI_UNLIKELY(bspi_is_relaxed()))
		bspi_bring_in();
	superstep_wait_for_all();
	bspi_handle_held(0, 0, BSPI_AT_END);
	bspi_coll_agree_settle();
	bspi_bulk_wait();
	wait_until_sent();
	bspi_region_withdraw_all();
	if (BSPI_UNLIKELY(bspi_wants_relaxed()))
		bspi_unread_at_end();
}

/* ---- bsp_sync, bsp_end ------------------------------------------------------------- */

/* A call that finds this phase is one of another thread. */
static inline void set_syncing(bool on)
{
	bspi.syncing = on;
	bspi.phase = on ? BSPI_IN_SYNC : BSPI_RUNNING;
	if (on)
		bspi_fast_suspend();
	else
		bspi_fast_resume();
}

/* How does this superstep end? */
static __attribute__((noinline)) void begin_way(void)
{
	if (bspi.mode & BSPI_MODE_NEIGHBORS)
		bspi_neighbors_begin();
	if ((bspi.mode & (BSPI_MODE_COUNTS | BSPI_MODE_ASKED)) | bspi.slow)
		bspi_mode_begin();
}

void bspi_superstep(const char *site, bool ending)
{
	bspi_require_no_operator(ending ? "bsp_end" : "bsp_sync", site);
	bspi_show_entry(site, ending);
	set_syncing(true);
	bspi.ending = ending;
	bspi_computing(false);
	BSPI_EVENT(sync_begins, (site, ending));
	if (ending) {
		if (bspi.mode & BSPI_MODE_NEIGHBORS)
			bspi_neighbors_begin();
		end_job();
	} else {
		if (BSPI_UNLIKELY((bspi.mode & (BSPI_MODE_COUNTS | BSPI_MODE_ASKED |
						BSPI_MODE_NEIGHBORS)) | bspi.slow))
			begin_way();
		if (BSPI_LIKELY(!bspi_is_relaxed()) || bspi_all_do_alike())
			end_with_barrier();
		else
			end_without_barrier();
	}
	BSPI_EVENT(sync_ends, ());
	if (bspi.step % BSPI_TRIM_STEPS == 0 && !ending)
		bspi_trim(bspi_direct_trim() + bspi_queue_trim() + bspi_bulk_trim());
	bspi_computing(true);
	set_syncing(false);
	if (!ending)
		bspi_show_step();
	if (BSPI_UNLIKELY(bspi.nreads))
		bspi_schedules_next_step();
}
