/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes.h - which processes share a node, for collective operations in two levels. */
#ifndef BSPI_NODES_H
#define BSPI_NODES_H

#include "goal/gen/goal_gen.h"

/*
 * The nodes of this job; NULL unless there are several, one of them with several processes, and
 * each with consecutive ones. The same on all processes.
 */
const struct goal_node_map *bspi_nodes(void);

/*
 * The same of @nprocs processes with the numbers @node of their nodes: fills in *@map, and @first,
 * which has room for nprocs + 1. False: there are no such nodes.
 */
bool bspi_nodes_map(const int *node, int nprocs, int *first, struct goal_node_map *map);

/* Processes of the largest node. */
int bspi_nodes_largest(const struct goal_node_map *map);

/* Forget those of this job. */
void bspi_nodes_close(void);

#endif
