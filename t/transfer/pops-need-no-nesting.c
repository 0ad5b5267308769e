/* SPDX-License-Identifier: BSD-3-Clause */
/* Registrations are popped in any order, the same on all processes. */
#include "../lib/spmd.h"

static int x, y, z;

static void put_works(int *area, const char *name)
{
	int v = 100 + (int)bsp_pid();

	bsp_put(right(), &v, area, 0, sizeof v);
	bsp_sync();
	is_int(100 + (int)left(), *area, "%s can be put to", name);
	*area = 0;
	bsp_sync();
}

static void first_in_first_out(void)
{
	enter();
	bsp_push_reg(&x, sizeof x);
	bsp_push_reg(&y, sizeof y);
	publish(&z, sizeof z);
	bsp_pop_reg(&x);
	bsp_sync();
	put_works(&y, "the second");
	put_works(&z, "the third");
	bsp_pop_reg(&y);
	bsp_sync();
	put_works(&z, "the third alone");
	bsp_pop_reg(&z);
	bsp_sync();
	bsp_end();
}

static void several_at_once(void)
{
	enter();
	bsp_push_reg(&x, sizeof x);
	bsp_push_reg(&y, sizeof y);
	publish(&z, sizeof z);
	bsp_pop_reg(&x);
	bsp_pop_reg(&z);
	bsp_push_reg(&x, sizeof x);
	bsp_sync();
	put_works(&y, "the one left");
	bsp_pop_reg(&y);
	bsp_sync();
	bsp_push_reg(&y, sizeof y);
	bsp_sync();
	put_works(&y, "the one pushed again");
	bsp_end();
}

/* A pop of x after pushes of x, y, x takes off the third, and the first counts. */
static void twice_with_another_between(void)
{
	enter();
	bsp_push_reg(&x, sizeof x);
	bsp_push_reg(&y, sizeof y);
	publish(&x, 0);
	bsp_pop_reg(&x);
	bsp_sync();
	put_works(&x, "the first registration");
	put_works(&y, "another");
	bsp_end();
}

static void popped_one_is_unknown(void)
{
	int v = 0;

	enter();
	bsp_push_reg(&x, sizeof x);
	publish(&y, sizeof y);
	bsp_pop_reg(&x);
	bsp_sync();
	expect_site(), bsp_put(right(), &v, &x, 0, sizeof v);
	bsp_end();
}

int main(void)
{
	lives_ok(first_in_first_out, 0, "in the order of the pushes");
	lives_ok(several_at_once, 0, "several in one superstep");
	lives_ok(several_at_once, 1, "several in one superstep on one process");
	lives_ok(twice_with_another_between, 0, "the same address twice, another between");
	dies_ok(popped_one_is_unknown, 0, "bsp_put: ", "what was popped cannot be used");
	return done_testing();
}
