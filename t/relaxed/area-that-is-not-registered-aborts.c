/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsp_read, bsp_read_test and bsp_serve of an area not registered end the job. */
#include "../lib/relaxed.h"

static int x[4], other;
static const void *area;
static enum { NEVER, POPPED, NOT_YET } how;

static void begin(void)
{
	enter_eager();
	publish(x, sizeof x);
	expect_superstep(1);
	if (how == NEVER)
		return;
	if (how == NOT_YET)
		bsp_push_reg(area, sizeof x[0]);
	else
		bsp_pop_reg(area);
	if (how == NOT_YET)
		return;
	bsp_sync();
	expect_superstep(2);
}

static void read(void)
{
	begin();
	expect_site(), bsp_read(area, 1);
	bsp_end();
}

static void read_none(void)
{
	begin();
	expect_site(), bsp_read(area, 0);
	bsp_end();
}

static void read_test(void)
{
	begin();
	expect_site(), (void)bsp_read_test(area, 1);
	bsp_end();
}

static void serve(void)
{
	begin();
	expect_site(), bsp_serve(area, 1);
	bsp_end();
}

/* A put of a later superstep to an area that is popped. */
static void put(void)
{
	int v = 1;

	begin();
	expect_site(), bsp_put(right(), &v, x, 0, sizeof v);
	bsp_sync();
	bsp_end();
}

static void hpput(void)
{
	int v = 1;

	begin();
	expect_site(), bsp_hpput(right(), &v, x, 0, sizeof v);
	bsp_sync();
	bsp_end();
}

static void get(void)
{
	int v = 1;

	begin();
	expect_site(), bsp_get(right(), x, 0, &v, sizeof v);
	bsp_sync();
	bsp_end();
}

static void each(const void *address, const char *what)
{
	area = address;
	dies_ok(read, 2, "bsp_read: ", "bsp_read of %s", what);
	dies_ok(read_none, 2, "bsp_read: ", "bsp_read of %s, none", what);
	dies_ok(read_test, 2, "bsp_read_test: ", "bsp_read_test of %s", what);
	dies_ok(serve, 2, "bsp_serve: ", "bsp_serve of %s", what);
}

int main(void)
{
	how = NEVER;
	each(&other, "an area never registered");
	each(x + 1, "an address within an area");
	each(NULL, "NULL");
	how = POPPED;
	each(x, "an area that was popped");
	dies_ok(put, 2, "bsp_put: ", "bsp_put to an area that was popped");
	dies_ok(hpput, 2, "bsp_hpput: ", "bsp_hpput to an area that was popped");
	dies_ok(get, 2, "bsp_get: ", "bsp_get from an area that was popped");
	how = NOT_YET;
	each(&other, "an area pushed in this superstep");
	return done_testing();
}
