/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives from any process, or of any tag, take each message once, those of one process in their
 * order. */
#include "../lib/runs.h"

enum { EACH = 20, MOST_PROCS = 8, ROUNDS = 10 };

static uint32_t got[EACH * MOST_PROCS], sent[EACH];

/* All send to process 0, which receives from any. */
static struct goal_schedule *load_funnel(bool any_tag)
{
	int n = (int)bsp_nprocs(), buffer, last = -1;
	struct goal_graph *g = graph();

	buffer = goal_buffer(g);
	for (uint32_t i = 0; bsp_pid() != 0 && i < EACH; i++) {
		int op = goal_send(g, 4, HERE(buffer, 4 * i), 0, any_tag ? i : 7);

		if (last >= 0)
			goal_requires(g, op, last);
		last = op;
	}
	for (int i = 0; bsp_pid() == 0 && i < EACH * (n - 1); i++) {
		int op = goal_recv(g, 4, HERE(buffer, 4 * (uint64_t)i), (int)GOAL_ANY,
				   any_tag ? GOAL_ANY : 7);

		if (last >= 0)
			goal_requires(g, op, last);
		last = op;
	}
	return load(g);
}

/*
 * The words of a process are 1000 * process + 0 .. EACH - 1. How many are not where they should be?
 */
static long out_of_order(void)
{
	uint32_t next[MOST_PROCS] = { 0 };
	long wrong_words = 0;

	for (int i = 0; i < EACH * ((int)bsp_nprocs() - 1); i++) {
		uint32_t p = got[i] / 1000;

		if (p == 0 || p >= (uint32_t)bsp_nprocs() || got[i] % 1000 != next[p]++)
			wrong_words++;
	}
	return wrong_words;
}

static void funnel(bool any_tag, const char *what)
{
	struct goal_schedule *s = load_funnel(any_tag);
	void *buffers[] = { bsp_pid() ? sent : got };
	long wrong_words = 0;

	for (int round = 0; round < ROUNDS; round++) {
		goal_wait(goal_start(s, buffers));
		if (bsp_pid() == 0)
			wrong_words += out_of_order();
	}
	is_int(0, wrong_words, "%s: each once, and in order", what);
}

static void funnels(void)
{
	enter();
	for (uint32_t i = 0; i < EACH; i++)
		sent[i] = 1000 * (uint32_t)bsp_pid() + i;
	funnel(false, "from any");
	funnel(true, "from any, of any tag");
	bsp_end();
}

/* A receive from any does not take what one before it, from a certain process, waits for. */
static void first_posted_first(void)
{
	struct goal_graph *g;
	struct goal_schedule *s;
	void *buffers[1];
	int buffer, first, second;

	enter();
	g = graph();
	buffer = goal_buffer(g);
	sent[0] = (uint32_t)bsp_pid();
	got[0] = got[1] = 0;
	if (bsp_pid() == 0) {
		first = goal_recv(g, 4, HERE(buffer, 0), 2, 1);
		second = goal_recv(g, 4, HERE(buffer, 4), (int)GOAL_ANY, 1);
		goal_irequires(g, second, first);
	} else if (bsp_pid() < 3) {
		goal_send(g, 4, HERE(buffer, 0), 0, 1);
	}
	buffers[0] = bsp_pid() ? sent : got;
	s = load(g);
	goal_wait(goal_start(s, buffers));
	if (bsp_pid() == 0)
		ok(got[0] == 2 && got[1] == 1, "from process 2, then from any");
	bsp_end();
}

int main(void)
{
	lives_ok(funnels, 2, "receives from any of two");
	lives_ok(funnels, 6, "receives from any of six");
	lives_ok(first_posted_first, 3, "receives from any come in their turn");
	return done_testing();
}
