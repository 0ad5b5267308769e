// SPDX-License-Identifier: BSD-3-Clause
/* nodes.c - which processes share a node, for collective operations in two levels. */

#include "bsplib/model/nodes.h"

#include "bsplib/core/error.h"
#include "bsplib/core/state.h"

#include <stdlib.h>
#include <string.h>

static struct {
	struct goal_node_map map;
	int *first;			/* NULL: there are none */
	bool looked;
} nodes;

/* Has a process before @p been on its node, but not the one just before it? */
static bool nodes_returns(const int *node, int p)
{
	for (int q = 0; q + 1 < p; q++)
		if (node[q] == node[p])
			return true;
	return false;
}

bool bspi_nodes_map(const int *node, int nprocs, int *first, struct goal_node_map *map)
{
	int n = 0;

	for (int p = 0; p < nprocs; p++) {
		if (p > 0 && node[p] == node[p - 1])
			continue;
		if (nodes_returns(node, p))
			return false;
		first[n++] = p;
	}
	first[n] = nprocs;
	*map = (struct goal_node_map){ n, first };
	return n > 1 && n < nprocs;
}

int bspi_nodes_largest(const struct goal_node_map *map)
{
	int most = 1;

	for (int k = 0; k < map->n; k++)
		if (map->first[k + 1] - map->first[k] > most)
			most = map->first[k + 1] - map->first[k];
	return most;
}

static void nodes_look(void)
{
	const struct bspt_wire *wire = bspi.job.wire;

	nodes.looked = true;
	if (!wire || !wire->node || bspi.nprocs < 3)
		return;
	nodes.first = malloc((size_t)(bspi.nprocs + 1) * sizeof(*nodes.first));
	if (!nodes.first)
		bspi_fail_memory("bsp_begin", NULL);
	if (bspi_nodes_map(wire->node, bspi.nprocs, nodes.first, &nodes.map))
		return;
	free(nodes.first);
	nodes.first = NULL;
}

const struct goal_node_map *bspi_nodes(void)
{
	if (!nodes.looked)
		nodes_look();
	return nodes.first ? &nodes.map : NULL;
}

void bspi_nodes_close(void)
{
	free(nodes.first);
	memset(&nodes, 0, sizeof(nodes));
}
