// SPDX-License-Identifier: BSD-3-Clause
/* schedule_move.c - messages of schedules are sent and received, as records and in bulk. */

/*
 * Four ways, by size and circumstances:
 *
 *	eager	one record with the bytes. The send has ended.
 *	bulk	a record that announces it; the bytes go by bulk (transport.h), from and into the
 *		memory of the schedule. For a message that lies in one piece on the sender's side,
 *		of out[].min_bulk bytes or more.
 *	asked	ASK; when its receive is posted the receiver says by GRANT how much may be sent, and
 *		again when half of that has come; the bytes come as PIECEs. So the bytes on their
 *		way are bounded, and go to their place at once.
 *	timed	where there is a clock: as eager, but in a chunk of its own that leaves at the time
 *		of the send.
 *
 * Records are sent in their order and chunks arrive in theirs, so messages of a pair, whichever
 * way they travel, are matched in the order in which they were sent.
 */

#include "bsplib/schedule/run.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/record.h"
#include "bsplib/schedule/schedule.h"
#include "bsplib/transfer/bulk.h"

#include <stdlib.h>
#include <string.h>

enum {
	PIECE_MOST = 256 << 10,		/* bytes of a piece */
	WINDOW = 1 << 20,		/* bytes that are granted at once */
};

static struct {
	struct bspi_run_transfer **at;	/* by handle; NULL: unused */
	uint32_t n, unused;		/* of these the first may be */
	size_t room;
	struct bspi_run_transfer *pool;
	struct bspi_run_transfer *first, **end;	/* to be acted on */
	struct bspi_run_transfer *bulks;
} transfers;

static bool (*answer_reads)(void);	/* of immediate.c */

/* ---- Bytes of an operation ---------------------------------------------------------- */

/* Bytes @from to @from + @n of a list of parts, to or from @buf. */
static void op_each_part(struct goal_run *run, const struct goal_op *op, uint64_t from, uint64_t n,
			 unsigned char *buf, bool gathers)
{
	const struct goal_part *part = goal_parts(op);

	for (; from >= part->bytes; part++)
		from -= part->bytes;
	for (; n; part++, from = 0) {
		uint64_t some = part->bytes - from < n ? part->bytes - from : n;
		unsigned char *at = goal_run_at(run, part) + from;

		if (gathers)
			memcpy(buf, at, some);
		else
			memcpy(at, buf, some);
		buf += some;
		n -= some;
	}
}

static void op_gather(struct goal_run *run, const struct goal_op *op, uint64_t from, uint64_t n,
		      void *buf)
{
	if (BSPI_LIKELY(op->nparts == 1))
		memcpy(buf, goal_run_at(run, goal_parts(op)) + from, n);
	else if (op->nparts == 0)
		memset(buf, 0, n);
	else if (n)
		op_each_part(run, op, from, n, buf, true);
}

static void op_scatter(struct goal_run *run, const struct goal_op *op, uint64_t from, uint64_t n,
		       const void *buf)
{
	if (BSPI_LIKELY(op->nparts == 1))
		memcpy(goal_run_at(run, goal_parts(op)) + from, buf, n);
	else if (op->nparts && n)
		op_each_part(run, op, from, n, (unsigned char *)(uintptr_t)buf, false);
}

static inline void op_check_length(const struct goal_request *r, int from, const struct goal_op *op,
				   uint64_t bytes)
{
	if (BSPI_UNLIKELY(bytes != op->bytes && op->nparts))
		bspi_run_refuse_length(r, from, op, bytes);
}

/* ---- Transfers ----------------------------------------------------------------------------- */

static struct bspi_run_transfer *transfer_new(struct goal_request *r, const struct goal_op *op,
					      int peer, uint64_t bytes)
{
	struct bspi_run_transfer *t = transfers.pool;
	uint32_t i;

	if (t)
		transfers.pool = t->next;
	else
		t = malloc(sizeof(*t));
	if (!t)
		bspi_fail_memory("goal_wait", bspi_own_site());
	*t = (struct bspi_run_transfer){ .run = r, .op = op, .peer = peer, .bytes = bytes };
	i = transfers.unused;
	while (i < transfers.n && transfers.at[i])
		i++;
	if (i == transfers.n) {
		transfers.at = bspi_grow(transfers.at, transfers.n, sizeof(*transfers.at),
					 &transfers.room);
		transfers.n++;
	}
	transfers.at[i] = t;
	transfers.unused = i + 1;
	t->handle = i;
	return t;
}

static void transfer_free(struct bspi_run_transfer *t)
{
	transfers.at[t->handle] = NULL;
	if (t->handle < transfers.unused)
		transfers.unused = t->handle;
	free(t->copy);
	t->copy = NULL;
	t->next = transfers.pool;
	transfers.pool = t;
}

static void transfer_act_later(struct bspi_run_transfer *t)
{
	if (t->queued)
		return;
	t->queued = true;
	t->next = NULL;
	*transfers.end = t;
	transfers.end = &t->next;
	bspi.goal_work |= BSPI_GOAL_CARRY;
}

/* Are others of the same multicast on their way? */
static bool transfer_has_siblings(const struct bspi_run_transfer *t)
{
	for (uint32_t i = 0; t->op->type == GOAL_MULTICAST && i < transfers.n; i++) {
		const struct bspi_run_transfer *other = transfers.at[i];

		if (other && other->outgoing && other->run == t->run && other->op == t->op)
			return true;
	}
	return false;
}

/* All has been sent, or is there. */
static void transfer_end(struct bspi_run_transfer *t)
{
	struct bspi_run_transfer last = *t;

	transfer_free(t);
	if (last.run && !(last.outgoing && transfer_has_siblings(&last)))
		bspi_run_done(last.run, last.op);
}

static void transfer_add_bulk(struct bspi_run_transfer *t)
{
	t->next = transfers.bulks;
	transfers.bulks = t;
	bspi.goal_work |= BSPI_GOAL_CARRY;
}

/* ---- Sending -------------------------------------------------------------------------------- */

/* In a timed run the operation ends with the last of its messages. */
static void move_send_timed(struct goal_request *r, const struct goal_op *op,
			    struct bspi_outgoing *p,
			    uint64_t when)
{
	uint64_t end = bspi_outgoing_send_at(p, when);

	if (end > goal_run_time(&r->interp, op))
		goal_run_end_at(&r->interp, op, end);
}

static void move_send_eager(struct goal_request *r, const struct goal_op *op, int pid,
			    uint64_t when)
{
	struct bspi_outgoing p;

	bspi_outgoing_open(&p, pid, bspi_align(sizeof(struct bspi_rec) + op->bytes));
	*p.rec = (struct bspi_rec){ .what = bspi_what(BSPI_GOAL, r->s->number), .nbytes = op->bytes,
				    .run = r->number, .tag = op->tag };
	op_gather(&r->interp, op, 0, op->bytes, p.rec + 1);
	if (BSPI_UNLIKELY(bspi.clock))
		move_send_timed(r, op, &p, when);
	else
		bspi_outgoing_send(&p);
}

/* The record behind the note has the numbers of run and tag. */
static void move_announce(struct bspi_run_transfer *t, const struct bspi_note *note, uint64_t when)
{
	struct bspi_outgoing p;
	struct bspi_rec *inner;

	bspi_outgoing_open(&p, t->peer, bspi_note_bytes(sizeof(*inner)));
	inner = bspi_note_fill(p.rec, note, sizeof(*inner));
	*inner = (struct bspi_rec){ .what = bspi_what(BSPI_GOAL, t->run->s->number),
				    .run = t->run->number, .tag = t->op->tag };
	if (BSPI_UNLIKELY(bspi.clock))
		bspi_outgoing_send_at(&p, when);
	else
		bspi_outgoing_send(&p);
}

static void move_send_bulk(struct goal_request *r, const struct goal_op *op, int pid)
{
	struct bspi_run_transfer *t = transfer_new(r, op, pid, op->bytes);
	const struct bspi_out *o = bspi_out_of(pid);

	t->outgoing = true;
	t->bulk = (struct bspt_bulk){ .peer = o->peer, .id = bspi_bulk_number(), .len = op->bytes,
				      .at = goal_run_at(&r->interp, goal_parts(op)) };
	move_announce(t,
		      &(struct bspi_note){ .kind = BSPI_NOTE_BULK, .handle = t->bulk.id,
					   .number = op->bytes }, 0);
	transfer_add_bulk(t);
	o->t->ops->bulk_send(o->t, &t->bulk);
}

/* True if it has ended. */
static bool move_send(struct goal_request *r, const struct goal_op *op, int pid, uint64_t when)
{
	if (BSPI_LIKELY(bspi_eager_credit_take(pid, op->bytes))) {
		move_send_eager(r, op, pid, when);
		return true;
	}
	if (op->bytes >= bspi_out_of(pid)->min_bulk && op->nparts == 1) {
		move_send_bulk(r, op, pid);
	} else {
		struct bspi_run_transfer *t = transfer_new(r, op, pid, op->bytes);

		t->outgoing = true;
		move_announce(t,
			      &(struct bspi_note){ .kind = BSPI_NOTE_ASK, .handle = t->handle,
						   .number = op->bytes }, when);
	}
	return false;
}

/* ---- Pieces --- */

static void transfer_send_piece(struct bspi_run_transfer *t)
{
	const struct bspi_out *o = bspi_out_of(t->peer);
	size_t most = o->t->good_chunk - 2 * bspi_note_bytes(0) - sizeof(struct bspi_head);
	uint64_t n = t->granted - t->done;
	struct bspi_note note = { .kind = BSPI_NOTE_PIECE, .handle = t->peer_handle,
				  .number = t->done };
	struct bspi_outgoing p;

	if (most > PIECE_MOST)
		most = PIECE_MOST;
	if (n > most)
		n = most;
	bspi_outgoing_open(&p, t->peer, bspi_note_bytes(n));
	op_gather(&t->run->interp, t->op, t->done, n, bspi_note_fill(p.rec, &note, n));
	t->done += n;
	if (BSPI_UNLIKELY(bspi.clock))
		move_send_timed(t->run, t->op, &p, goal_run_time(&t->run->interp, t->op));
	else
		bspi_outgoing_send(&p);
}

static void transfer_grant(struct bspi_run_transfer *t)
{
	struct bspi_note note = { .kind = BSPI_NOTE_GRANT, .handle = t->peer_handle,
				  .peer_handle = t->handle,
				     .number = t->granted };
	struct bspi_outgoing p;

	bspi_outgoing_open(&p, t->peer, bspi_note_bytes(0));
	bspi_note_fill(p.rec, &note, 0);
	if (BSPI_UNLIKELY(bspi.clock))
		bspi_outgoing_send_at(&p, t->run ? goal_run_time(&t->run->interp, t->op) : 0);
	else
		bspi_outgoing_send(&p);
}

static void transfer_act(struct bspi_run_transfer *t)
{
	if (!t->outgoing) {
		transfer_grant(t);
		if (t->bytes == 0)
			transfer_end(t);
		return;
	}
	while (t->done < t->granted)
		transfer_send_piece(t);
	if (t->done == t->bytes)
		transfer_end(t);
}

/* ---- Receiving --- */

/* In a timed run: the receive ends when the message is there. */
static void move_note_time(struct goal_request *r, const struct goal_op *op,
			   const struct bspt_event *event)
{
	uint64_t end = bspi.net->ops->receive_at(bspi.net, event, goal_run_time(&r->interp, op));

	goal_run_end_at(&r->interp, op, end);
}

static inline void move_receive(struct goal_request *r, const struct goal_op *op, int from,
				const void *data,
				uint64_t bytes, const struct bspt_event *event)
{
	op_check_length(r, from, op, bytes);
	op_scatter(&r->interp, op, 0, op->nparts ? bytes : 0, data);
	bspi_eager_credit_return(from, bytes);
	if (BSPI_UNLIKELY(bspi.clock))
		move_note_time(r, op, event);
}

/* An announced message has met its receive, or is to be dropped: then @r is NULL. */
static void move_receive_announced(struct goal_request *r, const struct goal_op *op,
				   const struct bspi_run_message *m)
{
	struct bspi_run_transfer *t;

	if (r)
		op_check_length(r, m->from, op, m->bytes);
	t = transfer_new(r, op, m->from, m->bytes);
	if (m->kind == BSPI_IN_BULK) {
		/* at its place, or into a copy if that is in parts, or if it is dropped */
		const struct bspi_out *o = bspi_out_of(t->peer);
		void *at = NULL;

		if (t->run && t->op->nparts == 1)
			at = goal_run_at(&t->run->interp, goal_parts(t->op));
		else
			at = t->copy = malloc(t->bytes);
		if (!at)
			bspi_fail_memory("goal_wait", t->run ? t->run->site : NULL);
		t->bulk = (struct bspt_bulk){
			.peer = o->peer, .id = m->handle, .at = at, .len = t->bytes
		};
		transfer_add_bulk(t);
		o->t->ops->bulk_recv(o->t, &t->bulk);
		return;
	}
	t->peer_handle = m->handle;
	t->granted = t->bytes < WINDOW ? t->bytes : WINDOW;
	transfer_act_later(t);
	if (t->bytes == 0 && r && bspi.clock)
		move_note_time(r, op, &m->event);
}

static void move_drop(struct bspi_run_message *m)
{
	if (m->kind == BSPI_EAGER)
		bspi_eager_credit_return(m->from, m->bytes);
	else
		move_receive_announced(NULL, NULL, m);
	bspi_run_message_free(m);
}

/* A receive begins: true if its message is here, whole. */
static bool move_receive_waiting(struct goal_request *r, const struct goal_op *op)
{
	struct bspi_run_message *m = bspi_match_message(r, op);
	bool whole;

	if (!m)
		return false;
	whole = m->kind == BSPI_EAGER;
	if (whole)
		move_receive(r, op, m->from, m->data, m->bytes, &m->event);
	else
		move_receive_announced(r, op, m);
	bspi_run_message_free(m);
	return whole;
}

bool bspi_carry(struct goal_run *run, const struct goal_op *op)
{
	struct goal_request *r = bspi_run_of(run);
	uint64_t when = BSPI_UNLIKELY(bspi.clock) ? goal_run_time(run, op) : 0;

	if (op->type == GOAL_RECV)
		return move_receive_waiting(r, op);
	if (op->type == GOAL_MULTICAST) {
		bool ended = true;

		for (int i = 1; i < bspi.nprocs; i++)
			ended &= move_send(r, op, (bspi.me + i) % bspi.nprocs, when);
		return ended;
	}
	return move_send(r, op, op->peer, when);
}

/* ---- What arrives --- */

/* It has no receive yet, or will never have one. */
static void move_put_aside(struct bspi_run_message *m, struct goal_request *r)
{
	if (r)
		bspi_match_wait(r, m);
	else if (bspi_run_may_come(m->schedule, m->run))
		bspi_match_early(m);
	else
		move_drop(m);
}

static struct bspi_run_message *move_message_of(int from, const struct bspi_rec *rec,
						enum bspi_message_kind kind,
					    uint64_t bytes, const struct bspt_event *event)
{
	struct bspi_run_message *m = bspi_run_message_new(kind == BSPI_EAGER ? bytes : 0);

	m->schedule = rec->what >> 8;
	m->run = rec->run;
	m->tag = rec->tag;
	m->from = from;
	m->bytes = bytes;
	m->kind = kind;
	m->event = *event;
	return m;
}

static void move_on_eager(int from, const struct bspi_rec *rec, const struct bspt_event *event)
{
	struct goal_request *r = bspi_run_find(rec->what >> 8, rec->run);
	const struct goal_op *op = r ? bspi_match_receive(r, from, rec->tag) : NULL;
	struct bspi_run_message *m;

	if (BSPI_LIKELY(op)) {
		move_receive(r, op, from, rec + 1, rec->nbytes, event);
		bspi_run_done(r, op);
		return;
	}
	m = move_message_of(from, rec, BSPI_EAGER, rec->nbytes, event);
	memcpy(m->data, rec + 1, rec->nbytes);
	move_put_aside(m, r);
}

/* ASK and BULK. */
static void move_on_announced(int from, const struct bspi_note *note, size_t n,
			      const struct bspt_event *event)
{
	const struct bspi_rec *rec = (const struct bspi_rec *)(note + 1);
	struct goal_request *r = bspi_run_find(rec->what >> 8, rec->run);
	const struct goal_op *op = r ? bspi_match_receive(r, from, rec->tag) : NULL;
	enum bspi_message_kind kind = note->kind == BSPI_NOTE_ASK ? BSPI_ASKED : BSPI_IN_BULK;
	struct bspi_run_message *m = move_message_of(from, rec, kind, note->number, event);

	(void)n;
	m->handle = note->handle;
	if (!op) {
		move_put_aside(m, r);
		return;
	}
	move_receive_announced(r, op, m);
	bspi_run_message_free(m);
}

static struct bspi_run_transfer *transfer_find(int from, uint32_t handle)
{
	struct bspi_run_transfer *t = handle < transfers.n ? transfers.at[handle] : NULL;

	if (!t || t->peer != from)
		bspi_fail("goal_wait", bspi_own_site(),
			  "process %d answers a message that was not sent", from);
	return t;
}

static void move_on_grant(int from, const struct bspi_note *note, size_t n,
			  const struct bspt_event *event)
{
	struct bspi_run_transfer *t = transfer_find(from, note->handle);

	(void)n;
	t->peer_handle = note->peer_handle;
	t->granted = note->number;
	if (BSPI_UNLIKELY(bspi.clock))
		move_note_time(t->run, t->op, event);
	transfer_act_later(t);
}

static void move_on_piece(int from, const struct bspi_note *note, size_t n,
			  const struct bspt_event *event)
{
	struct bspi_run_transfer *t = transfer_find(from, note->handle);

	if (t->run) {
		op_scatter(&t->run->interp, t->op, note->number, t->op->nparts ? n : 0, note + 1);
		if (BSPI_UNLIKELY(bspi.clock))
			move_note_time(t->run, t->op, event);
	}
	t->done += n;
	if (t->done == t->bytes) {
		transfer_end(t);
	} else if (t->granted < t->bytes && t->granted - t->done <= WINDOW / 2) {
		t->granted = t->bytes - t->done < WINDOW ? t->bytes : t->done + WINDOW;
		transfer_act_later(t);
	}
}

void bspi_carry_arrived(const struct bspi_arrival *a)
{
	const char *at = a->chunk + bspi_head_of(a->chunk)->sum;
	const char *end = a->chunk + a->len, *next;
	struct bspt_event event = { 0 };

	if (BSPI_UNLIKELY(at > end || at < a->chunk + sizeof(struct bspi_head)))
		bspi_fail_damaged(a->from);
	if (BSPI_UNLIKELY(bspi.clock))
		event = bspi_clock_take(a->time);
	for (; at < end; at = next) {
		const struct bspi_rec *rec = (const struct bspi_rec *)at;

		next = bspi_after(a->from, at, end);
		if (BSPI_LIKELY(!(rec->what & BSPI_HP)))
			move_on_eager(a->from, rec, &event);
		else
			bspi_note_receive(a->from, rec, &event);
	}
}

/* ---- Moving on --- */

static bool transfer_settle_bulks(void)
{
	struct bspi_run_transfer **at = &transfers.bulks;
	bool some = false;

	while (*at) {
		struct bspi_run_transfer *t = *at;

		if (!t->bulk.done) {
			at = &t->next;
			continue;
		}
		*at = t->next;
		if (t->copy && t->run)
			op_scatter(&t->run->interp, t->op, 0, t->op->nparts ? t->bytes : 0,
				   t->copy);
		transfer_end(t);
		some = true;
	}
	return some;
}

static bool transfer_act_all(void)
{
	struct bspi_run_transfer *t;
	bool some = transfers.first;

	while ((t = transfers.first)) {
		transfers.first = t->next;
		if (!transfers.first)
			transfers.end = &transfers.first;
		t->queued = false;
		transfer_act(t);
	}
	return some;
}

bool bspi_carry_on(void)
{
	bool moved = transfers.bulks && transfer_settle_bulks();
	struct bspi_run_message *m;

	while (BSPI_UNLIKELY(m = bspi_match_next_dropped()))
		move_drop(m);
	moved |= transfer_act_all();
	if (BSPI_UNLIKELY(bspi.nreads))
		moved |= answer_reads();
	bspi_eager_credit_send();
	if (transfers.bulks)
		bspi.goal_work |= BSPI_GOAL_CARRY;
	return moved;
}

void bspi_carry_answers(bool (*answer)(void))
{
	answer_reads = answer;
}

/* ---- Open, close ------------------------------------------------------------------- */

void bspi_carry_open(void)
{
	memset(&transfers, 0, sizeof(transfers));
	transfers.end = &transfers.first;
	bspi_eager_credit_open();
	bspi_note_handle(BSPI_NOTE_ASK, move_on_announced);
	bspi_note_handle(BSPI_NOTE_BULK, move_on_announced);
	bspi_note_handle(BSPI_NOTE_GRANT, move_on_grant);
	bspi_note_handle(BSPI_NOTE_PIECE, move_on_piece);
}

static void transfer_destroy(struct bspi_run_transfer *t)
{
	free(t->copy);
	free(t);
}

void bspi_carry_close(void)
{
	for (uint32_t i = 0; i < transfers.n; i++)
		if (transfers.at[i])
			transfer_destroy(transfers.at[i]);
	for (struct bspi_run_transfer *t = transfers.pool, *next; t; t = next) {
		next = t->next;
		transfer_destroy(t);
	}
	free(transfers.at);
	bspi_eager_credit_close();
	memset(&transfers, 0, sizeof(transfers));
}
