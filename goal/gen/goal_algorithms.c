// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_algorithms.c - the table of all kinds and their algorithms. */

#include "goal/gen/goal_algorithms.h"

static const struct {
	const char *name;
	const struct goal_algorithm *algorithms;
} kinds[GOAL_KINDS] = {
	[GOAL_BARRIER] = { "barrier", goal_barrier_algorithms },
	[GOAL_BCAST] = { "bcast", goal_bcast_algorithms },
	[GOAL_SCATTER] = { "scatter", goal_scatter_algorithms },
	[GOAL_GATHER] = { "gather", goal_gather_algorithms },
	[GOAL_ALLGATHER] = { "allgather", goal_allgather_algorithms },
	[GOAL_EXCHANGE] = { "exchange", goal_exchange_algorithms },
	[GOAL_REDUCE] = { "reduce", goal_reduce_algorithms },
	[GOAL_ALLREDUCE] = { "allreduce", goal_allreduce_algorithms },
	[GOAL_SCAN] = { "scan", goal_scan_algorithms },
	[GOAL_REDUCE_SCATTER] = { "reduce-scatter", goal_reduce_scatter_algorithms },
};

const char *goal_kind_name(enum goal_kind kind)
{
	return kinds[kind].name;
}

int goal_kind_of(const char *name)
{
	for (int kind = 0; kind < GOAL_KINDS; kind++)
		if (strcmp(kinds[kind].name, name) == 0)
			return kind;
	return -1;
}

const struct goal_algorithm *goal_algorithm(enum goal_kind kind, unsigned int i)
{
	const struct goal_algorithm *a = kinds[kind].algorithms;

	while (i-- && a->name)
		a++;
	return a->name ? a : NULL;
}

/* Names of earlier versions. */
static const struct {
	bool barrier_only;
	const char *old, *name;
} renamed[] = {
	{ true, "binary", "binomial" },
	{ true, "kary", "knomial" },
	{ false, "flat", "linear" },
	{ false, "flat-rendezvous", "linear-rendezvous" },
	{ false, "segmented-flat", "segmented-linear" },
};

const struct goal_algorithm *goal_algorithm_named(enum goal_kind kind, const char *name)
{
	const struct goal_algorithm *a;

	for (size_t i = 0; i < sizeof(renamed) / sizeof(*renamed); i++)
		if (strcmp(renamed[i].old, name) == 0 &&
		    (kind == GOAL_BARRIER || !renamed[i].barrier_only)) {
			name = renamed[i].name;
			break;
		}
	for (unsigned int i = 0; (a = goal_algorithm(kind, i)); i++)
		if (strcmp(a->name, name) == 0)
			return a;
	return NULL;
}
