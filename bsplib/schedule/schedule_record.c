// SPDX-License-Identifier: BSD-3-Clause
/* schedule_record.c - records of schedules on their way out, handlers of notes, and credit. */

/*
 * Credit. The bytes that a process has sent eagerly to another and that have not met their receive
 * there are bounded, whatever the sender does. The receiver reports how much has met its receive,
 * in a note behind its next message or, when half of the credit is used up, in a chunk of its own.
 * Without credit a message asks first, small as it is: it must not wait for the credit, since the
 * receive that gives it back may wait for this very message. So the receiver keeps no more than a
 * note for each send that has not ended at the sender.
 */

#include "bsplib/schedule/note.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/flow.h"
#include "bsplib/engine/out.h"
#include "bsplib/engine/record.h"

#include <stdlib.h>
#include <string.h>

enum {
	CHUNK = 128,			/* bytes of a chunk that are not the message's, at most */
	EAGER_MOST = 64 << 10,		/* bytes of an eager message */
	/* bytes of eager messages on their way to one process ... */
	EAGER_ALL = 256 << 10,
	EAGER_PAIRS = 64 << 20,		/* ... and to all */
	MESSAGE = 64,			/* bytes that a message costs besides: none is free */
};

/* Between this process and another. Bytes, with the cost of each message. */
struct pair {
	uint32_t sent, accepted;	/* eagerly to it; of that, as it has reported */
	uint32_t taken, reported;	/* of what it sent; of that, as it knows */
	bool due;			/* a report to it is due: it is in credit.due */
	uint64_t longest;		/* message that is sent eagerly to it; 0: not asked yet */
};

static struct {
	struct pair *pairs;
	uint32_t most;			/* bytes, for each pair */
	int *due, ndue;			/* processes */
} credit;

static bspi_note_handler *note_handlers[BSPI_NOTE_KINDS];

/* ---- Arriving notes -------------------------------------------------------------- */

void bspi_note_handle(enum bspi_note_kind kind, bspi_note_handler *run)
{
	note_handlers[kind] = run;
}

void bspi_note_receive(int from, const struct bspi_rec *rec, const struct bspt_event *event)
{
	const struct bspi_note *note = (const struct bspi_note *)(rec + 1);

	if (BSPI_UNLIKELY(rec->nbytes < sizeof(*note) || note->kind >= BSPI_NOTE_KINDS ||
			  !note_handlers[note->kind]))
		bspi_fail_damaged(from);
	note_handlers[note->kind](from, note, rec->nbytes - sizeof(*note), event);
}

/* ---- Records -------------------------------------------------------------------- */

void bspi_outgoing_alone(struct bspi_outgoing *p, size_t bytes)
{
	p->alone = true;
	p->chunk = bspi_out_chunk(p->pid, sizeof(struct bspi_head) + bytes, &p->room);
	p->rec = (struct bspi_rec *)(p->chunk + sizeof(struct bspi_head));
	p->len = sizeof(struct bspi_head) + bytes;
	bspi_end_in_zeros(p->chunk + p->len);
}

/* Room for one more record, or NULL. */
static struct bspi_rec *outgoing_more(struct bspi_outgoing *p, size_t bytes)
{
	struct bspi_out *o = &bspi_engine.out[p->pid];
	char *at = p->alone ? p->chunk + p->len : o->at;

	if (bytes > (size_t)(p->alone ? p->room - p->len : (size_t)(o->end - o->at)))
		return NULL;
	if (p->alone)
		p->len += bytes;
	else
		o->at += bytes;
	bspi_end_in_zeros(at + bytes);
	return (struct bspi_rec *)at;
}

static void outgoing_fill_head(struct bspi_outgoing *p)
{
	struct bspi_flow *r = &bspi_engine.flow[p->pid];

	r->reported = r->taken;
	*bspi_head_of(p->chunk) = (struct bspi_head){
		.step = bspi.step,
		.flags = BSPI_URGENT | BSPI_GOALS | bspi_engine.epoch << BSPI_EPOCH_SHIFT,
		.taken = r->taken,
		.sum = sizeof(struct bspi_head),
	};
}

size_t bspi_note_bytes(size_t data)
{
	return bspi_align(sizeof(struct bspi_rec) + sizeof(struct bspi_note) + data);
}

void *bspi_note_fill(struct bspi_rec *rec, const struct bspi_note *note, size_t data)
{
	*rec = (struct bspi_rec){ .what = bspi_what(BSPI_GOAL, 0) | BSPI_HP,
				  .nbytes = sizeof(*note) + data };
	*(struct bspi_note *)(rec + 1) = *note;
	return (struct bspi_note *)(rec + 1) + 1;
}

static void credit_fill(int pid, struct bspi_rec *rec)
{
	struct pair *p = &credit.pairs[pid];

	bspi_note_fill(rec, &(struct bspi_note){ .kind = BSPI_NOTE_CREDIT, .number = p->taken }, 0);
	p->reported = p->taken;
}

void bspi_outgoing_send(struct bspi_outgoing *p)
{
	const struct bspi_out *o = &bspi_engine.out[p->pid];
	const struct pair *pair = &credit.pairs[p->pid];

	/* behind the message a report of credit, if it is of enough */
	if (BSPI_UNLIKELY(pair->taken - pair->reported > credit.most / 8) && !bspi.clock) {
		struct bspi_rec *rec = outgoing_more(p, bspi_note_bytes(0));

		if (rec)
			credit_fill(p->pid, rec);
	}
	if (!p->alone) {
		bspi_out_send(p->pid);
		return;
	}
	outgoing_fill_head(p);
	o->t->ops->send(o->t, o->peer, p->chunk, p->len);
}

uint64_t bspi_outgoing_send_at(struct bspi_outgoing *p, uint64_t when)
{
	const struct bspi_out *o = &bspi_engine.out[p->pid];

	outgoing_fill_head(p);
	return o->t->ops->send_at(o->t, o->peer, p->chunk, p->len, when);
}

/* ---- Credit ----------------------------------------------------------------------- */

static uint32_t credit_cost(uint64_t bytes)
{
	return bytes + MESSAGE;
}

/* With a clock all that fit a chunk. */
static uint64_t credit_longest(const struct bspi_out *o)
{
	size_t most = o->t->good_chunk - CHUNK;

	if (bspi.clock)
		return o->t->max_chunk - CHUNK;
	if (most >= o->min_bulk)
		most = o->min_bulk - 1;
	return most < EAGER_MOST ? most : EAGER_MOST;
}

bool bspi_eager_credit_take(int pid, uint64_t bytes)
{
	struct pair *p = &credit.pairs[pid];
	uint32_t cost = credit_cost(bytes);

	if (BSPI_UNLIKELY(!p->longest))
		p->longest = credit_longest(bspi_out_of(pid));
	if (bytes > p->longest || (p->sent - p->accepted + cost > credit.most && !bspi.clock))
		return false;
	p->sent += cost;
	return true;
}

void bspi_eager_credit_return(int pid, uint64_t bytes)
{
	struct pair *p = &credit.pairs[pid];

	p->taken += credit_cost(bytes);
	if (bspi.clock || p->due || p->taken - p->reported <= credit.most / 2)
		return;
	p->due = true;
	credit.due[credit.ndue++] = pid;
	bspi.goal_work |= BSPI_GOAL_CARRY;
}

void bspi_eager_credit_send(void)
{
	while (credit.ndue) {
		int pid = credit.due[--credit.ndue];
		struct pair *pair = &credit.pairs[pid];
		struct bspi_outgoing p;

		pair->due = false;
		if (pair->taken - pair->reported <= credit.most / 2)
			continue;		/* it went with a message */
		bspi_outgoing_open(&p, pid, bspi_note_bytes(0));
		credit_fill(pid, p.rec);
		bspi_outgoing_send(&p);
	}
}

static void credit_on_report(int from, const struct bspi_note *note, size_t n,
			     const struct bspt_event *event)
{
	(void)n;
	(void)event;
	credit.pairs[from].accepted = note->number;
}

void bspi_eager_credit_open(void)
{
	size_t each = EAGER_PAIRS / bspi.nprocs;

	memset(&credit, 0, sizeof(credit));
	credit.most = each < EAGER_ALL ? each : EAGER_ALL;
	credit.pairs = calloc(bspi.nprocs, sizeof(*credit.pairs));
	credit.due = calloc(bspi.nprocs, sizeof(*credit.due));
	if (!credit.pairs || !credit.due)
		bspi_fail_memory("bsp_begin", NULL);
	bspi_note_handle(BSPI_NOTE_CREDIT, credit_on_report);
}

void bspi_eager_credit_close(void)
{
	free(credit.pairs);
	free(credit.due);
	memset(&credit, 0, sizeof(credit));
}
