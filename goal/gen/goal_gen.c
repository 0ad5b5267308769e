// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_gen.c - a schedule made by an algorithm. */

#include "goal/gen/goal_gen.h"

#include "goal/gen/goal_gen_nodes.h"

const char *goal_refuses(const struct goal_task *task, int nprocs, int rank)
{
	if (!task->algorithm || task->algorithm->kind != task->kind)
		return "there is no such algorithm";
	if (nprocs < 1 || nprocs > GOAL_PROCESSES_MOST)
		return "there cannot be so many processes";
	if (rank < 0 || rank >= nprocs)
		return "there is no process of that rank";
	if (task->root < 0 || task->root >= nprocs)
		return "the root is no process";
	if (task->algorithm->has_arity && task->arity < 1)
		return "the arity is less than 1";
	if (task->networks < 0 || task->networks > 2)
		return "there are 1 or 2 networks";
	if (task->node < 0 || (task->node > 1 && !task->algorithm->has_nodes))
		return "it does not know nodes";
	if (task->counted && task->release == GOAL_RELEASE_MULTICAST)
		return "a multicast goes to processes that have no part";
	if (task->node > 1 && task->nodes)
		return "nodes have one size, or a map";
	if (task->nodes)
		return goal_nodes_refuse(task, nprocs);
	return task->algorithm->refuses ? task->algorithm->refuses(task, nprocs) : NULL;
}

void *goal_generate(const struct goal_task *task, int nprocs, int rank, size_t *bytes, char *why,
		    size_t len)
{
	const char *reason = goal_refuses(task, nprocs, rank);
	int last = task->source > task->target ? task->source : task->target;
	struct goal_graph *g;
	void *block;

	if (reason) {
		snprintf(why, len, "%s", reason);
		return NULL;
	}
	g = goal_graph_create(nprocs, rank);
	if (!g) {
		snprintf(why, len, "there is no memory");
		return NULL;
	}
	for (int i = 0; task->kind != GOAL_BARRIER && i <= last; i++)
		goal_buffer(g);
	if (task->nodes && task->kind != GOAL_BARRIER)
		goal_nodes_generate(g, task, nprocs, rank);
	else
		task->algorithm->generate(g, task, nprocs, rank);
	block = goal_compile(g, bytes);
	if (!block)
		snprintf(why, len, "%s", goal_graph_error(g));
	goal_graph_destroy(g);
	return block;
}

void goal_scratch_blocks(const struct goal_task *task, int nprocs, int rank, int *blocks, size_t n)
{
	if (task->nodes) {
		goal_nodes_scratch_blocks(task, nprocs, rank, blocks, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		blocks[i] = task->algorithm->scratch_block(nprocs, rank, i);
}
