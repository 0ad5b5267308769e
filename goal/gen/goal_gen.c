// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_gen.c - the table of all algorithms, and a schedule made by one of them. */

#include "goal/gen/goal_gen.h"

#include "goal/gen/goal_algorithms.h"
#include "goal/gen/goal_gen_nodes.h"

static const struct {
	const char *name;
	const struct goal_algorithm *algorithms;
} kinds[GOAL_KINDS] = {
	[GOAL_BARRIER] = { "barrier", goal_barrier_algorithms },
	[GOAL_BCAST] = { "bcast", goal_bcast_algorithms },
	[GOAL_SCATTER] = { "scatter", goal_scatter_algorithms },
	[GOAL_GATHER] = { "gather", goal_gather_algorithms },
	[GOAL_ALLGATHER] = { "allgather", goal_allgather_algorithms },
	[GOAL_EXCHANGE] = { "exchange", goal_exchange_algorithms },
	[GOAL_REDUCE] = { "reduce", goal_reduce_algorithms },
	[GOAL_ALLREDUCE] = { "allreduce", goal_allreduce_algorithms },
	[GOAL_SCAN] = { "scan", goal_scan_algorithms },
	[GOAL_REDUCE_SCATTER] = { "reduce-scatter", goal_reduce_scatter_algorithms },
};

const char *goal_kind_name(enum goal_kind kind)
{
	return kinds[kind].name;
}

int goal_kind_of(const char *name)
{
	for (int kind = 0; kind < GOAL_KINDS; kind++)
		if (strcmp(kinds[kind].name, name) == 0)
			return kind;
	return -1;
}

const struct goal_algorithm *goal_algorithm(enum goal_kind kind, unsigned int i)
{
	const struct goal_algorithm *a = kinds[kind].algorithms;

	while (i-- && a->name)
		a++;
	return a->name ? a : NULL;
}

/* Names of earlier versions. */
static const struct {
	bool barrier_only;
	const char *old, *name;
} renamed[] = {
	{ true, "binary", "binomial" },
	{ true, "kary", "knomial" },
	{ false, "flat", "linear" },
	{ false, "flat-rendezvous", "linear-rendezvous" },
	{ false, "segmented-flat", "segmented-linear" },
};

const struct goal_algorithm *goal_algorithm_named(enum goal_kind kind, const char *name)
{
	const struct goal_algorithm *a;

	for (size_t i = 0; i < sizeof(renamed) / sizeof(*renamed); i++)
		if (strcmp(renamed[i].old, name) == 0 &&
		    (kind == GOAL_BARRIER || !renamed[i].barrier_only)) {
			name = renamed[i].name;
			break;
		}
	for (unsigned int i = 0; (a = goal_algorithm(kind, i)); i++)
		if (strcmp(a->name, name) == 0)
			return a;
	return NULL;
}

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
	if (task->nodes)
		goal_nodes_generate(g, task, nprocs, rank);
	else
		task->algorithm->generate(g, task, nprocs, rank);
	block = goal_compile(g, bytes);
	if (!block)
		snprintf(why, len, "%s", goal_graph_error(g));
	goal_graph_destroy(g);
	return block;
}
