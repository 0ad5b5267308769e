/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier.h - the way of classic supersteps, and that by a schedule. */
#ifndef BSPI_BARRIER_H
#define BSPI_BARRIER_H

#include "bsplib/engine/engine.h"

enum bspi_barrier {
	BSPI_ALLTOALL, BSPI_COUNTING, BSPI_BY_SCHEDULE, BSPI_TWO_PHASES,
	BSPI_COUNTING_NODES,	/* inside each node, and by schedule between them */
	BSPI_AMONG_NEIGHBORS,	/* in the bsp_sync of some supersteps: neighbors.c */
};

/* The way of classic supersteps, see classic.c. */
extern enum bspi_barrier bspi_barrier;

/* By which schedule: "knomial:4". False: there is none of that name. */
bool bspi_barrier_choose(const char *name);
/*
 * When the processes are there, and the user has not said: by nodes if there are several of several
 * processes, and by which way if the network has been measured.
 */
void bspi_barrier_choose_by_cost(void);
/*
 * How many processes each node has, if these have consecutive numbers and the last node has no
 * more; else 0.
 */
int bspi_barrier_node_size(void);
/* How messages call it. */
const char *bspi_barrier_name(void);
void bspi_barrier_open(void);
void bspi_barrier_close(void);
/* Enter it; wait until it ends, and fill in @c. */
void bspi_barrier_announce(void);
void bspi_barrier_wait(struct bspi_count *c);
/* Before a process enters a barrier of any kind over a network. */
void bspi_barrier_await_addresses(void);
/*
 * With BSPI_COUNTING_NODES, if this is the first process of a node: wait until all of it have
 * entered the round, exchange counts with other nodes, and end the round of this one.
 */
void bspi_barrier_between_nodes(void);

#endif
