/* SPDX-License-Identifier: BSD-3-Clause */
/* Through an area registered with size 0 others can be reached, it itself cannot. */
#include "../lib/spmd.h"

static int x[8], v = 3, got;

/* Only process 0 lets others in. */
static void register_on_0(void)
{
	enter();
	publish(x, bsp_pid() == 0 ? sizeof x : 0);
}

static void reach_0(void)
{
	register_on_0();
	v = 100 + (int)bsp_pid();
	x[7] = 7;
	bsp_put(0, &v, x, (bsp_size_t)((int)bsp_pid() * (int)sizeof v), sizeof v);
	bsp_get(0, x, 7 * sizeof v, &got, sizeof v);
	bsp_sync();
	is_int(7, got, "a get from the area of another");
	if (bsp_pid() == 0)
		is_int(99 + (int)bsp_nprocs(), x[bsp_nprocs() - 1], "a put to the area of another");
	bsp_end();
}

static void put_into_nothing(void)
{
	register_on_0();
	if (bsp_pid() == 0)
		expect_site(), bsp_put(1, &v, x, 0, 1);
	bsp_sync();
	bsp_end();
}

static void get_from_nothing(void)
{
	register_on_0();
	if (bsp_pid() == 0)
		expect_site(), bsp_hpget(1, x, 0, &got, 1);
	bsp_sync();
	bsp_end();
}

static void put_into_own_nothing(void)
{
	enter();
	publish(x, 0);
	expect_site(), bsp_put(bsp_pid(), &v, x, 0, 1);
	bsp_sync();
	bsp_end();
}

/* Process 1 has pushed NULL: there is nothing on it that could be put to. */
static void put_where_null_was_pushed(void)
{
	enter();
	publish(bsp_pid() == 1 ? NULL : x, bsp_pid() == 1 ? 0 : sizeof x);
	if (bsp_pid() == 0)
		expect_site(), bsp_put(1, &v, x, 0, 1);
	bsp_sync();
	bsp_end();
}

static void null_of_some_size(void)
{
	enter();
	expect_site(), bsp_push_reg(NULL, 1);
	bsp_sync();
	bsp_end();
}

int main(void)
{
	lives_ok(reach_0, 0, "through size 0 to others");
	dies_ok(put_into_nothing, 2, "bsp_put: ", "a put into size 0");
	dies_ok(get_from_nothing, 2, "bsp_hpget: ", "a get from size 0");
	dies_ok(put_into_own_nothing, 0, "bsp_put: ", "a put into size 0 of one's own");
	dies_ok(put_where_null_was_pushed, 2, "bsp_put: ", "a put to a process that pushed NULL");
	dies_ok(null_of_some_size, 0, "bsp_push_reg: ", "a push of NULL with a size");
	return done_testing();
}
