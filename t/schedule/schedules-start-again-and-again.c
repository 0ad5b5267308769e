/* SPDX-License-Identifier: BSD-3-Clause */
/* A schedule starts ten thousand times, and schedules come and go, in the same memory. */
#include "../lib/runs.h"

#include <malloc.h>

enum { STARTS = 10000, SCHEDULES = 2000, MOST = 200000 };

/* With a sanitizer there is no figure, nor has musl one. */
#ifdef __GLIBC__
static size_t allocated(void)
{
	return SANITIZED ? 0 : mallinfo2().uordblks;
}
#else
static size_t allocated(void)
{
	return 0;
}
#endif

/* A dissemination barrier that carries a maximum. */
static struct goal_schedule *load_maximum(void)
{
	int n = (int)bsp_nprocs(), me = (int)bsp_pid(), last = -1;
	struct goal_graph *g = graph();
	int value = goal_buffer(g);
	uint32_t round = 0;

	for (int d = 1; d < n; d *= 2, round++) {
		uint64_t at = goal_scratch(g, 8);
		int sent = goal_send(g, 8, HERE(value, 0), (me + d) % n, round);
		int got = goal_recv(g, 8, HERE(GOAL_SCRATCHPAD, at), (me + n - d) % n, round);
		int max = goal_local(g, GOAL_MAX, GOAL_U64, 8, HERE(value, 0),
				     HERE(GOAL_SCRATCHPAD, at));

		goal_requires(g, max, sent);
		goal_requires(g, max, got);
		if (last >= 0)
			goal_requires(g, sent, last);
		last = max;
	}
	return load(g);
}

static void starts(void)
{
	struct goal_schedule *s;
	long wrong_values = 0;
	size_t before = 0;

	enter();
	s = load_maximum();
	for (uint64_t i = 0; i < STARTS; i++) {
		uint64_t value = 1000 * i + (uint64_t)bsp_pid();
		void *buffers[] = { &value };

		goal_wait(goal_start(s, buffers));
		wrong_values += value != 1000 * i + (uint64_t)bsp_nprocs() - 1;
		if (i == 100)
			before = allocated();
	}
	is_int(0, wrong_values, "the maximum every time");
	ok(allocated() <= before + MOST, "no more memory than after a hundred starts");
	bsp_end();
}

static void schedules(void)
{
	long wrong_values = 0;
	size_t before = 0;

	enter();
	for (uint64_t i = 0; i < SCHEDULES; i++) {
		struct goal_schedule *s = load_maximum();
		uint64_t value = i + (uint64_t)bsp_pid();
		void *buffers[] = { &value };

		goal_wait(goal_start(s, buffers));
		wrong_values += value != i + (uint64_t)bsp_nprocs() - 1;
		goal_unload(s);
		if (i == 100)
			before = allocated();
	}
	is_int(0, wrong_values, "the maximum from every schedule");
	ok(allocated() <= before + MOST, "no more memory than after a hundred schedules");
	bsp_end();
}

int main(void)
{
	lives_ok(starts, 2, "ten thousand starts");
	lives_ok(starts, 5, "ten thousand starts of five");
	lives_ok(schedules, 2, "two thousand schedules");
	lives_ok(schedules, 4, "two thousand schedules of four");
	lives_ok(starts, 1, "ten thousand starts of one");
	return done_testing();
}
