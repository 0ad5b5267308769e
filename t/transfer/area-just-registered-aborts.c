/* SPDX-License-Identifier: BSD-3-Clause */
/* An area cannot be used before the bsp_sync that follows its registration. */
#include "../lib/spmd.h"

static int x, v;

static void begin_and_push(void)
{
	enter();
	bsp_sync();
	bsp_push_reg(&x, sizeof x);
	expect_superstep(1);
}

static void put(void)
{
	begin_and_push();
	expect_site(), bsp_put(right(), &v, &x, 0, sizeof x);
	bsp_end();
}

static void hpput(void)
{
	begin_and_push();
	expect_site(), bsp_hpput(right(), &v, &x, 0, sizeof x);
	bsp_end();
}

static void get(void)
{
	begin_and_push();
	expect_site(), bsp_get(right(), &x, 0, &v, sizeof x);
	bsp_end();
}

static void hpget(void)
{
	begin_and_push();
	expect_site(), bsp_hpget(right(), &x, 0, &v, sizeof x);
	bsp_end();
}

/* Here the older registration, still the one in effect, is what is used. */
static void older_registration(void)
{
	enter();
	v = 1;
	publish(&x, sizeof x);
	bsp_push_reg(&x, 0);
	bsp_put(right(), &v, &x, 0, sizeof x);
	bsp_sync();
	is_int(1, x, "arrived");
	bsp_end();
}

int main(void)
{
	dies_ok(put, 0, "bsp_put: ", "put");
	dies_ok(hpput, 0, "bsp_hpput: ", "hpput");
	dies_ok(get, 0, "bsp_get: ", "get");
	dies_ok(hpget, 0, "bsp_hpget: ", "hpget");
	lives_ok(older_registration, 0, "a push has no effect on the superstep it is in");
	return done_testing();
}
