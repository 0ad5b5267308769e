/* SPDX-License-Identifier: BSD-3-Clause */
/* soak.h - long random programs beside a sequential model: what the parts of t/soak share. */

/*
 * usage: soak [NAME=VALUE]...
 *
 *	seed=N		the program; the same on any number of processes it is another one (1)
 *	steps=N		so many calls of bsp_sync; bsp_end follows the last one at once (2000)
 *	phases=A,B	only phases of these names (all of soak_plan.c)
 *	without=A,B	no operations of these kinds: write, put, get, send, read, push, pop,
 *			tagsize, nothing, collective, schedule, neighbors; hp: no
 *			unbuffered ones;
 *			relaxed: no relaxed superstep; terse: look at memory in every superstep
 *	longest=N	of a phase, in supersteps (400)
 *	relaxed=N	of four phases so many are relaxed (2)
 *	heap=1		memory is allocated, not static (0)
 *	most=N		the largest transfer, in bytes (200000)
 *	coll=N		force the N-th algorithm of each collective operation; 0: none (0)
 *	own=N		another order of what a process does by itself (0)
 *	spoil=N		a byte of the last process is changed in superstep N: that run must fail
 *
 * From the seed every process makes the same program for all processes, one superstep at a
 * time: a list of operations, each with its owner. A process executes its own by the library and
 * all of them by a model, which is an array for the memory of each process and knows no time.
 * After every bsp_sync, before the next, and in an area that was read after the read, its memory
 * must be that of the model, byte by byte; its queue must hold the model's messages, and every
 * collective operation leaves the result of plain loops. The model is written from bsp.h and the
 * manual.
 *
 * Only programs with one outcome are made. In classic supersteps puts and gets overlap others, but
 * nothing is on the bytes of an unbuffered transfer. In relaxed epochs, and the classic superstep
 * that ends one, puts overlap no other puts; in epochs gets overlap no other gets, registered areas
 * are disjoint, puts that one bsp_read() depends on are disjoint, and an area with puts that have
 * not been read is not looked at. A classic superstep that withdraws registrations that overlap
 * comes before a relaxed epoch.
 *
 * The things that a process does by itself (how many messages it moves, when it waits for a
 * collective operation, what it tests) depend on the seed, the superstep and the process, and
 * change nothing for others.
 *
 * A phase is a run of supersteps of one kind (soak_plan.c): all mixed, empty ones by the hundred,
 * one put in each, registrations alone, one process that sends nothing, and so on; each classic or
 * relaxed. In half of the phases the processes look at their memory only now and then, so that
 * their supersteps follow each other as fast as those of a real program.
 *
 *	soak.c			the command
 *	soak_args.c		arguments
 *	soak_run.c		beginning, supersteps, end; the report of a failure
 *	soak_plan.c		phases, modes, random numbers
 *	soak_make.c		the operations of a superstep
 *	soak_register.c		registrations
 *	soak_neighbors.c	lists of neighbours
 *	soak_model.c		memory and messages of the model
 *	soak_call.c		the calls
 *	soak_check.c		memory and queue of this process against the model
 *	soak_collective.c	collective operations and schedules that last for supersteps
 *	soak_operation.c	collective operations: buffers, calls and results
 *	soak_lengths.c		the same of those with a length for each process
 *	soak_schedule.c		schedules: messages, runs and results
 */
#ifndef SOAK_H
#define SOAK_H

#include "../lib/collective.h"

enum {
	PROCS = 16,
	ARENA = 400000,		/* bytes of a process */
	AREAS = 12,
	SLOTS = 40,		/* registrations in effect, and made in this superstep */
	OPS = 600,		/* of all processes in a superstep */
	ALL_PLAIN = 291201,	/* behind it no area is plain */
	MOST_TAG = 24,
	NONE = -1,		/* for an area: NULL; for an owner: all processes */
};

/* An area to register. The plain ones are disjoint; relaxed epochs have no others. */
struct soak_area {
	size_t start, most;
	bool plain;
};

extern const struct soak_area soak_areas[AREAS];

/* A registration: the n-th push of every process. */
struct slot {
	uint64_t number;
	int area[PROCS];	/* or NONE */
	size_t size[PROCS];
	bool popped;		/* in this superstep */
	int unread[PROCS];	/* puts of earlier relaxed supersteps since the last bsp_read */
	bool read[PROCS];	/* there is one in this superstep */
};

enum kind {
	WRITE, PUT, GET, SEND, READ, PUSH, POP, TAGSIZE, NOTHING, COLLECTIVE, SCHEDULE, NEIGHBORS,
	OP_KINDS,
};

struct collective;

struct op {
	enum kind kind;
	bool hp;
	int owner;		/* the process that executes it; NONE: all do */
	int pid;		/* the other process */
	struct slot slot;	/* PUSH, POP; of a transfer and a READ that of its registration */
	size_t offset;		/* in the area on pid */
	size_t local;		/* in the arena of the owner */
	size_t nbytes;
	int n;			/* READ: of so many puts */
	uint32_t seed;
	unsigned char tag[MOST_TAG];
	unsigned char *data;	/* of the model: what travels */
	struct collective *collective;
};

enum lengths { ANY_LENGTH, SHORT, LONG };

/* How many operations a superstep has. */
enum share {
	SOME,			/* up to phase->ops for each process, on average half of that */
	SOME_AT_LEAST_ONE,
	ONE_IN_ALL,
	ONE_EACH,		/* of the same kind, to a process at the same distance */
};

/* A run of supersteps of one kind. */
struct phase {
	const char *name;
	int least, most;	/* supersteps */
	enum share share;
	int ops;
	enum lengths lengths;
	int weight[OP_KINDS];
	bool one_is_silent;	/* one process owns no operation */
	bool one_kind;		/* all operations of one of the kinds */
};

struct soak {
	/* arguments */
	uint64_t seed, own;
	int steps, longest, spoil, coll, heap, relaxed_of_4;
	size_t most;
	bool without[OP_KINDS], without_hp, without_relaxed, without_terse;
	const char *phases;

	/* of this run */
	int nprocs, me;
	bool forced;		/* BSP_SYNC=classic */

	/* of this superstep */
	int step;
	const struct phase *phase;
	int phase_end;
	bool begins;		/* it is the first one of its phase */
	bool tidies;		/* it withdraws what overlaps, before a relaxed epoch */
	enum kind only;		/* kind of all operations of this phase, or OP_KINDS */
	int silent;		/* process without operations of its own, or NONE */
	int from, to;		/* owner and other process of all transfers for now, or NONE */
	int distance;		/* between them, if each process has one */
	int slow;		/* process that computes longer, or NONE */
	bool terse;		/* supersteps follow each other at once: little is checked */
	bool hp;		/* some are unbuffered */
	bool relaxed;		/* mode of this superstep */
	bool was_relaxed;	/* of the last one */
	bool barrier;		/* it ends with one, though relaxed */

	/* all operations of this superstep */
	struct op ops[OPS];
	int nops;

	/* registrations */
	struct slot slots[SLOTS];
	int nslots, neffective;

	/* neighbours of each process, bits, and from the next superstep on; all ones: all are */
	uint32_t near[PROCS], near_next[PROCS];

	/* messages: sizes of tags of what is sent now, and set last */
	size_t tag_sent, tag_set;

	/* what was done by all, for the last line of the run */
	long done[OP_KINDS], hp_done, relaxed_steps, barriers, read_puts, large;
};

extern struct soak soak;

/* ---- soak_args.c --------------------------------------------------------- */

extern const char *const soak_kinds[OP_KINDS];
/* An argument, which lasts as long as the program; false: it is none. */
bool soak_take(const char *word);

/* ---- soak_run.c ---------------------------------------------------------- */

/* To bsp_begin; all supersteps; from bsp_end on. They end the job where it is not as the model. */
void soak_begin(void);
void soak_supersteps(void);
void soak_end(void);
/* NULL, or what is called before a failure ends the job. */
extern void (*soak_failed)(void);
/* Ends the job with a message. */
__attribute__((noreturn, format(printf, 1, 2)))
void soak_fail(const char *format, ...);

/* ---- soak_plan.c --------------------------------------------------------- */

/* 0 .. n-1, the same on all processes. */
size_t pick(size_t n);
/* 0 .. n-1, of this process alone. */
size_t pick_own(size_t n);
/* 1 .. most, as long as in this phase. */
size_t pick_length(size_t most);
/* One of the kinds of this phase, or NOTHING. */
enum kind pick_kind(void);
/* Is the name in the list, "a,b,c"? */
bool soak_lists(const char *list, const char *name);
/* Is it the name of a phase? */
bool soak_phase_exists(const char *name);
/* Chooses the properties of superstep soak.step. */
void soak_plan(void);

/* ---- soak_make.c --------------------------------------------------------- */

void soak_make(void);
/* Where on op->pid a transfer takes place. */
size_t soak_remote(const struct op *op);

/* ---- soak_register.c ----------------------------------------------------- */

bool soak_push(struct op *op);
bool soak_pop(struct op *op);
/* Make one that names an area everywhere. */
void soak_push_alike(struct op *op, int area);
/* Is there a slot less that all can use than there should be? An area for it, or NONE. */
int soak_lacks_area(void);
/* Does no registration overlap another on any process? */
bool soak_is_tidy(void);
/* The newest one that overlaps another is popped. False: none does. */
bool soak_pop_overlapping(struct op *op);
/* A registration that op->owner can name, and that which its address names. */
bool soak_choose_slot(struct op *op);
struct slot *soak_slot(uint64_t number);
/* At the end of the superstep: what was popped is gone, what was pushed is in effect. */
void soak_settle_slots(void);

/* ---- soak_neighbors.c ---------------------------------------------------- */

void soak_neighbors_open(void);
/* A graph for the next superstep on. */
void soak_make_neighbors(struct op *op);
void soak_call_neighbors(const struct op *op);
/* @pid, or one near it that the list of @owner has, or @owner. */
int soak_within_reach(int owner, int pid);
/* At the end of a superstep. */
void soak_settle_neighbors(void);

/* ---- soak_model.c -------------------------------------------------------- */

/* The memory of a process in the model. */
unsigned char *soak_memory(int pid);
void soak_model_open(void);
void soak_model_close(void);
/* Has this process an area there with puts that are not read in this superstep either? */
bool soak_is_unread(int pid, size_t start, size_t nbytes);
/* Do such puts meet these bytes? */
bool soak_is_put_to(int pid, size_t start, size_t nbytes);
/* Bytes of puts that wait to be read in this area. */
size_t soak_unread_bytes(int pid, const struct slot *slot);
/* bsp_read: what waits is written. */
void soak_model_read(int pid, struct slot *slot);
/* Applies the effect that an operation has at its call. */
void soak_model_call(struct op *op);
/* Applies the effects of the end of the superstep. */
void soak_model_sync(void);

struct message {
	unsigned char tag[MOST_TAG];
	unsigned char *data;
	size_t tag_nbytes, nbytes;
	bool moved;
	const void *shown;	/* by hpmove: must stay as it is to the end of the superstep */
};

struct messages {
	struct message *at;
	int n, room;
};

/* Messages for this process: to be moved in this superstep; not expected yet, in relaxed ones. */
struct messages *soak_queue(void);
struct messages *soak_waiting(void);
/* Appends the waiting messages to the queue. */
void soak_model_expect(void);

/* ---- soak_call.c --------------------------------------------------------- */

void *soak_address(int area);
unsigned char *soak_arena(void);
void soak_arena_open(void);
void soak_arena_close(void);
/* Everything of this superstep, to the bsp_sync that ends it. */
void soak_run(void);

/* ---- soak_check.c -------------------------------------------------------- */

void soak_check_memory(void);
/* The area of a registration, after it was read. */
void soak_check_area(const struct slot *slot);
void soak_check_counts(void);
void soak_move(size_t n);
/* Messages shown by bsp_hpmove() must be unchanged. */
void soak_check_shown(void);

/* ---- soak_collective.c --------------------------------------------------- */

/* Make one; false: not now. */
bool soak_make_collective(struct op *op, bool of_schedule);
/* At the beginning of a superstep: what this process is to start in it, and was made before. */
void soak_start_owed(void);
/* The call, if it is due. */
void soak_call_collective(struct op *op);
/* Some are tested or waited for; if @due, all that must be over by the end of this superstep. */
void soak_finish_some(bool due);
/* At the end of a superstep: those that all have waited for are forgotten. */
void soak_forget_collectives(void);

#endif
