/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_sim_line.h - events that wait for the same processor and network of a process. */

/*
 * Only the first of them is in the queue of all events, so that a thousand messages which arrive
 * at once are not put off a thousand times each.
 */
#ifndef GOAL_SIM_LINE_H
#define GOAL_SIM_LINE_H

#include "goal/sim/goal_sim_event.h"

struct goal_line {
	struct goal_event *event;	/* a heap: the lowest order is first */
	uint32_t n, most;
	bool called; /* an event of @time and @order in the queue calls the first one */
	uint64_t time, order;
};

/* False: there is no memory. */
bool goal_line_add(struct goal_line *l, const struct goal_event *event);
/* Take the first one; there is one. */
struct goal_event goal_line_take(struct goal_line *l);

#endif
