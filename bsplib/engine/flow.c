// SPDX-License-Identifier: BSD-3-Clause
/* flow.c - what is between this process and each other one, and reports of it. */

/*
 * Each process says in the head of every chunk how much it has taken in. When that has become half
 * of the credit it also says so in an urgent chunk of its own: at the end of a relaxed superstep,
 * and when it is about to wait. Not at once: a peer that has come to a barrier
 * needs no such news, takes none in once it has left, and is known to be there only when
 * all it has sent is here. The sender uses the reports in credit.c.
 */

#include "bsplib/engine/flow.h"

#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"

#include <stdlib.h>
#include <string.h>

enum {
	UNIT = 64,			/* bytes: a cache line */
	CHUNK = 128,			/* bytes that a chunk costs besides: no chunk is free */
	CREDIT_MOST = 1 << 20,		/* bytes, auto: for one peer ... */
	CREDIT_ALL = 64 << 20,		/* ... and for all peers together */
};

static struct {
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

	bspi_engine.credit = window < INT32_MAX / 4 ? window : INT32_MAX / 4;
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

		/* of most nothing is there, and a page that is not written takes no memory */
		if (!(f->sent | f->sent_before | f->accepted | f->taken | f->reported) &&
		    !f->has_news && !f->ended)
			continue;
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
	if (f->has_news || f->taken - f->reported <= bspi_engine.credit / 2)
		return;
	f->has_news = true;
	flow.news[flow.nnews++] = a->from;
}

bool bspi_urgent_send(int pid, const struct bspi_rec *recs, size_t n)
{
	const struct bspi_out *o = bspi_out_of(pid);
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
		bool must = !f->ended && f->taken - f->reported > bspi_engine.credit / 2;

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
