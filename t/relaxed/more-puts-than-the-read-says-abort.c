/* SPDX-License-Identifier: BSD-3-Clause */
/* A bsp_read that finds more puts than it says ends the job there, and reports both numbers. */
#include "../lib/relaxed.h"

static int x[40], y;

/* The puts of superstep 1 are here before those to y, which come from the same process. */
static void surplus(int puts, int wanted)
{
	int v = 1;

	enter_eager();
	bsp_push_reg(&y, sizeof y);
	publish(x, sizeof x);
	if (bsp_pid() == 1)
		for (int i = 0; i < puts; i++)
			bsp_put(0, &v, x, (bsp_size_t)((size_t)i * sizeof v), sizeof v);
	bsp_sync();
	bsp_sync();
	if (bsp_pid() == 1)
		bsp_put(0, &v, &y, 0, sizeof v);
	bsp_sync();
	expect_process(0);
	expect_superstep(4);
	if (bsp_pid() == 0) {
		while (!bsp_read_test(x, puts) || !bsp_read_test(&y, 1))
			sched_yield();
		expect_site(), bsp_read(x, wanted);
	}
	bsp_end();
}

static void one_instead_of_two(void)
{
	surplus(2, 1);
}

static void none_instead_of_one(void)
{
	surplus(1, 0);
}

static void many(void)
{
	surplus(37, 23);
}

/* A read meets the puts of two supersteps, as the first was not read. */
static void read_forgotten(void)
{
	int v = 1;

	enter_eager();
	publish(x, sizeof x);
	bsp_put(right(), &v, x, 0, sizeof v);
	bsp_sync();
	bsp_put(right(), &v, x, sizeof v, sizeof v);
	bsp_sync();
	while (!bsp_read_test(x, 2))
		sched_yield();
	expect_superstep(3);
	expect_site(), bsp_read(x, 1);
	bsp_end();
}

int main(void)
{
	dies_ok(one_instead_of_two, 2, "bsp_read: ", "two puts, a read of one");
	dies_ok(none_instead_of_one, 2, "bsp_read: ", "one put, a read of none");
	if (dies_ok(many, 2, "bsp_read: ", "37 puts, a read of 23") && job_max_nprocs() > 1) {
		ok(reports(23), "the number wanted is reported");
		ok(reports(37), "the number present is reported");
	}
	dies_ok(read_forgotten, 2, "bsp_read: ", "a read that was forgotten before");
	dies_ok(read_forgotten, 1, "bsp_read: ", "a read that was forgotten before, one process");
	return done_testing();
}
