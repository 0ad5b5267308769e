/* SPDX-License-Identifier: BSD-3-Clause */
/* The bsp_sync of the superstep of a bsp_set_sync is in the new mode already. */
#include "../lib/relaxed.h"

static int x;

static void into_relaxed(void)
{
	int v = 100 + (int)bsp_nprocs();

	enter();
	publish(&x, sizeof x);
	bsp_put(right(), &v, &x, 0, sizeof x);
	bsp_set_sync(BSP_RELAXED);
	v++;
	bsp_sync();
	is_int(0, bsp_read_test(&x, 2), "there are not two puts");
	bsp_read(&x, 1);
	is_int(v - 1, x, "there is one, made before the mode was set");
	bsp_end();
}

static void into_classic(void)
{
	int v = 1;

	enter_relaxed();
	publish(&x, sizeof x);
	bsp_put(right(), &v, &x, 0, sizeof x);
	bsp_sync();
	bsp_read(&x, 1);
	v = 2;
	bsp_put(right(), &v, &x, 0, sizeof x);
	bsp_set_sync(BSP_CLASSIC);
	is_int(1, x, "nothing arrives by the call");
	bsp_sync();
	is_int(2, x, "all has arrived by the sync");
	is_int(1, bsp_read_test(&x, 1000), "and is not counted");
	bsp_read(&x, 1000);
	bsp_end();
}

/* In the superstep that turns classic again, puts of the relaxed one before are waited for. */
static void reads_of_the_last_relaxed_superstep(void)
{
	int v = 5;

	enter_relaxed();
	publish(&x, sizeof x);
	bsp_put(right(), &v, &x, 0, sizeof x);
	bsp_sync();
	bsp_set_sync(BSP_CLASSIC);
	bsp_read(&x, 1);
	is_int(5, x, "the put has arrived by the read");
	bsp_sync();
	bsp_end();
}

/* And in the one that turns relaxed, there is nothing to wait for yet. */
static void reads_after_the_last_classic_superstep(void)
{
	enter();
	publish(&x, sizeof x);
	bsp_set_sync(BSP_RELAXED);
	is_int(1, bsp_read_test(&x, 3), "the last superstep was classic");
	bsp_read(&x, 3);
	bsp_sync();
	is_int(0, bsp_read_test(&x, 3), "now it was not");
	bsp_end();
}

int main(void)
{
	setenv("BSP_SYNC", "program", 1);
	lives_ok(into_relaxed, 0, "from classic to relaxed");
	lives_ok(into_relaxed, 1, "from classic to relaxed on one process");
	lives_ok(into_classic, 0, "from relaxed to classic");
	lives_ok(into_classic, 1, "from relaxed to classic on one process");
	under("BSP_EAGER", "0", into_classic, 0, "from relaxed to classic");
	lives_ok(reads_of_the_last_relaxed_superstep, 0, "a read where relaxed turns classic");
	lives_ok(reads_after_the_last_classic_superstep, 0, "a read where classic turns relaxed");
	return done_testing();
}
