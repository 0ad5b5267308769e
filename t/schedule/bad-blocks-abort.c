/* SPDX-License-Identifier: BSD-3-Clause */
/* Goal_load of a block that is none, is damaged, or is another process's ends the job with what is
 * wrong with it. */
#include "../lib/runs.h"

static unsigned char *block;
static size_t len;

static void compile_for(int nprocs, int rank)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);

	goal_send(g, 16, HERE(goal_buffer(g), 0), (rank + 1) % nprocs, 1);
	block = goal_compile(g, &len);
	if (!block)
		bail("goal_compile: %s", goal_graph_error(g));
	goal_graph_destroy(g);
}

static void begin(void)
{
	enter();
	compile_for((int)bsp_nprocs(), (int)bsp_pid());
}

static void null(void)
{
	begin();
	expect_site(), goal_load(NULL, len);
	bsp_end();
}

static void magic(void)
{
	begin();
	block[0] ^= 1;
	expect_site(), goal_load(block, len);
	bsp_end();
}

static void short_by_8(void)
{
	begin();
	expect_site(), goal_load(block, len - 8);
	bsp_end();
}

static void empty(void)
{
	begin();
	expect_site(), goal_load(block, 0);
	bsp_end();
}

static void huge(void)
{
	begin();
	expect_site(), goal_load(block, (size_t)-1);
	bsp_end();
}

static void for_more(void)
{
	enter();
	compile_for((int)bsp_nprocs() + 1, (int)bsp_pid());
	expect_site(), goal_load(block, len);
	bsp_end();
}

static void of_another(void)
{
	enter();
	compile_for((int)bsp_nprocs(), (int)right());
	expect_site(), goal_load(block, len);
	bsp_end();
}

/* Functions are not to be had this way. */
static void calls(void)
{
	struct goal_graph *g;
	struct goal_piece piece = { HERE(GOAL_SCRATCHPAD, 0), 8 };

	enter();
	g = graph();
	goal_scratch(g, 8);
	goal_call(g, 0, &piece, 1, 1);
	block = goal_compile(g, &len);
	if (!block)
		bail("goal_compile: %s", goal_graph_error(g));
	expect_site(), goal_load(block, len);
	bsp_end();
}

/* At an odd address, which is no matter: it is copied. */
static void at_an_odd_address(void)
{
	unsigned char *copy;
	struct goal_schedule *s;

	begin();
	copy = malloc(len + 1);
	memcpy(copy + 1, block, len);
	s = goal_load(copy + 1, len);
	memset(copy, 0xff, len + 1);
	free(copy);
	goal_unload(s);
	bsp_end();
}

/* Each byte is set to another value: the job ends with a message or the schedule is loaded. */
static void damaged(void)
{
	begin();
	block[40 + 8 * (size_t)bsp_pid()] = 0xff;
	goal_load(block, len);
	bsp_end();
}

int main(void)
{
	dies_ok(null, 2, "goal_load: the block is NULL", "no block");
	dies_ok(magic, 2, "goal_load: the block is no good schedule: ", "a wrong beginning");
	dies_ok(short_by_8, 2, "goal_load: the block is no good schedule: ", "the end is missing");
	dies_ok(empty, 2, "goal_load: the block is no good schedule: ", "nothing at all");
	dies_ok(huge, 2, "goal_load: the block is no good schedule: ", "more than there can be");
	dies_ok(for_more, 2, "goal_load: the schedule is the part of process ",
		"for another number of processes");
	dies_ok(of_another, 2, "goal_load: the schedule is the part of process ",
		"for another process");
	dies_ok(calls, 2, "goal_load: the block is no good schedule: ", "calls functions");
	dies_ok(damaged, 2, "goal_load: the block is no good schedule: ", "damaged");
	lives_ok(at_an_odd_address, 2, "a block at any address, copied");
	return done_testing();
}
