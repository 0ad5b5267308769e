/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of some MiB arrive whole, with sizes around each limit, in whichever order they come. */
#include "../lib/runs.h"

enum { MOST = 5 << 20 };

static unsigned char out[MOST + 64], in[MOST + 64];

static void shift(struct goal_schedule *s, size_t nbytes, uint32_t seed)
{
	void *buffers[] = { out + seed % 3, in + seed % 5 };

	fill(buffers[0], nbytes, seed + (uint32_t)bsp_pid());
	memset(in, 0, nbytes);
	goal_wait(goal_start(s, buffers));
	is_int(0, wrong(buffers[1], nbytes, seed + (uint32_t)left()), "%zu bytes", nbytes);
}

static void large(void)
{
	static const size_t sizes[] = { 2 << 20, MOST, 2 << 20 };

	enter();
	for (uint32_t i = 0; i < 3; i++)
		shift(load_shift(sizes[i]), sizes[i], i);
	bsp_end();
}

/* Around powers of two, where a message begins to travel in another way. */
static void around_limits(void)
{
	enter();
	for (size_t limit = 1024; limit <= 1 << 20; limit *= 2) {
		for (size_t nbytes = limit - 100; nbytes <= limit + 1; nbytes += 50 + nbytes % 2) {
			struct goal_schedule *s = load_shift(nbytes);

			shift(s, nbytes, (uint32_t)nbytes);
			goal_unload(s);
		}
	}
	bsp_end();
}

/* To all others at once, by one operation. */
static void to_all(void)
{
	static const size_t sizes[] = { 0, 100, 100000, 1 << 20 };

	enter();
	for (int i = 0; i < 4; i++) {
		struct goal_graph *g = graph();
		int buffer = goal_buffer(g);
		struct goal_schedule *s;
		void *buffers[] = { in };

		if (bsp_pid() == 0)
			goal_multicast(g, sizes[i], HERE(buffer, 0), 3);
		else
			goal_recv(g, sizes[i], HERE(buffer, 0), 0, 3);
		s = load(g);
		memset(in, 0, sizes[i]);
		if (bsp_pid() == 0)
			fill(in, sizes[i], 77);
		goal_wait(goal_start(s, buffers));
		is_int(0, wrong(in, sizes[i], 77), "%zu bytes to all", sizes[i]);
		if (bsp_pid() == 0)
			memset(in, 1, sizes[i]);	/* it is ours again */
	}
	bsp_end();
}

/* Bytes that mean nothing: zeros where there is a place for them, dropped where there is none. */
static void nothing(void)
{
	static const size_t sizes[] = { 10, 200000 };

	enter();
	for (int i = 0; i < 2; i++) {
		struct goal_graph *g = graph();
		void *buffers[] = { in };
		struct goal_schedule *s;

		goal_send(g, sizes[i], GOAL_NOWHERE, (int)right(), 0);
		goal_recv(g, sizes[i], HERE(goal_buffer(g), 0), (int)left(), 0);
		goal_send(g, sizes[i], HERE(0, 0), (int)right(), 1);
		goal_recv(g, sizes[i], GOAL_NOWHERE, (int)left(), 1);
		goal_requires(g, 2, 1);
		s = load(g);
		memset(in, 1, sizes[i]);
		goal_wait(goal_start(s, buffers));
		for (size_t k = 0; k < sizes[i]; k++)
			in[0] |= in[k];
		is_int(0, in[0], "%zu bytes that mean nothing are 0", sizes[i]);
	}
	bsp_end();
}

int main(void)
{
	lives_ok(large, 2, "large messages of two");
	lives_ok(large, 4, "large messages of four");
	lives_ok(around_limits, 2, "messages of sizes around limits");
	lives_ok(to_all, 2, "multicast of two");
	lives_ok(to_all, 5, "multicast of five");
	lives_ok(nothing, 3, "bytes that mean nothing");
	return done_testing();
}
