// SPDX-License-Identifier: BSD-3-Clause
/* classic.c - classic synchronisation: how each process learns how much is to come. */

/*
 * Six ways, one meaning: bspi_classic_wait() returns when every process has
 * announced the end of this superstep and every chunk it sent to us in it is here.
 *
 *   alltoall  Every process sends a chunk to every other, with the records that
 *	    are left to send, the number of chunks, and the sum of its collective calls.
 *	    For a few processes nothing is faster: one cache line, one way.
 *
 *   counting  The transport's counting barrier. For many, where p - 1 chunks are too many.
 *
 *   nodes  The counting barrier of each node, and between nodes a schedule (barrier.c).
 *
 *   schedule  A barrier that is a schedule and carries counts, in rounds or by trees. For
 *	    networks (barrier.c).
 *
 *   twophase  Every process sends a chunk to every other, with its counts alone; when those of
 *	    all others are here, it sends the data (twophase.c). As published; the slowest.
 *
 *   neighbors  Every process sends a chunk to every neighbour, as alltoall does to all, and waits
 *	    for theirs. In supersteps in which all processes do nothing alike (neighbors.c).
 *
 * All carry the sum of the values that must be the same on all processes: numbers of
 * pushes and pops, tag size, and whether this is bsp_end. If the sums differ, all
 * notice, and each sends process 0 the details (difference.c).
 */

#include "bsplib/sync/classic.h"

#include "bsplib/core/base.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/in.h"
#include "bsplib/engine/out.h"
#include "bsplib/engine/still.h"
#include "bsplib/sync/barrier.h"
#include "bsplib/sync/difference.h"
#include "bsplib/sync/reason.h"
#include "bsplib/transfer/bsmp.h"
#include "bsplib/transfer/reach.h"
#include "bsplib/transfer/region.h"
#include "bsplib/transfer/twophase.h"

#include "bsp.h"

enum { RELAXED_ALLTOALL_MOST = 64 };	/* processes */

/*
 * 0 in the usual case that there was no collective call. Else the lowest bits are the reasons,
 * for a process that gets the sum too early and has to name them; the top bit says bsp_end.
 */
static uint32_t collective_sum(void)
{
	/* In a relaxed epoch processes may come to different supersteps before they meet. */
	uint64_t sum = bspi_is_relaxed() ? bspi.step : 0;
	uint32_t reasons = bspi_reasons();

	if (bspi.ending)
		return BSPI_SUM_END | (sum & INT32_MAX);
	if (!reasons && !bspi_is_relaxed())
		return 0;
	sum = (sum ^ bspi_wants_relaxed()) * UINT64_C(0xd6e8feb86659fd93);
	sum = (sum ^ bspi_regions.npush) * UINT64_C(0x9e3779b97f4a7c15);
	sum = (sum ^ bspi_regions.npop) * UINT64_C(0xbf58476d1ce4e5b9);
	sum = (sum ^ bspi_tags.set) * UINT64_C(0x94d049bb133111eb);
	sum = (sum ^ bspi_neighbors_call) * UINT64_C(0xff51afd7ed558ccd);
	return (sum >> 33 & ~(uint64_t)BSPI_REASONS) | reasons;
}

/*
 * A relaxed epoch ends with a chunk from each to each other where that costs little: a process
 * that still waits in bsp_read learns from them that no process is left that could put. All agree,
 * as the mode in which the epoch began is the same for all.
 */
bool bspi_ends_alltoall(void)
{
	bool begins = bspi_mode_turns() && bspi_wants_relaxed();

	return bspi_barrier == BSPI_ALLTOALL || bspi_barrier == BSPI_TWO_PHASES ||
	       (bspi_is_relaxed() && !begins && bspi.nprocs <= RELAXED_ALLTOALL_MOST);
}

/* ---- Announcing ----------------------------------------------------------- */

static inline void announce_to(int q)
{
	if (!bspi_engine.out[q].chunk)
		bspi_out_slow(q, 0, NULL);
	bspi_engine.out[q].flags |= BSPI_END;
	bspi_out_send(q);
}

static void announce_alltoall(void)
{
	int q = bspi.me;

	for (int i = 1; i < bspi.nprocs; i++) {
		q = q + 1 == bspi.nprocs ? 0 : q + 1;
		announce_to(q);
	}
}

/* From the next higher number on, so that not all send to the same process first. */
static __attribute__((noinline)) void announce_to_neighbors(void)
{
	int n = bspi_neighbors.n, first = 0;

	while (first < n && bspi_neighbors.pids[first] < bspi.me)
		first++;
	for (int i = 0; i < n; i++)
		announce_to(bspi_neighbors.pids[(first + i) % n]);
}

static void announce_counting(void)
{
	for (int i = 0; i < bspi_engine.ntouched; i++) {
		int q = bspi_engine.touched[i];
		struct bspi_out *o = &bspi_engine.out[q];

		if (q == bspi.me)
			continue;
		if (bspi_has_records(o))
			bspi_out_send(q);
		if (o->sent)
			bspi.net->ops->count_add(bspi.net, q, o->sent);
	}
	bspi.net->ops->count_enter(bspi.net, bspi_engine.sum);
}

static void announce_counting_nodes(void)
{
	bspi_barrier_await_addresses();
	announce_counting();
}

void bspi_classic_announce(void)
{
	struct bspi_out *own = &bspi_engine.out[bspi.me];

	bspi_engine.sum = collective_sum();
	if (bspi_has_records(own))
		bspi_out_send(bspi.me);
	if (bspi.nprocs == 1)
		return;
	if (BSPI_UNLIKELY(bspi.two_phases))
		bspi_twophase_announce();
	if (bspi_ends_alltoall())
		announce_alltoall();
	else if (bspi_barrier == BSPI_COUNTING)
		announce_counting();
	else if (bspi_barrier == BSPI_COUNTING_NODES)
		announce_counting_nodes();
	else if (bspi_barrier == BSPI_BY_SCHEDULE)
		bspi_barrier_announce();
	else
		announce_to_neighbors();
}

/* ---- Waiting -------------------------------------------------------------- */

static void wait_alltoall(struct bspi_count *c)
{
	unsigned int idle = 0;

	while (c->ends < bspi.nprocs - 1)
		bspi_pump_for(&idle, BSPI_WAIT_ALL, c->ends, bspi.nprocs - 1);
	while (c->arrived < c->expected)
		bspi_pump_for(&idle, BSPI_WAIT_CHUNKS, c->arrived, c->expected);
	c->any |= bspi_engine.sum;
	c->all &= bspi_engine.sum;
}

/* Chunks of the second phase of others may be here before ours begins. */
static void wait_two_phases(struct bspi_count *c)
{
	unsigned int idle = 0;
	int senders;

	while (c->ends < bspi.nprocs - 1)
		bspi_pump_for(&idle, BSPI_WAIT_ALL, c->ends, bspi.nprocs - 1);
	c->any |= bspi_engine.sum;
	c->all &= bspi_engine.sum;
	if (BSPI_UNLIKELY(c->any != c->all))
		return;			/* which all processes find alike */
	bspi_clock_need_held(BSPI_END);
	bspi_clock_advance();
	senders = bspi_twophase_send();
	while (c->lasts < senders || c->arrived < c->expected)
		bspi_pump_for(&idle, BSPI_WAIT_CHUNKS, c->arrived, c->expected);
}

/* Their sums are 0: a process that does what all do alike meets all others first (meet.c). */
static __attribute__((noinline)) void wait_for_neighbors(struct bspi_count *c)
{
	unsigned int idle = 0;

	while (c->ends < bspi_neighbors.n)
		bspi_pump_for(&idle, BSPI_WAIT_NEIGHBORS, c->ends, bspi_neighbors.n);
	while (c->arrived < c->expected)
		bspi_pump_for(&idle, BSPI_WAIT_CHUNKS, c->arrived, c->expected);
	c->any = c->all = 0;
}

static void wait_counting(struct bspi_count *c)
{
	struct bspt_counts counts;
	unsigned int idle = 0;

	while (!bspi.net->ops->count_test(bspi.net, &counts))
		bspi_pump_for(&idle, BSPI_WAIT_BARRIER, 0, 0);
	bspi_still_end();
	idle = 0;
	while (c->arrived < counts.chunks)
		bspi_pump_for(&idle, BSPI_WAIT_CHUNKS, c->arrived, counts.chunks);
	c->any = counts.any;
	c->all = counts.all;
}

static void wait_counting_nodes(struct bspi_count *c)
{
	bspi_barrier_between_nodes();
	wait_counting(c);
}

void bspi_classic_wait(void)
{
	struct bspi_count *c = bspi_count_now();

	if (bspi.nprocs == 1)
		return;
	if (BSPI_UNLIKELY(bspi.two_phases))
		wait_two_phases(c);
	else if (bspi_ends_alltoall())
		wait_alltoall(c);
	else if (bspi_barrier == BSPI_COUNTING)
		wait_counting(c);
	else if (bspi_barrier == BSPI_COUNTING_NODES)
		wait_counting_nodes(c);
	else if (bspi_barrier == BSPI_BY_SCHEDULE)
		bspi_barrier_wait(c);
	else
		wait_for_neighbors(c);
	if (BSPI_UNLIKELY(c->any != c->all))
		bspi_explain_difference();
}
