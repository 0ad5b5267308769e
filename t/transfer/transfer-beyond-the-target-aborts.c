/* SPDX-License-Identifier: BSD-3-Clause */
/* A put or get that leaves the area registered on its target ends the job, at any offset. */
#include "../lib/spmd.h"

#include <limits.h>

enum { SIZE = 100 };

static char area[SIZE], other[SIZE + 1];
static struct {
	int offset;
	int nbytes;
} now;

static void begin(void)
{
	enter();
	publish(area, SIZE);
}

static void put(void)
{
	begin();
	expect_site(), bsp_put(right(), other, area, now.offset, now.nbytes);
	bsp_sync();
	bsp_end();
}

static void hpput(void)
{
	begin();
	expect_site(), bsp_hpput(right(), other, area, now.offset, now.nbytes);
	bsp_sync();
	bsp_end();
}

static void begin_relaxed(void)
{
	begin();
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
}

static void relaxed_put(void)
{
	begin_relaxed();
	expect_site(), bsp_put(right(), other, area, now.offset, now.nbytes);
	bsp_sync();
	bsp_read(area, 1);
	bsp_end();
}

static void relaxed_hpput(void)
{
	begin_relaxed();
	expect_site(), bsp_hpput(right(), other, area, now.offset, now.nbytes);
	bsp_sync();
	bsp_read(area, 1);
	bsp_end();
}

static void get(void)
{
	begin();
	expect_site(), bsp_get(right(), area, now.offset, other, now.nbytes);
	bsp_sync();
	bsp_end();
}

static void hpget(void)
{
	begin();
	expect_site(), bsp_hpget(right(), area, now.offset, other, now.nbytes);
	bsp_sync();
	bsp_end();
}

static void all_calls(int offset, int nbytes)
{
	now.offset = offset;
	now.nbytes = nbytes;
	dies_ok(put, 2, "bsp_put: ", "put of %d bytes at %d", nbytes, offset);
	dies_ok(hpput, 2, "bsp_hpput: ", "hpput of %d bytes at %d", nbytes, offset);
	dies_ok(get, 2, "bsp_get: ", "get of %d bytes at %d", nbytes, offset);
	dies_ok(hpget, 2, "bsp_hpget: ", "hpget of %d bytes at %d", nbytes, offset);
}

/* The source ends long before; what the target says of such a put has its size. */
static void puts_of_more_than_there_is(void)
{
	char of[80];

	now.offset = 1;
	now.nbytes = INT_MAX;
	snprintf(of, sizeof of, "offset 1 + %d bytes is beyond the %d bytes registered", INT_MAX,
		 SIZE);
	dies_ok(put, 0, "bsp_put: ", "a put of %d bytes that are not there", INT_MAX);
	ok(strstr(job_err(), of), "says how many");
	dies_ok(hpput, 0, "bsp_hpput: ", "an hpput of them");
	ok(strstr(job_err(), of), "says how many");
	dies_ok(relaxed_put, 0, "bsp_put: ", "a put of them in a relaxed superstep");
	dies_ok(relaxed_hpput, 0, "bsp_hpput: ", "an hpput of them in one");
	setenv("BSP_EAGER", "1000", 1);
	dies_ok(relaxed_put, 0, "bsp_put: ", "a put of them that would ask first");
	unsetenv("BSP_EAGER");
	setenv("BSP_BARRIER", "twophase", 1);
	dies_ok(put, 0, "bsp_put: ", "a put of them in two phases");
	unsetenv("BSP_BARRIER");
}

static void fits(void)
{
	begin();
	other[SIZE - 1] = 'x';
	bsp_put(right(), other, area, 0, SIZE);
	bsp_hpget(right(), area, SIZE - 1, other, 1);
	bsp_sync();
	is_int('x', area[SIZE - 1], "the last byte has arrived");
	bsp_end();
}

int main(void)
{
	lives_ok(fits, 2, "exactly the area");
	all_calls(0, SIZE + 1);
	all_calls(SIZE, 1);
	all_calls(1, SIZE);
	all_calls(INT_MAX, 1);
	all_calls(INT_MAX, SIZE);
	all_calls(1, INT_MAX);
	all_calls(INT_MAX, INT_MAX);
	all_calls(-1, 2);
	all_calls(INT_MIN, 1);
	all_calls(0, -1);
	all_calls(0, INT_MIN);
	puts_of_more_than_there_is();
	return done_testing();
}
