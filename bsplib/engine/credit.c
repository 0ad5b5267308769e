// SPDX-License-Identifier: BSD-3-Clause
/* credit.c - how far a process may run ahead of those it sends to. */

/*
 * In relaxed supersteps a sender waits for no process, so what a slower process has not taken in
 * must be bounded. All of a superstep is always sent. Then, still in bsp_sync, the
 * sender waits while a peer has not taken in more than BSP_CREDIT bytes of its
 * earlier supersteps. So the unread bytes between two processes are at most that many
 * and those of two supersteps: the last one before the wait, and the one after it.
 *
 * This cannot deadlock. Let s be the least superstep in which a process waits. If it waits
 * in bsp_read, for puts of supersteps before s: all their senders are at s or later,
 * so have sent them, and a put before s takes effect when it arrives. If it waits
 * here for a peer, that is at s or later: the chunks it has to take in are of supersteps
 * before s, which it does whenever it looks, and it looks when it waits or ends a superstep;
 * then it reports (flow.c), in a chunk that is handled in any superstep of the receiver. Answers to
 * gets and grants are waited for in bsp_sync of s by processes whose peers, at s or later,
 * give them when they come to it; barriers end when all have come.
 * t/relaxed/model has the same as a model for spin.
 */

#include "bsplib/engine/credit.h"

#include "bsplib/core/base.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/flow.h"
#include "bsplib/engine/in.h"

static bool is_too_far_behind(const struct bspi_flow *f)
{
	return (int32_t)(f->sent_before - f->accepted) > (int32_t)bspi_engine.credit;
}

void bspi_credit_wait(void)
{
	unsigned int idle = 0;

	bspi_flow_report();
	bspi_engine_enter(BSPI_STAGE_CREDIT);
	for (int i = 0; i < bspi_engine.ntouched; i++) {
		int q = bspi_engine.touched[i];
		struct bspi_flow *f = &bspi_engine.flow[q];

		if (q == bspi.me)
			continue;
		while (BSPI_UNLIKELY(is_too_far_behind(f)))
			bspi_pump_for(&idle, BSPI_WAIT_CREDIT, q, 0);
		f->sent_before = f->sent;
	}
	bspi_engine_enter(BSPI_STAGE_NONE);
	if (BSPI_UNLIKELY(bspi.clock))
		bspi_clock_advance();
}
