/* SPDX-License-Identifier: BSD-3-Clause */
/* state.h - the state of the job that every part looks at. */
#ifndef BSPI_STATE_H
#define BSPI_STATE_H

#include "bsplib/core/base.h"
#include "bsplib/core/env.h"
#include "bsplib/core/hooks.h"
#include "transport/transport.h"
#include "job/job.h"

struct bspi_observer;

enum bspi_phase {
	BSPI_BEFORE,
	BSPI_AFTER,
	BSPI_RUNNING,		/* from here on in the SPMD part */
	BSPI_IN_SYNC,		/* in bsp_sync or bsp_end: a call now is made by another thread */
	BSPI_FORKED,		/* in a child that the program has forked: it may call nothing */
};

/*
 * How supersteps end. A value has these bits: puts are counted, and chunks wait for their
 * superstep; messages wait for bsp_expect; the mode changes at the barrier of this bsp_sync; it is
 * to change in the next one, as bsp_set_sync has said. sync/relaxed.c alone sets these. Beside
 * them, of sync/neighbors.c: neighbours have been set in this superstep; that, or a list of them is
 * in effect.
 */
enum {
	BSPI_MODE_COUNTS = 1, BSPI_MODE_WAITS = 2, BSPI_MODE_TURNS = 4, BSPI_MODE_SET = 8,
	BSPI_MODE_ASKED = 16, BSPI_MODE_NEIGHBORS = 32,
};

enum bspi_mode {
	BSPI_CLASSIC = 0,
	BSPI_RELAXED = BSPI_MODE_WAITS | BSPI_MODE_COUNTS,
	/* relaxed for the program, but with barriers: by BSP_SYNC=classic or the checker */
	BSPI_OVERRIDDEN = BSPI_MODE_WAITS,
	/* in the bsp_sync between them */
	BSPI_TO_RELAXED = BSPI_RELAXED | BSPI_MODE_TURNS,
	BSPI_FROM_RELAXED = BSPI_MODE_COUNTS | BSPI_MODE_TURNS,
	BSPI_TO_OVERRIDDEN = BSPI_OVERRIDDEN | BSPI_MODE_TURNS,
	BSPI_FROM_OVERRIDDEN = BSPI_MODE_TURNS,
};

/* The activity of a process: it computes, or is in a call that communicates. */
enum bspi_activity {
	BSPI_COMPUTES,
	BSPI_SYNCS,		/* bsp_sync and bsp_end ... */
	BSPI_AWAITS_CREDIT,	/* ... in which it waits for peers that are too far behind */
	BSPI_READS,		/* bsp_read, bsp_direct_get */
	BSPI_EXPECTS,		/* bsp_expect */
	BSPI_COLLECTIVES,	/* collective calls, their tests and waits */
	BSPI_SCHEDULES,		/* goal_load, goal_start, goal_test, goal_wait */
	BSPI_ACTIVITIES
};

/* Calls and bytes of this process. */
struct bspi_stat {
	/* bytes: also those of the program's schedules and of collective calls */
	uint64_t puts, gets, msgs, bytes_out, bytes_in;
	uint64_t collectives, collective_bytes;	/* calls, and the bytes that they were given */
	uint64_t ns[BSPI_ACTIVITIES], longest_ns;	/* the longest bsp_sync */
	uint64_t processor_ns;		/* of processors, while it computed; only if printed */
	uint64_t runs, offloaded;	/* run by processes, and beside them */
};

/*
 * It belongs to the one thread that makes the calls, or to the holder of the lock of
 * schedule/progress.c. State that one part alone needs is with that part: struct
 * bspi_engine, struct bspi_regions and so on.
 */
struct bspi {
	enum bspi_phase phase;
	int me, nprocs;
	/* processes below may be put to, read and sent to without a look at transfer/reach.h */
	int reach;
	uint32_t step;
	/* an address in the program, turned: call sites travel as distances from it */
	uintptr_t site_base;
	struct bspi_observer *observers;	/* of the run, or NULL */

	/* the flags of core/hooks.h, which calls and bsp_sync look at */
	bool locked;			/* a thread moves schedules on: schedule/progress.c */
	/* the program has runs under way: each call looks for chunks */
	bool flying;
	uint8_t goal_work;		/* of schedules: schedule/run.h; 0: none */
	uint8_t mode;			/* enum bspi_mode */
	/* calls of bsp_direct_get of others that wait for an answer */
	size_t nreads;
	size_t bulks;			/* transfers in bulk under way, on either side */

	bool slow;			/* nothing is done on the fast path */
	/* supersteps have barriers of two phases: transfer/twophase.h */
	bool two_phases;
	bool consensus;			/* BSP_BARRIER=nbx: chunks are acknowledged */
	bool in_turn;			/* the thread that moves schedules on is at work */
	bool clock;			/* the transport has one */
	bool metered;			/* it, or an observer, counts what is computed */
	bool syncing;			/* in bsp_sync or bsp_end */
	bool ending;			/* in bsp_end */
	size_t eager;			/* puts of more bytes ask first */
	/* the call whose operator, of the program, runs; NULL: none */
	const char *operator_of;
	struct bspi_stat stat;

	struct bspt *self, *net;	/* transports; net is NULL for one process */
	struct bspj_job job;
	/* of this process; a child that the program forks has another */
	int os_pid;
	uint64_t began_ns, dtime_ns;	/* bsp_begin; the last bsp_dtime */
	struct bspi_env env;
};

extern struct bspi bspi;

/* This epoch is relaxed. */
static inline bool bspi_is_relaxed(void)
{
	return bspi.mode & BSPI_MODE_COUNTS;
}

/* The program wants the superstep relaxed that ended last, or ends now; whatever it is. */
static inline bool bspi_wants_relaxed(void)
{
	return bspi.mode & BSPI_MODE_WAITS;
}

/* The program wants the next superstep relaxed, as far as it has said. */
static inline bool bspi_asks_relaxed(void)
{
	return bspi_wants_relaxed() != !!(bspi.mode & BSPI_MODE_ASKED);
}

/* In bsp_sync: the mode changes. */
static inline bool bspi_mode_turns(void)
{
	return bspi.mode & BSPI_MODE_TURNS;
}

/* An address that no program registers. */
#define BSPI_NO_BASE ((const void *)&bspi)

/* Around every call that uses state of the progress thread. Calls may be nested. */
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

#endif
