// SPDX-License-Identifier: BSD-3-Clause
/* flow.c - how far a process may run ahead of those it sends to. */

/*
 * In relaxed supersteps a sender waits for no process, so what a slower process has not taken in
 * must be bounded. All of a superstep is always sent. Then, still in bsp_sync, the
 * sender waits while a peer has not taken in more than BSP_CREDIT bytes of its
 * earlier supersteps. So the unread bytes between two processes are at most that many
 * and those of two supersteps: the last one before the wait, and the one after it.
 *
 * A process reports to its peers how much it has taken in, in the head of every chunk, and, when
 * that has become half of the credit, in an urgent chunk of its own: at the end of a relaxed
 * superstep, and when it is about to wait. Not at once: a peer that has come to a barrier
 * needs no such news, takes none in once it has left, and is known to be there only when
 * all it has sent is here.
 *
 * This cannot deadlock. Let s be the least superstep in which a process waits. If it waits
 * in bsp_read, for puts of supersteps before s: all their senders are at s or later,
 * so have sent them, and a put before s takes effect when it arrives. If it waits
 * here for a peer, that is at s or later: the chunks it has to take in are of supersteps
 * before s, which it does whenever it looks, and it looks when it waits or ends a superstep;
 * then it reports, in a chunk that is handled in any superstep of the receiver. Answers to
 * gets and grants are waited for in bsp_sync of s by processes whose peers, at s or later,
 * give them when they come to it; barriers end when all have come.
 * t/relaxed/model has the same as a model for spin.
 */

#include "bsplib/engine/flow.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/in.h"

#include <stdlib.h>
#include <string.h>

enum {
	UNIT = 64,			/* bytes: a cache line */
	CHUNK = 128,			/* bytes that a chunk costs besides: no chunk is free */
	CREDIT_MOST = 1 << 20,		/* bytes, auto: for one peer ... */
	CREDIT_ALL = 64 << 20,		/* ... and for all peers together */
};

static struct {
	uint32_t window;		/* units */
	int *news;			/* processes to which something is to be reported */
	int nnews;
} flow;

static uint32_t cost(size_t len)
{
	return (len + CHUNK) / UNIT;
}

void bspi_flow_open(void)
{
	size_t share = CREDIT_ALL / bspi.nprocs < CREDIT_MOST ?
		CREDIT_ALL / bspi.nprocs : CREDIT_MOST;
	size_t window = (bspi.env.credit >= 0 ? (size_t)bspi.env.credit : share) / UNIT;

	flow.window = window < INT32_MAX / 4 ? window : INT32_MAX / 4;
	bspi_engine.flow = calloc(bspi.nprocs, sizeof(*bspi_engine.flow));
	flow.news = calloc(bspi.nprocs, sizeof(*flow.news));
	flow.nnews = 0;
	if (!bspi_engine.flow || !flow.news)
		bspi_fail_memory("bsp_begin", NULL);
}

void bspi_flow_close(void)
{
	for (int q = 0; bspi_engine.flow && q < bspi.nprocs; q++)
		free(bspi_engine.flow[q].later.at);
	free(bspi_engine.flow);
	free(flow.news);
	bspi_engine.flow = NULL;
	flow.news = NULL;
}

void bspi_flow_reset(void)
{
	for (int q = 0; q < bspi.nprocs; q++) {
		struct bspi_flow *f = &bspi_engine.flow[q];

		f->sent = f->sent_before = f->accepted = 0;
		f->taken = f->reported = 0;
		f->has_news = f->ended = false;
	}
	flow.nnews = 0;
}

void bspi_flow_sent(int pid, size_t len)
{
	bspi_engine.flow[pid].sent += cost(len);
}

void bspi_flow_released(const struct bspi_arrival *a)
{
	struct bspi_flow *f = &bspi_engine.flow[a->from];

	if (a->from == bspi.me || (bspi_head_of(a->chunk)->flags & BSPI_UNCOUNTED))
		return;			/* only counted chunks of others take credit */
	f->taken += cost(a->len);
	if (f->has_news || f->taken - f->reported <= flow.window / 2)
		return;
	f->has_news = true;
	flow.news[flow.nnews++] = a->from;
}

bool bspi_urgent_send(int pid, const struct bspi_rec *recs, size_t n)
{
	const struct bspi_out *o = &bspi_engine.out[pid];
	size_t len = sizeof(struct bspi_head) + n * sizeof(*recs), room;
	char *chunk = o->t->ops->chunk(o->t, o->peer, len, &room);
	struct bspi_flow *f = &bspi_engine.flow[pid];

	if (!chunk && n == 0)
		return false;
	if (!chunk)
		bspi_fail_memory("bsp_sync", bspi_own_site());
	*bspi_head_of(chunk) = (struct bspi_head){
		.step = bspi.step, .flags = BSPI_URGENT | bspi_engine.epoch << BSPI_EPOCH_SHIFT,
		.taken = f->taken,
	};
	if (n)
		memcpy(chunk + sizeof(struct bspi_head), recs, n * sizeof(*recs));
	f->reported = f->taken;
	o->t->ops->send(o->t, o->peer, chunk, len);
	return true;
}

void bspi_flow_report(void)
{
	int left = 0;

	for (int i = 0; i < flow.nnews; i++) {
		int q = flow.news[i];
		struct bspi_flow *f = &bspi_engine.flow[q];
		bool must = !f->ended && f->taken - f->reported > flow.window / 2;

		f->has_news = must && !bspi_urgent_send(q, NULL, 0);
		if (f->has_news)	/* there was no chunk: another time */
			flow.news[left++] = q;
	}
	flow.nnews = left;
}

void bspi_flow_acknowledged(int pid, uint32_t taken)
{
	bspi_engine.flow[pid].accepted = taken;
}

static bool is_too_far_behind(const struct bspi_flow *f)
{
	return (int32_t)(f->sent_before - f->accepted) > (int32_t)flow.window;
}

void bspi_flow_wait(void)
{
	unsigned int idle = 0;

	if (flow.nnews)
		bspi_flow_report();
	bspi_engine.awaits_news = true;
	for (int i = 0; i < bspi_engine.ntouched; i++) {
		int q = bspi_engine.touched[i];
		struct bspi_flow *f = &bspi_engine.flow[q];

		if (q == bspi.me)
			continue;
		while (BSPI_UNLIKELY(is_too_far_behind(f)))
			bspi_pump_for(&idle, BSPT_AWAITS_CREDIT, q, 0);
		f->sent_before = f->sent;
	}
	bspi_engine.awaits_news = false;
	if (BSPI_UNLIKELY(bspi.clock))
		bspi_clock_advance();
}
