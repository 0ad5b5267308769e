/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that ends a superstep before a collective call that another one waits for is named;
 * nothing hangs. */
#include "../lib/collective.h"

#include <bsp_goal.h>

static int x[4], y[4];

static void sooner_on_one(void)
{
	enter();
	bsp_sync();
	if (me() == 1)
		bsp_sync();
	bsp_allreduce(BSP_SUM, BSP_INT, x, y, 4);
	if (me() != 1)
		bsp_sync();
	bsp_end();
}

static void not_on_one(void)
{
	enter();
	if (me() != 1)
		bsp_allreduce(BSP_SUM, BSP_INT, x, y, 4);
	bsp_sync();
	bsp_end();
}

static void end_instead(void)
{
	enter();
	if (me() != 0)
		bsp_allreduce(BSP_SUM, BSP_INT, x, y, 4);
	bsp_end();
}

static void fewer_before_the_end(void)
{
	enter();
	bsp_allreduce(BSP_SUM, BSP_INT, x, y, 4);
	if (me() == 0)
		bsp_allreduce(BSP_SUM, BSP_INT, x, y, 4);
	bsp_end();
}

/* Found while it computes: the barrier has not begun. */
static void late_at_the_barrier(void)
{
	enter();
	if (me() == 1)
		for (double until = bsp_time() + 0.2; bsp_time() < until;)
			;
	else
		bsp_allreduce(BSP_SUM, BSP_INT, x, y, 4);
	bsp_sync();
	bsp_end();
}

static void waited_for_later(void)
{
	bsp_request r = BSP_NO_REQUEST;

	enter();
	if (me() != 1)
		r = bsp_iallreduce(BSP_SUM, BSP_INT, x, y, 4);
	bsp_wait(&r);
	bsp_sync();
	bsp_end();
}

/* As the rule says: what is started sooner is not waited for before others have started it. */
static void started_sooner(void)
{
	bsp_request r = BSP_NO_REQUEST;

	enter();
	for (int i = 0; i < 50; i++) {
		x[0] = i;
		if (me() != 1)
			r = bsp_iallreduce(BSP_SUM, BSP_INT, x, y, 4);
		bsp_sync();
		if (me() == 1)
			r = bsp_iallreduce(BSP_SUM, BSP_INT, x, y, 4);
		bsp_wait(&r);
		if (y[0] != procs() * i)
			bsp_abort("%d instead of %d\n", y[0], procs() * i);
		bsp_sync();
	}
	bsp_end();
}

/* An operator that would wait for itself. */
static struct goal_request *run;

static void ends_a_superstep(void *result, void *left, void *right, int *nbytes)
{
	(void)right;
	memcpy(result, left, (size_t)*nbytes);
	bsp_sync();
}

static void waits_for_a_run(void *result, void *left, void *right, int *nbytes)
{
	(void)right;
	memcpy(result, left, (size_t)*nbytes);
	goal_wait(run);
}

static void superstep_in_an_operator(void)
{
	enter();
	bsp_fold(ends_a_superstep, x, y, 4);
	bsp_end();
}

static void run_in_an_operator(void)
{
	struct goal_graph *g;
	struct goal_schedule *s;
	size_t len;
	void *block;

	enter();
	g = goal_graph_create(2, me());
	if (me() == 0)
		goal_recv(g, 1, GOAL_NOWHERE, 1, 0);
	block = goal_compile(g, &len);
	s = goal_load(block, len);
	run = goal_start(s, NULL);
	free(block);
	goal_graph_destroy(g);
	bsp_fold(waits_for_a_run, x, y, 4);
	bsp_end();
}

static void mixed_up(void)
{
	dies_ok(sooner_on_one, 3, "bsp_sync: process ", "bsp_sync sooner on one process");
	dies_ok(not_on_one, 3, "bsp_sync: process ", "no call on one process");
	dies_ok(end_instead, 3, "bsp_end: process ", "bsp_end instead");
	dies_ok(fewer_before_the_end, 3, "bsp_end: process ", "fewer calls before bsp_end");
	dies_ok(late_at_the_barrier, 3, "bsp_sync: process ",
		"no call on one process, which is late");
	dies_ok(waited_for_later, 3, "bsp_sync: process ",
		"no call on one process, others wait later");
}

int main(void)
{
	const char *transport = getenv("BSP_TRANSPORT");

	if (!transport || strcmp(transport, "emu") != 0) /* which reports no wait */
		mixed_up();
	lives_ok(started_sooner, 3, "started before the superstep on some, in it on others");
	dies_ok(superstep_in_an_operator, 2, "bsp_sync: called by an operator of bsp_fold; ",
		"bsp_sync in an operator");
	dies_ok(run_in_an_operator, 2, "goal_wait: called by an operator of bsp_fold; ",
		"goal_wait in an operator");
	return done_testing();
}
