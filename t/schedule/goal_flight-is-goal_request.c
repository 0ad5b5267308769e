/* SPDX-License-Identifier: BSD-3-Clause */
/* The deprecated name of a handle of a run, struct goal_flight, is that of the same type. */
#include "../lib/runs.h"

#include <assert.h>

static_assert(_Generic((struct goal_flight *)NULL, struct goal_request *: 1, default: 0),
	      "the alias is the same type");

static void calls(void)
{
	uint64_t out = 5, in = 0;
	void *buffers[] = { &out, &in };
	struct goal_schedule *s;
	struct goal_flight *run;

	enter();
	out += (uint64_t)bsp_pid();
	s = load_shift(8);
	run = goal_start(s, buffers);
	goal_wait(run);
	is_int(5 + left(), (long long)in, "a run by the old name of its handle");
	goal_unload(s);
	bsp_end();
}

int main(void)
{
	lives_ok(calls, 2, "a run by the old name of its handle");
	return done_testing();
}
