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
 *		4 answers to our own gets are taken in and written
 *		5 puts are written, messages queued, registrations take effect
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
 * All of this belongs to the one thread that makes the calls.
 */
#ifndef BSPI_H
#define BSPI_H

#include "transport/transport.h"
#include "transport/wireup/wireup.h"

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
};

/* A chunk begins with this; records follow, each on a multiple of 8 from the start of the chunk. */
struct bspi_head {
	uint32_t step;
	uint32_t flags;
	uint32_t sent;		/* chunks of this superstep to this process, with this one */
	uint32_t sum;		/* of the collective calls of this superstep, see classic.c */
};

enum bspi_kind {
	BSPI_PAD,		/* struct bspi_pad: nothing */
	BSPI_PUT,		/* data follow */
	BSPI_GET,		/* the address it goes to follows, 8 bytes */
	BSPI_DATA,		/* answer to a get: data follow */
	BSPI_MSG,		/* struct bspi_msg, on a multiple of 16 */
	BSPI_REG,		/* what was pushed and popped: struct bspi_reg_note and int32_t's follow */
	BSPI_WINDOW,		/* answer to BSPI_WANT: struct bspi_window_note follows */
	BSPI_WHAT,		/* struct bspi_detail follows */
	BSPI_STAT,		/* a row of stat.c follows */
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
		uint64_t dst;	/* BSPI_DATA: address on the process that asked */
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

/* The collective calls of one superstep, as process 0 wants to know them when they differ. */
struct bspi_detail {
	uint64_t npush, npop, tag_bytes;
	uint64_t ended;
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

/* One registration, the same number on all processes. */
struct bspi_slot {
	char *base;		/* here; NULL: no area on this process */
	size_t nbytes;
	int32_t next;		/* older slot of the same hash, -1 */
	bool used;
	bool going;		/* popped, effective at the end of this bsp_sync */
	bool exposed;
	bool refused;		/* cannot be exposed */
	uint32_t wanted_step;	/* superstep after the first in which somebody wanted a window; 0: none did */
	uint64_t age;		/* pushes before it */
	uint32_t nonnull;	/* processes that have an area */
	struct bspi_window_note own;	/* if exposed */
	struct bspi_window_note *peers;	/* nprocs, or NULL: none known; to == 0: that one is not */
};

/* A push or a pop of this superstep. */
struct bspi_push {
	char *base;
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
	uint32_t last_slot;
	struct bspi_slot *slots;
	size_t nslots, slots_room;
	uint32_t *free;			/* unused slots, last freed last */
	size_t nfree, free_room;
	int32_t *buckets;		/* newest slot of each hash, -1 */
	size_t nbuckets;		/* a power of two, or 0 */
	uint64_t age;
	struct bspi_push *pushes, *pops;	/* of this superstep */
	size_t npush, push_room, npop, pop_room;
	int64_t *popped;		/* slots that the pops mean; -1 not known yet */
	size_t popped_room;
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
/* What process @from announced. */
void bspi_region_hear(int from, const struct bspi_rec *rec);
/* At the end of bsp_sync. */
void bspi_region_settle(void);
/* Process @from transferred to or from the region in a way that a window would speed up. */
void bspi_region_want(int from, uint32_t slot);
/* At the beginning of a superstep: answer the wishes of the last one. */
void bspi_region_answer(void);
/* Process @from answered a wish of ours. */
void bspi_region_window(int from, const struct bspi_rec *rec);
/* The window into the region on @pid, or NULL. */
const struct bspi_window_note *bspi_region_way(uint32_t slot, int pid);
void bspi_region_close(void);

/* ---- The engine: superstep.c ---------------------------------------------- */

/* What goes to one process. */
struct bspi_out {
	char *at, *end;		/* room in the open chunk; both NULL if there is none */
	char *chunk;
	struct bspt *t;		/* by which it is reached */
	uint32_t flags;
	uint32_t sent;		/* chunks of this superstep */
	bool touched;		/* is in bspi.touched */
	size_t volume;		/* bytes of the chunks sent in it */
	size_t hint;		/* the same, one superstep ago */
};

/* A chunk that has arrived. */
struct bspi_arrival {
	char *chunk;
	size_t len;
	int from;
};

struct bspi_arrivals {
	struct bspi_arrival *at;
	size_t n, room;
};

/* Of the supersteps of one parity, the present one and the next. */
struct bspi_count {
	uint64_t arrived;	/* chunks */
	uint64_t expected;
	int ends;		/* processes whose BSPI_END has come */
	uint32_t any, all;	/* or and and of their sums */
};

struct bspi_stat {
	uint64_t puts, gets, msgs, bytes_out, bytes_in;
	uint64_t sync_ns, longest_ns;
};

struct bspi_queue {
	const struct bspi_msg **at;
	size_t n, room, next;
	uint64_t nbytes;	/* of those not moved */
};

enum bspi_phase { BSPI_BEFORE, BSPI_RUNNING, BSPI_AFTER };

struct bspi_env {
	int64_t nprocs, stat, tag_output, shuffle, verbose;
	uint64_t share, shm_reserve;
	double watchdog;
	int64_t spin, yield;	/* us; -1: auto */
	char transport[32], bind[8], sync[8];
};

struct bspi {
	enum bspi_phase phase;
	int me, nprocs;
	uint32_t step;
	struct bspi_out *out;		/* nprocs */
	uintptr_t anchor;		/* in the program: places travel as distances from it */
	struct bspi_regions regions;
	uint64_t owed;			/* bytes of gets not answered */
	struct bspi_deferred *deferred;	/* in the order of the calls */
	size_t ndeferred, deferred_room;
	size_t min_direct;		/* SIZE_MAX: no windows */
	/* tag sizes: of the messages being read, being sent, and set last */
	size_t tag_now, tag_sending, tag_set;
	struct bspi_queue queue;
	struct bspi_arrivals held;	/* in order of arrival */
	struct bspi_arrivals kept;	/* of the last superstep, for its messages */
	struct bspi_count count[2];
	int *touched;			/* processes with something to send */
	int ntouched;
	uint32_t sum;			/* of our own collective calls */
	bool flat;			/* how counts travel */
	struct bspt *self, *net;	/* transports; net is NULL for one process */
	struct bspt_job job;
	struct bspi_env env;
	struct bspi_stat stat;
	void (*spmd)(void);		/* of bsp_init */
	int os_pid;			/* of this process; a child that the program forks has another */
	uint64_t began_ns;
	uint64_t dtime_ns;
	bool ending;			/* in bsp_end */
	bool syncing;
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

static inline void *bspi_out_room(int pid, size_t bytes)
{
	struct bspi_out *o = &bspi.out[pid];
	char *at = o->at;

	if (BSPI_UNLIKELY(bytes > (size_t)(o->end - at)))
		return bspi_out_slow(pid, bytes, NULL);
	o->at = at + bytes;
	bspt_prefetch_for_write(o->at + BSPI_AHEAD);
	return at;
}

static inline bool bspi_has_records(const struct bspi_out *o)
{
	return o->chunk && o->at > o->chunk + sizeof(struct bspi_head);
}

void bspi_engine_open(void);
void bspi_engine_close(void);
/* End the superstep; @ending: in bsp_end, where what is left to do is dropped. */
void bspi_superstep(const char *place, bool ending);
/* Take in one chunk, or wait. */
void bspi_pump(unsigned int *idle);
void bspi_out_send(int pid);

/* ---- Counts: classic.c ---------------------------------------------------- */

/* Send the open chunks and the counts of this superstep. */
void bspi_classic_announce(void);
/* Take in chunks until all of this superstep are here. */
void bspi_classic_wait(void);

/* ---- Unbuffered transfers through windows: direct.c ------------------------ */

/* A call of bsp_put, bsp_get or their kin. */
struct bspi_transfer {
	const char *call, *place;
	int64_t pid;
	const void *local;	/* address on this process that need not be registered */
	const void *area;	/* registered */
	size_t offset, nbytes;
};

/* A transfer that waits for its peer to leave the last superstep. */
struct bspi_deferred {
	int pid;
	bool get;
	uint64_t window, offset;
	char *local;
	size_t nbytes;
};

/* Move the bytes now or in bsp_sync. False if there is no window for them. */
bool bspi_direct_put(const struct bspi_transfer *t, uint32_t slot);
bool bspi_direct_get(const struct bspi_transfer *t, uint32_t slot);
/* At the beginning of bsp_sync: those that had to wait. */
void bspi_direct_finish(void);

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
void bspi_get_part(const struct bspi_transfer *t, uint32_t slot, size_t from, size_t to);
/*
 * What is done with arrived records: @at is one of a kind, and those of the same
 * kind that follow it, up to @end, are done with it. Returns where it stopped.
 */
typedef const char *bspi_run(int from, const char *at, const char *end);
bspi_run bspi_write_puts, bspi_serve_gets, bspi_write_data;

void bspi_set_tagsize(const char *place, size_t *nbytes);
void bspi_send(const char *call, const char *place, int64_t pid, const void *tag,
	       const void *payload, size_t nbytes);
bspi_run bspi_queue_add;
void bspi_queue_clear(void);
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

/* ---- Settings: env.c ------------------------------------------------------ */

/* Read all settings from the environment; a bad one ends the program. */
void bspi_env_read(struct bspi_env *env);

/* ---- Statistics: stat.c --------------------------------------------------- */

void bspi_stat_sync(uint64_t ns);
void bspi_stat_send(void);
void bspi_stat_hear(int from, const struct bspi_rec *rec);
void bspi_stat_print(void);

/* ---- Errors: error.c ------------------------------------------------------ */

/* End the job with a message about this process. */
_Noreturn __attribute__((format(printf, 3, 4), cold))
void bspi_fail(const char *call, const char *place, const char *format, ...);

/* The same about a call that process @pid made in superstep @step, at a packed place. */
_Noreturn __attribute__((format(printf, 5, 6), cold))
void bspi_fail_of(int pid, uint32_t step, const char *call, int64_t place,
		  const char *format, ...);

_Noreturn __attribute__((cold))
void bspi_fail_va(const char *call, const char *place, const char *format, va_list args);

/* The call was made outside the SPMD part. */
_Noreturn __attribute__((cold)) void bspi_fail_phase(const char *call, const char *place);

_Noreturn __attribute__((cold)) void bspi_fail_memory(const char *call, const char *place);

/* At exit of a process that has not called bsp_end. */
void bspi_at_exit(int status, void *unused);

/* A text for a packed place, or NULL. */
const char *bspi_place_unpack(int64_t place);

/* As a distance from bspi.anchor, which is the same in all processes; INT32_MIN: not known. */
static inline int64_t bspi_place_pack(const char *place)
{
	return place ? (int64_t)((uintptr_t)place - bspi.anchor) : INT32_MIN;
}

static inline void bspi_require_running(const char *call, const char *place)
{
	if (BSPI_UNLIKELY(bspi.phase != BSPI_RUNNING))
		bspi_fail_phase(call, place);
}

/* Sizes arrive sign-extended from either interface, so a negative one has its top bit set. */
static inline bool bspi_negative(size_t n)
{
	return n > SIZE_MAX / 2;
}

/* Room for one more element of @size in an array; the array may move. Ends the job when there is no memory. */
void *bspi_grow(void *array, size_t n, size_t size, size_t *room);

#endif
