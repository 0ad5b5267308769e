// SPDX-License-Identifier: BSD-3-Clause
/* model_choose.c - the cheapest algorithm of a collective operation, in one level or two. */

#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/model/model.h"
#include "bsplib/model/model_nodes.h"
#include "bsplib/model/nodes.h"

#include <math.h>

/* The algorithm that is forced, if it can do the task; if not, a notice for each kind, once. */
static bool take_forced(const struct bspi_plogp *p, struct goal_task *task, int nprocs,
			double *cost)
{
	static bool said[GOAL_KINDS];
	uint64_t number = 0;
	const struct goal_algorithm *a = bspi_coll_forced(task->kind, &number);
	const char *why;

	if (!a)
		return false;
	task->algorithm = a;
	if (!bspi_coll_forced_nodes(task->kind))
		task->nodes = NULL;
	if (task->nodes) {
		*cost = bspi_model_nodes(p, task, number);
		if (isfinite(*cost))
			return true;
		task->nodes = NULL;
	}
	why = a->refuses ? a->refuses(task, nprocs) : NULL;
	if (!why) {
		*cost = bspi_model_tune_to(p, task, nprocs, number);
		return true;
	}
	if (!said[task->kind] && bspi.me == 0)
		bspi_warn("BSP_COLL", "%s:%s cannot do this: %s; another algorithm is taken",
			  goal_kind_name(task->kind), a->name, why);
	said[task->kind] = true;
	return false;
}

/* By one level or two; it then has nodes or none. */
static double levels_cost(const struct bspi_plogp *p, struct goal_task *t, int nprocs, int levels)
{
	if (levels == 2)
		return bspi_model_nodes(p, t, 0);
	t->nodes = NULL;
	return bspi_model_tune(p, t, nprocs);
}

double bspi_model_choose(const struct bspi_plogp *p, struct goal_task *task, int nprocs)
{
	struct bspi_plogp shared = *p;
	struct goal_task best = *task, t;
	double least = HUGE_VAL, cost;

	if (take_forced(p, task, nprocs, &cost))
		return cost;
	if (task->nodes)
		bspi_model_share(&shared, bspi_nodes_largest(task->nodes));
	for (unsigned int i = 0; goal_algorithm(task->kind, i); i++) {
		for (int levels = 1; levels <= (task->nodes ? 2 : 1); levels++) {
			t = *task;
			t.algorithm = goal_algorithm(task->kind, i);
			t.segment = 0;
			cost = levels_cost(levels == 1 ? &shared : p, &t, nprocs, levels);
			if (cost < least || !best.algorithm) {
				least = cost;
				best = t;
			}
		}
	}
	*task = best;
	return least;
}

double bspi_model_consensus(const struct bspi_plogp *p, int nprocs, int node, int fan)
{
	struct goal_counts words = { .words = true };
	struct goal_task t = {
		.kind = GOAL_BARRIER, .call = -1, .networks = 1, .node = node, .counts = &words,
		.algorithm = goal_algorithm_named(GOAL_BARRIER, "dissemination"),
		.release = GOAL_RELEASE_TREE,
	};
	double gap = bspi_model_gap(p, BSPI_ACKNOWLEDGEMENT);
	double L = bspi_model_latency(p, BSPI_ACKNOWLEDGEMENT);

	return (fan ? 2 * L + (1 + fan) * gap : 0) + bspi_model_tune(p, &t, nprocs);
}
