/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_algorithms.h - the algorithms of each kind; a file for each kind defines its list. */

/* Each list ends with an algorithm that has no name. goal_algorithms.c puts them together. */
#ifndef GOAL_ALGORITHMS_H
#define GOAL_ALGORITHMS_H

#include "goal/gen/goal_gen.h"

extern const struct goal_algorithm goal_barrier_algorithms[], goal_bcast_algorithms[],
	goal_scatter_algorithms[], goal_gather_algorithms[], goal_allgather_algorithms[],
	goal_exchange_algorithms[], goal_reduce_algorithms[], goal_allreduce_algorithms[],
	goal_scan_algorithms[], goal_reduce_scatter_algorithms[];

#endif
