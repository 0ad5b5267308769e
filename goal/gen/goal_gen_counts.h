/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_gen_counts.h - messages of a barrier, with what it carries. */

/*
 * A message holds the words any and all, and then the counts for one or two runs of processes,
 * which sender and receiver name by the processes' numbers. A process that receives counts for
 * others adds them to its own. A barrier that carries nothing has the same messages, empty.
 */
#ifndef GOAL_GEN_COUNTS_H
#define GOAL_GEN_COUNTS_H

#include "goal/gen/goal_gen.h"

/* Counts for @n processes from @first on; after the last process comes the first. */
struct goal_counts_run {
	int first, n;
};

struct goal_message {
	int peer;
	uint32_t tag;
	unsigned int nic;
	struct goal_counts_run run[2];
};

/* One process's part of a barrier while it is generated. */
struct goal_barrier {
	struct goal_graph *g;
	int nprocs, me;
	const struct goal_task *task;
	struct goal_counts *counts;	/* NULL: it carries nothing */
	uint64_t zeros;			/* where there are nprocs words that stay 0 */
	int ours;			/* processes for which numbers come in: one, or a node */
};

/* Says where the counts are. */
void goal_counts_init(struct goal_barrier *b);

/* Send it. The operation; what it waits for is the caller's business. */
int goal_counts_send(const struct goal_barrier *b, const struct goal_message *m);

/*
 * Receive it and add it up. Returns the operation that is the last one. @after: an operation that
 * reads what is changed, and so must have ended before; -1 if there is none.
 */
int goal_counts_fold(const struct goal_barrier *b, const struct goal_message *m, int after);

/*
 * Receive the end of a barrier: any and all, and the final counts of the run, which begins with
 * this process. *@totals is where those are. Returns the receive.
 */
int goal_counts_get(const struct goal_barrier *b, const struct goal_message *m, uint64_t *totals);
/* The same of a multicast, in which are the counts of all processes. */
int goal_counts_get_multicast(const struct goal_barrier *b, const struct goal_message *m);

/* Send such an end on to a child; @totals: where the first of its counts is. */
int goal_counts_put(const struct goal_barrier *b, const struct goal_message *m, uint64_t totals);
int goal_counts_put_multicast(const struct goal_barrier *b, uint32_t tag);

/* Set the counts to 0 when @after has ended; -1 if there are only words. */
int goal_counts_clear(const struct goal_barrier *b, int after);
/* The same where those for this process are now in the first of them: keeps that one. */
int goal_counts_take(const struct goal_barrier *b, int after);

#endif
