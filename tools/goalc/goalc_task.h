/* SPDX-License-Identifier: BSD-3-Clause */
/* goalc_task.h - what goalc gen and goalc sim share: which operation, by which algorithm. */
#ifndef GOALC_TASK_H
#define GOALC_TASK_H

#include "goalc.h"

#include "goal/gen/goal_gen.h"

#include <getopt.h>

/* What the options say. */
struct goalc_task {
	struct goal_task task;
	struct goal_counts counts;	/* task.counts points here, if it carries any */
	const char *algorithm;		/* name; NULL: the first one of the kind */
	int nprocs;			/* 0: not given */
	uint32_t given;			/* a bit for each of the long options */
};

/* What getopt_long() returns for the long ones; those of a subcommand are GOALC_OWN or more. */
enum {
	GOALC_ALGORITHM = 256, GOALC_BYTES, GOALC_SEGMENT, GOALC_ROOT, GOALC_ARITY, GOALC_RELEASE,
	GOALC_NETWORKS, GOALC_COUNTS, GOALC_FUNCTION, GOALC_TYPE, GOALC_OWN,
};

/* For the options of a subcommand, which has "P:" among its letters. */
#define GOALC_TASK_OPTIONS \
	{ "processes", required_argument, NULL, 'P' }, \
	{ "algorithm", required_argument, NULL, GOALC_ALGORITHM }, \
	{ "bytes", required_argument, NULL, GOALC_BYTES }, \
	{ "segment", required_argument, NULL, GOALC_SEGMENT }, \
	{ "root", required_argument, NULL, GOALC_ROOT }, \
	{ "arity", required_argument, NULL, GOALC_ARITY }, \
	{ "release", required_argument, NULL, GOALC_RELEASE }, \
	{ "networks", required_argument, NULL, GOALC_NETWORKS }, \
	{ "counts", no_argument, NULL, GOALC_COUNTS }, \
	{ "function", required_argument, NULL, GOALC_FUNCTION }, \
	{ "type", required_argument, NULL, GOALC_TYPE }

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
/* That of one. NULL, and a line on standard error. */
void *goalc_task_generate_one(const struct goalc_task *t, int rank, size_t *bytes);

#endif
