/* SPDX-License-Identifier: BSD-3-Clause */
/* Several bsp_serve of an area in a superstep add up; gets of 0 bytes do not count. */
#include "../lib/relaxed.h"

static int x, y;

static void body(void)
{
	int a = 0, b = 0, c = 0;

	enter_relaxed();
	x = 10 + (int)bsp_pid();
	y = 20 + (int)bsp_pid();
	bsp_push_reg(&y, sizeof y);
	publish(&x, sizeof x);
	bsp_serve(&x, 1);
	bsp_get(right(), &x, 0, &a, sizeof a);
	bsp_hpget(left(), &x, 0, &b, sizeof b);
	bsp_serve(&y, 1);
	bsp_get(right(), &y, 0, &c, sizeof c);
	bsp_get(right(), &y, 0, &c, 0);
	bsp_hpget(right(), &x, 0, &c, 0);
	bsp_serve(&x, 0);
	bsp_serve(&x, 1);
	bsp_sync();
	is_int(10 + (int)right(), a, "the first of x");
	is_int(10 + (int)left(), b, "the second, unbuffered");
	is_int(20 + (int)right(), c, "that of y");
	bsp_serve(&x, 0);
	bsp_sync();
	bsp_serve(&x, 1);
	bsp_get(right(), &x, 0, &a, sizeof a);
	bsp_sync();
	is_int(10 + (int)right(), a, "what is announced is for one superstep");
	bsp_end();
}

int main(void)
{
	under_each(body, 0, "two areas");
	lives_ok(body, 2, "two processes");
	lives_ok(body, 1, "one process");
	return done_testing();
}
