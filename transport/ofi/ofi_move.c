// SPDX-License-Identifier: BSD-3-Clause
/* ofi_move.c - messages: sending, receiving, and putting in order. */

/*
 * What libfabric does not take now (-FI_EAGAIN: no connection yet, no room) waits in a queue of
 * its peer, and everything for that peer behind it. poll() tries some of the peers for whom
 * something waits, in turn.
 *
 * A message that libfabric injects is out of our sight at once, which saves a look at the
 * completion queue; but then we do not learn when it leaves. So only small ones, while nothing
 * else is under way to that peer, and not more than OFI_BLIND_MOST in a row: the next is sent with
 * a completion, which comes after those before it have left. unsent counts all others
 * until they are complete.
 *
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

enum { AT_ONCE = 16, PEERS_AT_ONCE = 8 };

static struct ofi_buf *buf_of_op(struct ofi_op *op)
{
	return (struct ofi_buf *)op;
}

static struct ofi_transfer *transfer_of_op(struct ofi_op *op)
{
	return (struct ofi_transfer *)op;
}

static enum ofi_kind kind_of(const struct ofi_head *head)
{
	return (enum ofi_kind)(head->from_kind & 0xff);
}

/* ---- Sending ------------------------------------------------------------- */

/* It has left, or never will. */
static void sent(struct bspt_ofi *s, struct ofi_buf *b)
{
	if (kind_of(&b->head) == OFI_CHUNK)
		s->base.unsent--;
	bspt_ofi_recycle(s, b);
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
		sent(s, b);
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

static ssize_t attempt(struct bspt_ofi *s, struct ofi_op *op)
{
	if (op->use == OFI_SENDING)
		return send_message(s, &s->peers[op->peer], buf_of_op(op));
	return bspt_ofi_move(s, transfer_of_op(op));
}

/* For a peer that is gone. */
static void abandon(struct bspt_ofi *s, struct ofi_op *op)
{
	if (op->use == OFI_SENDING)
		sent(s, buf_of_op(op));
	else
		bspt_ofi_transfer_abandon(s, transfer_of_op(op));
}

static void abandon_all(struct bspt_ofi *s, struct ofi_peer *p)
{
	while (p->first) {
		struct ofi_op *op = p->first;

		p->first = op->next;
		abandon(s, op);
	}
	p->last = &p->first;
	p->stuck_since = 0;
	bspt_ofi_ungranted_abandon(s, p);
}

/*
 * Whoever has ended well needs nothing of us any more; then it is no failure that nothing gets
 * there. For one who has not, wait() calls lost(), if his farewell does not come in time.
 */
void bspt_ofi_fail(struct bspt_ofi *s, int peer, const char *what, int err, const char *error)
{
	struct ofi_peer *p = &s->peers[peer];

	if (s->closing || p->failed)
		return;
	p->failed = true;
	abandon_all(s, p);
	if (p->gone || s->failed_peer >= 0)
		return;
	s->failed_peer = peer;
	s->failed_at = bspt_now_ns();
	bspt_ofi_describe(s, peer, what, err, error);
}

/* True if it is off our hands. */
static bool try_start(struct bspt_ofi *s, struct ofi_op *op)
{
	int peer = op->peer;
	ssize_t err = attempt(s, op);

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

static void queue(struct bspt_ofi *s, struct ofi_peer *p, struct ofi_op *op)
{
	*p->last = op;
	p->last = &op->next;
	if (!p->stuck_since) {
		p->stuck_since = bspt_now_ns();
		p->doubt_at = 0;
	}
	if (!p->waiting)
		join_waiting(s, p);
}

void bspt_ofi_start(struct bspt_ofi *s, struct ofi_op *op)
{
	struct ofi_peer *p = &s->peers[op->peer];

	op->next = NULL;
	if (p->gone || p->failed)
		abandon(s, op);
	else if (p->first || !try_start(s, op))
		queue(s, p, op);
}

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

static void move_on_peer(struct bspt_ofi *s, struct ofi_peer *p)
{
	while (p->first && start_first(s, p))
		p->stuck_since = 0;
	if (!p->first)
		return;
	if (!p->stuck_since)
		p->stuck_since = bspt_now_ns();
	join_waiting(s, p);
}

static void move_on(struct bspt_ofi *s)
{
	struct ofi_peer *end = NULL;

	for (int i = 0; i < PEERS_AT_ONCE && s->waiting && s->waiting != end; i++) {
		struct ofi_peer *p = s->waiting;

		s->waiting = p->next_waiting;
		if (!s->waiting)
			s->waiting_last = &s->waiting;
		p->waiting = false;
		move_on_peer(s, p);
		if (!end && p->waiting)
			end = p;
	}
}

static void set_head(struct bspt_ofi *s, struct ofi_buf *b, enum ofi_kind kind, uint32_t number)
{
	b->head = (struct ofi_head){
		.from_kind = (uint32_t)s->base.me << 8 | kind,
		.number = number,
	};
	b->secret = s->secret;
	b->op.use = OFI_SENDING;
}

void bspt_ofi_note(struct bspt_ofi *s, int peer, enum ofi_kind kind, uint32_t number,
		   const void *what, size_t len)
{
	struct ofi_buf *b = bspt_ofi_take(s, &s->small);

	if (!b)
		bspt_ofi_lost(s, -1, "a message", FI_ENOMEM);
	if (len)
		memcpy(b + 1, what, len);
	b->len = len;
	b->op.peer = peer;
	set_head(s, b, kind, number);
	bspt_ofi_start(s, &b->op);
}

void bspt_ofi_last_note(struct bspt_ofi *s, int peer, enum ofi_kind kind)
{
	s->peers[peer].blind = OFI_BLIND_MOST;
	bspt_ofi_note(s, peer, kind, 0, NULL, 0);
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
	b->number = s->peers[peer].sent++;
	set_head(s, b, OFI_CHUNK, b->number);
	if (b->pool || s->peers[peer].gone || s->peers[peer].failed)
		bspt_ofi_start(s, &b->op);
	else
		bspt_ofi_large_send(s, b);
}

/* ---- Receiving ----------------------------------------------------------- */

static void post(struct bspt_ofi *s, struct ofi_buf *b)
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

		post(s, b);
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
		post(s, take_for_receiving(s, &s->large_enough));
}

static void append_arrived(struct bspt_ofi *s, struct ofi_buf *b)
{
	s->peers[b->op.peer].expected++;
	b->next = NULL;
	*s->arrived_last = b;
	s->arrived_last = &b->next;
}

/* Later ones come later, as a rule. */
static void hold(struct ofi_peer *p, struct ofi_buf *b)
{
	struct ofi_buf **at = &p->held;

	if (p->held && (int32_t)(b->number - p->held_last->number) > 0)
		at = &p->held_last->next;
	while (*at && (int32_t)(b->number - (*at)->number) > 0)
		at = &(*at)->next;
	b->next = *at;
	*at = b;
	if (!b->next)
		p->held_last = b;
}

void bspt_ofi_arrive(struct bspt_ofi *s, struct ofi_buf *b)
{
	struct ofi_peer *p = &s->peers[b->op.peer];

	if (b->number != p->expected) {
		hold(p, b);
		return;
	}
	append_arrived(s, b);
	while (p->held && p->held->number == p->expected) {
		b = p->held;
		p->held = b->next;
		append_arrived(s, b);
	}
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
	post(s, keep == b ? take_for_receiving(s, &s->large_enough) : b);
	bspt_ofi_arrive(s, keep);
}

static void farewell(struct bspt_ofi *s, int peer)
{
	struct ofi_peer *p = &s->peers[peer];

	p->gone = true;
	abandon_all(s, p);
	if (s->failed_peer == peer)
		s->failed_peer = -1;
}

static void take_note(struct bspt_ofi *s, int from, const struct ofi_buf *b, size_t len)
{
	struct ofi_announcement announcement;
	struct ofi_grant grant;

	if (kind_of(&b->head) == OFI_LARGE && len == sizeof(announcement)) {
		memcpy(&announcement, b + 1, len);
		bspt_ofi_large_announced(s, from, b->head.number, announcement.len);
	} else if (kind_of(&b->head) == OFI_GRANT && len == sizeof(grant)) {
		memcpy(&grant, b + 1, len);
		bspt_ofi_granted(s, from, &grant);
	} else if (kind_of(&b->head) == OFI_BYE) {
		farewell(s, from);
	} else if (kind_of(&b->head) != OFI_PING) {
		bspt_ofi_lost(s, from, "a message that is none of ours", FI_EINVAL);
	}
}

/* The sender is no process of the job. */
static void refuse(struct bspt_ofi *s, struct ofi_buf *b)
{
	s->base.stats.refused++;
	post(s, b);
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

static void received(struct bspt_ofi *s, struct ofi_buf *b, const struct fi_cq_data_entry *e)
{
	uint32_t from;
	size_t len;

	if (!is_authentic(s, e, b)) {
		refuse(s, b);
		return;
	}
	len = e->len - bspt_ofi_head_bytes(s);
	from = b->head.from_kind >> 8;
	if (from >= (uint32_t)s->base.nprocs)
		bspt_ofi_lost(s, -1, "a message that is none of ours", FI_EINVAL);
	if (kind_of(&b->head) == OFI_CHUNK) {
		take_chunk(s, (int)from, b, len);
		return;
	}
	take_note(s, (int)from, b, len);
	post(s, b);
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

static void left(struct bspt_ofi *s, struct ofi_buf *b)
{
	struct ofi_peer *p = &s->peers[b->op.peer];

	if (--p->in_flight == 0)
		p->blind = 0;
	sent(s, b);
}

/* Messages have data, too; and some providers give the flag to whoever sends or writes. */
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
		received(s, buf_of_op(op), e);
		break;
	case OFI_SENDING:
		left(s, buf_of_op(op));
		break;
	default:
		bspt_ofi_moved(s, transfer_of_op(op));
	}
}

/* Of a receive it is not known from whom it would have come. */
static void complete_in_error(struct bspt_ofi *s, const struct fi_cq_err_entry *e,
			      const char *error)
{
	struct ofi_op *op = e->op_context;

	if (s->closing || e->err == FI_ECANCELED)
		return;
	if (!op || op->use == OFI_RECEIVING)
		bspt_ofi_lost(s, -1, error, e->err);
	bspt_ofi_fail(s, op->peer, op->use == OFI_LANDING ? "receiving from it" : "sending to it",
		      e->err, error);
	if (op->use == OFI_SENDING)
		left(s, buf_of_op(op));
	else
		bspt_ofi_transfer_abandon(s, transfer_of_op(op));
}

static void take_error(struct bspt_ofi *s, ssize_t err)
{
	struct fi_cq_err_entry e = { 0 };
	char text[OFI_TEXT];
	const char *more;

	if (err == -FI_EAVAIL)
		err = fi_cq_readerr(s->cq, &e, 0);
	if (err == -FI_EAGAIN || s->closing)
		return;
	if (err < 0)
		bspt_ofi_lost(s, -1, "reading completions", (int)-err);
	more = fi_cq_strerror(s->cq, e.prov_errno, e.err_data, NULL, 0);
	snprintf(text, sizeof(text), "%s (%s)", fi_strerror(e.err), more ? more : "no details");
	complete_in_error(s, &e, text);
}

void bspt_ofi_progress(struct bspt_ofi *s)
{
	struct fi_cq_data_entry entries[AT_ONCE];
	ssize_t n = fi_cq_read(s->cq, entries, AT_ONCE);

	if (n > 0) {
		s->events += (uint64_t)n;
		for (ssize_t i = 0; i < n; i++)
			complete(s, &entries[i]);
	} else if (n < 0 && n != -FI_EAGAIN) {
		take_error(s, n);
	}
	if (s->unposted)
		post_again(s);
	if (s->waiting)
		move_on(s);
}
