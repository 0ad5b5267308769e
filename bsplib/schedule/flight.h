/* SPDX-License-Identifier: BSD-3-Clause */
/* flight.h - schedules and flights from inside: what schedule.c, schedule_match.c and schedule_move.c share. */
#ifndef BSPI_FLIGHT_H
#define BSPI_FLIGHT_H

#include "bsplib/core/base.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/out.h"
#include "bsplib/schedule/schedule.h"

enum bspi_message_kind {
	BSPI_EAGER,		/* the bytes are here */
	BSPI_ASKED,		/* they are with the sender, who waits for a grant */
	BSPI_IN_BULK,		/* the transport has them, who waits for a place */
};

/* A message that waits for its receive. */
struct goal_message {
	struct goal_message *next;
	uint32_t schedule, flight;
	uint32_t tag;
	int32_t from;
	uint64_t bytes;		/* of the message */
	uint32_t handle;	/* of its transfer there, or of the bulk */
	uint8_t kind;		/* enum bspi_message_kind */
	uint8_t class;		/* of its memory */
	struct bspt_event event;	/* its arrival, if there is a clock */
	_Alignas(8) unsigned char data[];
};

/* A receive that waits for its message. */
struct goal_posted {
	struct goal_posted *next;
	const struct goal_op *op;
};

/* Those of the same sources and tags; of a schedule that has receives from any, all. First come, first served. */
struct goal_queue {
	struct goal_posted *posted, **posted_end;
	struct goal_message *waiting, **waiting_end;
};

/*
 * What bspi.goal_work is made of: a flight may have operations to start; a message is to be sent, or is in bulk; a
 * flight waits for a place beside the process.
 */
enum { BSPI_GOAL_READY = 1 << 0, BSPI_GOAL_CARRY = 1 << 1, BSPI_GOAL_WAITING = 1 << 2 };

struct goal_schedule {
	struct goal_prog prog;		/* its block is ours */
	struct goal_schedule *next;	/* of the same hash */
	uint32_t number;
	uint32_t next_flight;
	uint32_t nreceives;
	uint32_t queue_mask;		/* queues of a flight - 1 */
	uint32_t nlive;			/* flights started and not ended */
	bool offloaded;			/* the transport runs it: offload.c */
	uint32_t there;			/* the transport's number of it */
	size_t scratch_kept;		/* then: bytes of the scratchpad that go there and come back */
	bspi_goal_call *const *calls;
	void **pieces;			/* of a call, while it is made */
	struct goal_flight *pool;	/* ended */
};

struct goal_flight {
	struct goal_run run;
	struct goal_schedule *s;
	uint32_t number;
	uint32_t nposted;		/* receives, matched or not */
	uint32_t nwaiting;		/* messages in its queues */
	bool under_way;			/* has operations that have not ended */
	bool ended;			/* is in the pool */
	bool ready;			/* in the list of those that can be moved on */
	bool flying;			/* counts in bspi.flying */
	struct goal_flight *next;	/* of the same hash, or in the pool */
	struct goal_flight *next_ready;
	struct goal_flight *next_user, **this_user;	/* among those of the program, goal_api.c */
	const char *place;		/* of its start */
	void *owner;
	struct goal_posted *posted;	/* room for all receives */
	struct goal_queue *queues;
	unsigned char **buffers;
	/* of one that is offloaded */
	uint32_t there;			/* the transport's number of it */
	uint32_t looks;			/* in vain */
	bool waits;			/* for a place there */
	struct goal_flight *next_there, **this_there, *next_waiting;
};

/* A message that does not travel eagerly, on either side. */
struct goal_transfer {
	struct bspt_bulk bulk;
	struct goal_transfer *next;	/* to be acted on, in bulk, or unused */
	struct goal_flight *flight;	/* NULL: nobody receives it, and it is dropped */
	const struct goal_op *op;
	int peer;			/* process */
	bool outgoing;
	bool queued;			/* to be acted on */
	uint32_t handle, his;		/* its number here and there */
	uint64_t bytes, done;		/* in all; sent or received */
	uint64_t granted;		/* may be sent */
	void *copy;			/* of what comes in bulk for several places */
};

/* ---- schedule.c ---------------------------------------------------------------------- */

/* The flight that is under way, or NULL. */
struct goal_flight *bspi_flight_find(uint32_t schedule, uint32_t number);
/* Can it still be started? */
bool bspi_flight_may_come(uint32_t schedule, uint32_t number);
/* An operation of it has ended: it is moved on soon. */
void bspi_flight_done(struct goal_flight *f, const struct goal_op *op);
static inline uint32_t bspi_flight_hash(uint32_t schedule, uint32_t number)
{
	return number + schedule * 37;
}

/* It counts as under way for who looks for chunks, and no more. */
void bspi_flight_counts(struct goal_flight *f);
void bspi_flight_counts_no_more(struct goal_flight *f);

/* ---- offload.c: flights of schedules that are offloaded ------------------------------------ */

void bspi_offload_close(void);
void bspi_offload_unload(struct goal_schedule *s);
void bspi_offload_start(struct goal_flight *f);
bool bspi_offload_is_over(struct goal_flight *f);
/* The same, and takes in what has come from time to time. */
bool bspi_offload_test(struct goal_flight *f);
/* Start what waits for a place; has anything moved? */
bool bspi_offload_progress(void);

/* ---- schedule_match.c: messages and receives find each other ----------------------------- */

void bspi_match_open(void);
void bspi_match_close(void);
/* An empty message that waits, with room for so many bytes; and its end. */
struct goal_message *bspi_message_new(size_t bytes);
void bspi_message_free(struct goal_message *m);
/* It waits for its flight; when that starts, for its receive. */
void bspi_match_early(struct goal_message *m);
void bspi_match_start(struct goal_flight *f);
/* All that wait for flights of a schedule that is unloaded, and for receives of a flight that is over, are dropped. */
void bspi_match_unload(uint32_t schedule);
void bspi_match_over(struct goal_flight *f);
/* The receive for a message, or NULL; and then it waits. */
const struct goal_op *bspi_match_receive(struct goal_flight *f, int from, uint32_t tag);
void bspi_match_wait(struct goal_flight *f, struct goal_message *m);
/* The message for a receive, or NULL: then the receive waits. */
struct goal_message *bspi_match_message(struct goal_flight *f, const struct goal_op *op);

/* ---- schedule_record.c: records on their way out, and credit --------------------------------- */

/* Kinds of records that have BSPI_HP; those without are eager messages. */
enum bspi_note_kind {
	BSPI_NOTE_ASK,		/* @handle: of the sender's transfer; @number: bytes */
	BSPI_NOTE_BULK,		/* @handle: of the bulk; @number: bytes */
	BSPI_NOTE_GRANT,		/* @handle: of the sender's transfer; @his: of the receiver's; @number: may be sent */
	BSPI_NOTE_PIECE,		/* @handle: of the receiver's transfer; @number: where in the message; data follow */
	BSPI_NOTE_CREDIT,		/* @number: bytes of eager messages, with their cost, that have met their receives */
	BSPI_NOTE_READ,			/* a bsp_direct_get, see immediate.c; @handle: of the request */
	BSPI_NOTE_VALUE,		/* its answer; @handle: the same; @number: where in it; data follow */
};

struct bspi_note {
	uint32_t kind;
	uint32_t handle, his;
	uint32_t zero;
	uint64_t number;
};

/* One on its way out: in the open chunk to a process, or alone in a chunk. */
struct bspi_parcel {
	int pid;
	bool alone;
	char *chunk;
	struct bspi_rec *rec;
	size_t len;			/* of the chunk, if it is alone */
	size_t room;
};

void bspi_parcel_alone(struct bspi_parcel *p, size_t bytes);
/* Room for a record of @bytes, a multiple of BSPI_ALIGN. */
static inline void bspi_parcel_open(struct bspi_parcel *p, int pid, size_t bytes)
{
	struct bspi_out *o = &bspi_engine.out[pid];

	p->pid = pid;
	if (bytes > (size_t)(o->end - o->at) || BSPI_UNLIKELY(bspi.clock)) {
		bspi_parcel_alone(p, bytes);
		return;
	}
	p->alone = false;
	p->rec = (struct bspi_rec *)o->at;
	o->flags |= BSPI_GOALS | (bspi_has_records(o) ? 0 : BSPI_URGENT);
	o->round_at = o->at - o->chunk;
	o->at += bytes;
	bspi_end_in_zeros(o->at);
}

/* It leaves; of a timed flight at @when: then returns when it is ready with that. */
void bspi_parcel_send(struct bspi_parcel *p);
uint64_t bspi_parcel_send_at(struct bspi_parcel *p, uint64_t when);
/* A record that is no eager message, with so many bytes of data: how long; fill it in but for these. */
size_t bspi_note_bytes(size_t data);
void *bspi_note_fill(struct bspi_rec *rec, const struct bspi_note *note, size_t data);

void bspi_credit_open(void);
void bspi_credit_close(void);
/* May a message of so many bytes be sent eagerly to @pid? It is then. */
bool bspi_credit_take(int pid, uint64_t bytes);
/* One of @pid has met its receive; @pid tells how much of ours has; tell those who may wait for it. */
void bspi_credit_return(int pid, uint64_t bytes);
void bspi_credit_hear(int pid, uint32_t accepted);
void bspi_credit_tell(void);

/* ---- schedule_move.c: what travels --------------------------------------------------------- */

void bspi_carry_open(void);
void bspi_carry_close(void);
/* As move() of struct goal_host. */
bool bspi_carry(struct goal_run *run, const struct goal_op *op);
/* A message has come for a receive of another length. */
__attribute__((cold)) _Noreturn
void bspi_flight_refuse_length(const struct goal_flight *f, int from, const struct goal_op *op, uint64_t bytes);
/* A message that was waiting is taken by nobody. */
void bspi_carry_drop(struct goal_message *m);
/* Is there something to send, or in bulk? Do it. True if something has moved. */
bool bspi_carry_on(void);

/* What is done with the notes of bsp_direct_get: immediate.c, which stands above and so brings it along. */
struct bspi_read_ops {
	/* A request or an answer has come: @n bytes behind the note. */
	void (*request)(int from, const struct bspi_note *note, size_t n, const struct bspt_event *event);
	void (*value)(int from, const struct bspi_note *note, size_t n, const struct bspt_event *event);
	/* bspi.nreads is not 0: send what answers are due. True if there was one. */
	bool (*answer)(void);
};

void bspi_carry_reads(const struct bspi_read_ops *ops);

static inline struct goal_flight *bspi_flight_of(struct goal_run *run)
{
	return (struct goal_flight *)run;
}

#endif
