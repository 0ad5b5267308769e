/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_sim_queue.h - events of the simulator, in the order of time. */
#ifndef GOAL_SIM_QUEUE_H
#define GOAL_SIM_QUEUE_H

#include "goal/sim/goal_sim_line.h"

struct goal_queue_chunk;

/*
 * A radix heap (Ahuja and others, 1990): event time never goes back. @bucket i holds those whose
 * time differs from the present first in bit i; when it is their turn they are spread over the
 * buckets below. So an event is moved at most once for each bit, always in runs of memory. All of
 * the present are in @now and @early.
 */
struct goal_queue {
	uint64_t present;
	size_t n;			/* of all */
	struct goal_event *now;		/* in order, from @first on */
	struct goal_line early;		/* that came with a lower order than the last of these */
	size_t first, last, most;
	struct {
		struct goal_queue_chunk *head, *tail;
	} bucket[64];
	struct goal_queue_chunk *spare;
	bool broken;			/* memory has run out, and events are missing */
};

void goal_queue_init(struct goal_queue *q);
void goal_queue_free(struct goal_queue *q);
/* Not before the present. */
void goal_queue_push(struct goal_queue *q, const struct goal_event *event);
/* False: there is none. */
bool goal_queue_pop(struct goal_queue *q, struct goal_event *event);

#endif
