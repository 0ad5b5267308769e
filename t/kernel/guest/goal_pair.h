/* SPDX-License-Identifier: BSD-3-Clause */
/* goal_pair.h - test programs in a guest: schedules of two processes, most of which match. */

/* Each has two buffers of at most PAIR_BYTES. One that meets ends only if the peer runs it. */
#ifndef GUEST_GOAL_PAIR_H
#define GUEST_GOAL_PAIR_H

#include "guest.h"

#include "goal.h"
#include "goal_task.h"

enum { PAIR_BYTES = 1 << 16, PAIR_SOURCE = 0, PAIR_TARGET = 1 };

static inline void pair_generate(struct goal_graph *g, int rank, enum goal_kind kind,
				 const char *algorithm, uint64_t bytes)
{
	struct goal_task task = task_of(kind, algorithm, bytes);

	task.source = PAIR_SOURCE;
	task.target = PAIR_TARGET;
	task.algorithm->generate(g, &task, 2, rank);
}

static inline void pair_barrier(struct goal_graph *g, int rank)
{
	pair_generate(g, rank, GOAL_BARRIER, "dissemination", 0);
}

static inline void pair_sum(struct goal_graph *g, int rank)
{
	pair_generate(g, rank, GOAL_ALLREDUCE, "recursive-doubling", sizeof(double));
}

static inline void pair_sums(struct goal_graph *g, int rank)
{
	pair_generate(g, rank, GOAL_ALLREDUCE, "recursive-doubling", 4000 * sizeof(double));
}

static inline void pair_exchange(struct goal_graph *g, int rank)
{
	pair_generate(g, rank, GOAL_EXCHANGE, "direct-rotated", PAIR_BYTES / 2);
}

static inline void pair_bcast(struct goal_graph *g, int rank)
{
	pair_generate(g, rank, GOAL_BCAST, "binomial", PAIR_BYTES);
}

/* One frame; more than a frame. */
static inline void pair_multicasts(struct goal_graph *g, int rank)
{
	goal_multicast(g, 1000, GOAL_AT(PAIR_SOURCE, 8), 1);
	goal_recv(g, 1000, GOAL_AT(PAIR_TARGET, 0), !rank, 1);
	goal_multicast(g, 20000, GOAL_AT(PAIR_SOURCE, 1), 2);
	goal_recv(g, 20000, GOAL_AT(PAIR_TARGET, 1001), !rank, 2);
}

/* Each in three pieces; received in the other order, by a process that may be any. */
static inline void pair_sizes(struct goal_graph *g, int rank)
{
	static const uint64_t sizes[] = { 8, 9, 100, 1460, 1500, 4097, 8192, 20000 };
	enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };
	int last = -1;

	for (int i = 0; i < SIZES; i++) {
		uint64_t third = sizes[i] / 3;
		struct goal_piece pieces[] = {
			{ GOAL_AT(PAIR_SOURCE, sizes[i]), third },
			{ GOAL_AT(PAIR_SOURCE, 1), third },
			{ GOAL_AT(PAIR_SOURCE, 3 * i), sizes[i] - 2 * third },
		};

		goal_send_list(g, pieces, 3, !rank, (uint32_t)i);
	}
	for (int i = SIZES - 1; i >= 0; i--) {
		int op = goal_recv(g, sizes[i], GOAL_AT(PAIR_TARGET, sizes[i]),
				   i % 2 ? (int)GOAL_ANY : !rank, (uint32_t)i);

		if (last >= 0 && i % 3 == 0)
			goal_requires(g, op, last);
		last = op;
	}
}

static inline void pair_nowhere(struct goal_graph *g, int rank)
{
	goal_send(g, PAIR_BYTES, GOAL_AT(PAIR_SOURCE, 0), !rank, 0);
	goal_recv(g, 8, GOAL_NOWHERE, !rank, 0);
}

/* Nothing of the other process. */
static inline void pair_local(struct goal_graph *g, int rank)
{
	uint64_t scratch = goal_scratch(g, 64);
	int time, copy, sum;

	time = goal_local(g, GOAL_TIMESTAMP, GOAL_U64, 8, GOAL_AT(GOAL_SCRATCHPAD, scratch),
			  GOAL_NOWHERE);
	copy = goal_local(g, GOAL_COPY, GOAL_NONE, PAIR_BYTES, GOAL_AT(PAIR_TARGET, 0),
			  GOAL_AT(PAIR_SOURCE, 0));
	sum = goal_local(g, GOAL_MUL, GOAL_F64, 4096, GOAL_AT(PAIR_TARGET, 0),
			 GOAL_AT(PAIR_SOURCE, 4096));
	goal_requires(g, copy, time);
	goal_requires(g, sum, copy);
	goal_requires(g, goal_calc(g, (uint64_t)rank + 1), sum);
}

/* Rank 1 receives the last of three, and sends what is not received. */
static inline void pair_unwanted(struct goal_graph *g, int rank)
{
	for (uint32_t tag = 0; tag < 3 && rank == 0; tag++)
		goal_send(g, 8, GOAL_AT(PAIR_SOURCE, 8 * tag), 1, tag);
	if (rank == 1) {
		goal_recv(g, 8, GOAL_AT(PAIR_TARGET, 0), 0, 2);
		goal_send(g, 4096, GOAL_AT(PAIR_SOURCE, 0), 0, 3);
	}
}

/* It waits until its job ends. */
static inline void pair_never_sent(struct goal_graph *g, int rank)
{
	goal_send(g, 3000, GOAL_AT(PAIR_SOURCE, 0), !rank, 0);
	goal_recv(g, 3000, GOAL_AT(PAIR_TARGET, 0), !rank, 1);
}

/* It ends the job. */
static inline void pair_wrong_length(struct goal_graph *g, int rank)
{
	goal_send(g, 16, GOAL_AT(PAIR_SOURCE, 0), !rank, 0);
	goal_recv(g, 8, GOAL_AT(PAIR_TARGET, 0), !rank, 0);
}

static const struct pair_schedule {
	void (*add)(struct goal_graph *g, int rank);
	bool meets;
} pair_schedules[] = {
	{ pair_barrier, true }, { pair_sum, true }, { pair_sums, true }, { pair_exchange, true },
	{ pair_multicasts, true }, { pair_sizes, true }, { pair_nowhere, true },
	{ pair_bcast, false }, { pair_local, false }, { pair_unwanted, false },
	/* The last two do harm. */
	{ pair_never_sent, false }, { pair_wrong_length, false },
};

enum { PAIR_SCHEDULES = sizeof(pair_schedules) / sizeof(pair_schedules[0]),
       PAIR_GOOD = PAIR_SCHEDULES - 2 };

/* The block of a process, for malloc()ed memory. */
static inline void *pair_compile(int which, int rank, size_t *len)
{
	struct goal_graph *g = goal_graph_create(2, rank);
	void *block;

	goal_buffer(g);
	goal_buffer(g);
	pair_schedules[which].add(g, rank);
	block = goal_compile(g, len);
	if (!block)
		bail(goal_graph_error(g));
	goal_graph_destroy(g);
	return block;
}

#endif
