// SPDX-License-Identifier: BSD-3-Clause
/* still.c - this process waits for chunks, and has found none: for the search for deadlocks. */

/*
 * The file deadlock.h of job/lifeline says what it means, and why a job ends by it
 * only if it can go on no more. This one says which process may claim "only a chunk can end this
 * wait": not a process that waits for transfers in bulk, for what a schedule has to send when there
 * is memory, for a read of its memory, with a thread that moves schedules on, or where the
 * transport runs them.
 *
 * The status is written when a process has found nothing twice in a row, so before it sleeps, and
 * the fast path does not see it. A wait in which this process has sent something, because it
 * reports to its peers what it has taken in, begins anew.
 */

#include "bsplib/engine/still.h"

#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/engine.h"

bool bspi_is_still;

static bool only_chunks_end_it(void)
{
	return !bspi.bulks && !bspi.goal_work && !bspi.nreads && !bspi.locked &&
	       !bspi.net->runs_schedules;
}

/* To and from other processes; what this one sends to itself is here when it waits. */
static void count_chunks(struct bspt_stats *sum)
{
	*sum = (struct bspt_stats){ .chunks_sent = 0 };
	for (int i = 0; i < bspi_engine.ncarriers; i++) {
		sum->chunks_sent += bspi_engine.carriers[i]->stats.chunks_sent;
		sum->chunks_received += bspi_engine.carriers[i]->stats.chunks_received;
	}
}

static bool has_shown(const struct bspj_status *status, const struct bspt_stats *stats)
{
	return bspi_is_still &&
	       atomic_load_explicit(&status->sent, memory_order_relaxed) == stats->chunks_sent &&
	       atomic_load_explicit(&status->received, memory_order_relaxed) ==
		       stats->chunks_received;
}

/* The release pairs with the acquire in add_process(): a turn is seen with its counts. */
static void still_next_turn(struct bspj_status *status)
{
	uint32_t turn = atomic_load_explicit(&status->turn, memory_order_relaxed);

	atomic_store_explicit(&status->turn, turn + 1, memory_order_release);
	bspi_is_still = !bspi_is_still;
}

void bspi_still_begin(void)
{
	struct bspj_status *status = bspi_own_status();
	struct bspt_stats stats;

	if (!only_chunks_end_it()) {
		bspi_still_end();
		return;
	}
	count_chunks(&stats);
	if (has_shown(status, &stats))
		return;
	bspi_still_end();
	atomic_store_explicit(&status->sent, stats.chunks_sent, memory_order_relaxed);
	atomic_store_explicit(&status->received, stats.chunks_received, memory_order_relaxed);
	atomic_store_explicit(&status->epoch,
			      2 * bspi_engine.epoch | (bspi.syncing ? 0 : BSPJ_OUTSIDE_SYNC),
			      memory_order_relaxed);
	still_next_turn(status);
}

void bspi_still_end_now(void)
{
	still_next_turn(bspi_own_status());
}
