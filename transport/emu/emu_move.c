// SPDX-License-Identifier: BSD-3-Clause
/* emu_move.c - chunks: those of the inner transport, with the time of arrival in front. */

#include "emu.h"

#include <string.h>

static struct emu_head *emu_head_of(void *chunk)
{
	return (struct emu_head *)chunk - 1;
}

/* ---- The inner transport --------------------------------------------------- */

static bool emu_take(struct bspt_emu *e, struct emu_held *h)
{
	struct emu_head *head = e->inner->ops->poll(e->inner, &h->peer, &h->len);

	e->base.unsent = e->inner->unsent;
	if (!head)
		return false;
	h->chunk = head + 1;
	h->len -= sizeof(*head);
	return true;
}

/* ---- Sending ------------------------------------------------------------- */

void *bspt_emu_chunk(struct bspt *t, int peer, size_t want, size_t *room)
{
	struct bspt *inner = bspt_emu_of(t)->inner;
	struct emu_head *head;

	if (want > t->max_chunk)
		want = t->max_chunk;
	head = inner->ops->chunk(inner, peer, sizeof(*head) + want, room);
	if (!head)
		return NULL;
	*room -= sizeof(*head);
	if (*room > t->max_chunk)
		*room = t->max_chunk;
	return head + 1;
}

void bspt_emu_discard(struct bspt *t, int peer, void *chunk)
{
	struct bspt *inner = bspt_emu_of(t)->inner;

	inner->ops->discard(inner, peer, emu_head_of(chunk));
}

/* When a chunk arrives that was prepared at @prepared, and passes what all share. */
static uint64_t arrival_at(struct bspt_emu *e, int peer, uint64_t prepared, size_t len,
			   uint64_t jitter, emu_take_fn *take)
{
	uint64_t left = bspt_emu_host_leave(&e->host, &e->net, prepared, len);

	return bspt_emu_arrives(&e->net, bspt_emu_pass(e, peer, left, len, take), jitter);
}

/* When it arrives is known now, whenever it really leaves. A pair's messages do not overtake. */
static uint64_t arrival_of_next(struct bspt_emu *e, int peer, size_t len)
{
	struct emu_way *way = &e->ways[peer];
	uint64_t jitter = bspt_emu_jitter(&e->net, EMU_CHUNK, e->base.me, peer, way->sent++);
	uint64_t arrival_ns;

	e->host.clock += e->net.o;
	arrival_ns = arrival_at(e, peer, e->host.clock, len, jitter, emu_take);
	if (way->arrival_ns < arrival_ns)
		way->arrival_ns = arrival_ns;
	return way->arrival_ns;
}

static void emu_move_leave(struct bspt_emu *e, int peer, struct emu_head *head, size_t len)
{
	e->base.stats.chunks_sent++;
	e->base.stats.bytes_sent += len;
	if (e->order)
		bspt_emu_order_sent(e, peer, head->arrival_ns);
	e->inner->ops->send(e->inner, peer, head, sizeof(*head) + len);
	e->base.unsent = e->inner->unsent;
}

void bspt_emu_send(struct bspt *t, int peer, void *chunk, size_t len)
{
	struct bspt_emu *e = bspt_emu_of(t);
	struct emu_head *head = emu_head_of(chunk);

	bspt_emu_settle(e);
	head->arrival_ns = arrival_of_next(e, peer, len);
	emu_move_leave(e, peer, head, len);
}

/*
 * Chunks of schedules have times of their own, and may be sent in another order than that of
 * their times; so they overtake others if they were earlier.
 */
uint64_t bspt_emu_send_at(struct bspt *t, int peer, void *chunk, size_t len, uint64_t when)
{
	struct bspt_emu *e = bspt_emu_of(t);
	struct emu_head *head = emu_head_of(chunk);
	uint64_t jitter = bspt_emu_jitter(&e->net, EMU_BESIDE, t->me, peer, e->sent_beside++);
	uint64_t prepared = bspt_emu_spans_fill(&e->beside, when * EMU_PS, e->net.o);

	head->arrival_ns = arrival_at(e, peer, prepared, len, jitter, NULL);
	emu_move_leave(e, peer, head, len);
	return (prepared + EMU_PS - 1) / EMU_PS;
}

/* ---- Receiving ----------------------------------------------------------- */

/* Choose at random one of the chunks that have come, and take the first of its sender. */
static bool take_any(struct bspt_emu *e, struct emu_held *h)
{
	int i = 0, peer;

	while (e->nheld < EMU_HELD && emu_take(e, &e->held[e->nheld]))
		e->nheld++;
	if (e->nheld == 0)
		return false;
	e->dice = bspt_emu_mix(e->dice);
	peer = e->held[e->dice % (uint64_t)e->nheld].peer;
	while (e->held[i].peer != peer)
		i++;
	*h = e->held[i];
	e->nheld--;
	memmove(e->held + i, e->held + i + 1, (size_t)(e->nheld - i) * sizeof(*h));
	return true;
}

void *bspt_emu_poll(struct bspt *t, int *peer, size_t *len)
{
	struct bspt_emu *e = bspt_emu_of(t);
	struct emu_held h;
	bool some = e->order ? bspt_emu_order_take(e, &h, emu_take) :
		    e->net.reorder ? take_any(e, &h) : emu_take(e, &h);

	if (!some)
		return NULL;
	t->stats.chunks_received++;
	*peer = h.peer;
	*len = h.len;
	return h.chunk;
}

void bspt_emu_release(struct bspt *t, int peer, void *chunk)
{
	struct bspt *inner = bspt_emu_of(t)->inner;

	inner->ops->release(inner, peer, emu_head_of(chunk));
}

size_t bspt_emu_trim(struct bspt *t)
{
	struct bspt *inner = bspt_emu_of(t)->inner;

	return inner->ops->trim(inner);
}

/* Waiting takes real time; in virtual time it is advance() that waits. */
void bspt_emu_wait(struct bspt *t, unsigned int idle)
{
	struct bspt_emu *e = bspt_emu_of(t);

	if (e->order ? bspt_emu_order_wait(e) : e->nheld) {
		t->stats.sleeps = e->inner->stats.sleeps + e->slept;
		return;
	}
	e->inner->ops->wait(e->inner, idle);
	t->stats.yields = e->inner->stats.yields;
	t->stats.sleeps = e->inner->stats.sleeps + e->slept;
}
