// SPDX-License-Identifier: BSD-3-Clause
/* schedule_record.c - records of schedules on their way out, and how many may be on their way. */

/*
 * Credit. What has been sent eagerly to a process and has not met its receive there is bounded, whatever it
 * does. It tells how much has, in a record behind the next message, or, when half of the credit is used up, in a chunk
 * of its own. Without credit a message asks first, small as it is: it must not wait for the credit, since the receive
 * that gives it back may wait for this very message. What waits then at the receiver is a note for each send
 * that has not ended here.
 */

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/flow.h"
#include "bsplib/engine/out.h"
#include "bsplib/schedule/flight.h"

#include <stdlib.h>
#include <string.h>

enum {
	CHUNK = 128,			/* bytes of a chunk that are not the message's, at most */
	EAGER_MOST = 64 << 10,		/* bytes of an eager message */
	EAGER_ALL = 256 << 10,		/* bytes of eager messages on their way to one process ... */
	EAGER_PAIRS = 64 << 20,		/* ... and to all */
	MESSAGE = 64,			/* bytes that a message costs besides: none is free */
};

/* Between this process and another. */
struct pair {
	uint32_t sent, accepted;	/* eagerly to it; of that, as it has told */
	uint32_t taken, told;		/* of what it sent; of that, as it knows */
	bool news;			/* it is to be told */
	uint64_t longest;		/* message that is sent eagerly to it */
};

static struct {
	struct pair *pairs;
	uint32_t most;			/* bytes, for each pair */
	int *news, nnews;		/* processes that are to be told */
} credit;

/* With a clock all that fit a chunk. */
static uint64_t longest_eager(const struct bspi_out *o)
{
	size_t most = o->t->good_chunk - CHUNK;

	if (bspi.clock)
		return o->t->max_chunk - CHUNK;
	if (most >= o->min_bulk)
		most = o->min_bulk - 1;
	return most < EAGER_MOST ? most : EAGER_MOST;
}

void bspi_credit_open(void)
{
	size_t each = EAGER_PAIRS / bspi.nprocs;

	memset(&credit, 0, sizeof(credit));
	credit.most = each < EAGER_ALL ? each : EAGER_ALL;
	credit.pairs = calloc(bspi.nprocs, sizeof(*credit.pairs));
	credit.news = calloc(bspi.nprocs, sizeof(*credit.news));
	if (!credit.pairs || !credit.news)
		bspi_fail_memory("bsp_begin", NULL);
	for (int q = 0; q < bspi.nprocs; q++)
		credit.pairs[q].longest = longest_eager(&bspi_engine.out[q]);
}

void bspi_credit_close(void)
{
	free(credit.pairs);
	free(credit.news);
	memset(&credit, 0, sizeof(credit));
}

/* ---- Records ------------------------------------------------------------------------- */

void bspi_parcel_alone(struct bspi_parcel *p, size_t bytes)
{
	p->alone = true;
	p->chunk = bspi_out_chunk(p->pid, sizeof(struct bspi_head) + bytes, &p->room);
	p->rec = (struct bspi_rec *)(p->chunk + sizeof(struct bspi_head));
	p->len = sizeof(struct bspi_head) + bytes;
	bspi_end_in_zeros(p->chunk + p->len);
}

/* Room for one more record, if there is; or NULL. */
static struct bspi_rec *parcel_more(struct bspi_parcel *p, size_t bytes)
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

static void fill_head(struct bspi_parcel *p)
{
	struct bspi_flow *f = &bspi_engine.flow[p->pid];

	f->told = f->taken;
	*bspi_head_of(p->chunk) = (struct bspi_head){
		.step = bspi.step,
		.flags = BSPI_URGENT | BSPI_GOALS | bspi_engine.epoch << BSPI_EPOCH_SHIFT,
		.taken = f->taken,
		.sum = sizeof(struct bspi_head),
	};
}

static void add_credit(struct bspi_parcel *p);

/* It leaves. */
void bspi_parcel_send(struct bspi_parcel *p)
{
	const struct bspi_out *o = &bspi_engine.out[p->pid];

	if (BSPI_UNLIKELY(credit.pairs[p->pid].taken != credit.pairs[p->pid].told) && !bspi.clock)
		add_credit(p);
	if (!p->alone) {
		bspi_out_send(p->pid);
		return;
	}
	fill_head(p);
	o->t->ops->send(o->t, o->peer, p->chunk, p->len);
}

/* The same at a time of a timed flight; when it is ready with that. */
uint64_t bspi_parcel_send_at(struct bspi_parcel *p, uint64_t when)
{
	const struct bspi_out *o = &bspi_engine.out[p->pid];

	fill_head(p);
	return o->t->ops->send_at(o->t, o->peer, p->chunk, p->len, when);
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

/* ---- Credit ---------------------------------------------------------------------------- */

static uint32_t cost_of(uint64_t bytes)
{
	return bytes + MESSAGE;
}

bool bspi_credit_take(int pid, uint64_t bytes)
{
	struct pair *p = &credit.pairs[pid];
	uint32_t cost = cost_of(bytes);

	if (bytes > p->longest || (p->sent - p->accepted + cost > credit.most && !bspi.clock))
		return false;
	p->sent += cost;
	return true;
}

void bspi_credit_hear(int pid, uint32_t accepted)
{
	credit.pairs[pid].accepted = accepted;
}

void bspi_credit_return(int pid, uint64_t bytes)
{
	struct pair *p = &credit.pairs[pid];

	p->taken += cost_of(bytes);
	if (bspi.clock || p->news || p->taken - p->told <= credit.most / 2)
		return;
	p->news = true;
	credit.news[credit.nnews++] = pid;
	bspi.goal_work |= BSPI_GOAL_CARRY;
}

static void tell_credit(int pid, struct bspi_rec *rec)
{
	struct pair *p = &credit.pairs[pid];

	bspi_note_fill(rec, &(struct bspi_note){ .kind = BSPI_NOTE_CREDIT, .number = p->taken }, 0);
	p->told = p->taken;
}

/* Behind a message, if there is enough to tell. */
static void add_credit(struct bspi_parcel *p)
{
	const struct pair *pair = &credit.pairs[p->pid];
	struct bspi_rec *rec = NULL;

	if (pair->taken - pair->told > credit.most / 8)
		rec = parcel_more(p, bspi_note_bytes(0));
	if (rec)
		tell_credit(p->pid, rec);
}

static void send_credit(int pid)
{
	struct bspi_parcel p;

	credit.pairs[pid].news = false;
	if (credit.pairs[pid].taken - credit.pairs[pid].told <= credit.most / 2)
		return;			/* it went with a message */
	bspi_parcel_open(&p, pid, bspi_note_bytes(0));
	tell_credit(pid, p.rec);
	bspi_parcel_send(&p);
}

void bspi_credit_tell(void)
{
	while (credit.nnews)
		send_credit(credit.news[--credit.nnews]);
}
