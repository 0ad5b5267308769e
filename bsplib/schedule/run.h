/* SPDX-License-Identifier: BSD-3-Clause */
/* run.h - schedules and runs from inside: what the files of this folder share. */

/*
 * From the bottom up; none calls one below itself in this list:
 *
 *	schedule_record.c	records on their way out, handlers of notes, credit: note.h
 *	schedule_match.c	messages and receives find each other
 *	run.c		schedules and runs by number; runs are stepped
 *	lengths.c		lengths and places of the blocks of a run
 *	schedule_move.c		messages are sent and received
 *	offload_copy.c		buffers that the transport cannot pin
 *	offload_times.c		when operations began and ended there
 *	offload_agree.c		processes agree on which schedules the transport runs
 *	offload.c		runs of schedules that the transport runs
 *	schedule.c		load, start, progress, wait: schedule.h
 *	immediate.c, progress.c	users of these: immediate.h, progress.h
 *
 * All of it is called with the lock of progress.c held. A run belongs to the part that started
 * it until bspi_run_end(), then to its schedule, which starts it again; a message belongs to
 * the queue that it is in, then to the function that took it off.
 */
#ifndef BSPI_RUN_H
#define BSPI_RUN_H

#include "bsplib/schedule/note.h"
#include "bsplib/schedule/schedule.h"

enum bspi_message_kind {
	BSPI_EAGER,		/* the bytes are here */
	BSPI_ASKED,		/* they are with the sender, which waits for a grant */
	BSPI_IN_BULK,		/* the transport has them, and waits for an address */
};

/* A message that waits for its receive. */
struct bspi_run_message {
	struct bspi_run_message *next;
	uint32_t schedule, run;
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
struct bspi_run_posted {
	struct bspi_run_posted *next;
	const struct goal_op *op;
};

/*
 * Messages of the same sources and tags; if a schedule has receives from any, all of it. First
 * come, first served.
 */
struct bspi_run_queue {
	struct bspi_run_posted *posted, **posted_end;
	struct bspi_run_message *waiting, **waiting_end;
};

/* Where a schedule runs: the same on all processes, which find out at different times. */
enum bspi_runs_where {
	BSPI_RUNS_HERE,		/* the process */
	BSPI_RUNS_THERE,	/* the transport: offload.c */
	BSPI_RUNS_UNDECIDED,	/* others have not voted yet: offload_agree.c */
};

struct goal_schedule {
	struct goal_prog prog;		/* the block is freed with it */
	struct goal_schedule *next;	/* of the same hash */
	uint32_t number;
	uint32_t next_run;
	uint32_t nreceives;
	uint32_t queue_mask;		/* queues of a run - 1 */
	uint32_t nlive;			/* runs started and not ended */
	uint64_t bytes_out, bytes_in;	/* of the messages of a run, for statistics */
	struct goal_schedule *family;	/* its runs have the numbers of this one; NULL: its own */
	uint32_t unit;			/* bytes of a block, if runs give lengths; else 0 */
	enum bspi_runs_where where;
	/* unless the process runs it: */
	bool is_offered;		/* to the transport, by a vote */
	bool is_there;			/* the transport has loaded it, or an empty one */
	size_t block_bytes;		/* then: of the block there */
	uint32_t there;			/* the transport's number of it */
	size_t scratch_kept;	/* bytes of the scratchpad that go there and come back */
	/* what is loaded there in its place, with time stamps; no header: itself */
	struct goal_prog timed;
	struct goal_part *written;	/* of its buffers; found when runs first use images */
	size_t nwritten;
	uint32_t load, nvotes;		/* number of its vote; votes of others that have come */
	bool refused;			/* by a process */
	struct goal_schedule *next_undecided;	/* or decided, and not acted on */
	struct goal_request *deferred, **deferred_end;	/* started while it was undecided */
	const struct bspi_schedule_user *user;	/* NULL: runs of goal_start, of barriers */
	void **pieces;			/* of a call, while it is made */
	struct goal_request *pool;	/* ended */
};

struct goal_request {
	struct goal_run interp;
	struct goal_schedule *s;
	uint32_t number;
	uint32_t nposted;		/* receives, matched or not */
	uint32_t nwaiting;		/* messages in its queues */
	bool under_way;			/* has operations that have not ended */
	bool ended;			/* is in the pool */
	bool ready;			/* in the list of those that can be moved on */
	bool flying;			/* counts in bspi.flying */
	struct goal_request *next;	/* of the same hash, or in the pool */
	struct goal_request *next_ready;
	struct goal_request *next_user, **this_user;	/* among those of the program, goal_api.c */
	const char *site;		/* of its start */
	void *owner;
	struct bspi_run_posted *posted;	/* room for all receives */
	struct bspi_run_queue *queues;
	unsigned char **buffers;
	/* of one that is offloaded */
	uint32_t there;			/* the transport's number of it */
	uint64_t began_ns, over_ns;	/* there, while a run is observed; 0: not known */
	unsigned char *stamped;	/* the scratchpad that comes back, if the schedule is timed */
	uint32_t looks;			/* in vain */
	unsigned char *image;	/* NULL: of its buffers, see offload_copy.c */
	size_t image_bytes;
	unsigned char **in_image;	/* buffers */
	bool waits;			/* for a place there, or a decision */
	struct goal_request *next_there, **this_there, *next_waiting;
};

/* A message that does not travel eagerly, on either side. */
struct bspi_run_transfer {
	struct bspt_bulk bulk;
	struct bspi_run_transfer *next;	/* to be acted on, in bulk, or unused */
	struct goal_request *run;	/* NULL: no receive takes it, and it is dropped */
	const struct goal_op *op;
	int peer;			/* process */
	bool outgoing;
	bool queued;			/* to be acted on */
	uint32_t handle, peer_handle;	/* its number here and there */
	uint64_t bytes, done;		/* in all; sent or received */
	uint64_t granted;		/* may be sent */
	void *copy;			/* of what comes in bulk for several places */
};

/* ---- run.c ------------------------------------------------------------------------ */

void bspi_runs_open(void);
/* Frees all runs and schedules. */
void bspi_runs_close(void);

/*
 * One that was unloaded, or a new one, all zero; NULL: no memory. It gets its number; loses it;
 * its memory is freed.
 */
struct goal_schedule *bspi_schedule_new(void);
void bspi_schedule_enter(struct goal_schedule *s);
/* The same for a member of a family, which has the number of that. */
void bspi_schedule_enter_member(struct goal_schedule *s);
void bspi_schedule_remove(struct goal_schedule *s);
void bspi_schedule_give_back(struct goal_schedule *s);

/* The run that is under way, or NULL. */
struct goal_request *bspi_run_find(uint32_t schedule, uint32_t number);
/* Can it still be started? */
bool bspi_run_may_come(uint32_t schedule, uint32_t number);

static inline uint32_t bspi_run_hash(uint32_t schedule, uint32_t number)
{
	return number + schedule * 37;
}

/* It is under way: is found, and counts. */
void bspi_run_enter(struct goal_request *r);
/* From now on calls look for chunks on its behalf; and no more. */
void bspi_run_counts(struct goal_request *r);
void bspi_run_counts_no_more(struct goal_request *r);
/* An operation of it has ended: it is moved on soon. */
void bspi_run_done(struct goal_request *r, const struct goal_op *op);
void bspi_run_note_ready(struct goal_request *r);
/*
 * Start its operations until none is ready; those of all runs that were noted. True if there
 * was one.
 */
void bspi_run_step(struct goal_request *r);
bool bspi_runs_step(void);
/* A message has come for a receive of another length. */
__attribute__((cold)) _Noreturn
void bspi_run_refuse_length(const struct goal_request *r, int from, const struct goal_op *op,
			       uint64_t bytes);

static inline struct goal_request *bspi_run_of(struct goal_run *run)
{
	return (struct goal_request *)run;
}

/* ---- lengths.c -------------------------------------------------------------------------- */

/* A run that has a copy of its schedule, buffers and @scratch, before it starts. */
void bspi_lengths_set(struct goal_request *r, const struct bspi_blocks *blocks, void *scratch);

/* ---- offload_copy.c -------------------------------------------------------------------- */

/* Bytes of an image of a schedule's buffers, and of the pages that they touch, at most. */
uint64_t bspi_copy_bytes_most(const struct goal_schedule *s);
uint64_t bspi_pinned_bytes_most(const struct goal_schedule *s);
/* Copy the buffers to an image before a start; and back when the run is over. */
void bspi_copy_in(struct goal_request *r);
void bspi_copy_out(struct goal_request *r);

/* ---- offload_times.c ------------------------------------------------------------------- */

/* Make s->timed, if operations are recorded and there are not too many. */
void bspi_times_add(struct goal_schedule *s);
void bspi_times_remove(struct goal_schedule *s);
/* Before a run of a timed schedule starts there; when it has come back. */
void bspi_times_begin(struct goal_request *r);
void bspi_times_end(struct goal_request *r);
/* Report its operations to observers. */
void bspi_times_tell(const struct goal_request *r);

/* ---- offload_agree.c ------------------------------------------------------------------- */

void bspi_offload_agree_open(void);
void bspi_offload_agree_close(void);
/* It is loaded, collectively: may the transport run it, as far as this process is concerned? */
void bspi_offload_vote(struct goal_schedule *s, bool may);
/* It is unloaded. */
void bspi_offload_forget(struct goal_schedule *s);
/* The next schedule on which all have agreed, s->refused or not, or NULL. */
struct goal_schedule *bspi_offload_next_decided(void);

/* ---- offload.c ------------------------------------------------------------------------- */

void bspi_offload_close(void);
void bspi_offload_unload(struct goal_schedule *s);
/*
 * Start a run there; of a schedule that is not decided keep it until bspi_offload_decide() has set
 * s->where. Runs that were kept are then to be taken and started, in their order, until NULL.
 */
void bspi_offload_start(struct goal_request *r);
void bspi_offload_defer(struct goal_request *r);
struct goal_schedule *bspi_offload_decide(void);
struct goal_request *bspi_offload_next_deferred(struct goal_schedule *s);
/* It has ended: report that to observers of the run. */
void bspi_offload_tell(const struct goal_request *r);
bool bspi_offload_is_over(struct goal_request *r);
/* The same, and takes in what has come from time to time. */
bool bspi_offload_test(struct goal_request *r);
/* Start runs that wait for a place; has anything moved? */
bool bspi_offload_progress(void);

/* ---- schedule_match.c ------------------------------------------------------------------ */

void bspi_match_open(void);
void bspi_match_close(void);
/* An empty message that waits, with room for so many bytes; and its end. */
struct bspi_run_message *bspi_run_message_new(size_t bytes);
void bspi_run_message_free(struct bspi_run_message *m);
/* It waits for its run; when that starts, for its receive. */
void bspi_match_early(struct bspi_run_message *m);
void bspi_match_start(struct goal_request *r);
/*
 * Messages that wait for runs of a schedule that is unloaded, and for receives of a run
 * that is over, are to be dropped. The next of these, which is the caller's from then on; or
 * NULL.
 */
void bspi_match_unload(uint32_t schedule);
void bspi_match_over(struct goal_request *r);
struct bspi_run_message *bspi_match_next_dropped(void);
/* The receive for a message, or NULL; and then the message waits. */
const struct goal_op *bspi_match_receive(struct goal_request *r, int from, uint32_t tag);
void bspi_match_wait(struct goal_request *r, struct bspi_run_message *m);
/* The message for a receive, or NULL: then the receive waits. */
struct bspi_run_message *bspi_match_message(struct goal_request *r, const struct goal_op *op);

/* ---- schedule_move.c --------------------------------------------------------------------- */

void bspi_carry_open(void);
void bspi_carry_close(void);
/* As move() of struct goal_host. */
bool bspi_carry(struct goal_run *run, const struct goal_op *op);
/*
 * While bspi.goal_work has BSPI_GOAL_CARRY: send what can be sent, look after bulk. True if
 * something has moved.
 */
bool bspi_carry_on(void);
/*
 * While bspi.nreads is not 0 bspi_carry_on() calls @answer as well, which sends the answers that
 * are due.
 */
void bspi_carry_answers(bool (*answer)(void));
/* The same as on_goals() of struct bspi_hooks. */
void bspi_carry_arrived(const struct bspi_arrival *a);

#endif
