// SPDX-License-Identifier: BSD-3-Clause
/* ofi_move.c - messages: chunks to send, messages received, completions. */

/*
 * Each message carries the secret of the job, or is dropped (ofi.h).
 *
 * Memory of receives is not bound to peers. A small chunk is copied out, so that its
 * buffer is posted again at once; for a larger one a fresh buffer is posted. However long the
 * runtime keeps chunks, OFI_POSTED receives are posted.
 */

#include "ofi.h"
#include "transport/poison.h"

#include <stdio.h>
#include <string.h>

enum { AT_ONCE = 16, LOOKS_FOR_DATAGRAMS = 64 };

/* ---- Sending ------------------------------------------------------------- */

void *bspt_ofi_chunk(struct bspt *t, int peer, size_t want, size_t *room)
{
	struct bspt_ofi *s = bspt_ofi_of(t);
	struct ofi_buf *b;

	bspt_ofi_need_endpoint(s);
	if (!bspt_ofi_peer(s, peer)->introduced)
		bspt_ofi_introduce(s, peer);
	if (want > t->max_chunk)
		want = t->max_chunk;
	if (want <= s->small.room)
		b = bspt_ofi_take(s, &s->small);
	else if (want <= s->large_enough.room)
		b = bspt_ofi_take(s, &s->large_enough);
	else
		b = bspt_ofi_take_big(s, want);
	if (!b)
		return NULL;
	*room = b->room;
	return b + 1;
}

/* A large buffer with little in it: its memory is not registered. */
static struct ofi_buf *fitting(struct bspt_ofi *s, struct ofi_buf *b, size_t len)
{
	struct ofi_buf *copy;

	if (b->pool || len > s->large_enough.room)
		return b;
	copy = bspt_ofi_take(s, &s->large_enough);
	if (!copy)
		return b;
	memcpy(copy + 1, b + 1, len);
	bspt_ofi_recycle(s, b);
	return copy;
}

void bspt_ofi_send(struct bspt *t, int peer, void *chunk, size_t len)
{
	struct bspt_ofi *s = bspt_ofi_of(t);
	struct ofi_buf *b = fitting(s, bspt_ofi_buf_of(chunk), len);

	t->stats.chunks_sent++;
	t->stats.bytes_sent += len;
	t->unsent++;
	b->len = len;
	b->op.peer = peer;
	b->number = bspt_ofi_peer(s, peer)->sent++;
	if (b->pool || bspt_ofi_peer(s, peer)->has_shut_down || bspt_ofi_peer(s, peer)->failed)
		bspt_ofi_start_message(s, b, OFI_CHUNK, b->number);
	else
		bspt_ofi_large_send(s, b);
}

/* ---- Receiving ----------------------------------------------------------- */

static void ofi_post(struct bspt_ofi *s, struct ofi_buf *b)
{
	ssize_t err;

	b->op.use = OFI_RECEIVING;
	err = fi_recv(s->ep, bspt_ofi_message_of(s, b), bspt_ofi_head_bytes(s) + b->room, b->desc,
		      FI_ADDR_UNSPEC, &b->op.context);
	if (!err)
		return;
	if (err != -FI_EAGAIN)
		bspt_ofi_lost(s, -1, "posting a receive", (int)-err);
	b->next = s->unposted;
	s->unposted = b;
}

static void post_again(struct bspt_ofi *s)
{
	struct ofi_buf *b = s->unposted;

	s->unposted = NULL;
	while (b) {
		struct ofi_buf *next = b->next;

		ofi_post(s, b);
		b = next;
	}
}

static struct ofi_buf *take_for_receiving(struct bspt_ofi *s, struct ofi_pool *pool)
{
	struct ofi_buf *b = bspt_ofi_take(s, pool);

	if (!b)
		bspt_ofi_lost(s, -1, "what arrives", FI_ENOMEM);
	return b;
}

void bspt_ofi_post_all(struct bspt_ofi *s)
{
	size_t most = s->info->rx_attr->size;

	for (size_t i = 0; i < OFI_POSTED && i < most; i++)
		ofi_post(s, take_for_receiving(s, &s->large_enough));
}

/* The posted buffer @b has a chunk in it. */
static void take_chunk(struct bspt_ofi *s, int from, struct ofi_buf *b, size_t len)
{
	struct ofi_buf *keep = b;

	if (len <= s->small.room) {
		keep = take_for_receiving(s, &s->small);
		memcpy(keep + 1, b + 1, len);
	}
	keep->number = b->head.number;
	keep->len = len;
	keep->op.peer = from;
	ofi_post(s, keep == b ? take_for_receiving(s, &s->large_enough) : b);
	bspt_ofi_arrive(s, keep);
}

static void take_note(struct bspt_ofi *s, int from, const struct ofi_buf *b, size_t len)
{
	struct ofi_announcement announcement;
	struct ofi_grant grant;

	if (bspt_ofi_kind_of(&b->head) == OFI_LARGE && len == sizeof(announcement)) {
		memcpy(&announcement, b + 1, len);
		bspt_ofi_large_announced(s, from, b->head.number, announcement.len);
	} else if (bspt_ofi_kind_of(&b->head) == OFI_GRANT && len == sizeof(grant)) {
		memcpy(&grant, b + 1, len);
		bspt_ofi_granted(s, from, &grant);
	} else if (bspt_ofi_kind_of(&b->head) == OFI_SHUTDOWN) {
		bspt_ofi_peer_closed(s, from);
	} else if (bspt_ofi_kind_of(&b->head) != OFI_PING &&
		   !bspt_ofi_late_note(s, from, bspt_ofi_kind_of(&b->head), b + 1, len)) {
		bspt_ofi_lost(s, from, "a message that is none of ours", FI_EINVAL);
	}
}

static bool is_authentic(const struct bspt_ofi *s, const struct fi_cq_data_entry *e,
			 const struct ofi_buf *b)
{
	if (e->len < bspt_ofi_head_bytes(s))
		return false;
	if (!s->by_data)
		return b->secret == s->secret;
	return (e->flags & FI_REMOTE_CQ_DATA) && e->data == s->secret;
}

static void ofi_received(struct bspt_ofi *s, struct ofi_buf *b, const struct fi_cq_data_entry *e)
{
	uint32_t from;
	size_t len;

	if (!is_authentic(s, e, b)) {
		/* The sender is no process of the job. */
		s->base.stats.refused++;
		ofi_post(s, b);
		return;
	}
	len = e->len - bspt_ofi_head_bytes(s);
	from = b->head.from_kind >> 8;
	if (from >= (uint32_t)s->base.nprocs)
		bspt_ofi_lost(s, -1, "a message that is none of ours", FI_EINVAL);
	if (bspt_ofi_kind_of(&b->head) == OFI_CHUNK) {
		take_chunk(s, (int)from, b, len);
		return;
	}
	take_note(s, (int)from, b, len);
	ofi_post(s, b);
}

void *bspt_ofi_poll(struct bspt *t, int *peer, size_t *len)
{
	struct bspt_ofi *s = bspt_ofi_of(t);
	struct ofi_buf *b;

	if (!s->arrived)
		bspt_ofi_progress(s);
	b = s->arrived;
	if (!b)
		return NULL;
	s->arrived = b->next;
	if (!s->arrived)
		s->arrived_last = &s->arrived;
	t->stats.chunks_received++;
	*peer = b->op.peer;
	*len = b->len;
	bspt_poison_arrived(b + 1, b->len, b->room);
	return b + 1;
}

/* ---- Completions --------------------------------------------------------- */

/* Messages have data, too; and some providers set the flag for the sender or writer. */
static bool was_written(const struct fi_cq_data_entry *e)
{
	return (e->flags & FI_REMOTE_CQ_DATA) && !(e->flags & (FI_WRITE | FI_SEND | FI_RECV));
}

static void complete(struct bspt_ofi *s, const struct fi_cq_data_entry *e)
{
	struct ofi_op *op = e->op_context;

	if (was_written(e)) {
		if ((e->data & s->token_mask) == (s->secret & s->token_mask))
			bspt_ofi_written(s, e->data & OFI_TOKEN_INDEX);
		else
			s->base.stats.refused++;
		return;
	}
	switch (op->use) {
	case OFI_RECEIVING:
		ofi_received(s, bspt_ofi_buf_of_op(op), e);
		break;
	case OFI_SENDING:
		bspt_ofi_message_completed(s, bspt_ofi_buf_of_op(op));
		break;
	default:
		bspt_ofi_moved(s, bspt_ofi_transfer_of_op(op));
	}
}

static void take_error(struct bspt_ofi *s, ssize_t err)
{
	struct fi_cq_err_entry e = { 0 };
	char text[OFI_TEXT];
	const char *more;
	struct ofi_op *op;

	if (err == -FI_EAVAIL)
		err = fi_cq_readerr(s->cq, &e, 0);
	if (err == -FI_EAGAIN || s->closing)
		return;
	if (err < 0)
		bspt_ofi_lost(s, -1, "reading completions", (int)-err);
	more = fi_cq_strerror(s->cq, e.prov_errno, e.err_data, NULL, 0);
	snprintf(text, sizeof(text), "%s (%s)", fi_strerror(e.err), more ? more : "no details");
	/* For a failed receive the sender is unknown. */
	op = e.op_context;
	if (s->closing || e.err == FI_ECANCELED)
		return;
	if (!op || op->use == OFI_RECEIVING)
		bspt_ofi_lost(s, -1, text, e.err);
	bspt_ofi_fail(s, op->peer, op->use == OFI_LANDING ? "receiving from it" : "sending to it",
		      e.err, text);
	if (op->use == OFI_SENDING)
		bspt_ofi_message_completed(s, bspt_ofi_buf_of_op(op));
	else
		bspt_ofi_transfer_abandon(s, bspt_ofi_transfer_of_op(op));
}

void bspt_ofi_progress(struct bspt_ofi *s)
{
	struct fi_cq_data_entry entries[AT_ONCE];
	ssize_t n;

	if (s->datagram_fd >= 0 && s->looks++ % LOOKS_FOR_DATAGRAMS == 0)
		bspt_ofi_datagram_receive(s);
	if (!s->ep) {
		if (bspt_card_is_wanted(&s->cards[s->own_place]))
			bspt_ofi_need_endpoint(s);
		return;
	}
	n = fi_cq_read(s->cq, entries, AT_ONCE);
	if (n > 0) {
		s->events += (uint64_t)n;
		for (ssize_t i = 0; i < n; i++)
			complete(s, &entries[i]);
	} else if (n < 0 && n != -FI_EAGAIN) {
		take_error(s, n);
	}
	if (s->unposted)
		post_again(s);
	if (s->asks)
		bspt_ofi_late_answer(s);
	if (s->asked_peers)
		bspt_ofi_datagram_ask(s);
	if (s->waiting)
		bspt_ofi_start_queued(s);
}
