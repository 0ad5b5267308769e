// SPDX-License-Identifier: BSD-3-Clause
/* schedule_move.c - messages of schedules are sent and received: as records, and in bulk. */

/*
 * Four ways, by size and circumstances:
 *
 *	eager	one record with the bytes. The send has ended.
 *	bulk	a record that announces it; the bytes go by bulk (transport.h), from and into the memory of
 *		the schedule. For one that lies in one piece on the sender's side, of out[].min_bulk bytes or more.
 *	asked	ASK; when its receive is posted the receiver says by GRANT how far the sender may go, and
 *		again when half of that has come; the bytes come as PIECEs. So what is on its way is bounded, and goes
 *		to its place at once.
 *	at a time	where there is a clock: as eager, but in a chunk of its own that leaves at the send's time.
 *
 * Records are sent in their order and chunks arrive in theirs, so messages of a pair, whichever way they
 * travel, are matched in the order in which they were sent.
 */

#include "bsplib/schedule/flight.h"

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
	struct goal_transfer **at;	/* by handle; NULL: unused */
	uint32_t n, unused;		/* of these the first may be */
	size_t room;
	struct goal_transfer *pool;
	struct goal_transfer *first, **end;	/* to be acted on */
	struct goal_transfer *bulks;
} carry;

static bool (*answer_reads)(void);	/* of immediate.c */

/* ---- Bytes of an operation ---------------------------------------------------------- */

/* Bytes @from to @from + @n of a list of parts, to or from @buf. */
static void each_part(struct goal_run *run, const struct goal_op *op, uint64_t from, uint64_t n,
		      unsigned char *buf, bool gather)
{
	const struct goal_part *part = goal_parts(op);

	for (; from >= part->bytes; part++)
		from -= part->bytes;
	for (; n; part++, from = 0) {
		uint64_t some = part->bytes - from < n ? part->bytes - from : n;
		unsigned char *at = goal_run_at(run, part) + from;

		if (gather)
			memcpy(buf, at, some);
		else
			memcpy(at, buf, some);
		buf += some;
		n -= some;
	}
}

static void gather(struct goal_run *run, const struct goal_op *op, uint64_t from, uint64_t n, void *buf)
{
	if (BSPI_LIKELY(op->nparts == 1))
		memcpy(buf, goal_run_at(run, goal_parts(op)) + from, n);
	else if (op->nparts == 0)
		memset(buf, 0, n);
	else if (n)
		each_part(run, op, from, n, buf, true);
}

static void scatter(struct goal_run *run, const struct goal_op *op, uint64_t from, uint64_t n,
		    const void *buf)
{
	if (BSPI_LIKELY(op->nparts == 1))
		memcpy(goal_run_at(run, goal_parts(op)) + from, buf, n);
	else if (op->nparts && n)
		each_part(run, op, from, n, (unsigned char *)(uintptr_t)buf, false);
}

static inline void check_length(const struct goal_flight *f, int from, const struct goal_op *op,
				uint64_t bytes)
{
	if (BSPI_UNLIKELY(bytes != op->bytes && op->nparts))
		bspi_flight_refuse_length(f, from, op, bytes);
}

/* ---- Transfers ----------------------------------------------------------------------------- */

static void give_handle(struct goal_transfer *t)
{
	uint32_t i = carry.unused;

	while (i < carry.n && carry.at[i])
		i++;
	if (i == carry.n) {
		carry.at = bspi_grow(carry.at, carry.n, sizeof(*carry.at), &carry.room);
		carry.n++;
	}
	carry.at[i] = t;
	carry.unused = i + 1;
	t->handle = i;
}

static struct goal_transfer *new_transfer(struct goal_flight *f, const struct goal_op *op, int peer,
					  uint64_t bytes)
{
	struct goal_transfer *t = carry.pool;

	if (t)
		carry.pool = t->next;
	else
		t = malloc(sizeof(*t));
	if (!t)
		bspi_fail_memory("goal_wait", bspi_own_place());
	*t = (struct goal_transfer){ .flight = f, .op = op, .peer = peer, .bytes = bytes };
	give_handle(t);
	return t;
}

static void end_transfer(struct goal_transfer *t)
{
	carry.at[t->handle] = NULL;
	if (t->handle < carry.unused)
		carry.unused = t->handle;
	free(t->copy);
	t->copy = NULL;
	t->next = carry.pool;
	carry.pool = t;
}

static void act_later(struct goal_transfer *t)
{
	if (t->queued)
		return;
	t->queued = true;
	t->next = NULL;
	*carry.end = t;
	carry.end = &t->next;
	bspi.goal_work |= BSPI_GOAL_CARRY;
}

/* Are others of the same multicast on their way? */
static bool has_siblings(const struct goal_transfer *t)
{
	for (uint32_t i = 0; t->op->type == GOAL_MULTICAST && i < carry.n; i++) {
		const struct goal_transfer *other = carry.at[i];

		if (other && other->outgoing && other->flight == t->flight && other->op == t->op)
			return true;
	}
	return false;
}

/* All has been sent, or is there. */
static void finish(struct goal_transfer *t)
{
	struct goal_transfer last = *t;

	end_transfer(t);
	if (last.flight && !(last.outgoing && has_siblings(&last)))
		bspi_flight_done(last.flight, last.op);
}

static void add_bulk(struct goal_transfer *t)
{
	t->next = carry.bulks;
	carry.bulks = t;
	bspi.goal_work |= BSPI_GOAL_CARRY;
}

/* ---- Sending -------------------------------------------------------------------------------- */

/* In a timed run it ends with the last of its messages. */
static void send_timed(struct goal_flight *f, const struct goal_op *op, struct bspi_parcel *p, uint64_t when)
{
	uint64_t end = bspi_parcel_send_at(p, when);

	if (end > goal_run_time(&f->run, op))
		goal_run_end_at(&f->run, op, end);
}

static void send_eager(struct goal_flight *f, const struct goal_op *op, int pid, uint64_t when)
{
	struct bspi_parcel p;

	bspi_parcel_open(&p, pid, bspi_align(sizeof(struct bspi_rec) + op->bytes));
	*p.rec = (struct bspi_rec){ .what = bspi_what(BSPI_GOAL, f->s->number), .nbytes = op->bytes,
				    .flight = f->number, .tag = op->tag };
	gather(&f->run, op, 0, op->bytes, p.rec + 1);
	if (BSPI_UNLIKELY(bspi.clock))
		send_timed(f, op, &p, when);
	else
		bspi_parcel_send(&p);
}

/* Announce it: the numbers of its flight and tag are in the record that announces, too. */
static void announce(struct goal_transfer *t, const struct bspi_note *note, uint64_t when)
{
	struct bspi_parcel p;
	struct bspi_rec *inner;

	bspi_parcel_open(&p, t->peer, bspi_note_bytes(sizeof(*inner)));
	inner = bspi_note_fill(p.rec, note, sizeof(*inner));
	*inner = (struct bspi_rec){ .what = bspi_what(BSPI_GOAL, t->flight->s->number),
				    .flight = t->flight->number, .tag = t->op->tag };
	if (BSPI_UNLIKELY(bspi.clock))
		bspi_parcel_send_at(&p, when);
	else
		bspi_parcel_send(&p);
}

static void send_bulk(struct goal_flight *f, const struct goal_op *op, int pid)
{
	struct goal_transfer *t = new_transfer(f, op, pid, op->bytes);
	const struct bspi_out *o = &bspi_engine.out[pid];

	t->outgoing = true;
	t->bulk = (struct bspt_bulk){ .peer = o->peer, .id = bspi_bulk_number(), .len = op->bytes,
				      .at = goal_run_at(&f->run, goal_parts(op)) };
	announce(t, &(struct bspi_note){ .kind = BSPI_NOTE_BULK, .handle = t->bulk.id, .number = op->bytes }, 0);
	add_bulk(t);
	o->t->ops->bulk_send(o->t, &t->bulk);
}

static void ask(struct goal_flight *f, const struct goal_op *op, int pid, uint64_t when)
{
	struct goal_transfer *t = new_transfer(f, op, pid, op->bytes);

	t->outgoing = true;
	announce(t, &(struct bspi_note){ .kind = BSPI_NOTE_ASK, .handle = t->handle, .number = op->bytes }, when);
}

/* True if it has ended. */
static bool send_to(struct goal_flight *f, const struct goal_op *op, int pid, uint64_t when)
{
	if (BSPI_LIKELY(bspi_credit_take(pid, op->bytes))) {
		send_eager(f, op, pid, when);
		return true;
	}
	if (op->bytes >= bspi_engine.out[pid].min_bulk && op->nparts == 1)
		send_bulk(f, op, pid);
	else
		ask(f, op, pid, when);
	return false;
}

static bool send_to_all(struct goal_flight *f, const struct goal_op *op, uint64_t when)
{
	bool ended = true;

	for (int i = 1; i < bspi.nprocs; i++)
		ended &= send_to(f, op, (bspi.me + i) % bspi.nprocs, when);
	return ended;
}

/* ---- Pieces ------------------------------------------------------------------------------------- */

static void send_piece(struct goal_transfer *t)
{
	size_t most = bspi_engine.out[t->peer].t->good_chunk - 2 * bspi_note_bytes(0) - sizeof(struct bspi_head);
	uint64_t n = t->granted - t->done;
	struct bspi_note note = { .kind = BSPI_NOTE_PIECE, .handle = t->peer_handle, .number = t->done };
	struct bspi_parcel p;

	if (most > PIECE_MOST)
		most = PIECE_MOST;
	if (n > most)
		n = most;
	bspi_parcel_open(&p, t->peer, bspi_note_bytes(n));
	gather(&t->flight->run, t->op, t->done, n, bspi_note_fill(p.rec, &note, n));
	t->done += n;
	if (BSPI_UNLIKELY(bspi.clock))
		send_timed(t->flight, t->op, &p, goal_run_time(&t->flight->run, t->op));
	else
		bspi_parcel_send(&p);
}

static void grant(struct goal_transfer *t)
{
	struct bspi_note note = { .kind = BSPI_NOTE_GRANT, .handle = t->peer_handle, .peer_handle = t->handle,
				     .number = t->granted };
	struct bspi_parcel p;

	bspi_parcel_open(&p, t->peer, bspi_note_bytes(0));
	bspi_note_fill(p.rec, &note, 0);
	if (BSPI_UNLIKELY(bspi.clock))
		bspi_parcel_send_at(&p, t->flight ? goal_run_time(&t->flight->run, t->op) : 0);
	else
		bspi_parcel_send(&p);
}

static void act(struct goal_transfer *t)
{
	if (!t->outgoing) {
		grant(t);
		if (t->bytes == 0)
			finish(t);
		return;
	}
	while (t->done < t->granted)
		send_piece(t);
	if (t->done == t->bytes)
		finish(t);
}

/* ---- Receiving ----------------------------------------------------------------------------------- */

/* It has been received, as far as the time goes. */
static void note_time(struct goal_flight *f, const struct goal_op *op, const struct bspt_event *event)
{
	uint64_t end = bspi.net->ops->receive_at(bspi.net, event, goal_run_time(&f->run, op));

	goal_run_end_at(&f->run, op, end);
}

static inline void receive(struct goal_flight *f, const struct goal_op *op, int from, const void *data,
			   uint64_t bytes, const struct bspt_event *event)
{
	check_length(f, from, op, bytes);
	scatter(&f->run, op, 0, op->nparts ? bytes : 0, data);
	bspi_credit_return(from, bytes);
	if (BSPI_UNLIKELY(bspi.clock))
		note_time(f, op, event);
}

/* A place for what comes in bulk: that of the receive, or one to copy from. */
static void receive_bulk(struct goal_transfer *t, uint32_t id)
{
	const struct bspi_out *o = &bspi_engine.out[t->peer];
	void *at = NULL;

	if (t->flight && t->op->nparts == 1)
		at = goal_run_at(&t->flight->run, goal_parts(t->op));
	else
		at = t->copy = malloc(t->bytes);
	if (!at)
		bspi_fail_memory("goal_wait", t->flight ? t->flight->place : NULL);
	t->bulk = (struct bspt_bulk){ .peer = o->peer, .id = id, .at = at, .len = t->bytes };
	add_bulk(t);
	o->t->ops->bulk_recv(o->t, &t->bulk);
}

/* One that has been announced has met its receive, or is to be dropped: @f is NULL. */
static void receive_announced(struct goal_flight *f, const struct goal_op *op, const struct goal_message *m)
{
	struct goal_transfer *t;

	if (f)
		check_length(f, m->from, op, m->bytes);
	t = new_transfer(f, op, m->from, m->bytes);
	if (m->kind == BSPI_IN_BULK) {
		receive_bulk(t, m->handle);
		return;
	}
	t->peer_handle = m->handle;
	t->granted = t->bytes < WINDOW ? t->bytes : WINDOW;
	act_later(t);
	if (t->bytes == 0 && f && bspi.clock)
		note_time(f, op, &m->event);
}

static void drop(struct goal_message *m)
{
	if (m->kind == BSPI_EAGER)
		bspi_credit_return(m->from, m->bytes);
	else
		receive_announced(NULL, NULL, m);
	bspi_message_free(m);
}

/* A receive that begins: true if its message is here, whole. */
static bool receive_from(struct goal_flight *f, const struct goal_op *op)
{
	struct goal_message *m = bspi_match_message(f, op);
	bool whole;

	if (!m)
		return false;
	whole = m->kind == BSPI_EAGER;
	if (whole)
		receive(f, op, m->from, m->data, m->bytes, &m->event);
	else
		receive_announced(f, op, m);
	bspi_message_free(m);
	return whole;
}

bool bspi_carry(struct goal_run *run, const struct goal_op *op)
{
	struct goal_flight *f = bspi_flight_of(run);
	uint64_t when = BSPI_UNLIKELY(bspi.clock) ? goal_run_time(run, op) : 0;

	if (op->type == GOAL_RECV)
		return receive_from(f, op);
	if (op->type == GOAL_MULTICAST)
		return send_to_all(f, op, when);
	return send_to(f, op, op->peer, when);
}

/* ---- What arrives --------------------------------------------------------------------------------- */

/* Nobody is there to receive it yet, or nobody will be. */
static void put_aside(struct goal_message *m, struct goal_flight *f)
{
	if (f)
		bspi_match_wait(f, m);
	else if (bspi_flight_may_come(m->schedule, m->flight))
		bspi_match_early(m);
	else
		drop(m);
}

static struct goal_message *make_message(int from, const struct bspi_rec *rec, enum bspi_message_kind kind,
					 uint64_t bytes, const struct bspt_event *event)
{
	struct goal_message *m = bspi_message_new(kind == BSPI_EAGER ? bytes : 0);

	m->schedule = rec->what >> 8;
	m->flight = rec->flight;
	m->tag = rec->tag;
	m->from = from;
	m->bytes = bytes;
	m->kind = kind;
	m->event = *event;
	return m;
}

static void on_eager(int from, const struct bspi_rec *rec, const struct bspt_event *event)
{
	struct goal_flight *f = bspi_flight_find(rec->what >> 8, rec->flight);
	const struct goal_op *op = f ? bspi_match_receive(f, from, rec->tag) : NULL;
	struct goal_message *m;

	if (BSPI_LIKELY(op)) {
		receive(f, op, from, rec + 1, rec->nbytes, event);
		bspi_flight_done(f, op);
		return;
	}
	m = make_message(from, rec, BSPI_EAGER, rec->nbytes, event);
	memcpy(m->data, rec + 1, rec->nbytes);
	put_aside(m, f);
}

/* ASK and BULK. */
static void on_announced(int from, const struct bspi_note *note, size_t n, const struct bspt_event *event)
{
	const struct bspi_rec *rec = (const struct bspi_rec *)(note + 1);
	struct goal_flight *f = bspi_flight_find(rec->what >> 8, rec->flight);
	const struct goal_op *op = f ? bspi_match_receive(f, from, rec->tag) : NULL;
	enum bspi_message_kind kind = note->kind == BSPI_NOTE_ASK ? BSPI_ASKED : BSPI_IN_BULK;
	struct goal_message *m = make_message(from, rec, kind, note->number, event);

	(void)n;
	m->handle = note->handle;
	if (!op) {
		put_aside(m, f);
		return;
	}
	receive_announced(f, op, m);
	bspi_message_free(m);
}

static struct goal_transfer *transfer_of(int from, uint32_t handle)
{
	struct goal_transfer *t = handle < carry.n ? carry.at[handle] : NULL;

	if (!t || t->peer != from)
		bspi_fail("goal_wait", bspi_own_place(), "process %d answers a message that was not sent", from);
	return t;
}

static void on_grant(int from, const struct bspi_note *note, size_t n, const struct bspt_event *event)
{
	struct goal_transfer *t = transfer_of(from, note->handle);

	(void)n;
	t->peer_handle = note->peer_handle;
	t->granted = note->number;
	if (BSPI_UNLIKELY(bspi.clock))
		note_time(t->flight, t->op, event);
	act_later(t);
}

static void on_piece(int from, const struct bspi_note *note, size_t n, const struct bspt_event *event)
{
	struct goal_transfer *t = transfer_of(from, note->handle);

	if (t->flight) {
		scatter(&t->flight->run, t->op, note->number, t->op->nparts ? n : 0, note + 1);
		if (BSPI_UNLIKELY(bspi.clock))
			note_time(t->flight, t->op, event);
	}
	t->done += n;
	if (t->done == t->bytes) {
		finish(t);
	} else if (t->granted < t->bytes && t->granted - t->done <= WINDOW / 2) {
		t->granted = t->bytes - t->done < WINDOW ? t->bytes : t->done + WINDOW;
		act_later(t);
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
			on_eager(a->from, rec, &event);
		else
			bspi_note_receive(a->from, rec, &event);
	}
}

/* ---- Moving on -------------------------------------------------------------------------------------- */

static bool settle_bulks(void)
{
	struct goal_transfer **at = &carry.bulks;
	bool some = false;

	while (*at) {
		struct goal_transfer *t = *at;

		if (!t->bulk.done) {
			at = &t->next;
			continue;
		}
		*at = t->next;
		if (t->copy && t->flight)
			scatter(&t->flight->run, t->op, 0, t->op->nparts ? t->bytes : 0, t->copy);
		finish(t);
		some = true;
	}
	return some;
}

static bool act_all(void)
{
	struct goal_transfer *t;
	bool some = carry.first;

	while ((t = carry.first)) {
		carry.first = t->next;
		if (!carry.first)
			carry.end = &carry.first;
		t->queued = false;
		act(t);
	}
	return some;
}

bool bspi_carry_on(void)
{
	bool moved = carry.bulks && settle_bulks();
	struct goal_message *m;

	while (BSPI_UNLIKELY(m = bspi_match_next_dropped()))
		drop(m);
	moved |= act_all();
	if (BSPI_UNLIKELY(bspi.nreads))
		moved |= answer_reads();
	bspi_credit_send();
	if (carry.bulks)
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
	memset(&carry, 0, sizeof(carry));
	carry.end = &carry.first;
	bspi_credit_open();
	bspi_note_handle(BSPI_NOTE_ASK, on_announced);
	bspi_note_handle(BSPI_NOTE_BULK, on_announced);
	bspi_note_handle(BSPI_NOTE_GRANT, on_grant);
	bspi_note_handle(BSPI_NOTE_PIECE, on_piece);
}

static void free_transfer(struct goal_transfer *t)
{
	free(t->copy);
	free(t);
}

void bspi_carry_close(void)
{
	for (uint32_t i = 0; i < carry.n; i++)
		if (carry.at[i])
			free_transfer(carry.at[i]);
	for (struct goal_transfer *t = carry.pool, *next; t; t = next) {
		next = t->next;
		free_transfer(t);
	}
	free(carry.at);
	bspi_credit_close();
	memset(&carry, 0, sizeof(carry));
}
