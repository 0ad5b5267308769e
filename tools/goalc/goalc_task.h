/* SPDX-License-Identifier: BSD-3-Clause */
/* goalc_task.h - what goalc gen and goalc sim share: which operation, by which algorithm. */
#ifndef GOALC_TASK_H
#define GOALC_TASK_H

#include "goalc.h"

#include "goal/gen/goal_gen.h"

/* The options. */
struct goalc_task {
	struct goal_task task;
	struct goal_counts counts;	/* task.counts points here, if it carries any */
	const char *algorithm;		/* name; NULL: the first one of the kind */
	int nprocs;			/* 0: not given */
	int node, nodes;		/* processes of each, or how many nodes; 0: not given */
	struct goal_node_map map;	/* task.nodes points here, if a collective has some */
	uint32_t given;			/* a bit for each of the long options */
};

/* Letters of the long ones; those of a subcommand are GOALC_OWN or more. */
enum {
	GOALC_ALGORITHM = 256, GOALC_BYTES, GOALC_SEGMENT, GOALC_ROOT, GOALC_ARITY, GOALC_RELEASE,
	GOALC_NETWORKS, GOALC_NODE, GOALC_NODES, GOALC_COUNTS, GOALC_FUNCTION, GOALC_TYPE,
	GOALC_OWN,
};

/* For the rows of a subcommand. */
#define GOALC_TASK_OPTIONS \
	{ "-P", .argument = true, .letter = 'P' }, \
	{ "--processes", .argument = true, .letter = 'P' }, \
	{ "--algorithm", .argument = true, .letter = GOALC_ALGORITHM }, \
	{ "--bytes", .argument = true, .letter = GOALC_BYTES }, \
	{ "--segment", .argument = true, .letter = GOALC_SEGMENT }, \
	{ "--root", .argument = true, .letter = GOALC_ROOT }, \
	{ "--arity", .argument = true, .letter = GOALC_ARITY }, \
	{ "--release", .argument = true, .letter = GOALC_RELEASE }, \
	{ "--networks", .argument = true, .letter = GOALC_NETWORKS }, \
	{ "--node", .argument = true, .letter = GOALC_NODE }, \
	{ "--nodes", .argument = true, .letter = GOALC_NODES }, \
	{ "--counts", .letter = GOALC_COUNTS }, \
	{ "--function", .argument = true, .letter = GOALC_FUNCTION }, \
	{ "--type", .argument = true, .letter = GOALC_TYPE }

void goalc_task_init(struct goalc_task *t);
/* One of those options; GOALC_GOOD, or GOALC_MISUSED, which has been reported. */
int goalc_task_option(struct goalc_task *t, int letter, const char *value);
static inline bool goalc_is_task_option(int letter)
{
	return letter == 'P' || (letter >= GOALC_ALGORITHM && letter < GOALC_OWN);
}

/* All options have been read: find the algorithm of @kind, and see whether it can do that. */
int goalc_task_of(struct goalc_task *t, const char *kind);

/* The schedules of all processes; GOALC_GOOD or GOALC_WRONG. goal_set_free() it. */
int goalc_task_generate(const struct goalc_task *t, struct goal_set *set);
/* The block of one process. NULL, and a line on standard error. */
void *goalc_task_generate_one(const struct goalc_task *t, int rank, size_t *bytes);

#endif
