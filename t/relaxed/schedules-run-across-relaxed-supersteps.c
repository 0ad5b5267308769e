/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs go on through relaxed supersteps and changes of the mode, under every protocol of
 * puts. */
#include "../lib/relaxed.h"

#include "../lib/runs.h"

enum { STEPS = 80, BYTES = 2000 };

static unsigned char out[BYTES], in[BYTES];
static uint32_t area[BYTES];

static struct goal_request *start(struct goal_schedule *s, uint32_t step)
{
	void *buffers[] = { out, in };

	fill(out, BYTES, step + (uint32_t)bsp_pid());
	return goal_start(s, buffers);
}

static void put(uint32_t step)
{
	static uint32_t values[BYTES];

	for (uint32_t i = 0; i < BYTES; i++)
		values[i] = step * 10000 + i;
	bsp_put(right(), values, area, 0, sizeof area);
}

static long look(uint32_t step)
{
	long wrong_words = 0;

	for (uint32_t i = 0; i < BYTES; i++)
		wrong_words += area[i] != step * 10000 + i;
	return wrong_words;
}

/* Started in one superstep and waited for in the next, around puts that are read. */
static void relaxed(void)
{
	long wrong_words = 0, wrong_bytes = 0;
	struct goal_schedule *s;

	enter_relaxed();
	publish(area, sizeof area);
	s = load_shift(BYTES);
	for (uint32_t step = 0; step < STEPS; step++) {
		struct goal_request *f = start(s, step);

		put(step);
		bsp_sync();
		if (step % 3 == 0)
			goal_wait(f);
		bsp_read(area, 1);
		wrong_words += look(step);
		if (step % 3)
			goal_wait(f);
		wrong_bytes += wrong(in, BYTES, step + (uint32_t)left());
	}
	is_int(0, wrong_words, "puts");
	is_int(0, wrong_bytes, "messages of runs");
	bsp_end();
}

static void modes_change(void)
{
	long wrong_words = 0, wrong_bytes = 0;
	struct goal_schedule *s;

	enter();
	make_flags();
	publish(area, sizeof area);
	s = load_shift(BYTES);
	for (uint32_t step = 0; step < STEPS; step++) {
		int mode = step / 5 % 2 ? BSP_RELAXED : BSP_CLASSIC;
		struct goal_request *f = start(s, step);

		bsp_set_sync(mode);
		put(step);
		bsp_sync();
		bsp_read(area, 1);
		wrong_words += look(step);
		if (step % 5 == 4)
			bsp_set_sync(mode == BSP_RELAXED ? BSP_CLASSIC : BSP_RELAXED), bsp_sync();
		goal_wait(f);
		wrong_bytes += wrong(in, BYTES, step + (uint32_t)left());
	}
	is_int(0, wrong_words, "puts of either mode");
	is_int(0, wrong_bytes, "messages of runs of either mode");
	bsp_end();
}

/*
 * Process 1 runs ahead in supersteps that have no reads; the others learn of its runs when they
 * get there.
 */
static void far_apart(void)
{
	struct goal_schedule *s;
	long wrong_bytes = 0;

	enter_relaxed();
	publish(area, sizeof area);
	s = load_shift(BYTES);
	for (uint32_t step = 0; step < STEPS; step++) {
		struct goal_request *f;

		if (bsp_pid() == 0 && step == STEPS / 2)
			for (int i = 0; i < 100; i++)
				sched_yield();
		f = start(s, step);
		bsp_sync();
		bsp_sync();
		goal_wait(f);
		wrong_bytes += wrong(in, BYTES, step + (uint32_t)left());
	}
	is_int(0, wrong_bytes, "messages between supersteps far apart");
	bsp_end();
}

int main(void)
{
	under_each(relaxed, 2, "two processes");
	under_each(relaxed, 5, "five processes");
	under_each(modes_change, 3, "modes change");
	under_each(far_apart, 4, "processes far apart");
	return done_testing();
}
