// SPDX-License-Identifier: BSD-3-Clause
/* offload_neighbors.c - blocks to and from the neighbours on a closed ring, as a schedule. */

/*
 * The order is that of bsp_neighbor_exchange(): receives first, and sends by the distance from the
 * sender to the receiver, so that all send to the same distance at a time and each process receives
 * one message at a time. No order has fewer steps.
 */
#include "offload.h"

#include "goal/goal.h"

#include <errno.h>
#include <stdlib.h>

/* The two processes beside this one, or the only other one. */
int offload_neighbors_of(const struct offload_job *job, int pids[2])
{
	pids[0] = (job->rank + 1) % job->nprocs;
	pids[1] = (job->rank + job->nprocs - 1) % job->nprocs;
	return job->nprocs > 2 ? 2 : 1;
}

void *offload_neighbors(const struct offload_job *job, size_t *len)
{
	struct goal_graph *g = goal_graph_create(job->nprocs, job->rank);
	int pids[2], n = offload_neighbors_of(job, pids), source, target;
	void *block;

	errno = ENOMEM;
	if (!g)
		offload_fail("memory");
	source = goal_buffer(g);
	target = goal_buffer(g);
	for (int k = 0; k < n; k++)
		goal_recv(g, OFFLOAD_BLOCK, GOAL_AT(target, (uint64_t)OFFLOAD_BLOCK * pids[k]),
			  pids[k], 0);
	for (int k = 0; k < n; k++)
		goal_send(g, OFFLOAD_BLOCK, GOAL_AT(source, (uint64_t)OFFLOAD_BLOCK * pids[k]),
			  pids[k], 0);
	block = goal_compile(g, len);
	goal_graph_destroy(g);
	if (!block)
		offload_fail("memory");
	return block;
}
