/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_graph.h - the graph, for the builder and the compiler. */
#ifndef GOAL_GRAPH_H
#define GOAL_GRAPH_H

#include "goal.h"

/*
 * An operation as it will be in the block, but for index, dependencies and the numbers of its list.
 */
struct goal_node {
	struct goal_op op;
	size_t parts;			/* its first one in graph->parts */
};

/* @op waits for the end of @before, or for its start. */
struct goal_edge {
	uint32_t before, op;
	uint32_t end;			/* 1: end */
};

/* Each of these grows by doubling. */
struct goal_graph {
	uint32_t nprocs, rank;
	uint64_t scratch_bytes;
	uint32_t ncalls;
	struct goal_buffer *buffers;
	size_t nbuffers, buffers_room;
	struct goal_node *nodes;
	size_t nnodes, nodes_room;
	struct goal_part *parts;
	size_t nparts, parts_room;
	struct goal_edge *edges;
	size_t nedges, edges_room;
	char error[200];		/* the first error; "": none */
};

/* Store an error, unless there is one. */
__attribute__((format(printf, 2, 3)))
void goal_graph_fail(struct goal_graph *g, const char *format, ...);

/*
 * Room for @more elements of @size behind @n; false if there is no memory, and the graph is then
 * broken. @list is the address of a pointer to them.
 */
bool goal_graph_grow(struct goal_graph *g, void *list, size_t *room, size_t n, size_t more,
		     size_t size);

/* An edge between operations that are there. */
void goal_graph_link(struct goal_graph *g, uint32_t op, uint32_t before, bool end);

#endif
