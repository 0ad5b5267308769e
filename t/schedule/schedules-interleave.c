/* SPDX-License-Identifier: BSD-3-Clause */
/* Several schedules at once, each started several times, tested and waited for in an order of each
 * process's own. */
#include "../lib/runs.h"

enum { SCHEDULES = 6, EACH = 4, ROUNDS = 30, BYTES = 70000 };

static unsigned char out[SCHEDULES][EACH][BYTES], in[SCHEDULES][EACH][BYTES];

/* From a few bytes to more than travel eagerly. */
static size_t size_of(int s)
{
	static const size_t sizes[SCHEDULES] = { 3, 100, 1000, 9000, 40000, BYTES };

	return sizes[s];
}

static uint32_t seed(long process, int round, int s, int i)
{
	return (uint32_t)(process * 7919 + round * 997 + s * 31 + i);
}

/* Tests that come in any order until all are over. */
static void finish(struct goal_request **runs, int n, int round)
{
	int left_over = n, at = (int)bsp_pid() * 5 + round;

	while (left_over > 0) {
		struct goal_request **f = &runs[at++ * 7 % n];
		bool there = *f;

		left_over -= goal_test(f) && there;
	}
}

static void several(void)
{
	struct goal_schedule *schedules[SCHEDULES];
	struct goal_request *runs[SCHEDULES * EACH];
	long wrong_bytes = 0;

	enter();
	for (int s = 0; s < SCHEDULES; s++)
		schedules[s] = load_shift(size_of(s));
	for (int round = 0; round < ROUNDS; round++) {
		for (int k = 0; k < SCHEDULES * EACH; k++) {
			int s = (k + (int)bsp_pid()) % SCHEDULES, i = k / SCHEDULES;
			void *buffers[] = { out[s][i], in[s][i] };

			fill(out[s][i], size_of(s), seed(bsp_pid(), round, s, i));
			runs[k] = goal_start(schedules[s], buffers);
		}
		finish(runs, SCHEDULES * EACH, round);
		for (int s = 0; s < SCHEDULES; s++)
			for (int i = 0; i < EACH; i++)
				wrong_bytes +=
					wrong(in[s][i], size_of(s), seed(left(), round, s, i));
	}
	is_int(0, wrong_bytes, "every byte of every run");
	for (int s = 0; s < SCHEDULES; s++)
		goal_unload(schedules[s]);
	bsp_end();
}

/* Loads do not synchronise: messages come for schedules that are not loaded here yet. */
static void loads_are_far_apart(void)
{
	uint64_t value = 0, got = 0;
	void *buffers[] = { &value, &got };
	long wrong_values = 0;
	struct goal_schedule *old = NULL;

	enter();
	for (uint64_t i = 0; i < 500; i++) {
		struct goal_graph *g = graph();
		struct goal_schedule *s;
		int to = goal_buffer(g), from = goal_buffer(g);

		goal_buffer_at_least(g, from, 8);
		if (bsp_pid() + 1 < bsp_nprocs())
			goal_send(g, 8, HERE(to, 0), (int)bsp_pid() + 1, 0);
		if (bsp_pid() > 0)
			goal_recv(g, 8, HERE(from, 0), (int)bsp_pid() - 1, 0);
		s = load(g);
		value = i;
		goal_wait(goal_start(s, buffers));	/* process 0 waits for no process */
		wrong_values += bsp_pid() > 0 && got != i;
		if (old)
			goal_unload(old);
		old = s;
	}
	is_int(0, wrong_values, "from a process far ahead");
	bsp_end();
}

/* A message that no process receives is dropped with its run, small or large. */
static void surplus(void)
{
	struct goal_schedule *s;
	struct goal_graph *g;
	void *buffers[] = { out[0][0] };
	long n = 0;

	enter();
	g = graph();
	if (bsp_pid() == 1) {
		goal_send(g, 100, HERE(goal_buffer(g), 0), 0, 1);
		goal_send(g, sizeof out[0], HERE(0, 0), 0, 2);
	}
	s = load(g);
	for (; n < 3000; n++) {
		struct goal_request *f = goal_start(s, buffers);

		while (!goal_test(&f))
			;
	}
	bsp_sync();
	goal_unload(s);
	is_int(3000, n, "starts whose messages no process receives");
	bsp_end();
}

int main(void)
{
	lives_ok(several, 2, "several schedules of two");
	lives_ok(several, 4, "several schedules of four");
	lives_ok(loads_are_far_apart, 2, "loads far apart");
	lives_ok(loads_are_far_apart, 5, "loads far apart, five processes");
	lives_ok(surplus, 2, "messages that no process receives");
	return done_testing();
}
