// SPDX-License-Identifier: BSD-3-Clause
/* model_nodes.c - what collective operations in two levels cost: a sum over their phases. */

/*
 * The phases are those of goal/gen/goal_gen_nodes.c, and each begins when the one before has
 * ended: the cost of the algorithm between delegates on the network between nodes, and of binomial
 * trees, or of linear ones for blocks, inside the largest node. Blocks of nodes have the length of
 * those of the largest. In one level, to which it is compared, all processes of a node send over
 * its one interface. A scan between nodes is exclusive: with each fold it makes a copy, to which
 * it folds its own value.
 */

#include "bsplib/model/model_nodes.h"

#include "bsplib/model/model_kinds.h"
#include "bsplib/model/nodes.h"

#include <math.h>

/* An operation inside a node of @n processes, of @bytes. */
static double inside_cost(const struct bspi_plogp *p, const struct goal_task *task,
			  enum goal_kind kind, const char *algorithm, uint64_t bytes, int n)
{
	struct goal_task t = *task;

	t.kind = kind;
	t.algorithm = goal_algorithm_named(kind, algorithm);
	t.bytes = bytes;
	t.segment = 0;
	t.nodes = NULL;
	return bspi_model_cost(p, &t, n);
}

/* All of these inside @n processes of @nprocs. */
static double cost_inside(const struct bspi_plogp *p, const struct goal_task *t, int n, int nprocs)
{
	uint64_t all = t->bytes * (uint64_t)nprocs;
	double bcast = inside_cost(p, t, GOAL_BCAST, "binomial", t->bytes, n);

	switch (t->kind) {
	case GOAL_BCAST:
		return bcast;
	case GOAL_SCAN:
		return inside_cost(p, t, GOAL_SCAN, "recursive-doubling", t->bytes, n) + bcast +
		       bspi_model_fold(p, t->bytes) + bspi_model_copy(p, t->bytes);
	case GOAL_REDUCE_SCATTER:
		return bspi_model_copy(p, all) +
		       inside_cost(p, t, GOAL_REDUCE, "binomial", all, n) +
		       inside_cost(p, t, GOAL_SCATTER, "linear", t->bytes, n);
	case GOAL_REDUCE:
		return inside_cost(p, t, GOAL_REDUCE, "binomial", t->bytes, n);
	case GOAL_ALLREDUCE:
		return inside_cost(p, t, GOAL_REDUCE, "binomial", t->bytes, n) + bcast;
	case GOAL_GATHER:
	case GOAL_SCATTER:
		return inside_cost(p, t, t->kind, "linear", t->bytes, n);
	case GOAL_ALLGATHER:
		return inside_cost(p, t, GOAL_GATHER, "linear", t->bytes, n) +
		       inside_cost(p, t, GOAL_BCAST, "binomial", all, n);
	default:
		return inside_cost(p, t, GOAL_GATHER, "linear", all, n) +
		       inside_cost(p, t, GOAL_SCATTER, "linear", all, n);
	}
}

/* The copy and the second fold with each fold of an exclusive scan. */
static void make_exclusive(struct bspi_plogp *p)
{
	p->combine += p->combine + p->copy;
	for (int i = 0; i < p->nsizes; i++)
		p->fold[i] += p->fold[i] + p->move[i];
}

void bspi_model_share(struct bspi_plogp *p, int n)
{
	bool has_alone = p->alone[0] > 0, has_cross = p->cross[0] > 0;

	for (int i = 0; i < p->nsizes; i++) {
		double others = (n - 1) * p->g[i];

		p->g[i] += others;
		p->alone[i] += has_alone ? others : 0;
		p->cross[i] += has_cross ? others : 0;
	}
}

double bspi_model_nodes(const struct bspi_plogp *p, struct goal_task *task, uint64_t number)
{
	const struct goal_node_map *nodes = task->nodes;
	int n = bspi_nodes_largest(nodes), nprocs = nodes->first[nodes->n];
	struct goal_task between = *task;
	struct bspi_plogp net = *p;
	double cost;

	if (goal_refuses(task, nprocs, 0))
		return HUGE_VAL;
	between.nodes = NULL;
	if (task->kind == GOAL_ALLGATHER || task->kind == GOAL_GATHER ||
	    task->kind == GOAL_SCATTER || task->kind == GOAL_REDUCE_SCATTER)
		between.bytes *= (uint64_t)n;
	if (task->kind == GOAL_SCAN)
		make_exclusive(&net);
	if (task->kind == GOAL_EXCHANGE)
		between.bytes *= (uint64_t)n * (uint64_t)n;
	cost = bspi_model_tune_to(&net, &between, nodes->n, number);
	task->segment = between.segment;
	task->arity = between.arity;
	return cost + cost_inside(p->inside ? p->inside : p, task, n, nprocs);
}
