/* SPDX-License-Identifier: BSD-3-Clause */
/* A put or get with an address that is NULL or not registered ends the job. */
#include "../lib/spmd.h"

static int x, v, unknown;
static void *local, *remote;

static void begin(void)
{
	enter();
	publish(&x, sizeof x);
}

static void put(void)
{
	begin();
	expect_site(), bsp_put(right(), local, remote, 0, sizeof x);
	bsp_end();
}

static void hpput(void)
{
	begin();
	expect_site(), bsp_hpput(right(), local, remote, 0, sizeof x);
	bsp_end();
}

static void get(void)
{
	begin();
	expect_site(), bsp_get(right(), remote, 0, local, sizeof x);
	bsp_end();
}

static void hpget(void)
{
	begin();
	expect_site(), bsp_hpget(right(), remote, 0, local, sizeof x);
	bsp_end();
}

static void all_calls(void *here, void *there, const char *what)
{
	local = here;
	remote = there;
	dies_ok(put, 0, "bsp_put: ", "put, %s", what);
	dies_ok(hpput, 0, "bsp_hpput: ", "hpput, %s", what);
	dies_ok(get, 0, "bsp_get: ", "get, %s", what);
	dies_ok(hpget, 0, "bsp_hpget: ", "hpget, %s", what);
}

static void push_negative(void)
{
	enter();
	expect_site(), bsp_push_reg(&x, -1);
	bsp_end();
}

static void pop_unknown(void)
{
	begin();
	expect_site(), bsp_pop_reg(&unknown);
	bsp_end();
}

static void pop_twice(void)
{
	begin();
	bsp_pop_reg(&x);
	expect_site(), bsp_pop_reg(&x);
	bsp_end();
}

int main(void)
{
	all_calls(NULL, &x, "the local address is NULL");
	all_calls(&v, NULL, "the remote address is NULL");
	all_calls(&v, &unknown, "the remote address is not registered");
	dies_ok(push_negative, 0, "bsp_push_reg: ", "a registration of negative size");
	dies_ok(pop_unknown, 0, "bsp_pop_reg: ", "pop of an area that is not registered");
	dies_ok(pop_twice, 0, "bsp_pop_reg: ", "two pops of an area registered once");
	return done_testing();
}
