/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsp_read takes n puts off the count of its area, and leaves the counts of others alone. */
#include "../lib/relaxed.h"

static int x[4], y;

static void put(int i, int v)
{
	bsp_put(right(), &v, x, (bsp_size_t)((size_t)i * sizeof v), sizeof v);
}

static void body(void)
{
	int v = 8;

	enter_relaxed();
	bsp_push_reg(x, sizeof x);
	publish(&y, sizeof y);
	bsp_read(x, 0);
	for (int i = 0; i < 3; i++)
		put(i, i + 1);
	bsp_put(right(), &v, &y, 0, sizeof v);
	bsp_sync();
	bsp_read(x, 3);
	is_int(6, x[0] + x[1] + x[2], "three puts");
	is_int(0, bsp_read_test(x, 1), "all three are taken off");
	bsp_read(x, 0);
	bsp_sync();
	is_int(0, bsp_read_test(x, 1), "still in the next superstep");
	put(3, 4);
	bsp_sync();
	bsp_read(x, 1);
	is_int(4, x[3], "the next one");
	bsp_read(&y, 1);
	is_int(8, y, "the other area's put is still counted");
	is_int(0, bsp_read_test(&y, 1), "and now no more");
	bsp_end();
}

int main(void)
{
	setenv("BSP_SYNC", "program", 1);
	lives_ok(body, 0, "counts");
	lives_ok(body, 1, "counts on one process");
	under("BSP_EAGER", "0", body, 0, "counts");
	under("BSP_CREDIT", "256", body, 0, "counts");
	return done_testing();
}
