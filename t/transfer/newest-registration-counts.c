/* SPDX-License-Identifier: BSD-3-Clause */
/* The newest of several registrations of an address counts, until it is popped. */
#include "../lib/spmd.h"

static int x[4];

static void put_last(int n)
{
	int v = 9;

	expect_site(), bsp_put(right(), &v, x, (n - 1) * (int)sizeof v, sizeof v);
	bsp_sync();
	is_int(9, x[n - 1], "element %d has arrived", n - 1);
	x[n - 1] = 0;
	bsp_sync();
}

/* Registered with four elements, then with two, then with three. */
static void stack_up(void)
{
	enter();
	publish(x, sizeof x);
	put_last(4);
	publish(x, 2 * sizeof *x);
	put_last(2);
	publish(x, 3 * sizeof *x);
	put_last(3);
}

static void pop(void)
{
	bsp_pop_reg(x);
	bsp_sync();
}

static void all_in_turn(void)
{
	stack_up();
	pop();
	put_last(2);
	pop();
	put_last(4);
	pop();
	bsp_end();
}

static void beyond_newest(void)
{
	stack_up();
	put_last(4);
	bsp_end();
}

static void beyond_second(void)
{
	stack_up();
	pop();
	put_last(3);
	bsp_end();
}

static void after_last_pop(void)
{
	stack_up();
	pop(), pop(), pop();
	put_last(1);
	bsp_end();
}

/* Two pushes of one address in one superstep: the second is the newer one. */
static void pushed_together(void)
{
	enter();
	bsp_push_reg(x, sizeof x);
	bsp_push_reg(x, 2 * sizeof *x);
	bsp_sync();
	put_last(2);
	put_last(4);
	bsp_end();
}

/* Two pops of one address in one superstep remove the two newest. */
static void popped_together(void)
{
	stack_up();
	bsp_pop_reg(x);
	bsp_pop_reg(x);
	bsp_sync();
	put_last(4);
	bsp_end();
}

int main(void)
{
	lives_ok(all_in_turn, 0, "each registration counts in its turn");
	lives_ok(all_in_turn, 1, "each registration counts in its turn on one process");
	lives_ok(popped_together, 0, "two pops at once");
	dies_ok(beyond_newest, 0, "bsp_put: ", "a smaller registration hides a larger one");
	dies_ok(beyond_second, 0, "bsp_put: ", "the size is again that of the one below");
	dies_ok(after_last_pop, 0, "bsp_put: ", "none is left after as many pops");
	dies_ok(pushed_together, 0, "bsp_put: ", "the later push of a superstep is the newer");
	return done_testing();
}
