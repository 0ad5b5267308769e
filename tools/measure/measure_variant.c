// SPDX-License-Identifier: BSD-3-Clause
/* measure_variant.c - barriers by multicast, over two networks and by nodes: which can run here. */

#include "measure.h"

#include "bsplib/core/state.h"
#include "bsplib/schedule/schedule.h"
#include "bsplib/sync/barrier.h"

const struct measure_variant measure_variants[] = {
	{ "", GOAL_RELEASE_TREE, 1, false },
	{ "+multicast", GOAL_RELEASE_MULTICAST, 1, false },
	{ "+networks", GOAL_RELEASE_TREE, 2, false },
	{ "+multicast+networks", GOAL_RELEASE_MULTICAST, 2, false },
	{ "+nodes", GOAL_RELEASE_TREE, 1, true },
	{ "+nodes+multicast", GOAL_RELEASE_MULTICAST, 1, true },
	{ .name = NULL },
};

bool measure_variant_take(const struct measure_variant *v, struct goal_task *task)
{
	const struct goal_algorithm *a = task->algorithm;

	if ((v->release == GOAL_RELEASE_MULTICAST && !a->has_release) ||
	    (v->by_nodes && !a->has_nodes))
		return false;
	task->release = v->release;
	task->networks = v->networks;
	task->node = v->by_nodes ? bspi_barrier_node_size() : 0;
	return true;
}

const char *measure_multicast_refuses(const struct measure *m, int nprocs)
{
	if (!bspi_offload_is_on(BSPI_OFFLOAD_ALL) || !bspi.net->multicasts)
		return "a multicast is a message to each process here (esp has them, with the "
		       "kernel)";
	return nprocs < m->nprocs ? "a multicast goes to all processes" : NULL;
}

static const char *nodes_refuse(const struct measure *m, int nprocs)
{
	int node = bspi_barrier_node_size();

	if (node == 0)
		return "nodes have other numbers of processes, or these no consecutive numbers";
	if (node == 1)
		return "nodes have one process each";
	if (node == m->nprocs)
		return "there is one node";
	return nprocs < m->nprocs ? "nodes are those of all processes" : NULL;
}

const char *measure_variant_refuses(const struct measure *m, const struct measure_variant *v,
				    int nprocs)
{
	const char *why = v->by_nodes ? nodes_refuse(m, nprocs) : NULL;

	if (v->networks == 2 && (!bspi_offload_is_on(BSPI_OFFLOAD_ALL) || bspi.net->networks != 2))
		return "there is one network (esp may have two, with the kernel)";
	if (why)
		return why;
	return v->release == GOAL_RELEASE_MULTICAST ? measure_multicast_refuses(m, nprocs) : NULL;
}
