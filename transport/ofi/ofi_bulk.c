// SPDX-License-Identifier: BSD-3-Clause
/* ofi_bulk.c - transfers: bulk of the runtime, and chunks that are larger than a message. */

/*
 * The sender of a transfer waits for its grant, which may come before it does. A transfer moves
 * in pieces of at most s->piece bytes, one after the other; all but the largest are one piece. By
 * RMA the receiver counts the pieces that the provider reports as written, in any order. Over TCP
 * pieces are smaller (ofi_pace.c), each is acknowledged before the next leaves, and only the last
 * one is reported to the receiver. By tag, each piece has a grant of its own, given when its
 * receive is posted, so that nothing arrives for which there is no place.
 *
 * A receiver grants s->open_most transfers at a time; it queues the others.
 */

#include "ofi.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(OFI_OPEN_MOST <= OFI_TOKEN_INDEX, "an index has room in a token");

/* ---- Transfers ----------------------------------------------------------- */

static struct ofi_transfer *ofi_make_transfer(struct bspt_ofi *s)
{
	struct ofi_transfer *x = s->idle_transfers;

	if (x) {
		s->idle_transfers = x->next;
		return x;
	}
	x = calloc(1, sizeof(*x));
	if (!x)
		bspt_ofi_lost(s, -1, "a transfer", FI_ENOMEM);
	x->made_before = s->transfers;
	s->transfers = x;
	return x;
}

static void ofi_put_idle(struct bspt_ofi *s, struct ofi_transfer *x)
{
	if (x->mr)
		fi_close(&x->mr->fid);
	x->mr = NULL;
	x->next = s->idle_transfers;
	s->idle_transfers = x;
}

void bspt_ofi_transfers_free(struct bspt_ofi *s)
{
	while (s->transfers) {
		struct ofi_transfer *x = s->transfers;

		s->transfers = x->made_before;
		if (x->mr)
			fi_close(&x->mr->fid);
		free(x);
	}
	free(s->landing);
}

static struct ofi_transfer *ofi_transfer_of(struct bspt_ofi *s, struct bspt_bulk *b, bool of_chunk,
					    enum ofi_use use)
{
	struct ofi_transfer *x = ofi_make_transfer(s);

	x->op.peer = b->peer;
	x->op.use = use;
	x->b = b;
	x->moved = 0;
	x->grant = (struct ofi_grant){ .id = b->id, .of_chunk = of_chunk };
	return x;
}

static struct ofi_buf *buf_of_bulk(struct bspt_bulk *b)
{
	return (struct ofi_buf *)((char *)b - offsetof(struct ofi_buf, bulk));
}

static void ofi_bulk_finish(struct bspt_ofi *s, struct ofi_transfer *x)
{
	struct bspt_bulk *b = x->b;
	bool of_chunk = x->grant.of_chunk, leaves = x->op.use == OFI_MOVING;

	ofi_put_idle(s, x);
	b->done = true;
	if (!of_chunk)
		return;
	if (leaves) {
		s->base.unsent--;
		bspt_ofi_recycle(s, buf_of_bulk(b));
	} else {
		bspt_ofi_arrive(s, buf_of_bulk(b));
	}
}

/* ---- Lists of a peer ----------------------------------------------------- */

static void ofi_append(struct ofi_transfers *list, struct ofi_transfer *x)
{
	x->next = NULL;
	*list->last = x;
	list->last = &x->next;
}

/* The one of that name, off the list; or NULL. They come in order, as a rule. */
static struct ofi_transfer *ofi_take(struct ofi_transfers *list, const struct ofi_grant *name)
{
	for (struct ofi_transfer **at = &list->first; *at; at = &(*at)->next) {
		struct ofi_transfer *x = *at;

		if (x->grant.id != name->id || x->grant.of_chunk != name->of_chunk)
			continue;
		*at = x->next;
		if (!x->next)
			list->last = at;
		return x;
	}
	return NULL;
}

/* ---- Sender -------------------------------------------------------------- */

static struct ofi_transfer *outgoing(struct bspt_ofi *s, struct bspt_bulk *b, bool of_chunk)
{
	struct ofi_transfer *x = ofi_transfer_of(s, b, of_chunk, OFI_MOVING);

	x->mr = bspt_ofi_register(s, b->peer, b->at, b->len, false);
	return x;
}

static void await_grant(struct bspt_ofi *s, struct ofi_transfer *x)
{
	struct ofi_peer *p = bspt_ofi_peer(s, x->op.peer);
	struct ofi_transfer *early = ofi_take(&p->grants, &x->grant);

	if (!early) {
		ofi_append(&p->ungranted, x);
		return;
	}
	x->grant = early->grant;
	ofi_put_idle(s, early);
	bspt_ofi_start(s, &x->op);
}

void bspt_ofi_granted(struct bspt_ofi *s, int peer, const struct ofi_grant *grant)
{
	struct ofi_peer *p = bspt_ofi_peer(s, peer);
	struct ofi_transfer *x = ofi_take(&p->ungranted, grant);

	if (x) {
		x->grant = *grant;
		bspt_ofi_start(s, &x->op);
		return;
	}
	x = ofi_make_transfer(s);
	x->grant = *grant;
	ofi_append(&p->grants, x);
}

void bspt_ofi_bulk_send(struct bspt *t, struct bspt_bulk *b)
{
	struct bspt_ofi *s = bspt_ofi_of(t);

	bspt_ofi_need_endpoint(s);
	b->done = b->len == 0;
	if (!b->done)
		await_grant(s, outgoing(s, b, false));
}

void bspt_ofi_large_send(struct bspt_ofi *s, struct ofi_buf *b)
{
	struct ofi_announcement announcement = { .len = b->len };

	b->bulk = (struct bspt_bulk){
		.peer = b->op.peer, .id = b->number, .at = b + 1, .len = b->len,
	};
	bspt_ofi_note(s, b->op.peer, OFI_LARGE, b->number, &announcement, sizeof(announcement));
	await_grant(s, outgoing(s, &b->bulk, true));
}

/* ---- Receiver ------------------------------------------------------------ */

static uint64_t give_token(struct bspt_ofi *s, struct ofi_transfer *x)
{
	size_t i = s->first_free;

	while (i < s->nlanding && s->landing[i])
		i++;
	if (i == s->nlanding) {
		size_t n = s->nlanding ? 2 * s->nlanding : 16;
		struct ofi_transfer **landing = realloc(s->landing, n * sizeof(*landing));

		if (!landing)
			bspt_ofi_lost(s, -1, "a transfer", FI_ENOMEM);
		memset(landing + s->nlanding, 0, (n - s->nlanding) * sizeof(*landing));
		s->landing = landing;
		s->nlanding = n;
	}
	s->landing[i] = x;
	s->first_free = i + 1;
	return i | (s->secret & s->token_mask);
}

static void open_transfer(struct bspt_ofi *s, struct ofi_transfer *x)
{
	struct bspt_bulk *b = x->b;

	s->open_now++;
	x->mr = bspt_ofi_register(s, b->peer, b->at, b->len, s->rma);
	x->grant.token = give_token(s, x);
	x->pieces = s->paced ? 1 : (b->len + s->piece - 1) / s->piece;
	if (!s->rma) {
		bspt_ofi_start(s, &x->op);
		return;
	}
	x->grant.at = s->info->domain_attr->mr_mode & FI_MR_VIRT_ADDR ? (uintptr_t)b->at : 0;
	x->grant.key = fi_mr_key(x->mr);
	bspt_ofi_send_grant(s, x);
}

static void ofi_receive(struct bspt_ofi *s, struct bspt_bulk *b, bool of_chunk)
{
	struct ofi_transfer *x = ofi_transfer_of(s, b, of_chunk, OFI_LANDING);

	if (s->open_now < s->open_most)
		open_transfer(s, x);
	else
		ofi_append(&s->unopened, x);
}

static void landed(struct bspt_ofi *s, struct ofi_transfer *x)
{
	size_t i = (size_t)(x->grant.token & OFI_TOKEN_INDEX);
	struct ofi_transfer *next;

	s->landing[i] = NULL;
	if (i < s->first_free)
		s->first_free = i;
	s->open_now--;
	ofi_bulk_finish(s, x);
	next = s->unopened.first;
	if (!next)
		return;
	s->unopened.first = next->next;
	if (!next->next)
		s->unopened.last = &s->unopened.first;
	open_transfer(s, next);
}

void bspt_ofi_bulk_recv(struct bspt *t, struct bspt_bulk *b)
{
	struct bspt_ofi *s = bspt_ofi_of(t);

	bspt_ofi_need_endpoint(s);
	b->done = b->len == 0;
	if (!b->done)
		ofi_receive(s, b, false);
}

void bspt_ofi_large_announced(struct bspt_ofi *s, int peer, uint32_t number, size_t len)
{
	struct ofi_buf *b = bspt_ofi_take_big(s, len);

	if (!b)
		bspt_ofi_lost(s, peer, "a large chunk from it", FI_ENOMEM);
	b->op.peer = peer;
	b->number = number;
	b->len = len;
	b->bulk = (struct bspt_bulk){ .peer = peer, .id = number, .at = b + 1, .len = len };
	ofi_receive(s, &b->bulk, true);
}

void bspt_ofi_written(struct bspt_ofi *s, uint64_t token)
{
	struct ofi_transfer *x = token < s->nlanding ? s->landing[token] : NULL;

	if (!x)
		bspt_ofi_lost(s, -1, "bytes that were not asked for", FI_EINVAL);
	if (--x->pieces == 0)
		landed(s, x);
}

void bspt_ofi_moved(struct bspt_ofi *s, struct ofi_transfer *x)
{
	bool sending = x->op.use == OFI_MOVING;	/* else it was received, by tag */

	x->moved += x->piece;
	if (x->moved < x->b->len) {
		if (s->paced)
			bspt_ofi_pace(&bspt_ofi_peer(s, x->op.peer)->pace, x->piece,
				      bspt_now_ns() - x->began);
		if (sending && !s->rma)
			await_grant(s, x);
		else
			bspt_ofi_start(s, &x->op);
	} else if (sending) {
		ofi_bulk_finish(s, x);
	} else {
		landed(s, x);
	}
}
