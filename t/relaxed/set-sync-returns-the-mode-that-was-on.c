/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsp_set_sync returns the mode set before, as bsp_set_tagsize does; the last one counts. */
#include "../lib/relaxed.h"

static int x;

static void superstep_by_superstep(void)
{
	enter();
	is_int(BSP_CLASSIC, bsp_set_sync(BSP_RELAXED), "at first classic");
	bsp_sync();
	is_int(BSP_RELAXED, bsp_set_sync(BSP_RELAXED), "then relaxed");
	bsp_sync();
	bsp_sync();
	is_int(BSP_RELAXED, bsp_set_sync(BSP_CLASSIC), "still relaxed");
	bsp_sync();
	is_int(BSP_CLASSIC, bsp_set_sync(BSP_CLASSIC), "classic again");
	bsp_sync();
	bsp_end();
}

static void in_one_superstep(void)
{
	enter();
	bsp_set_sync(BSP_RELAXED);
	is_int(BSP_RELAXED, bsp_set_sync(BSP_CLASSIC), "set before, in the same superstep");
	is_int(BSP_CLASSIC, bsp_set_sync(BSP_RELAXED), "and again");
	bsp_sync();
	is_int(BSP_RELAXED, bsp_set_sync(BSP_RELAXED), "a superstep later");
	bsp_sync();
	bsp_end();
}

/* A superstep that was classic counts no puts. */
static void last_one_counts(void)
{
	int v = 7;

	enter();
	publish(&x, sizeof x);
	bsp_set_sync(BSP_RELAXED);
	bsp_set_sync(BSP_CLASSIC);
	bsp_put(right(), &v, &x, 0, sizeof x);
	bsp_sync();
	is_int(7, x, "classic: the put has arrived");
	is_int(1, bsp_read_test(&x, 1000), "and no read waits");
	bsp_set_sync(BSP_CLASSIC);
	bsp_set_sync(BSP_RELAXED);
	bsp_put(right(), &v, &x, 0, sizeof x);
	bsp_sync();
	is_int(0, bsp_read_test(&x, 1000), "relaxed: a read waits for what it asks for");
	bsp_read(&x, 1);
	bsp_end();
}

int main(void)
{
	setenv("BSP_SYNC", "program", 1);
	lives_ok(superstep_by_superstep, 0, "one call in a superstep");
	lives_ok(superstep_by_superstep, 1, "one call in a superstep, one process");
	lives_ok(in_one_superstep, 0, "several calls in a superstep");
	lives_ok(last_one_counts, 0, "the last call of a superstep counts");
	return done_testing();
}
