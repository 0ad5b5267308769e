/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_gen_levels.h - phases of a collective operation in two levels, for goal_gen_nodes.c. */

/*
 * A phase is an operation inside nodes, or between one delegate of each. It is generated as if its
 * processes were all that there are, and its operations are then added to the graph with the
 * numbers these have in the job; they wait for those of the phase before.
 */
#ifndef GOAL_GEN_LEVELS_H
#define GOAL_GEN_LEVELS_H

#include "goal/gen/goal_gen.h"

struct goal_levels {
	struct goal_graph *g;
	const struct goal_task *task;
	int nprocs, rank;
	const int *first_of;		/* each node's first process; behind the last: nprocs */
	int node, first, size;		/* the node of this process, and its processes */
	int whole[2];			/* all processes, as one block: 0, nprocs */
	int root_node;
	uint32_t tag;			/* the first one of this phase */
	int before;			/* ends when all phases before have; -1: there are none */
	int begin;			/* the first operation of the last phase */
};

/* One phase: an operation of a group of processes. */
struct goal_phase {
	struct goal_task task;		/* its buffers are 0 and 1 */
	bool between;			/* the group: delegates; else processes of this node */
	struct goal_place base[2];	/* where these buffers are */
	/*
	 * Its block k, of the bytes of its task, is blocks[k] to blocks[k + 1] of the job, units of
	 * so many bytes; NULL: bytes are bytes.
	 */
	const int *blocks;
	uint64_t unit;
	bool own_target;		/* that buffer has the block of this process alone */
};

/* The process of a node that takes part between nodes. */
int goal_levels_delegate(const struct goal_levels *l, int node);
bool goal_levels_is_delegate(const struct goal_levels *l);

struct goal_place goal_levels_scratch(const struct goal_levels *l, uint64_t bytes);
/*
 * @n units of @unit bytes, one behind the other: one piece or, if lengths are arguments, as many.
 * Returns how many.
 */
size_t goal_levels_units(const struct goal_levels *l, struct goal_place at, uint64_t n,
			 uint64_t unit, struct goal_piece *pieces);
/*
 * The blocks whose lengths unit @u of the scratchpad of @a between nodes has: those of a node, from
 * @first on. Returns how many; 0: the unit is not used.
 */
uint64_t goal_levels_blocks_of_unit(const struct goal_levels *l, const struct goal_algorithm *a,
				    uint64_t u, int *first);

/*
 * An operation of @kind, of the task's bytes and function, inside this node; between nodes it has
 * the task's algorithm.
 */
struct goal_phase goal_levels_inside(const struct goal_levels *l, enum goal_kind kind,
				     struct goal_place source, struct goal_place target);
struct goal_phase goal_levels_between(const struct goal_levels *l, enum goal_kind kind,
				      struct goal_place source, struct goal_place target);

/* A phase begins, after all that is there: one that the caller adds, or @p. */
void goal_levels_next(struct goal_levels *l);
void goal_levels_phase(struct goal_levels *l, const struct goal_phase *p);

#endif
