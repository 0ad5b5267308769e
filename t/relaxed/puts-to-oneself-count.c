/* SPDX-License-Identifier: BSD-3-Clause */
/* A put to oneself counts, is buffered, and shows after the sync of its superstep. */
#include "../lib/relaxed.h"

static int x[4];

static void alone(void)
{
	int v = 1, hidden;

	enter_relaxed();
	publish(x, sizeof x);
	bsp_put(bsp_pid(), &v, x, 0, sizeof v);
	v = 2;
	bsp_put(bsp_pid(), &v, x, sizeof v, sizeof v);
	v = 3;
	hidden = x[0] == 0 && x[1] == 0;
	bsp_sync();
	is_int(0, bsp_read_test(x, 3), "not three puts");
	bsp_read(x, 2);
	is_int(1, hidden, "hidden during the superstep");
	is_int(1, x[0], "the first");
	is_int(2, x[1], "the second");
	bsp_hpput(bsp_pid(), &v, x, 2 * sizeof v, sizeof v);
	bsp_sync();
	bsp_read(x, 1);
	is_int(3, x[2], "an unbuffered one");
	bsp_end();
}

static void with_others(void)
{
	int v = 10 + (int)bsp_nprocs();

	enter_relaxed();
	publish(x, sizeof x);
	bsp_put(bsp_pid(), &v, x, 0, sizeof v);
	v++;
	bsp_put(right(), &v, x, sizeof v, sizeof v);
	bsp_sync();
	bsp_read(x, 2);
	is_int(v - 1, x[0], "the own put");
	is_int(v, x[1], "that of the left one");
	bsp_end();
}

int main(void)
{
	setenv("BSP_SYNC", "program", 1);
	lives_ok(alone, 1, "one process");
	lives_ok(alone, 3, "three processes, each to itself");
	under("BSP_EAGER", "0", alone, 1, "one process");
	under("BSP_EAGER", "0", alone, 3, "three processes, each to itself");
	under_each(with_others, 2, "one's own and another's");
	return done_testing();
}
