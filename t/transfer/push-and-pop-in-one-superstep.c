/* SPDX-License-Identifier: BSD-3-Clause */
/* A registration may be pushed and popped in one superstep. */
#include "../lib/spmd.h"

static int x[2];

static void put(int element)
{
	int v = 5;

	expect_site(), bsp_put(right(), &v, x, element * (int)sizeof v, sizeof v);
	bsp_sync();
	is_int(5, x[element], "arrived");
}

static void push_push_pop_pop(void)
{
	enter();
	bsp_push_reg(x, sizeof x);
	bsp_push_reg(x, sizeof x);
	bsp_pop_reg(x);
	bsp_pop_reg(x);
	bsp_sync();
	ok(true, "accepted");
	bsp_end();
}

static void nothing_remains(void)
{
	enter();
	bsp_push_reg(x, sizeof x);
	bsp_push_reg(x, sizeof x);
	bsp_pop_reg(x);
	bsp_pop_reg(x);
	bsp_sync();
	put(0);
	bsp_end();
}

static void one_of_two_remains(void)
{
	enter();
	bsp_push_reg(x, sizeof x);
	bsp_push_reg(x, sizeof *x);
	bsp_pop_reg(x);
	bsp_sync();
	put(1);
	bsp_end();
}

/* The pop takes the push of this superstep, not the older registration. */
static void older_one_remains(void)
{
	enter();
	publish(x, sizeof x);
	bsp_push_reg(x, sizeof *x);
	bsp_pop_reg(x);
	bsp_sync();
	put(1);
	bsp_pop_reg(x);
	bsp_sync();
	bsp_end();
}

static void one_pop_too_many(void)
{
	enter();
	bsp_push_reg(x, sizeof x);
	bsp_pop_reg(x);
	expect_site(), bsp_pop_reg(x);
	bsp_sync();
	bsp_end();
}

int main(void)
{
	lives_ok(push_push_pop_pop, 0, "push, push, pop, pop");
	lives_ok(push_push_pop_pop, 1, "push, push, pop, pop on one process");
	dies_ok(nothing_remains, 0, "bsp_put: ", "then the area is not registered");
	lives_ok(one_of_two_remains, 0, "push, push, pop leaves the first");
	lives_ok(older_one_remains, 0, "push and pop leave an older registration");
	dies_ok(one_pop_too_many, 0, "bsp_pop_reg: ", "push, pop, pop");
	return done_testing();
}
