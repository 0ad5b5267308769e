/* SPDX-License-Identifier: BSD-3-Clause */
/* A put to where a get of the same relaxed superstep writes is written after it. */
#include "../lib/relaxed.h"

enum { PUT = 0, SUPERSTEPS = 200 };

static int x, y;

/* The put is at process 2, which waits for its get, before process 0 lets that be served. */
static void put_comes_first(void)
{
	int v = 2;

	enter_eager();
	x = 1;
	bsp_push_reg(&y, sizeof y);
	publish(&x, sizeof x);
	if (bsp_pid() == 2)
		bsp_get(0, &x, 0, &y, sizeof y);
	if (bsp_pid() == 1)
		bsp_put(2, &v, &y, 0, sizeof v);
	if (bsp_pid() == 0) {
		await_flag(PUT, 1);
		bsp_serve(&x, 1);
	}
	bsp_sync();
	if (bsp_pid() == 1)
		raise_flag(PUT);
	if (bsp_pid() == 2) {
		bsp_read(&y, 1);
		is_int(2, y, "the put");
	}
	bsp_end();
}

static void again_and_again(void)
{
	int wrong_values = 0;

	enter_relaxed();
	bsp_push_reg(&y, sizeof y);
	publish(&x, sizeof x);
	x = -1;
	for (int s = 0; s < SUPERSTEPS; s++) {
		int v = s * 10 + (int)bsp_pid();

		bsp_serve(&x, 1);
		bsp_get(left(), &x, 0, &y, sizeof y);
		bsp_put(right(), &v, &y, 0, sizeof v);
		bsp_sync();
		bsp_read(&y, 1);
		wrong_values += y != s * 10 + (int)left();
	}
	is_int(0, wrong_values, "the put in every superstep");
	bsp_end();
}

int main(void)
{
	lives_ok(put_comes_first, 3, "a put that is here before the get is answered");
	under_each(again_and_again, 0, "a put and a get to the same place");
	lives_ok(again_and_again, 1, "a put and a get to the same place, one process");
	return done_testing();
}
