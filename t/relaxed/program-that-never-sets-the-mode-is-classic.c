/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that never calls bsp_set_sync is plain BSPlib: no read or serve of it waits. */
#include "../lib/relaxed.h"

static int x, met;

static void reads_and_serves(void)
{
	int v = 11, got = 0;

	enter();
	publish(&x, sizeof x);
	bsp_read(&x, 5);
	bsp_serve(&x, 5);
	bsp_put(right(), &v, &x, 0, sizeof x);
	bsp_sync();
	is_int(11, x, "the put is there");
	is_int(1, bsp_read_test(&x, 5), "a read would not wait");
	bsp_read(&x, 5);
	bsp_get(left(), &x, 0, &got, sizeof got);
	bsp_sync();
	is_int(11, got, "nor does a get that is not announced");
	bsp_end();
}

/* An empty superstep is a barrier. */
static void barrier(void)
{
	make_flags();
	enter();
	for (int s = 1; s <= 100; s++) {
		raise_flag(0);
		bsp_sync();
		met += raised(0) >= s * (int)bsp_nprocs();
	}
	is_int(100, met, "every process had come before any left");
	bsp_end();
}

int main(void)
{
	lives_ok(reads_and_serves, 0, "reads and serves");
	lives_ok(reads_and_serves, 1, "reads and serves on one process");
	under("BSP_EAGER", "0", reads_and_serves, 0, "reads and serves");
	lives_ok(barrier, 0, "empty supersteps");
	return done_testing();
}
