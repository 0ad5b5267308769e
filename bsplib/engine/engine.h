/* SPDX-License-Identifier: BSD-3-Clause */
/* engine.h - the state of the engine: chunks to each process and from it. */
#ifndef BSPI_ENGINE_H
#define BSPI_ENGINE_H

#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"

struct bspi_flow;

/*
 * The way out to one process: its open chunk, and counts. Zero, and so no memory but a place in the
 * table, until this process first has to do with that one: bspi_out_of().
 */
struct bspi_out {
	char *at, *end;		/* room in the open chunk; both NULL if there is none */
	char *chunk;
	struct bspt *t;		/* by which it is reached; NULL: not asked yet */
	int peer;		/* its number there */
	uint32_t flags;
	uint32_t sent;		/* chunks of this epoch */
	uint32_t round_at;	/* with BSPI_GOALS: where in the chunk the first of them is */
	bool touched;		/* is in bspi_engine.touched */
	bool aside;		/* is in bspi_engine.aside */
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

/* Chunks of the epochs of one parity: of the present epoch, or the next one. */
struct bspi_count {
	uint64_t arrived;	/* chunks */
	uint64_t expected;
	int ends;		/* processes whose BSPI_END has come */
	int lasts;		/* ... whose BSPI_LAST has */
	uint32_t any, all;	/* or and and of their sums */
};

/* The stage of bsp_sync that arrivals depend on. */
enum bspi_stage {
	BSPI_STAGE_NONE,
	BSPI_STAGE_BARRIER,	/* the superstep ends with one, which this process has come to */
	BSPI_STAGE_CREDIT,	/* it ends without; this process waits for a peer to take in more */
};

enum { BSPI_CARRIERS = 4 };

struct bspi_engine {
	struct bspi_out *out;		/* nprocs */
	int *touched;			/* processes sent to in this epoch */
	int ntouched;
	/* those of a relaxed epoch, touched or not, that once got nothing in two supersteps */
	int *aside;
	int naside;
	int *asking;			/* processes whose gets are being answered */
	int nasking;
	uint32_t epoch;
	uint32_t sum;			/* of our own collective calls: sync/classic.c */
	struct bspi_count count[2];	/* of the epochs of even and odd number */
	uint64_t owed;			/* bytes of gets not answered: the sum of out[].owed */
	struct bspi_flow *flow;		/* nprocs */
	uint32_t credit;		/* units of flow.h that a peer may leave unread */

	bool long_queues;		/* some of those below or in flow[] are for bspi_trim() */
	struct bspi_arrivals held;	/* in order of arrival */
	struct bspi_arrivals kept;	/* of the last superstep, for its messages */
	/* polled while nothing may be taken in; from @first_stashed on */
	struct bspi_arrivals stash;
	size_t first_stashed;
	const struct bspi_head *arriving;	/* of the chunk that takes effect */
	uint32_t time;			/* its number in clock.c */
	/* relaxed: chunks of supersteps before this one take effect when they arrive */
	uint32_t due;
	enum bspi_stage stage;
	bool opening;		/* a chunk is waited for, outside of bsp_sync: send no other one */

	/* to other processes: net, or the transports it is made of */
	struct bspt *carriers[BSPI_CARRIERS];
	int ncarriers;
};

extern struct bspi_engine bspi_engine;

/* state.c: ask how @pid is reached, the first time. */
void bspi_out_reach(int pid);

/*
 * The way out to @pid. Other functions may look at its open chunk, flags and counts, which are zero
 * before; its transport, and what that can do, are known after this alone.
 */
static inline struct bspi_out *bspi_out_of(int pid)
{
	struct bspi_out *o = &bspi_engine.out[pid];

	if (BSPI_UNLIKELY(!o->t))
		bspi_out_reach(pid);
	return o;
}

static inline struct bspi_count *bspi_count_now(void)
{
	return &bspi_engine.count[bspi_engine.epoch % 2];
}

/*
 * After a barrier: the counters of the epoch that is over become those of the one after the next;
 * processes whose next chunk is open stay touched.
 */
static inline void bspi_engine_begin_epoch(void)
{
	int ready = 0;

	*bspi_count_now() = (struct bspi_count){ .all = UINT32_MAX };
	for (int i = 0; i < bspi_engine.ntouched; i++) {
		struct bspi_out *o = &bspi_engine.out[bspi_engine.touched[i]];

		o->hint = o->volume;
		o->volume = 0;
		o->sent = 0;
		o->touched = o->chunk != NULL;
		if (o->touched)
			bspi_engine.touched[ready++] = bspi_engine.touched[i];
	}
	bspi_engine.ntouched = ready;
	bspi_engine.stage = BSPI_STAGE_NONE;
	bspi_engine.epoch++;
}

static inline void bspi_engine_enter(enum bspi_stage stage)
{
	bspi_engine.stage = stage;
}

/* Chunks of supersteps before this one take effect when they arrive. */
static inline void bspi_engine_begin_superstep(void)
{
	bspi.step++;
	bspi_engine.due = bspi.step;
}

void bspi_engine_open(void);
void bspi_engine_close(void);

#endif
