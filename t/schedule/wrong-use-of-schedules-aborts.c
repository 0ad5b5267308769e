/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs not waited for, waited for twice, wrong buffers, schedules that do not fit: the job ends,
 * with the place. */
#include "../lib/runs.h"

static struct goal_schedule *s;
static uint64_t words[8];
static void *both[] = { words, words + 4 };

static void begin(void)
{
	enter();
	s = load_shift(16);
}

static void unload_under_way(void)
{
	begin();
	goal_start(s, both);
	expect_site(), goal_unload(s);
	bsp_end();
}

static void unload_twice(void)
{
	begin();
	goal_unload(s);
	expect_site(), goal_unload(s);
	bsp_end();
}

static void start_after_unload(void)
{
	begin();
	goal_unload(s);
	expect_site(), goal_start(s, both);
	bsp_end();
}

static void end_under_way(void)
{
	begin();
	goal_start(s, both);
	expect_site(), bsp_end();
}

static void wait_twice(void)
{
	struct goal_request *f;

	begin();
	f = goal_start(s, both);
	goal_wait(f);
	expect_site(), goal_wait(f);
	bsp_end();
}

static void wait_for_null(void)
{
	begin();
	expect_site(), goal_wait(NULL);
	bsp_end();
}

static void test_of_null(void)
{
	begin();
	expect_site(), goal_test(NULL);
	bsp_end();
}

static void test_of_none(void)
{
	struct goal_request *none = NULL;

	begin();
	is_int(1, goal_test(&none), "what is over stays over");
	bsp_end();
}

static void start_null(void)
{
	begin();
	expect_site(), goal_start(NULL, both);
	bsp_end();
}

static void unload_null(void)
{
	begin();
	expect_site(), goal_unload(NULL);
	bsp_end();
}

static void no_buffers(void)
{
	begin();
	expect_site(), goal_start(s, NULL);
	bsp_end();
}

static void null_buffer(void)
{
	void *buffers[] = { words, NULL };

	begin();
	expect_site(), goal_start(s, buffers);
	bsp_end();
}

static void crooked_buffer(void)
{
	struct goal_graph *g;
	void *buffers[] = { (char *)words + 4 };

	enter();
	g = graph();
	goal_scratch(g, 8);
	goal_local(g, GOAL_ADD, GOAL_U64, 8, HERE(goal_buffer(g), 0), HERE(GOAL_SCRATCHPAD, 0));
	s = load(g);
	expect_site(), goal_start(s, buffers);
	bsp_end();
}

/* Process 0 sends more than its neighbour receives. */
static void lengths_differ(void)
{
	struct goal_graph *g;

	enter();
	g = graph();
	goal_send(g, bsp_pid() == 0 ? 24 : 16, HERE(goal_buffer(g), 0), (int)right(), 0);
	goal_recv(g, 16, HERE(goal_buffer(g), 0), (int)left(), 0);
	s = load(g);
	goal_wait(goal_start(s, both));
	bsp_end();
}

static void alone(void)
{
	struct goal_graph *g;

	enter();
	g = graph();
	goal_recv(g, 16, HERE(goal_buffer(g), 0), (int)GOAL_ANY, 0);
	s = load(g);
	expect_site(), goal_wait(goal_start(s, both));
	bsp_end();
}

static void before_begin(void)
{
	goal_load(words, sizeof words);
}

static void after_end(void)
{
	begin();
	goal_wait(goal_start(s, both));
	bsp_end();
	expect_site(), goal_start(s, both);
}

int main(void)
{
	dies_ok(unload_under_way, 2, "goal_unload: start 0 of the schedule, at ",
		"unload with a run under way");
	dies_ok(unload_twice, 2, "goal_unload: the schedule was unloaded before",
		"a second unload");
	dies_ok(start_after_unload, 2, "goal_start: the schedule was unloaded before",
		"a start after the unload");
	dies_ok(end_under_way, 2, "bsp_end: a run was not waited for: that of goal_start at ",
		"bsp_end with a run under way");
	dies_ok(wait_twice, 2, "goal_wait: the run was waited for before", "a second wait");
	dies_ok(wait_for_null, 2, "goal_wait: the run is NULL", "no run");
	dies_ok(test_of_null, 2, "goal_test: the address of the run is NULL",
		"no address of a run");
	lives_ok(test_of_none, 2, "a test of what is over");
	dies_ok(start_null, 2, "goal_start: the schedule is NULL", "no schedule");
	dies_ok(unload_null, 2, "goal_unload: the schedule is NULL", "no schedule to unload");
	dies_ok(no_buffers, 2, "goal_start: the schedule has 2 buffers and no addresses are given",
		"no buffers");
	dies_ok(null_buffer, 2, "goal_start: the address of buffer 1, of 16 bytes, is NULL",
		"a buffer is NULL");
	dies_ok(crooked_buffer, 2, "goal_start: buffer 0 is at ", "a buffer is not aligned");
	dies_ok(lengths_differ, 2, "goal_start: process 0 sent 24 bytes with tag 0, and operation ",
		"a message longer than its receive");
	dies_ok(alone, 1,
		"goal_wait: the run that was started here waits for a message, and there is no "
		"other process",
		"a receive of one process");
	dies_ok(before_begin, 1, "goal_load: called before bsp_begin", "before bsp_begin");
	dies_ok(after_end, 2, "goal_start: called after bsp_end", "after bsp_end");
	return done_testing();
}
