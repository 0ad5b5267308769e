/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsp_serve announces gets: they return what the area holds at the end of their superstep. */
#include "../lib/relaxed.h"

enum { SUPERSTEPS = 200, MOST = 8 };

static int x, got[MOST], y[3];

static void compute(int s)
{
	volatile int spun = 0;

	while (spun < ((int)bsp_pid() * 3 + s) % 5 * 500)
		spun++;
}

static void ring(void)
{
	int wrong_values = 0;

	enter_relaxed();
	publish(&x, sizeof x);
	for (int s = 0; s < SUPERSTEPS; s++) {
		bsp_get(right(), &x, 0, got, sizeof x);
		x = s * 1000 + (int)bsp_pid();
		bsp_serve(&x, 1);
		compute(s);
		bsp_sync();
		wrong_values += got[0] != s * 1000 + (int)right();
	}
	is_int(0, wrong_values, "that of the right one in every superstep");
	bsp_end();
}

static void all_from_all(void)
{
	int wrong_values = 0;

	enter_relaxed();
	publish(&x, sizeof x);
	for (int s = 0; s < SUPERSTEPS; s++) {
		bsp_serve(&x, (int)bsp_nprocs());
		for (int pid = 0; pid < (int)bsp_nprocs(); pid++)
			bsp_get((bsp_pid_t)pid, &x, 0, &got[pid], sizeof x);
		x = s * 1000 + (int)bsp_pid();
		compute(s);
		bsp_sync();
		for (int pid = 0; pid < (int)bsp_nprocs(); pid++)
			wrong_values += got[pid] != s * 1000 + pid;
	}
	is_int(0, wrong_values, "those of all in every superstep");
	bsp_end();
}

/* Only process 0 is asked, each time for another part; who asks waits, who does not goes on. */
static void now_and_then(void)
{
	int wrong_values = 0;

	enter_relaxed();
	publish(y, sizeof y);
	for (int s = 0; s < SUPERSTEPS; s++) {
		bool asks = s % 4 == (int)bsp_pid() % 4;

		for (int i = 0; i < 3; i++)
			y[i] = s * 10 + i;
		if (bsp_pid() == 0)
			bsp_serve(y, ((int)bsp_nprocs() + 3 - s % 4) / 4);
		if (asks)
			bsp_get(0, y, (bsp_size_t)((size_t)(s % 3) * sizeof x), got, sizeof x);
		bsp_sync();
		if (asks)
			wrong_values += got[0] != s * 10 + s % 3;
	}
	is_int(0, wrong_values, "in whichever order they ask");
	bsp_end();
}

/* A get returns the value of a put of an earlier superstep, once a read has seen it. */
static void behind_a_read(void)
{
	int wrong_values = 0;

	enter_relaxed();
	publish(&x, sizeof x);
	for (int s = 0; s < SUPERSTEPS; s++) {
		int v = s * 1000 + (int)bsp_pid();

		bsp_put(right(), &v, &x, 0, sizeof v);
		bsp_sync();
		bsp_read(&x, 1);
		bsp_serve(&x, 1);
		bsp_get(right(), &x, 0, got, sizeof x);
		bsp_sync();
		wrong_values += got[0] != s * 1000 + (int)bsp_pid();
	}
	is_int(0, wrong_values, "what went to the right one comes back");
	bsp_end();
}

int main(void)
{
	under_each(ring, 0, "ring");
	under_each(all_from_all, 0, "all from all");
	lives_ok(all_from_all, 8, "all from all of eight");
	lives_ok(all_from_all, 1, "all from all of one");
	under_each(now_and_then, 5, "one is asked by some");
	under_each(behind_a_read, 0, "puts and gets by turns");
	return done_testing();
}
