/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_gen_nodes.h - collective operations in two levels: inside nodes and between them. */
#ifndef GOAL_GEN_NODES_H
#define GOAL_GEN_NODES_H

#include "goal/gen/goal_gen.h"

/* NULL, or why the task, which has nodes, cannot be done in two levels. */
const char *goal_nodes_refuse(const struct goal_task *task, int nprocs);

/* Add the part of @rank. */
void goal_nodes_generate(struct goal_graph *g, const struct goal_task *task, int nprocs, int rank);

/* goal_scratch_blocks() of a task with nodes. */
void goal_nodes_scratch_blocks(const struct goal_task *task, int nprocs, int rank, int *blocks,
			       size_t n);

#endif
