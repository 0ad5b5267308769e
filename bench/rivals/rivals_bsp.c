// SPDX-License-Identifier: BSD-3-Clause
/* rivals_bsp.c - barriers as schedules of the program, and bsp_iallreduce. */

/* RIVALS_RELEASE=multicast: the tree releases all by one multicast. */

#include "rivals.h"

#include "goal/gen/goal_gen.h"

#include <bsp.h>
#include <bsp_coll.h>
#include <bsp_goal.h>

#include <stdlib.h>
#include <string.h>

static const char *const algorithms[] = {
	[RIVAL_TREE] = "binomial", [RIVAL_DISSEMINATION] = "dissemination",
};

static struct goal_schedule *schedules[RIVAL_OPERATIONS];
static struct goal_request *started;
static bsp_request request;
static double in, out;

struct rival_job rival_begin(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	bsp_begin(bsp_nprocs());
	return (struct rival_job){ bsp_nprocs(), bsp_pid() };
}

void rival_meet(void)
{
	bsp_sync();
}

bool rival_has(enum rival_operation what)
{
	struct goal_task task = { .kind = GOAL_BARRIER, .arity = 2, .networks = 1, .call = -1 };
	const char *release = getenv("RIVALS_RELEASE");
	char why[160];
	void *block;
	size_t len;

	if (what == RIVAL_ALLREDUCE)
		return true;
	task.algorithm = goal_algorithm_named(GOAL_BARRIER, algorithms[what]);
	if (task.algorithm->has_release && release && strcmp(release, "multicast") == 0)
		task.release = GOAL_RELEASE_MULTICAST;
	block = goal_generate(&task, bsp_nprocs(), bsp_pid(), &len, why, sizeof why);
	if (!block)
		bsp_abort("rivals: %s\n", why);
	schedules[what] = goal_load(block, len);
	free(block);
	return true;
}

void rival_start(enum rival_operation what, double mine)
{
	in = mine;
	if (what == RIVAL_ALLREDUCE)
		request = bsp_iallreduce(BSP_SUM, BSP_DOUBLE, &in, &out, 1);
	else
		started = goal_start(schedules[what], NULL);
}

double rival_finish(enum rival_operation what)
{
	if (what == RIVAL_ALLREDUCE)
		bsp_wait(&request);
	else
		goal_wait(started);
	return out;
}

void rival_end(void)
{
	bsp_end();
}
