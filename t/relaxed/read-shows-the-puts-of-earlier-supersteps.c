/* SPDX-License-Identifier: BSD-3-Clause */
/* After bsp_read an area holds what the puts of earlier supersteps have written. */
#include "../lib/relaxed.h"

enum { SUPERSTEPS = 300, MOST = 8 };

static int halo, all[MOST];

static int value(int pid, int s)
{
	return s * 1000 + pid;
}

/* Some are fast and some are slow, differently in each superstep. */
static void compute(int s)
{
	volatile int spun = 0;

	while (spun < ((int)bsp_pid() * 5 + s) % 7 * 500)
		spun++;
}

static void ring(void)
{
	int wrong_values = 0;

	enter_relaxed();
	publish(&halo, sizeof halo);
	for (int s = 0; s < SUPERSTEPS; s++) {
		int v = value((int)bsp_pid(), s);

		bsp_put(right(), &v, &halo, 0, sizeof v);
		compute(s);
		bsp_sync();
		bsp_read(&halo, 1);
		wrong_values += halo != value((int)left(), s);
	}
	is_int(0, wrong_values, "the value of the left one in every superstep");
	bsp_end();
}

static void total_exchange(void)
{
	int wrong_values = 0;

	enter_relaxed();
	publish(all, sizeof all);
	for (int s = 0; s < SUPERSTEPS; s++) {
		int v = value((int)bsp_pid(), s);

		for (int pid = 0; pid < (int)bsp_nprocs(); pid++)
			bsp_put((bsp_pid_t)pid, &v, all, (bsp_size_t)((size_t)bsp_pid() * sizeof v),
				sizeof v);
		bsp_sync();
		compute(s);
		bsp_read(all, (int)bsp_nprocs());
		for (int pid = 0; pid < (int)bsp_nprocs(); pid++)
			wrong_values += all[pid] != value(pid, s);
	}
	is_int(0, wrong_values, "the values of all in every superstep");
	bsp_end();
}

/* From one process to the next, so that the last is done long after the first. */
static void pipeline(void)
{
	int wrong_values = 0;

	enter_relaxed();
	publish(&halo, sizeof halo);
	for (int s = 0; s < SUPERSTEPS; s++) {
		int mine = s;

		if (bsp_pid() > 0 && s >= (int)bsp_pid()) {
			bsp_read(&halo, 1);
			wrong_values += halo != (s - 1) * 10 + (int)bsp_pid() - 1;
		}
		mine = mine * 10 + (int)bsp_pid();
		if (right() && s >= (int)bsp_pid())
			bsp_put(right(), &mine, &halo, 0, sizeof mine);
		compute(s);
		bsp_sync();
	}
	is_int(0, wrong_values, "the value of the one before in every superstep");
	bsp_end();
}

int main(void)
{
	setenv("BSP_UNREAD", "ignore", 1);
	under_each(ring, 0, "ring");
	lives_ok(ring, 8, "ring of eight");
	lives_ok(ring, 1, "ring of one");
	under_each(total_exchange, 0, "total exchange");
	lives_ok(total_exchange, 8, "total exchange of eight");
	lives_ok(total_exchange, 1, "total exchange of one");
	under_each(pipeline, 3, "pipeline");
	return done_testing();
}
