/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_sim_state.h - what the simulator keeps while it runs. */
#ifndef GOAL_SIM_STATE_H
#define GOAL_SIM_STATE_H

#include "goal/sim/goal_sim.h"
#include "goal/sim/goal_sim_core.h"
#include "goal/sim/goal_sim_line.h"
#include "goal/sim/goal_sim_match.h"
#include "goal/sim/goal_sim_queue.h"

struct goal_sim_process {
	struct goal_matches posted, arrived;
	struct goal_line *lines;	/* NULL until one is used */
	uint64_t waiting;		/* where its counters begin in sim->left */
	uint32_t nindep;		/* operations from this one on have one */
	uint64_t turn;			/* of a core, which it waits for, or has had */
};

/* Numbers of operations. */
struct goal_sim_list {
	uint32_t *op;
	uint32_t n, most;
};

struct goal_sim {
	const struct goal_source *source;
	const struct goal_net *net;
	struct goal_sim_watch watch;
	struct goal_queue queue;
	struct goal_sim_process *process;
	uint32_t *left;			/* what an operation that waits still waits for */
	uint64_t *busy; /* of each process: until when are its processors and networks */
	struct goal_cores cores;
	uint64_t *started; /* operations, only if messages are watched; as @left, of all */
	uint64_t *first;		/* where those of a process begin */
	uint64_t *finish;
	uint64_t order;			/* of the next event */
	uint64_t done, all;		/* operations */
	struct goal_sim_list waiters, freed;
	const char *wrong;		/* NULL: nothing yet */
};

/*
 * Each processor has a line of calcs, and with each network one of sends and one of messages that
 * arrive.
 */
static inline uint32_t goal_sim_nlines(const struct goal_sim *s)
{
	return s->source->ncpus * (2 * s->source->nnics + 1);
}

/* Source, net, watch and finish are set. False: there is no memory; close it all the same. */
bool goal_sim_open(struct goal_sim *s);
void goal_sim_close(struct goal_sim *s);
/* When no events are left: 0 if nothing is unmatched, or -1 and in @why what is. goal_sim_left.c */
int goal_sim_left(const struct goal_sim *s, char *why, size_t len);

#endif
