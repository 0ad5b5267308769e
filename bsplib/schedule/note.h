/* SPDX-License-Identifier: BSD-3-Clause */
/* note.h - records of schedules on their way out, handlers of notes, credit: schedule_record.c. */

/*
 * Records of kind BSPI_GOAL travel for schedules. One without BSPI_HP is an eager
 * message; one with it is a note: struct bspi_note, and data behind it. struct bspi_outgoing is a
 * record that is being written, in the open chunk to a process or alone in a chunk; between
 * bspi_outgoing_open() and bspi_outgoing_send() nothing else may be put into that chunk.
 *
 * Notes are handled when they arrive, whatever the superstep, by the function that the owner of
 * their kind has registered; one of a kind without a handler ends the job.
 *
 * Credit bounds the eager messages that are on their way to a process and have not met their
 * receives.
 */
#ifndef BSPI_NOTE_H
#define BSPI_NOTE_H

#include "bsplib/core/base.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/out.h"

enum bspi_note_kind {
	BSPI_NOTE_ASK,		/* @handle: of the sender's transfer; @number: bytes */
	BSPI_NOTE_BULK,		/* @handle: of the bulk; @number: bytes */
	/*
	 * @handle: of the sender's transfer, @peer_handle: of the receiver's; @number: may be
	 * sent
	 */
	BSPI_NOTE_GRANT,
	/* @handle: of the receiver's transfer; @number: offset in the message; data follow */
	BSPI_NOTE_PIECE,
	/* @number: bytes of eager messages, with their cost, that have met their receives */
	BSPI_NOTE_CREDIT,
	BSPI_NOTE_READ,		/* a bsp_direct_get, see immediate.c; @handle: of the request */
	/* its answer; @handle: the same; @number: offset in it; data follow */
	BSPI_NOTE_VALUE,
	BSPI_NOTE_CALL,		/* a collective call, see coll_agree.c */
	/* on a schedule, see offload_agree.c; @number: may it be offloaded? */
	BSPI_NOTE_VOTE,
	BSPI_NOTE_AREAS,	/* pushes and pops, see areas.c of sync/; they follow */
	BSPI_NOTE_MEET,		/* of sync/meet.c; @handle: the round */
	BSPI_NOTE_RECEIVED,	/* all chunks of an epoch have come, see sync/consensus.c */
	BSPI_NOTE_KINDS
};

struct bspi_note {
	uint32_t kind;
	uint32_t handle, peer_handle;
	uint32_t zero;
	uint64_t number;
};

/* @n bytes follow the note; @event is its arrival, if there is a clock. */
typedef void bspi_note_handler(int from, const struct bspi_note *note, size_t n,
			   const struct bspt_event *event);

/* @run handles notes of @kind that arrive, from now on. */
void bspi_note_handle(enum bspi_note_kind kind, bspi_note_handler *run);
/* Handle the note in @rec, which has arrived from @from. */
void bspi_note_receive(int from, const struct bspi_rec *rec, const struct bspt_event *event);

/*
 * Bits of bspi.goal_work: a run may have operations to start; something is to be sent
 * or dropped, or is in bulk; a run waits for a place beside the process; it has been decided what
 * runs a schedule.
 */
enum {
	BSPI_GOAL_READY = 1 << 0,
	BSPI_GOAL_CARRY = 1 << 1,
	BSPI_GOAL_WAITING = 1 << 2,
	BSPI_GOAL_DECIDED = 1 << 3,
};

/* ---- Out ----------------------------------------------------------------------- */

struct bspi_outgoing {
	int pid;
	bool alone;
	char *chunk;
	struct bspi_rec *rec;
	size_t len;			/* of the chunk, if it is alone */
	size_t room;
};

/* Room for a record of @bytes, a multiple of BSPI_ALIGN, to p->pid in a chunk of its own. */
void bspi_outgoing_alone(struct bspi_outgoing *p, size_t bytes);

/* The same to @pid, in the open chunk if it fits. */
static inline void bspi_outgoing_open(struct bspi_outgoing *p, int pid, size_t bytes)
{
	struct bspi_out *o = &bspi_engine.out[pid];

	p->pid = pid;
	if (bytes > (size_t)(o->end - o->at) || BSPI_UNLIKELY(bspi.clock)) {
		bspi_outgoing_alone(p, bytes);
		return;
	}
	p->alone = false;
	p->rec = (struct bspi_rec *)o->at;
	o->flags |= BSPI_GOALS | (bspi_has_records(o) ? 0 : BSPI_URGENT);
	o->round_at = o->at - o->chunk;
	o->at += bytes;
	bspi_end_in_zeros(o->at);
}

/* The chunk leaves; of a timed run at @when: then returns when the sender is ready with that. */
void bspi_outgoing_send(struct bspi_outgoing *p);
uint64_t bspi_outgoing_send_at(struct bspi_outgoing *p, uint64_t when);

/*
 * Bytes of a note with @data bytes behind it; fill in its record, but for the data, whose address
 * is returned.
 */
size_t bspi_note_bytes(size_t data);
void *bspi_note_fill(struct bspi_rec *rec, const struct bspi_note *note, size_t data);

/* ---- Credit ---------------------------------------------------------------------- */

void bspi_eager_credit_open(void);
void bspi_eager_credit_close(void);
/* May a message of @bytes be sent eagerly to @pid? Then its credit is used. */
bool bspi_eager_credit_take(int pid, uint64_t bytes);
/* A message from @pid has met its receive. */
void bspi_eager_credit_return(int pid, uint64_t bytes);
/* Send what was returned to processes that may wait for it. */
void bspi_eager_credit_send(void);

#endif
