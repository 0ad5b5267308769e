/* SPDX-License-Identifier: BSD-3-Clause */
/* soak_collective.h - a collective operation or the run of a schedule: everywhere, and here. */
#ifndef SOAK_COLLECTIVE_H
#define SOAK_COLLECTIVE_H

#include "soak.h"

#include <bsp_goal.h>

enum { SCHEDULES = 4, MESSAGES = 24, MOST_BLOCK = 20000 };

enum what {
	BCAST, GATHER, SCATTER, ALLGATHER, EXCHANGE, REDUCE, ALLREDUCE, PREFIX, FOLD, SCAN,
	GATHERV, SCATTERV, ALLGATHERV, EXCHANGEV, REDUCE_SCATTER,	/* soak_lengths.c */
	OPERATIONS, RUN = OPERATIONS, UNLOAD,
};

/* All processes know all messages. */
struct schedule {
	struct goal_schedule *loaded;	/* here */
	bool used, leaves;
	int runs;			/* under way */
	int nmessages;
	struct {
		int from, to;
		size_t nbytes;
		int after;		/* its operations wait for those of this message; NONE */
	} message[MESSAGES];
};

struct buffer {
	char *memory;
	size_t nbytes;
};

struct collective {
	enum what what;
	bool blocks, in_place;
	int root, op;
	const struct element *element;
	size_t n;			/* bytes of a block, or elements */
	uint32_t seed;
	int made;			/* superstep */
	int start[PROCS];		/* superstep in which each process starts it */
	int all_started, deadline;
	struct schedule *schedule;
	/* of this process */
	bool started, over;
	struct buffer from, to;
	char *src, *dst;
	bsp_request request;
	struct goal_request *run;
};

/* ---- soak_operation.c -------------------------------------------------------- */

/* Memory between bytes that must stay as they are, and whether they do. */
void soak_make_buffer(struct buffer *b, size_t nbytes);
char *soak_start_of(const struct buffer *b);
bool soak_is_guarded(const struct buffer *b);
/* All but the times. */
void soak_choose_operation(struct collective *c);
/* Buffers, and the call: it is over if it blocks. */
void soak_start_operation(struct collective *c);
long soak_wrong_result(const struct collective *c);

/* ---- soak_lengths.c -------------------------------------------------------- */

/* The same of operations with a length for each process, of at most c->n bytes or elements. */
static inline bool soak_has_lengths(const struct collective *c)
{
	return c->what >= GATHERV && c->what < OPERATIONS;
}

void soak_start_lengths(struct collective *c);
long soak_wrong_lengths(const struct collective *c);

/* ---- soak_schedule.c -------------------------------------------------------- */

/* The run of one, or its unloading; false: not now. */
bool soak_choose_schedule(struct collective *c);
/* Loaded, if it is not, and started; waited for if it blocks. */
void soak_start_run(struct collective *c);
void soak_unload(struct schedule *s);
long soak_wrong_messages(const struct collective *c);

#endif
