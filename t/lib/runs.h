/* SPDX-License-Identifier: BSD-3-Clause */
/* runs.h - for tests of schedules over transports: compile, load and run blocks. */
#ifndef RUNS_H
#define RUNS_H

#include "spmd.h"

#include <bsp_goal.h>

#include <stdio.h>

#define HERE(buffer, offset) GOAL_AT(buffer, offset)

/* The graph of this process. */
static inline struct goal_graph *graph(void)
{
	struct goal_graph *g = goal_graph_create((int)bsp_nprocs(), (int)bsp_pid());

	if (!g)
		bail("no memory for a graph");
	return g;
}

/* Compile and load it. */
static inline struct goal_schedule *load(struct goal_graph *g)
{
	size_t len;
	void *block = goal_compile(g, &len);
	struct goal_schedule *s;

	if (!block)
		bail("goal_compile: %s", goal_graph_error(g));
	s = goal_load(block, len);
	free(block);
	goal_graph_destroy(g);
	return s;
}

/* Buffer 0 to the process on the right, buffer 1 from that on the left. */
static inline struct goal_schedule *load_shift(uint64_t nbytes)
{
	struct goal_graph *g = graph();
	int out = goal_buffer(g), in = goal_buffer(g);

	goal_send(g, nbytes, HERE(out, 0), (int)right(), 5);
	goal_recv(g, nbytes, HERE(in, 0), (int)left(), 5);
	return load(g);
}

#endif
