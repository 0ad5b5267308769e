/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_sim_core.h - processors of a machine that processes share, and their turns. */

/*
 * The processes of a core have it in turn, in a ring. One that waits looks for messages and gives
 * the core to the next one, which takes the cost of a turn; one that has something to do keeps the
 * core until that is done. Turns are numbered, so that a process knows the number of its next turn
 * when something for it comes, though not when that begins: processes before it may have something
 * to do by then. Turns of processes that have nothing to do are counted, and no events.
 */
#ifndef GOAL_SIM_CORE_H
#define GOAL_SIM_CORE_H

#include "goal/sim/goal_sim.h"
#include "goal/sim/goal_sim_line.h"

struct goal_core {
	struct goal_line waiting;	/* turns of processes with something to do, by number */
	uint64_t turn;			/* number of the present one */
	uint32_t first;			/* of its processes; the others are a stride apart */
	uint32_t ring;			/* how many they are */
};

struct goal_cores {
	struct goal_core *core;		/* NULL: each process has processors of its own */
	uint32_t n;
	uint32_t machine;		/* processes of one */
	uint32_t stride;		/* cores of one */
	uint64_t cost;			/* of a turn */
};

/* False: there is no memory; close them all the same. */
bool goal_cores_open(struct goal_cores *c, const struct goal_net *net, int nprocs);
void goal_cores_close(struct goal_cores *c);

/* The core that @rank shares with others; NULL: it has processors of its own. */
static inline struct goal_core *goal_core_of(const struct goal_cores *c, uint32_t rank)
{
	struct goal_core *core;

	if (!c->core)
		return NULL;
	core = &c->core[rank / c->machine * c->stride + rank % c->machine % c->stride];
	return core->ring > 1 ? core : NULL;
}

/* The process whose turn it is. */
static inline uint32_t goal_core_holder(const struct goal_cores *c, const struct goal_core *core)
{
	return core->first + core->turn % core->ring * c->stride;
}

/*
 * The process with the present turn has something to do until @until. The number of the first turn
 * of @rank after it that begins at @now or later; and when a later turn begins.
 */
uint64_t goal_core_next(const struct goal_cores *c, const struct goal_core *core, uint32_t rank,
			uint64_t until, uint64_t now);
uint64_t goal_core_begin(const struct goal_cores *c, const struct goal_core *core, uint64_t turn,
			 uint64_t until);

#endif
