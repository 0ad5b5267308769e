/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that did not push and pop alike are ended by bsp_sync. */
#include "../lib/spmd.h"

static int x, y;

static void pushes(void)
{
	enter();
	bsp_push_reg(&x, sizeof x);
	if (bsp_pid() == 1)
		bsp_push_reg(&y, sizeof y);
	expect_site(), bsp_sync();
	bsp_end();
}

static void push_on_0_only(void)
{
	enter();
	if (bsp_pid() == 0)
		bsp_push_reg(&x, sizeof x);
	expect_site(), bsp_sync();
	bsp_end();
}

static void pops(void)
{
	enter();
	bsp_push_reg(&x, sizeof x);
	publish(&y, sizeof y);
	bsp_pop_reg(&x);
	if (bsp_pid() == 0)
		bsp_pop_reg(&y);
	expect_site(), bsp_sync();
	bsp_end();
}

static void pop_on_0_only(void)
{
	enter();
	publish(&x, sizeof x);
	if (bsp_pid() == 0)
		bsp_pop_reg(&x);
	expect_site(), bsp_sync();
	bsp_end();
}

static void different_pops(void)
{
	enter();
	bsp_push_reg(&x, sizeof x);
	publish(&y, sizeof y);
	expect_site(), bsp_pop_reg(bsp_pid() == 0 ? &x : &y);
	expect_site(), bsp_sync();
	bsp_end();
}

static void pops_in_another_order(void)
{
	enter();
	bsp_push_reg(&x, sizeof x);
	publish(&y, sizeof y);
	expect_site(), bsp_pop_reg(bsp_pid() == 0 ? &x : &y);
	expect_site(), bsp_pop_reg(bsp_pid() == 0 ? &y : &x);
	expect_site(), bsp_sync();
	bsp_end();
}

/* A push on one process and a pop on the other are as many calls, but not the same. */
static void push_against_pop(void)
{
	enter();
	publish(&x, sizeof x);
	if (bsp_pid() == 0)
		bsp_push_reg(&y, sizeof y);
	else
		bsp_pop_reg(&x);
	expect_site(), bsp_sync();
	bsp_end();
}

/* The i-th pushes belong together, whatever their addresses. */
static void different_pushes(void)
{
	int v = 100 + (int)bsp_nprocs();

	enter();
	bsp_push_reg(bsp_pid() == 0 ? &x : &y, sizeof x);
	bsp_push_reg(bsp_pid() == 0 ? &y : &x, sizeof x);
	bsp_sync();
	if (bsp_pid() == 0)
		bsp_put(1, &v, &x, 0, sizeof v);
	bsp_sync();
	if (bsp_pid() == 1)
		is_int(102, y, "a put goes to the area that was pushed in the same place");
	bsp_end();
}

int main(void)
{
	dies_ok(pushes, 2, "bsp_push_reg: ", "one pushes twice");
	dies_ok(push_on_0_only, 3, "bsp_push_reg: ", "one of three pushes");
	dies_ok(pops, 2, "bsp_pop_reg: ", "one pops twice");
	dies_ok(pop_on_0_only, 3, "bsp_pop_reg: ", "one of three pops");
	dies_ok(different_pops, 2, "bsp_pop_reg: ", "different areas popped");
	dies_ok(pops_in_another_order, 2,
		"bsp_pop_reg: ", "the same areas popped in another order");
	dies_ok(push_against_pop, 2, "bsp_p", "a push here, a pop there");
	lives_ok(different_pushes, 2, "different areas pushed");
	return done_testing();
}
