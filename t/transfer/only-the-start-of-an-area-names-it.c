/* SPDX-License-Identifier: BSD-3-Clause */
/* An address inside a registered area is not a registered address. */
#include "../lib/spmd.h"

static int x[4], v, got;

static void put_inside(void)
{
	enter();
	publish(x, sizeof x);
	expect_site(), bsp_put(right(), &v, &x[1], 0, sizeof v);
	bsp_sync();
	bsp_end();
}

static void get_inside(void)
{
	enter();
	publish(x, sizeof x);
	expect_site(), bsp_get(right(), (char *)x + 1, 0, &got, 1);
	bsp_sync();
	bsp_end();
}

static void pop_inside(void)
{
	enter();
	publish(x, sizeof x);
	expect_site(), bsp_pop_reg(&x[1]);
	bsp_sync();
	bsp_end();
}

int main(void)
{
	dies_ok(put_inside, 0, "bsp_put: ", "a put");
	dies_ok(get_inside, 0, "bsp_get: ", "a get");
	dies_ok(pop_inside, 0, "bsp_pop_reg: ", "a pop");
	return done_testing();
}
