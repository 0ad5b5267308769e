/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_sim_event.h - what happens in the simulator at a time. */
#ifndef GOAL_SIM_EVENT_H
#define GOAL_SIM_EVENT_H

#include "goal_env.h"

enum goal_event_kind {
	GOAL_EVENT_READY, /* operation @op of @rank waits for nothing but processor and network */
	GOAL_EVENT_MESSAGE, /* what operation @op of @from sent arrives at @rank */
	GOAL_EVENT_DONE, /* operation @op of @rank ends */
	GOAL_EVENT_CALL, /* the first in line @op of @rank may have its turn */
	GOAL_EVENT_TURN, /* the first process that waits for core @rank may have it */
};

struct goal_event {
	uint64_t time;
	uint64_t order; /* of two at the same time the one with the lower number comes first */
	uint32_t rank;
	uint32_t from;
	uint32_t op;
	uint32_t kind;
};

#endif
