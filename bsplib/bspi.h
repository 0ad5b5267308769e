/* SPDX-License-Identifier: BSD-3-Clause */
/* bspi.h - what the files of the runtime share: its state, and what travels between processes. */

/*
 * The life of a superstep on one process:
 *
 *   computing	calls append records to the open chunk of each destination; full
 *		chunks are sent. Nothing is received, unless by a peer's unbuffered put
 *		straight into a region (direct.c).
 *   bsp_sync	1 the open chunks are sent; the counts go out (classic.c)
 *		2 chunks are taken in until all of this superstep have arrived
 *		3 gets are served: what they ask for is read and sent back
 *		4 answers to our own gets are taken in and written, in the order of the
 *		  processes that give them
 *		5 puts are written, messages queued, registrations take effect, in the order
 *		  of the processes that sent them
 *
 * Steps 3 to 5 need no second barrier: what is buffered is read and written by this
 * process alone, so the order of gets and puts is the order of its own steps.
 * A chunk carries the superstep in which it was sent. One of a later
 * superstep than ours is held until its turn comes.
 *
 * Chunks are given back at the end of bsp_sync, in the order in which they came. If there is a
 * message among them, all are kept until the next bsp_sync, because messages are
 * read in place.
 *
 * That is a classic superstep. A relaxed one (relaxed.c) differs in where the counts
 * come from: bsp_sync sends and goes on, and a process takes in chunks when it
 * reads. Between two global synchronisations lies an epoch; a classic superstep is
 * one of its own.
 *
 * All of this belongs to the one thread that makes the calls, or to whoever holds the lock of progress.c.
 */
#ifndef BSPI_H
#define BSPI_H

#include "transport/transport.h"
#include "transport/wireup/wireup.h"

#include "bsplib/core/hooks.h"
#include "bsplib/core/observe.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#define BSPI_LIKELY(x) __builtin_expect(!!(x), 1)
#define BSPI_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* ---- What travels --------------------------------------------------------- */

enum bspi_chunk_flag {
	BSPI_END = 1 << 0,	/* last chunk of the superstep to this process: @sent and @sum count */
	BSPI_GETS = 1 << 1,	/* has requests */
	BSPI_MSGS = 1 << 2,	/* has messages */
	BSPI_REPLY = 1 << 3,	/* answers to gets: not counted */
	BSPI_DETAIL = 1 << 4,	/* what this process did that others did not: not counted */
	BSPI_URGENT = 1 << 5,	/* seen to when it arrives, whatever its superstep: not counted */
	BSPI_GOALS = 1 << 7,	/* has BSPI_GOAL, from @sum bytes on to its end */
	BSPI_EPOCH_SHIFT = 8,	/* above: the epoch */
};

enum { BSPI_UNCOUNTED = BSPI_REPLY | BSPI_DETAIL | BSPI_URGENT };

/* A chunk begins with this; records follow, each on a multiple of 8 from the start of the chunk. */
struct bspi_head {
	uint32_t step;
	uint32_t flags;
	union {
		uint32_t sent;		/* with BSPI_END: chunks of this epoch to this process, with this one */
		uint32_t taken;		/* else: what the sender has taken in of ours in this epoch, see flow.c */
	};
	uint32_t sum;		/* with BSPI_END: of the collective calls of this superstep, see classic.c */
};

enum bspi_kind {
	BSPI_PAD,		/* struct bspi_pad: nothing */
	BSPI_PUT,		/* data follow; the last piece of a put */
	BSPI_PUT_PART,		/* the same, another piece */
	BSPI_GET,		/* the address it goes to follows, 8 bytes; the last piece of a get */
	BSPI_GET_PART,		/* the same, another piece */
	BSPI_DATA,		/* answer to a get: data follow */
	BSPI_MSG,		/* struct bspi_msg, on a multiple of 16 */
	BSPI_REG,		/* what was pushed and popped: struct bspi_reg_note and int32_t's follow */
	BSPI_WINDOW,		/* answer to BSPI_WANT: struct bspi_window_note follows */
	BSPI_WHAT,		/* what difference.c wants to know follows */
	BSPI_STAT,		/* a row of stat.c follows */
	BSPI_ASK,		/* may a put be sent? dst is its number */
	BSPI_GRANT,		/* it may: dst is its number */
	BSPI_CHECKED,		/* a record of suggest.c follows */
	BSPI_BULK,		/* a put whose bytes travel in bulk, see bulk.c */
	BSPI_BULK_DATA,		/* answer to a get, likewise */
	BSPI_GOAL,		/* a message of a schedule, whose number is in place of the slot, see schedule_move.c */
	BSPI_CALL,		/* a collective call follows, see coll_agree.c */
	BSPI_KIND = 0x1f,
	/* flags of BSPI_PUT and BSPI_GET */
	BSPI_WIDE = 1 << 5,	/* struct bspi_wide follows, then the rest */
	BSPI_HP = 1 << 6,	/* of bsp_hpput or bsp_hpget */
	BSPI_WANT = 1 << 7,	/* which wants a window */
};

enum { BSPI_ALIGN = 8, BSPI_SLOTS_MOST = 1 << 24 };

/* A record, on a multiple of 8 from the start of the chunk, and of that length in all. */
struct bspi_rec {
	uint32_t what;		/* kind and flags in the low 8 bits, the slot of the region above */
	uint32_t nbytes;
	union {
		struct {	/* BSPI_PUT, BSPI_GET; if they do not fit, BSPI_WIDE */
			int32_t place;
			uint32_t offset;
		};
		struct {	/* BSPI_GOAL */
			uint32_t flight;
			uint32_t tag;
		};
		uint64_t dst;	/* BSPI_DATA: address on the process that asked; BSPI_ASK, BSPI_GRANT: a number */
	};
};

struct bspi_pad {
	uint32_t what;
	uint32_t bytes;		/* with these */
};

struct bspi_wide {
	int64_t place;		/* of the call, see bspi_place_pack() */
	uint64_t offset;
};

/* A message: data follow, then, on a multiple of 16, the tag. */
struct bspi_msg {
	uint32_t what;
	uint32_t tag_bytes;
	uint64_t nbytes;
};

struct bspi_reg_note {
	uint32_t npush, npop;	/* then for each push: 1 if not NULL; for each pop: the slot, -1 for NULL */
};

struct bspi_window_note {
	uint64_t window;
	uint64_t from, to;	/* offsets in reach */
	uint64_t nbytes;	/* of the region there */
};

static inline enum bspi_kind bspi_kind_of(uint32_t what)
{
	return what & BSPI_KIND;
}

static inline uint32_t bspi_what(enum bspi_kind kind, uint32_t slot)
{
	return kind | slot << 8;
}

static inline size_t bspi_align(size_t n)
{
	return (n + BSPI_ALIGN - 1) & ~(size_t)(BSPI_ALIGN - 1);
}

/* Messages and their parts. */
static inline size_t bspi_align16(size_t n)
{
	return (n + 15) & ~(size_t)15;
}

/* ---- Regions: region.c ---------------------------------------------------- */

/* Where an update came from. */
struct bspi_origin {
	int64_t place;
	uint32_t step;
	int32_t from;
};

/* Chunks that an area was updated from; their numbers in clock.c. */
struct bspi_times {
	uint32_t *at;
	size_t n, room;
};

/* A registration that is gone, for messages. */
struct bspi_gone {
	const void *base;
	const char *place;
	uint32_t step;
};

enum { BSPI_GONE = 64 };

/* One registration, the same number on all processes. */
struct bspi_slot {
	char *base;		/* here; NULL: no area on this process */
	size_t nbytes;
	/* relaxed.c */
	uint32_t updates;	/* puts written since the last bsp_read */
	uint32_t read_step;	/* superstep of that */
	const char *read_place;
	struct bspi_origin last;	/* of the last put */
	uint32_t served, announced;	/* gets of this superstep */
	struct bspi_times times;	/* when its updates arrived, if there is a clock */
	/* region.c */
	int32_t older;		/* the next older slot of the same address, -1 */
	bool used;
	bool going;		/* popped, effective at the end of this bsp_sync */
	bool exposed;
	bool refused;		/* cannot be exposed */
	uint32_t wanted_step;	/* superstep after the first in which somebody wanted a window; 0: none did */
	uint64_t age;		/* pushes before it */
	const char *place;	/* of its push */
	uint32_t nonnull;	/* processes that have an area */
	struct bspi_window_note own;	/* if exposed */
	struct bspi_window_note *peers;	/* nprocs, or NULL: none known; to == 0: that one is not */
};

/* An address that is registered, or just pushed; NULL too. */
struct bspi_base {
	char *at;
	int32_t newest;		/* slot in effect, or -1; of NULL always -1; -2: this is unused */
	int32_t next;		/* of the same hash, -1; of an unused one: the next unused one + 1 */
	uint32_t left;		/* registrations that are not popped yet, with those just pushed */
};

/* A push or a pop of this superstep. */
struct bspi_push {
	int32_t base;		/* its number in bases */
	size_t nbytes;		/* of a push */
	uint32_t slot;		/* of a push, from bspi_region_announce() on */
	size_t after;		/* of a pop: pushes of this superstep before it */
	const char *place;
};

/* Process @from wants a window to a region. */
struct bspi_wish {
	int from;
	uint32_t slot;
};

struct bspi_regions {
	/* the last one looked up, while in the SPMD part; else BSPI_NO_BASE */
	const void *last_base;
	const void *base_after_sync;	/* during bsp_sync, of which other threads are to be caught: what the last one will be */
	uint32_t last_slot;
	struct bspi_slot *slots;
	size_t nslots, slots_room;
	uint32_t *free;			/* unused slots, last freed last */
	size_t nfree, free_room;
	struct bspi_base *bases;
	size_t nbases, bases_room;
	int32_t unused_base;		/* the first one + 1; 0: none */
	int32_t *buckets;		/* the first of bases of each hash, -1 */
	size_t nbuckets;		/* a power of two, or 0 */
	uint64_t age;
	struct bspi_push *pushes, *pops;	/* of this superstep */
	size_t npush, push_room, npop, pop_room;
	int64_t *popped;		/* slots that the pops mean; -1 not known yet */
	size_t popped_room;
	uint32_t *nulls;		/* slots that are NULL everywhere, oldest first, from @first_null on */
	size_t nnulls, nulls_room, first_null;
	struct bspi_gone *gone;		/* the last ones popped, in a ring of BSPI_GONE */
	size_t ngone;
	struct bspi_wish *wishes;	/* of this superstep */
	size_t nwishes, wishes_room;
	bool windows;			/* peers have been told of one here: our stamps are needed */
};

/* The newest registration of an address that is in effect, or ends the job. */
uint32_t bspi_region_find_slow(const char *call, const char *place, const void *base);
void bspi_region_push(const char *place, const void *area, size_t nbytes);
void bspi_region_pop(const char *place, const void *area);
/* In bsp_sync: give slots to pushes and find those of pops; tell the others. */
void bspi_region_announce(void);
/* At the end of bsp_sync. */
void bspi_region_settle(void);
/* Process @from transferred to or from the region in a way that a window would speed up. */
void bspi_region_want(int from, uint32_t slot);
/* At the beginning of a superstep: answer the wishes of the last one. */
void bspi_region_answer(void);
/* The window into the region on @pid, or NULL. */
const struct bspi_window_note *bspi_region_way(uint32_t slot, int pid);
void bspi_region_open(void);
void bspi_region_close(void);

/* ---- The engine: superstep.c ---------------------------------------------- */

/* What goes to one process. */
struct bspi_out {
	char *at, *end;		/* room in the open chunk; both NULL if there is none */
	char *chunk;
	struct bspt *t;		/* by which it is reached */
	int peer;		/* its number there */
	uint32_t flags;
	uint32_t sent;		/* chunks of this epoch */
	uint32_t round_at;	/* with BSPI_GOALS: where in the chunk the first of them is */
	bool touched;		/* is in bspi.touched */
	uint64_t owed;		/* bytes of gets that it has not answered */
	size_t volume;		/* bytes of the chunks sent in this superstep */
	size_t hint;		/* the same, one superstep ago */
	size_t min_direct;	/* larger transfers go through windows ... */
	size_t min_bulk;	/* ... or in bulk; SIZE_MAX: they do not */
};

/* A chunk that has arrived. */
struct bspi_arrival {
	char *chunk;
	size_t len;
	int from;
	uint32_t time : 30;	/* its number in clock.c; 0: there is no clock */
	uint32_t copied : 1;	/* its bytes are ours, see hold.c */
	uint32_t done : 1;	/* seen to, and only waits for its turn to be given back */
};

struct bspi_arrivals {
	struct bspi_arrival *at;
	size_t n, room;
	size_t most;			/* n was at most so much since the last bspi_trim() */
};

/* Of the epochs of one parity, the present one and the next. */
struct bspi_count {
	uint64_t arrived;	/* chunks */
	uint64_t expected;
	int ends;		/* processes whose BSPI_END has come */
	uint32_t any, all;	/* or and and of their sums */
};

struct bspi_stat {
	uint64_t puts, gets, msgs, bytes_out, bytes_in;
	uint64_t sync_ns, longest_ns, read_ns;
	uint64_t flights, offloaded;	/* run by processes, and beside them */
};

/* A message that waits, or did, apart from the chunk it came in. */
struct bspi_letter {
	_Alignas(16) uint32_t step;
	uint32_t time;		/* of its chunk, see clock.c */
	uint64_t number;	/* it was the so manieth */
	int32_t from;
	_Alignas(16) struct bspi_msg msg;
};

struct bspi_letters {
	struct bspi_letter **at;
	size_t n, room;
};

struct bspi_queue {
	const struct bspi_msg **at;
	struct bspi_letters pending;	/* nobody expected them yet */
	struct bspi_letters opened;	/* in the queue */
	uint64_t nletters;
	size_t n, room, next;
	size_t most;		/* as that of struct bspi_arrivals */
	uint64_t nbytes;	/* of those not moved */
	bool shown;		/* the program has been told where one is */
};

enum bspi_phase {
	BSPI_BEFORE,
	BSPI_AFTER,
	BSPI_RUNNING,		/* from here on in the SPMD part */
	BSPI_IN_SYNC,		/* in bsp_sync or bsp_end: whoever calls now is another thread */
	BSPI_FORKED,		/* in a child that the program has forked: it may call nothing */
};

enum { BSPI_CARRIERS = 4 };

enum bspi_barrier { BSPI_ALLTOALL, BSPI_COUNTING, BSPI_BY_SCHEDULE };

struct bspi_env {
	int64_t nprocs, stat, tag_output, shuffle, verbose;
	int64_t check;
	uint64_t share, shm_reserve;
	double watchdog, lifeline, discover_wait, join_wait;
	int64_t node_size;
	int64_t spin, yield;	/* us; -1: auto */
	int64_t eager, credit;	/* bytes; -1: auto */
	char transport[32], far[32], provider[64], interface[32], discover[64], part[16], bind[8], sync[8], barrier[32], offload[8], progress[8];
	char emulate[256], report[4096], plugins[1024], coll[1024], params[1024];
};

struct bspi {
	/* what every call looks at */
	enum bspi_phase phase;
	int me, nprocs;
	uint32_t step;
	struct bspi_out *out;		/* nprocs */
	uintptr_t anchor;		/* an address in the program, turned: places travel as distances from it */
	bool slow;			/* nothing is done by the short way */
	struct bspi_observer *observers;	/* of the run, or NULL */
	bool locked;			/* a thread moves schedules on: see progress.c */
	bool in_turn;			/* that thread is at it */
	bool flying;			/* the program has flights under way: each call looks for chunks */
	uint8_t goal_work;		/* of schedules, for bspi_schedules_progress(): see flight.h; 0: none */
	bool relaxed;			/* this epoch is */
	bool turning;			/* the mode changes with this superstep */
	bool was_relaxed;		/* an epoch was relaxed */
	bool clock;			/* the transport has one */
	enum bspi_barrier barrier;	/* how counts travel, after a classic superstep */
	bool ending;			/* in bsp_end */
	const char *operator_of;	/* the call whose operator, of the program, runs; NULL: none */
	bool syncing;
	struct bspi_stat stat;
	struct bspi_regions regions;
	/* what bsp_sync looks at */
	int mode, mode_set;		/* of the last superstep, and set since: BSP_CLASSIC, BSP_RELAXED */
	uint32_t epoch;
	uint32_t sum;			/* of our own collective calls */
	struct bspi_count count[2];	/* of the epochs of even and odd number */
	int *touched;			/* processes sent to in this epoch */
	int ntouched;
	uint32_t due;			/* relaxed: chunks of supersteps before this one take effect when they arrive */
	const struct bspi_head *arriving;	/* of the chunk that takes effect */
	uint32_t time;			/* its number in clock.c */
	bool at_barrier;		/* relaxed: this superstep ends with one, and we are in it */
	bool awaits_news;		/* waiting for a peer to take in more */
	bool tagged;			/* bsp_set_tagsize was called in this epoch */
	const char *tag_place, *mode_place;	/* of the last bsp_set_tagsize, bsp_set_sync */
	struct bspi_arrivals held;	/* in order of arrival */
	struct bspi_arrivals kept;	/* of the last superstep, for its messages */
	uint64_t owed;			/* bytes of gets not answered: the sum of out[].owed */
	size_t nreads;			/* bsp_direct_gets of others that wait for an answer */
	struct bspi_deferred *deferred;	/* in the order of the calls */
	size_t ndeferred, deferred_room, deferred_most;
	struct bspi_unnoted *unnoted;	/* of this superstep */
	size_t nunnoted, unnoted_room, unnoted_most;
	size_t bulks;			/* under way, on either side */
	struct bspt *carriers[BSPI_CARRIERS];	/* to other processes: net, or what it is made of */
	int ncarriers;
	struct bspt *self, *net;	/* transports; net is NULL for one process */
	struct bspi_arrivals stash;	/* polled while nothing may be taken in; from @first_stashed on */
	size_t first_stashed;
	/* tag sizes: of the messages being read, being sent, and set last */
	size_t tag_now, tag_sending, tag_set;
	struct bspi_queue queue;
	struct bspi_flow *flow;		/* nprocs */
	size_t eager;			/* puts of more bytes ask first */
	struct bspt_job job;
	/* what is rarely looked at */
	void (*spmd)(void);		/* of bsp_init */
	int os_pid;			/* of this process; a child that the program forks has another */
	uint64_t began_ns;
	uint64_t dtime_ns;
	struct bspi_env env;
};

extern struct bspi bspi;

/* An address that no program registers. */
#define BSPI_NO_BASE ((const void *)&bspi)

/* Room for @bytes (a multiple of BSPI_ALIGN) in the open chunk to @pid; opens one when needed. */
void *bspi_out_slow(int pid, size_t bytes, size_t *got);

/*
 * The lines that the next records go to were last read by the peer, and those that
 * are read next were last written by it: ask for them early, so many bytes ahead.
 */
enum { BSPI_AHEAD = 768 };

/* A record ends on a multiple of BSPI_ALIGN: what its data leave of its last bytes travels, too, and is to be nothing. */
static inline void bspi_end_in_zeros(char *end)
{
	memset(end - BSPI_ALIGN, 0, BSPI_ALIGN);
}

static inline void *bspi_out_room(int pid, size_t bytes)
{
	struct bspi_out *o = &bspi.out[pid];
	char *at = o->at;

	if (BSPI_UNLIKELY(bytes > (size_t)(o->end - at)))
		return bspi_out_slow(pid, bytes, NULL);
	o->at = at + bytes;
	bspi_end_in_zeros(o->at);
	bspt_prefetch_for_write(o->at + BSPI_AHEAD);
	return at;
}

static inline bool bspi_has_records(const struct bspi_out *o)
{
	return o->chunk && o->at > o->chunk + sizeof(struct bspi_head);
}

void bspi_engine_open(void);
void bspi_engine_close(void);
/* Memory that was idle for long goes back to the system: trim.c. Every so many supersteps; @freed: bytes so far. */
enum { BSPI_TRIM_STEPS = 16 };
void bspi_trim(size_t freed);
/* Take in one chunk, if there is one; or else wait. */
bool bspi_take_in(void);
void bspi_wait(unsigned int *idle);
void bspi_pump(unsigned int *idle);
/* The same where it is shown what for, see status.h. */
void bspi_pump_for(unsigned int *idle, enum bspt_awaited what, uint32_t first, uint32_t second);
/* Take in what is there, if there is something. */
bool bspi_drain(void);
void bspi_out_send(int pid);
/* A chunk to @pid besides the open one, with room for @bytes. */
char *bspi_out_chunk(int pid, size_t bytes, size_t *room);
void bspi_out_send_all(void);
/*
 * While we wait: open the first chunks of the next superstep for those who got more
 * than a short chunk in this one or the last, and ask for their lines, which the peers have
 * read. The wait is about as long as these take to come.
 */
void bspi_make_ready(void);
/* The parts of which bsp_sync is made: see bspi_superstep(). */
void bspi_take_in_own(void);
/* Answer what the held chunks ask for, from the i-th of them on. */
void bspi_serve_requests(size_t i);
/* Held chunks of this superstep take effect; those with messages stay if these are read in place. Or one chunk does. */
void bspi_apply(bool messages_stay);
void bspi_let_take_effect(const struct bspi_arrival *a);
/*
 * In bsp_sync, in the middle of something with what has come: move on what is sent and received. What
 * arrives is only put aside. With @idle it waits if there is nothing, else it comes back at once.
 */
void bspi_pump_aside(unsigned int *idle);

static inline struct bspi_head *bspi_head_of(char *chunk)
{
	return (struct bspi_head *)chunk;
}

/* Is superstep @a before @b? */
static inline bool bspi_before(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

static inline struct bspi_count *bspi_count_now(void)
{
	return &bspi.count[bspi.epoch % 2];
}

/* ---- Answers to gets: answer.c --------------------------------------------- */

void bspi_answers_open(void);
void bspi_answers_close(void);
/* Take in and write all that we are owed: 4 of the list above. */
void bspi_await_answers(void);

/* ---- Counts: classic.c ---------------------------------------------------- */

/* How counts travel at the end of this epoch. */
bool bspi_is_flat(void);
/* Send the open chunks and the counts of this superstep. */
void bspi_classic_announce(void);
/* Take in chunks until all of this superstep are here. */
void bspi_classic_wait(void);

/* The superstep, if all come to the barrier in the same one; else 0. */
uint32_t bspi_step_to_compare(void);

/* The third of the ways: barrier.c. */
/* By which schedule: "knomial:4". False: there is none of that name. */
bool bspi_barrier_choose(const char *name);
/* When the processes are there: by which way, if the network has been measured and the user has not said. */
void bspi_barrier_choose_by_cost(void);
/* How messages call it. */
const char *bspi_barrier_name(void);
void bspi_barrier_open(void);
void bspi_barrier_close(void);
/* Enter it; until it ends: what is in @c. */
void bspi_barrier_announce(void);
void bspi_barrier_wait(struct bspi_count *c);

/* ---- Transfers ------------------------------------------------------------ */

/* A call of bsp_put, bsp_get or their kin. */
struct bspi_transfer {
	const char *call, *place;
	int64_t pid;
	const void *local;	/* address on this process that need not be registered */
	const void *area;	/* registered */
	size_t offset, nbytes;
};

#include "bsplib/engine/record.h"
#include "bsplib/transfer/bulk.h"
#include "bsplib/sync/difference.h"
#include "bsplib/engine/hold.h"
#include "bsplib/sync/relaxed.h"
#include "bsplib/core/status.h"

/* ---- Unbuffered transfers through windows: direct.c ------------------------ */

/* A transfer that waits for its peer to leave the last superstep. */
struct bspi_deferred {
	struct bspi_transfer t;
	uint32_t slot;
	bool get;
	uint64_t window;
	size_t from, to;	/* what of the area goes through it */
};

/* A put that was done at the call and left no record; it counts if the superstep turns out relaxed. */
struct bspi_unnoted {
	struct bspi_transfer t;
	uint32_t slot;
};

void bspi_direct_note(const struct bspi_transfer *t, uint32_t slot);
void bspi_direct_note_all(void);

/* Move the bytes now or in bsp_sync. False if there is no window for them. */
bool bspi_direct_put(const struct bspi_transfer *t, uint32_t slot);
bool bspi_direct_get(const struct bspi_transfer *t, uint32_t slot);
/* At the beginning of bsp_sync: those that had to wait; @barrier: the peers come to one, too. */
void bspi_direct_finish(bool barrier);
void bspi_direct_close(void);

/* ---- Transfers and messages: drma.c, bsmp.c ------------------------------- */

void bspi_put(const char *place, int64_t pid, const void *src, void *dst, size_t offset,
	      size_t nbytes);
void bspi_hpput(const char *place, int64_t pid, const void *src, void *dst, size_t offset,
		size_t nbytes);
void bspi_get(const char *place, int64_t pid, const void *src, size_t offset, void *dst,
	      size_t nbytes);
void bspi_hpget(const char *place, int64_t pid, const void *src, size_t offset, void *dst,
		size_t nbytes);
/* The same for a call of another name. */
void bspi_put_checked(const struct bspi_transfer *t);
void bspi_get_checked(const struct bspi_transfer *t);
/* The part [from, to) of an unbuffered transfer, by chunk. */
void bspi_put_part(const struct bspi_transfer *t, uint32_t slot, size_t from, size_t to);
/* The same as a part of a put that a later record counts; and all of a put, by chunk. */
void bspi_put_uncounted(const struct bspi_transfer *t, uint32_t slot, size_t from, size_t to);
void bspi_put_record(const struct bspi_transfer *t, uint32_t slot, uint32_t flags);
void bspi_put_note(const struct bspi_transfer *t, uint32_t slot);
/* For bulk.c: a record of a put with @bytes more, which are returned; the same on its other side. */
void *bspi_put_announce(const struct bspi_transfer *t, uint32_t what, size_t bytes);
const void *bspi_put_rest(const struct bspi_rec *rec);
/* Where @nbytes of a put go, checked. */
char *bspi_put_target(int from, const struct bspi_rec *rec, size_t nbytes);
/* It is there: an update. */
void bspi_put_count(const struct bspi_origin *origin, uint32_t slot, bool hp);
void bspi_get_part(const struct bspi_transfer *t, uint32_t slot, size_t from, size_t to);
/* Handlers of puts and gets that come, for who wants to see these; and so that puts count as updates, or do not. */
bspi_run bspi_write_puts, bspi_write_put_parts, bspi_answer_gets;
void bspi_puts_count(bool on);
void bspi_drma_open(void);
/* @from has answered so many bytes of our gets, here or announced. */
void bspi_note_answer(int from, size_t nbytes);
/* Where the put or get of a record was called, packed. */
int64_t bspi_place_of(const struct bspi_rec *rec);

/* For gets in other files: false if there is nothing to do; else its slot. Ends the job if the call is wrong. */
bool bspi_get_begin(const struct bspi_transfer *t, uint32_t *slot);
/* The bytes of a transfer to this process itself. */
char *bspi_own_bytes(const struct bspi_transfer *t, uint32_t slot);

/* bsp_direct_get: immediate.c. Open after bspi_begin(), close after bspi_end(). */
void bspi_immediate_get(const char *place, int64_t pid, const void *src, size_t offset, void *dst,
			size_t nbytes);
void bspi_immediate_open(void);
void bspi_immediate_close(void);

void bspi_set_tagsize(const char *place, size_t *nbytes);
void bspi_send(const char *call, const char *place, int64_t pid, const void *tag,
	       const void *payload, size_t nbytes);
/* From now on messages wait for bsp_expect, or join the queue when they take effect. */
void bspi_messages_wait(bool on);
void bspi_queue_open(void);
/*
 * Messages of relaxed supersteps, which wait until somebody expects them:
 * how many there are; the oldest @n join the queue; all vanish.
 */
size_t bspi_pending(void);
void bspi_pending_move(size_t n);
void bspi_pending_vanish(void);
void bspi_queue_clear(void);
void bspi_queue_close(void);
void bspi_queue_shuffle(void);
void bspi_qsize(const char *place, size_t *nmessages, size_t *nbytes);
/* Its length, or -1; @status is only checked, as its type depends on the interface. */
int64_t bspi_get_tag(const char *place, const void *status, void *tag);
void bspi_move(const char *place, void *payload, size_t nbytes);
int64_t bspi_hpmove(const char *place, void **tag, void **payload);

/* ---- Starting and ending: spmd.c ------------------------------------------ */

void bspi_init(const char *place, void (*spmd)(void));
void bspi_begin(const char *place, int64_t maxprocs);
void bspi_end(const char *place);
int bspi_nprocs(void);
double bspi_time(void);
double bspi_dtime(void);
double bspi_cputime(void);

/* ---- Progress between calls: progress.c ------------------------------------ */

/* Start the thread, if there is to be one; whoever holds the lock ends it. */
void bspi_progress_open(const char *place);
void bspi_progress_close(void);
/* At exit of a process: it does nothing more. */
void bspi_progress_stop(void);

/* Around every call that touches what the thread may touch. Calls may be nested. */
static inline void bspi_enter(void)
{
	if (BSPI_UNLIKELY(bspi.locked))
		bspi_hooks.lock();
}

static inline void bspi_leave(void)
{
	if (BSPI_UNLIKELY(bspi.locked))
		bspi_hooks.unlock();
}

/* ---- Settings: env.c ------------------------------------------------------ */

/* Read all settings from the environment; a bad one ends the program. */
void bspi_env_read(struct bspi_env *env);
/* Print a notice for each setting whose value has a new name; one such notice. */
void bspi_env_announce_renamed(void);
void bspi_env_warn_renamed(const char *variable, const char *old, const char *current);

/* ---- Statistics: stat.c --------------------------------------------------- */

/* Bits of bspi.env.stat. */
enum { BSPI_PRINT = 1, BSPI_REPORT_FILE = 2 };

/* Before the processes exist: for which file; when they do: observe, as the settings ask for it. */
void bspi_stat_choose(void);
void bspi_stat_open(void);

/* ---- Checking: check.c; the rest of it is in check.h ------------------------------ */

/* If bspi.env.check asks for it the program runs with barriers, and what it says of relaxed supersteps is compared. */
void bspi_check_open(void);

/* ---- Errors: error.c, address.c ---------------------------------------------- */

#include "bsplib/core/site.h"
#include "bsplib/core/error.h"

#include "bsplib/core/phase.h"

/* Sizes arrive sign-extended from either interface, so a negative one has its top bit set. */
static inline bool bspi_negative(size_t n)
{
	return n > SIZE_MAX / 2;
}

/* Room for one more element of @size in an array; the array may move. Ends the job when there is no memory. */
void *bspi_grow(void *array, size_t n, size_t size, size_t *room);

#endif
