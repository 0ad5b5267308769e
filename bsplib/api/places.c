// SPDX-License-Identifier: BSD-3-Clause
/* places.c - the processors on which processes run: requests and reports. */

#include "bsplib/api/places.h"

#include "bsplib/core/error.h"
#include "bsplib/core/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	WHY_MOST = 600,
	SPIN_US = 20,		/* for so long a process polls that has a processor to itself */
	YIELD_US = 2000,
	TURN_US = 4,	/* a yield of one of 1024 processes, each of which finds its caches cold */
	TURNS = 8,
};

enum bspj_bind bspi_binding_of(const char *bind)
{
	static const char *const names[] = {
		[BSPJ_BIND_NOT] = "none", [BSPJ_BIND_CORE] = "core", [BSPJ_BIND_SHARE] = "share",
		[BSPJ_BIND_CACHE] = "cache", [BSPJ_BIND_NUMA] = "numa",
		[BSPJ_BIND_SOCKET] = "socket",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(bind, names[i]) == 0)
			return i;
	return BSPJ_BIND_SHARE;
}

void bspi_places_restrict(const char *call, const char *site, const char *bind)
{
	char why[WHY_MOST];

	if (bspj_processors_restrict(bind, why, sizeof(why)) < 0)
		bspi_fail(call, site, "BSP_BIND: %s", why);
}

/*
 * A process that yields is back when all others of its processor had a turn. If that takes as long
 * as it yields at all, it sleeps after one look, and a counting barrier of many wakes each of them,
 * which takes ten times as long as to come by. A network wakes those that have a message.
 */
static long long yields_for(const struct bspt_ops *ops, const struct bspi_node *n)
{
	long long turns = (long long)TURNS * TURN_US * n->processes / n->processors;
	bool counts = ops->caps & (BSPT_CAP_COUNTING | BSPT_CAP_COUNTING_NODES);

	return counts && turns > YIELD_US ? turns : YIELD_US;
}

struct bspi_node bspi_places_of_node(const struct bspt_ops *ops, int64_t spin, int64_t yield)
{
	const struct bspt_wire *w = bspi.job.wire;
	struct bspi_node node = { .processes = 0 };
	int me = w->me < 0 ? 0 : w->me;

	node.processors = bspi.job.launched ? bspj_processors_of_node() : bspj_processors();
	for (int q = 0; q < w->nprocs; q++)
		node.processes += w->one_machine || w->node[q] == w->node[me];
	node.spin_us = spin >= 0 ? spin : node.processes > node.processors ? 0 : SPIN_US;
	node.yield_us = yield >= 0 ? yield : yields_for(ops, &node);
	return node;
}

/* Only shared memory has such a limit; it is known for nodes, so probe() cannot look at it. */
bool bspi_places_are_crowded(const struct bspt_ops *ops, char *why, size_t len)
{
	const struct bspt_wire *w = bspi.job.wire;
	int *n, largest = 0;

	if (!ops->node_most || w->nprocs <= ops->node_most)
		return false;
	n = calloc((size_t)w->nnodes, sizeof(*n));
	if (!n)
		bspi_fail_memory("bsp_begin", NULL);
	for (int q = 0; q < w->nprocs; q++)
		if (++n[w->node[q]] > largest)
			largest = n[w->node[q]];
	free(n);
	snprintf(why, len,
		 "it is for up to %d processes of a node, and one has %d; make %d nodes or more, "
		 "which transport mix takes (bsprun --nodes), or use more hosts",
		 ops->node_most, largest, (w->nprocs - 1) / ops->node_most + 1);
	return largest > ops->node_most;
}

bool bspi_places_are_reached(const struct bspt_ops *ops, char *why, size_t len)
{
	if (!(ops->caps & BSPT_ONE_NODE) || bspi.job.wire->nnodes == 1)
		return true;
	snprintf(why, len,
		 "it reaches only processes of one node, and these are on %d; use transport mix",
		 bspi.job.wire->nnodes);
	return false;
}

void bspi_places_report(void)
{
	char processors[256];
	const char *why;
	bool is_bound = bspj_binding_describe(processors, sizeof(processors), &why);

	if (is_bound)
		bspi_warn("bsp_begin", "process %d is bound to processors %s: %s", bspi.me,
			  processors, why);
	else
		bspi_warn("bsp_begin", "process %d is not bound, and may use processors %s: %s",
			  bspi.me, processors, why);
}
