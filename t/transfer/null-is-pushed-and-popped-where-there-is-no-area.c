/* SPDX-License-Identifier: BSD-3-Clause */
/* A process without an area pushes and pops NULL; if all pop NULL the oldest such registration
 * goes. */
#include "../lib/spmd.h"

static int x;

static void *only_on_0(void *area)
{
	return bsp_pid() == 0 ? area : NULL;
}

static bsp_size_t size_only_on_0(bsp_size_t nbytes)
{
	return bsp_pid() == 0 ? nbytes : 0;
}

static void push_only_on_0(void)
{
	bsp_push_reg(only_on_0(&x), size_only_on_0(sizeof x));
}

static void put_to_own(int value)
{
	if (bsp_pid() == 0)
		bsp_put(0, &value, &x, 0, sizeof x);
	bsp_sync();
	if (bsp_pid() == 0)
		is_int(value, x, "process 0 puts to its area");
}

static void area_on_0(void)
{
	enter();
	push_only_on_0();
	bsp_sync();
	put_to_own(1);
	bsp_pop_reg(only_on_0(&x));
	bsp_sync();
	bsp_end();
}

/*
 * All pop NULL: not the older registration that is NULL on some, but the one that is NULL
 * everywhere.
 */
static void null_everywhere_goes(void)
{
	enter();
	push_only_on_0();
	bsp_push_reg(NULL, 0);
	bsp_push_reg(NULL, 0);
	bsp_sync();
	bsp_pop_reg(NULL);
	bsp_sync();
	put_to_own(2);
	bsp_pop_reg(NULL);
	bsp_pop_reg(only_on_0(&x));
	bsp_sync();
	bsp_end();
}

static void null_in_the_same_superstep(void)
{
	enter();
	bsp_push_reg(NULL, 0);
	bsp_pop_reg(NULL);
	bsp_sync();
	ok(true, "accepted");
	bsp_end();
}

static void one_null_too_many(void)
{
	enter();
	bsp_push_reg(NULL, 0);
	bsp_sync();
	bsp_pop_reg(NULL);
	bsp_sync();
	bsp_pop_reg(NULL);
	bsp_sync();
	bsp_end();
}

/* Process 0 has nothing that is NULL, so the others cannot mean that. */
static void null_on_all_but_partly_pushed(void)
{
	enter();
	push_only_on_0();
	bsp_sync();
	bsp_pop_reg(NULL);
	bsp_sync();
	bsp_end();
}

static void popped_without_any_push(void)
{
	enter();
	expect_site(), bsp_pop_reg(NULL);
	bsp_sync();
	bsp_end();
}

static void popped_on_0_was_not_pushed_there(void)
{
	int y = 0;

	enter();
	push_only_on_0();
	bsp_sync();
	bsp_pop_reg(only_on_0(&y));
	bsp_sync();
	bsp_end();
}

int main(void)
{
	lives_ok(area_on_0, 0, "an area on process 0 only");
	lives_ok(area_on_0, 1, "an area on the only process");
	lives_ok(null_everywhere_goes, 0, "all pop NULL");
	lives_ok(null_everywhere_goes, 1, "the only process pops NULL");
	lives_ok(null_in_the_same_superstep, 0, "push and pop of NULL in one superstep");
	dies_ok(popped_without_any_push, 0, "bsp_pop_reg: ", "a pop of NULL without any push");
	dies_ok(one_null_too_many, 0, "bsp_", "one pop of NULL too many");
	dies_ok(null_on_all_but_partly_pushed, 2, "bsp_", "no registration is NULL on process 0");
	dies_ok(popped_on_0_was_not_pushed_there, 2,
		"bsp_pop_reg: ", "another area than was pushed");
	return done_testing();
}
