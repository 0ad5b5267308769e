/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsp_read_test says whether bsp_read would return, makes progress, takes nothing off. */
#include "../lib/relaxed.h"

static int x, y;

/* The put arrives by asking alone. */
static void makes_progress(void)
{
	int v = 3, asked;

	enter_relaxed();
	bsp_push_reg(&y, sizeof y);
	publish(&x, sizeof x);
	bsp_put(right(), &v, &x, 0, sizeof v);
	bsp_sync();
	for (asked = 1; !bsp_read_test(&x, 1); asked++)
		sched_yield();
	is_int(3, x, "when it says yes, the put is there");
	is_int(1, bsp_read_test(&x, 1), "it says so again");
	is_int(1, bsp_read_test(&x, 1), "and again");
	is_int(0, bsp_read_test(&x, 2), "there are not two");
	is_int(1, bsp_read_test(&y, 0), "none is always there");
	bsp_read(&x, 1);
	is_int(0, bsp_read_test(&x, 1), "after the read there is none");
	is_int(1, bsp_read_test(&x, 0), "so a read of none would return");
	ok(asked > 0, "asked");
	bsp_end();
}

/* Asking about one area lets puts to another come in as well. */
static void lets_others_come(void)
{
	int v = 4;

	enter_eager();
	bsp_push_reg(&y, sizeof y);
	publish(&x, sizeof x);
	bsp_put(right(), &v, &x, 0, sizeof v);
	bsp_put(right(), &v, &y, 0, sizeof v);
	bsp_sync();
	while (!bsp_read_test(&x, 1))
		sched_yield();
	bsp_read(&y, 1);
	bsp_read(&x, 1);
	is_int(8, x + y, "both");
	bsp_end();
}

/* While one process only asks, the others' puts that ask first are answered. */
static void answers_others(void)
{
	int v = 5;

	enter_relaxed();
	bsp_push_reg(&y, sizeof y);
	publish(&x, sizeof x);
	if (bsp_pid() == 1)
		bsp_put(0, &v, &x, 0, sizeof v);
	bsp_sync();
	if (bsp_pid() == 1)
		bsp_put(2, &v, &y, 0, sizeof v);
	bsp_sync();
	if (bsp_pid() == 2) {
		bsp_read(&y, 1);
		bsp_put(0, &v, &y, 0, sizeof v);
	}
	bsp_sync();
	while (bsp_pid() == 0 && !bsp_read_test(&y, 1))
		sched_yield();
	if (bsp_pid() == 0) {
		bsp_read(&y, 1);
		is_int(5, y, "what came by way of the others");
		bsp_read(&x, 1);
	}
	bsp_end();
}

int main(void)
{
	setenv("BSP_SYNC", "program", 1);
	lives_ok(makes_progress, 0, "several processes");
	lives_ok(makes_progress, 1, "one process");
	under("BSP_EAGER", "0", makes_progress, 0, "several processes");
	lives_ok(lets_others_come, 0, "two areas");
	lives_ok(answers_others, 3, "a chain of puts to one that only asks");
	under("BSP_EAGER", "0", answers_others, 3, "a chain of puts to one that only asks");
	return done_testing();
}
