/* SPDX-License-Identifier: BSD-3-Clause */
/* A process thousands of supersteps behind reads in each the puts of the one before. */
#include "../lib/relaxed.h"

enum { SUPERSTEPS = 3000 };

static int x, y;

/* The others are through before process 0 begins with its first superstep. */
static void one_is_late(void)
{
	int wrong_values = 0, early = 0;

	enter_eager();
	publish(&x, sizeof x);
	if (bsp_pid() == 0)
		await_flag(0, (int)bsp_nprocs() - 1);
	for (int s = 0; s < SUPERSTEPS; s++) {
		int v = s * 10 + (int)bsp_pid();

		if (bsp_pid() == 1)
			bsp_put(0, &v, &x, 0, sizeof v);
		bsp_sync();
		if (bsp_pid() != 0)
			continue;
		bsp_read(&x, 1);
		wrong_values += x != s * 10 + 1;
		early += bsp_read_test(&x, 1);
	}
	raise_flag(0);
	is_int(0, wrong_values, "the value of each superstep");
	is_int(0, early, "and never that of the next");
	bsp_end();
}

/* A long way without a put, then one from the late to the early, and back. */
static void there_and_back(void)
{
	int v = 77;

	enter_eager();
	bsp_push_reg(&x, sizeof x);
	publish(&y, sizeof y);
	if (bsp_pid() == 0)
		await_flag(0, (int)bsp_nprocs() - 1);
	if (bsp_pid() == 0)
		for (int pid = 1; pid < (int)bsp_nprocs(); pid++)
			bsp_put((bsp_pid_t)pid, &v, &x, 0, sizeof v);
	for (int s = 0; s < 30 * SUPERSTEPS; s++)
		bsp_sync();
	raise_flag(0);
	if (bsp_pid() != 0) {
		bsp_read(&x, 1);
		is_int(77, x, "a put from 90000 supersteps before");
		v = x + (int)bsp_pid();
		bsp_put(0, &v, &y, (bsp_size_t)0, bsp_pid() == 1 ? sizeof v : 0);
	}
	bsp_sync();
	if (bsp_pid() == 0) {
		bsp_read(&y, 1);
		is_int(78, y, "its answer");
	}
	bsp_end();
}

int main(void)
{
	lives_ok(one_is_late, 2, "3000 supersteps apart");
	lives_ok(one_is_late, 4, "3000 supersteps apart, four processes");
	lives_ok(there_and_back, 2, "90000 supersteps apart");
	lives_ok(there_and_back, 5, "90000 supersteps apart, five processes");
	return done_testing();
}
