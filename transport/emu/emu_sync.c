// SPDX-License-Identifier: BSD-3-Clause
/* emu_sync.c - the counting barrier of the inner transport, timed as one made of messages. */

/*
 * On the emulated network a counting barrier is a dissemination barrier that carries counts:
 * in step i = 0 .. ceil(log2 P) - 1 process p sends one message to p + 2^i and waits
 * for the one from p - 2^i. The counts go along as in an index exchange (Bruck and
 * others, 1997): P counts of 4 bytes, of which each step moves half, behind 16 bytes
 * of words and numbers.
 *
 * The messages are not sent. When all have entered, every process replays the whole barrier
 * from the times at which they entered, by the same functions that time a chunk. All
 * that is known of a process then is its clock and when its interface can send: so messages of the
 * barrier wait behind data that it has sent before, as they would. Data that
 * interfaces receive meanwhile are not known to all and do not delay the barrier; the
 * barrier's messages do delay data that are received then, and data that arrive while a process
 * waits in the barrier are received in that time (see idle time in emu_clock.c).
 *
 * Order. A process writes its entry before it enters the inner counting barrier, and the others
 * read it after they have left that; what was done before a counting barrier is entered is
 * visible to a process that leaves it, as transport.h says for windows. There are two sets of
 * entries: one of round r is overwritten for round r + 2 by a process that has left r + 1, so all
 * have entered r + 1, and that they do after they have read the entries of r.
 */

#include "emu.h"

#include <errno.h>
#include <stdlib.h>

enum {
	WORDS_BYTES = 16,	/* of a message of the barrier, besides counts */
	COUNT_BYTES = 4,
	/* of a host in a barrier, of each sort: one for each step, and what it sent before */
	SPANS = EMU_STEPS + 1,
	SORTS = 3,
};

int bspt_emu_replay_open(struct bspt_emu *e)
{
	size_t n = (size_t)e->base.nprocs;

	e->hosts = calloc(n, sizeof(*e->hosts));
	e->spans = calloc(n, SORTS * SPANS * sizeof(*e->spans));
	e->arrivals = calloc(n, sizeof(*e->arrivals));
	if (e->hosts && e->spans && e->arrivals)
		return 0;
	bspt_emu_replay_close(e);
	return -ENOMEM;
}

void bspt_emu_replay_close(struct bspt_emu *e)
{
	free(e->hosts);
	free(e->spans);
	free(e->arrivals);
}

/* ---- Replay --------------------------------------------------------------- */

static struct emu_entry *entry_of(const struct bspt_emu *e, int p)
{
	return &e->entries[(size_t)(e->round % 2) * (size_t)e->base.nprocs + (size_t)p];
}

/* Process @p as it enters. */
static void emu_enter(struct bspt_emu *e, int p)
{
	struct emu_span *spans = e->spans + (size_t)p * SORTS * SPANS;
	const struct emu_entry *entry = entry_of(e, p);
	struct emu_host *h = &e->hosts[p];
	uint64_t out_free;

	*h = (struct emu_host){
		.clock = atomic_load_explicit(&entry->clock, memory_order_relaxed),
		.sent = { .at = spans + 2 * SPANS, .most = SPANS },
		.busy = { .at = spans, .most = SPANS },
		.idle = { .at = spans + SPANS, .most = SPANS },
	};
	out_free = atomic_load_explicit(&entry->out_free, memory_order_relaxed);
	if (out_free > h->clock)
		bspt_emu_spans_fill(&h->sent, h->clock, out_free - h->clock);
}

/* Each process sends to the one at @distance, then all receive. */
static void emu_step(struct bspt_emu *e, int distance, uint64_t number)
{
	int n = e->base.nprocs;
	uint64_t bytes = WORDS_BYTES + COUNT_BYTES * (uint64_t)n / 2;

	for (int p = 0; p < n; p++) {
		int q = (p + distance) % n;
		uint64_t jitter = bspt_emu_jitter(&e->net, EMU_BARRIER, p, q, number);

		e->arrivals[q] = bspt_emu_host_send(&e->hosts[p], &e->net, bytes, jitter);
	}
	for (int q = 0; q < n; q++)
		bspt_emu_host_receive(&e->hosts[q], &e->net, e->arrivals[q], bytes);
}

/* Add the parts of @from that lie behind @since. */
static void add_spans(struct emu_spans *to, const struct emu_spans *from, uint64_t since)
{
	for (int i = 0; i < from->n; i++) {
		uint64_t start = from->at[i].from > since ? from->at[i].from : since;

		if (start < from->at[i].to)
			bspt_emu_spans_fill(to, start, from->at[i].to - start);
	}
}

/* Set clock and interface of this process as the barrier has left them. */
static void emu_leave(struct bspt_emu *e)
{
	const struct emu_host *h = &e->hosts[e->base.me];

	add_spans(&e->host.sent, &h->sent, bspt_emu_host_free(&e->host));
	add_spans(&e->host.busy, &h->busy, 0);
	add_spans(&e->host.idle, &h->idle, 0);
	if (e->host.clock < h->clock)
		e->host.clock = h->clock;
}

static void emu_replay(struct bspt_emu *e)
{
	int n = e->base.nprocs, i = 0;

	for (int p = 0; p < n; p++)
		emu_enter(e, p);
	for (int distance = 1; distance < n; distance *= 2)
		emu_step(e, distance, EMU_STEPS * e->round + (uint64_t)i++);
	emu_leave(e);
}

/* emu_sync.c - the counting barrier of the inner transport, timed as one made of messages. */

void bspt_emu_count_add(struct bspt *t, int peer, uint32_t n)
{
	struct bspt *inner = bspt_emu_of(t)->inner;

	inner->ops->count_add(inner, peer, n);
}

void bspt_emu_count_enter(struct bspt *t, uint32_t word)
{
	struct bspt_emu *e = bspt_emu_of(t);
	struct emu_entry *mine;

	bspt_emu_settle(e);
	e->round++;
	mine = entry_of(e, t->me);
	atomic_store_explicit(&mine->clock, e->host.clock, memory_order_relaxed);
	atomic_store_explicit(&mine->out_free, bspt_emu_host_free(&e->host), memory_order_relaxed);
	if (e->order)
		bspt_emu_order_enter(e);
	e->inner->ops->count_enter(e->inner, word);
}

bool bspt_emu_count_test(struct bspt *t, struct bspt_counts *result)
{
	struct bspt_emu *e = bspt_emu_of(t);

	if (!e->inner->ops->count_test(e->inner, result))
		return false;
	emu_replay(e);
	if (e->order)
		bspt_emu_order_leave(e);
	return true;
}
