/* SPDX-License-Identifier: BSD-3-Clause */
/* Every call of bsp_goal.h can be called without its macro, by its address. */
#include "../lib/runs.h"

static struct goal_schedule *(*const do_load)(const void *, size_t) = goal_load;
static void (*const do_unload)(struct goal_schedule *) = goal_unload;
static struct goal_request *(*const do_start)(struct goal_schedule *, void *const *) = goal_start;
static int (*const do_test)(struct goal_request **) = goal_test;
static void (*const do_wait)(struct goal_request *) = goal_wait;

static void calls(void)
{
	uint64_t out = 5, in = 0;
	void *buffers[] = { &out, &in };
	struct goal_graph *g;
	struct goal_schedule *s;
	struct goal_request *f;
	void *block;
	size_t len;

	enter();
	out += (uint64_t)bsp_pid();
	g = graph();
	goal_send(g, 8, HERE(goal_buffer(g), 0), (int)right(), 0);
	goal_recv(g, 8, HERE(goal_buffer(g), 0), (int)left(), 0);
	block = goal_compile(g, &len);
	s = do_load(block, len);
	free(block);
	goal_graph_destroy(g);
	do_wait(do_start(s, buffers));
	is_int(5 + left(), (long long)in, "load, start and wait");
	f = do_start(s, buffers);
	while (!do_test(&f))
		;
	ok(!f, "test");
	do_unload(s);
	bsp_end();
}

int main(void)
{
	lives_ok(calls, 2, "calls by their addresses");
	return done_testing();
}
