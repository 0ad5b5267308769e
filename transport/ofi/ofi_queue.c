// SPDX-License-Identifier: BSD-3-Clause
/* ofi_queue.c - operations: handed to the provider, or queued for their peer. */

/*
 * An operation that libfabric does not accept now (-FI_EAGAIN: no connection yet, no room) goes to
 * the queue of its peer, and every later operation for that peer behind it. progress() tries some
 * of the peers with a queue, in turn.
 *
 * A message that libfabric injects needs no completion, which saves an entry of the completion
 * queue; but then we do not learn when it leaves. So only small messages are injected, while the
 * provider has nothing else for that peer, and not more than OFI_BLIND_MOST in a row: the next one
 * is sent with a completion, which follows those before it. base.unsent counts all others until
 * they are complete.
 */

#include "ofi.h"

#include <string.h>

enum { PEERS_AT_ONCE = 8 };

/* ---- To the provider ----------------------------------------------------- */

/* The message has left, or never will. */
static void message_done(struct bspt_ofi *s, struct ofi_buf *b)
{
	if (bspt_ofi_kind_of(&b->head) == OFI_CHUNK)
		s->base.unsent--;
	bspt_ofi_recycle(s, b);
}

void bspt_ofi_message_completed(struct bspt_ofi *s, struct ofi_buf *b)
{
	struct ofi_peer *p = bspt_ofi_peer(s, b->op.peer);

	if (--p->in_flight == 0)
		p->blind = 0;
	message_done(s, b);
}

static bool may_inject(const struct bspt_ofi *s, const struct ofi_peer *p, size_t len)
{
	return len <= s->inject_most && !p->in_flight && p->blind < OFI_BLIND_MOST;
}

static ssize_t send_message(struct bspt_ofi *s, struct ofi_peer *p, struct ofi_buf *b)
{
	size_t len = bspt_ofi_head_bytes(s) + b->len;
	void *message = bspt_ofi_message_of(s, b);
	ssize_t err;

	if (may_inject(s, p, len)) {
		err = s->by_data ? fi_injectdata(s->ep, message, len, s->secret, p->addr) :
				   fi_inject(s->ep, message, len, p->addr);
		if (err)
			return err;
		p->blind++;
		message_done(s, b);
		return 0;
	}
	if (p->in_flight >= s->in_flight_most)
		return -FI_EAGAIN;
	err = s->by_data ? fi_senddata(s->ep, message, len, b->desc, s->secret, p->addr,
				       &b->op.context) :
			   fi_send(s->ep, message, len, b->desc, p->addr, &b->op.context);
	if (!err)
		p->in_flight++;
	return err;
}

static size_t next_piece(struct bspt_ofi *s, const struct ofi_transfer *x)
{
	size_t left = x->b->len - x->moved, most = s->piece;

	if (s->paced && bspt_ofi_peer(s, x->op.peer)->pace.bytes < most)
		most = bspt_ofi_peer(s, x->op.peer)->pace.bytes;
	return left < most ? left : most;
}

/* The completion comes when the bytes are at the peer, whose provider alone notices them. */
static ssize_t write_acknowledged(struct bspt_ofi *s, struct ofi_transfer *x, void *at, void *desc)
{
	struct iovec from = { .iov_base = at, .iov_len = x->piece };
	struct fi_rma_iov to = {
		.addr = x->grant.at + x->moved, .len = x->piece, .key = x->grant.key,
	};
	struct fi_msg_rma m = {
		.msg_iov = &from, .desc = &desc, .iov_count = 1,
		.addr = bspt_ofi_peer(s, x->op.peer)->addr, .rma_iov = &to, .rma_iov_count = 1,
		.context = &x->op.context,
	};

	return fi_writemsg(s->ep, &m, FI_COMPLETION | FI_DELIVERY_COMPLETE);
}

static ssize_t ofi_send_piece(struct bspt_ofi *s, struct ofi_transfer *x)
{
	char *at = (char *)x->b->at + x->moved;
	void *desc = x->mr ? fi_mr_desc(x->mr) : NULL;
	fi_addr_t to = bspt_ofi_peer(s, x->op.peer)->addr;

	x->piece = next_piece(s, x);
	x->began = bspt_now_ns();
	if (!s->rma)
		return fi_tsend(s->ep, at, x->piece, desc, to, x->grant.token, &x->op.context);
	if (s->paced && x->moved + x->piece < x->b->len)
		return write_acknowledged(s, x, at, desc);
	return fi_writedata(s->ep, at, x->piece, desc, x->grant.token, to, x->grant.at + x->moved,
			    x->grant.key, &x->op.context);
}

/* Only by tag: post the receive of a piece, then grant it to the sender. */
static ssize_t post_piece(struct bspt_ofi *s, struct ofi_transfer *x)
{
	ssize_t err;

	x->piece = next_piece(s, x);
	err = fi_trecv(s->ep, (char *)x->b->at + x->moved, x->piece,
		       x->mr ? fi_mr_desc(x->mr) : NULL, FI_ADDR_UNSPEC, x->grant.token, 0,
		       &x->op.context);
	if (!err)
		bspt_ofi_send_grant(s, x);
	return err;
}

static ssize_t ofi_attempt(struct bspt_ofi *s, struct ofi_op *op)
{
	switch (op->use) {
	case OFI_SENDING:
		return send_message(s, bspt_ofi_peer(s, op->peer), bspt_ofi_buf_of_op(op));
	case OFI_MOVING:
		return ofi_send_piece(s, bspt_ofi_transfer_of_op(op));
	default:
		return post_piece(s, bspt_ofi_transfer_of_op(op));
	}
}

/* ---- Peers that have shut down -------------------------------------------- */

/* Memory of an abandoned transfer stays until close(): the provider may still be reading it. */
void bspt_ofi_transfer_abandon(struct bspt_ofi *s, const struct ofi_transfer *x)
{
	if (x->op.use == OFI_MOVING && x->grant.of_chunk)
		s->base.unsent--;
}

static void abandon(struct bspt_ofi *s, struct ofi_op *op)
{
	if (op->use == OFI_SENDING)
		message_done(s, bspt_ofi_buf_of_op(op));
	else
		bspt_ofi_transfer_abandon(s, bspt_ofi_transfer_of_op(op));
}

/* Everything that is queued for @p or waits for a grant from it. */
static void abandon_all(struct bspt_ofi *s, struct ofi_peer *p)
{
	while (p->first) {
		struct ofi_op *op = p->first;

		p->first = op->next;
		abandon(s, op);
	}
	p->last = &p->first;
	p->stuck_since = 0;
	for (struct ofi_transfer *x = p->ungranted.first; x; x = x->next)
		bspt_ofi_transfer_abandon(s, x);
	p->ungranted.first = NULL;
	p->ungranted.last = &p->ungranted.first;
}

void bspt_ofi_peer_closed(struct bspt_ofi *s, int peer)
{
	struct ofi_peer *p = bspt_ofi_peer(s, peer);

	p->has_shut_down = true;
	abandon_all(s, p);
	if (s->failed_peer == peer)
		s->failed_peer = -1;
}

void bspt_ofi_fail(struct bspt_ofi *s, int peer, const char *what, int err, const char *error)
{
	struct ofi_peer *p = bspt_ofi_peer(s, peer);

	if (s->closing || p->failed)
		return;
	p->failed = true;
	abandon_all(s, p);
	if (p->has_shut_down || s->failed_peer >= 0)
		return;
	s->failed_peer = peer;
	s->failed_at = bspt_now_ns();
	bspt_ofi_describe(s, peer, what, err, error);
}

/* ---- The queue of a peer ------------------------------------------------- */

/* False: the provider has no room for it now. */
static bool try_start(struct bspt_ofi *s, struct ofi_op *op)
{
	int peer = op->peer;
	ssize_t err = ofi_attempt(s, op);

	if (err == -FI_EAGAIN)
		return false;
	if (err) {
		abandon(s, op);
		bspt_ofi_fail(s, peer, "sending to it", (int)-err, fi_strerror((int)-err));
	}
	return true;
}

static void join_waiting(struct bspt_ofi *s, struct ofi_peer *p)
{
	p->waiting = true;
	p->next_waiting = NULL;
	*s->waiting_last = p;
	s->waiting_last = &p->next_waiting;
}

void bspt_ofi_introduce(struct bspt_ofi *s, int peer)
{
	struct ofi_peer *p = bspt_ofi_peer(s, peer);
	uint32_t of = (uint32_t)peer;

	p->introduced = true;
	if (!bspt_ofi_leads(s, s->base.me))
		bspt_ofi_note(s, peer, OFI_NAME, 0, bspt_ofi_peer(s, s->base.me)->name,
			      s->name_len);
	if (p->known)
		return;
	s->base.asked++;
	bspt_ofi_note(s, bspt_ofi_first_of(s, peer), OFI_ASK, 0, &of, sizeof(of));
	if (!s->datagram_ports[peer] || s->name_len > OFI_DATAGRAM_NAME)
		return;
	p->next_asked = s->asked_peers;
	s->asked_peers = p;
	s->ask_interval = OFI_ASK_FIRST;
	s->ask_at = bspt_now_ns() + OFI_ASK_FIRST;
}

void bspt_ofi_start(struct bspt_ofi *s, struct ofi_op *op)
{
	struct ofi_peer *p = bspt_ofi_peer(s, op->peer);

	op->next = NULL;
	if (!p->introduced)
		bspt_ofi_introduce(s, op->peer);
	if (p->has_shut_down || p->failed) {
		abandon(s, op);
	} else if (p->first || !p->known || !try_start(s, op)) {
		*p->last = op;
		p->last = &op->next;
		if (!p->stuck_since) {
			p->stuck_since = bspt_now_ns();
			p->doubt_at = 0;
		}
		if (!p->waiting && p->known)
			join_waiting(s, p);
	}
}

void bspt_ofi_resume(struct bspt_ofi *s, struct ofi_peer *p)
{
	if (!p->first)
		return;
	p->stuck_since = bspt_now_ns();
	join_waiting(s, p);
}

/* The first operation is off the queue while it is tried: a failure empties the queue. */
static bool start_first(struct bspt_ofi *s, struct ofi_peer *p)
{
	struct ofi_op *op = p->first;

	p->first = op->next;
	if (!p->first)
		p->last = &p->first;
	op->next = NULL;
	if (try_start(s, op))
		return true;
	op->next = p->first;
	p->first = op;
	if (!op->next)
		p->last = &op->next;
	return false;
}

void bspt_ofi_start_queued(struct bspt_ofi *s)
{
	struct ofi_peer *end = NULL;

	for (int i = 0; i < PEERS_AT_ONCE && s->waiting && s->waiting != end; i++) {
		struct ofi_peer *p = s->waiting;

		s->waiting = p->next_waiting;
		if (!s->waiting)
			s->waiting_last = &s->waiting;
		p->waiting = false;
		while (p->first && start_first(s, p))
			p->stuck_since = 0;
		if (p->first && !p->stuck_since)
			p->stuck_since = bspt_now_ns();
		if (p->first)
			join_waiting(s, p);
		if (!end && p->waiting)
			end = p;
	}
}

/* ---- Messages ------------------------------------------------------------ */

void bspt_ofi_start_message(struct bspt_ofi *s, struct ofi_buf *b, enum ofi_kind kind,
			    uint32_t number)
{
	b->head = (struct ofi_head){
		.from_kind = (uint32_t)s->base.me << 8 | kind,
		.number = number,
	};
	b->secret = s->secret;
	b->op.use = OFI_SENDING;
	bspt_ofi_start(s, &b->op);
}

void bspt_ofi_note(struct bspt_ofi *s, int peer, enum ofi_kind kind, uint32_t number,
		   const void *what, size_t len)
{
	struct ofi_buf *b = bspt_ofi_take(s, len > s->small.room ? &s->large_enough : &s->small);

	if (!b)
		bspt_ofi_lost(s, -1, "a message", FI_ENOMEM);
	if (len)
		memcpy(b + 1, what, len);
	b->len = len;
	b->op.peer = peer;
	bspt_ofi_start_message(s, b, kind, number);
}

void bspt_ofi_last_note(struct bspt_ofi *s, int peer, enum ofi_kind kind)
{
	bspt_ofi_peer(s, peer)->blind = OFI_BLIND_MOST;
	bspt_ofi_note(s, peer, kind, 0, NULL, 0);
}

void bspt_ofi_send_grant(struct bspt_ofi *s, struct ofi_transfer *x)
{
	bspt_ofi_note(s, x->op.peer, OFI_GRANT, 0, &x->grant, sizeof(x->grant));
}
