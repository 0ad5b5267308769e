/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a superstep ends with a barrier, announcing its gets does nothing. */
#include "../lib/relaxed.h"

static int x, y;

static void check(int s, int got, const char *what)
{
	is_int(s * 100 + (int)right(), got, "%s", what);
}

static void body(void)
{
	bsp_size_t size = 4;
	int got = 0;

	enter();
	publish(&x, sizeof x);
	x = 100 + (int)bsp_pid();
	bsp_set_sync(BSP_RELAXED);
	bsp_get(right(), &x, 0, &got, sizeof got);
	bsp_sync();
	check(1, got, "where the mode changes to relaxed");
	x = 200 + (int)bsp_pid();
	bsp_push_reg(&y, sizeof y);
	bsp_serve(&x, 17);
	bsp_get(right(), &x, 0, &got, sizeof got);
	bsp_sync();
	check(2, got, "where an area is pushed, with a wrong number announced");
	x = 300 + (int)bsp_pid();
	bsp_get(right(), &x, 0, &got, sizeof got);
	bsp_pop_reg(&y);
	bsp_sync();
	check(3, got, "where an area is popped");
	x = 400 + (int)bsp_pid();
	bsp_set_tagsize(&size);
	bsp_get(right(), &x, 0, &got, sizeof got);
	bsp_sync();
	check(4, got, "where a tag size is set");
	x = 500 + (int)bsp_pid();
	bsp_serve(&x, 3);
	bsp_get(right(), &x, 0, &got, sizeof got);
	bsp_set_sync(BSP_CLASSIC);
	bsp_sync();
	check(5, got, "where the mode changes to classic");
	bsp_serve(&x, 1000);
	x = 600 + (int)bsp_pid();
	bsp_get(right(), &x, 0, &got, sizeof got);
	bsp_sync();
	check(6, got, "in classic supersteps");
	bsp_end();
}

/* A bsp_serve before a barrier is forgotten, and does not count in the next superstep. */
static void forgotten(void)
{
	int got = 0;

	enter_relaxed();
	publish(&x, sizeof x);
	for (int s = 1; s < 20; s++) {
		x = s * 100 + (int)bsp_pid();
		bsp_serve(&x, s);
		bsp_push_reg(&y, sizeof y);
		bsp_sync();
		if (bsp_pid() == 0)
			for (volatile int i = 0; i < 20000; i++)
				continue;
		bsp_serve(&x, 1);
		bsp_get(right(), &x, 0, &got, sizeof got);
		bsp_sync();
		check(s, got, "in the superstep after");
		bsp_pop_reg(&y);
		bsp_sync();
	}
	bsp_end();
}

int main(void)
{
	under_each(forgotten, 0, "several processes, relaxed and barriers by turns");
	lives_ok(forgotten, 1, "one process, relaxed and barriers by turns");
	under_each(body, 0, "several processes");
	lives_ok(body, 1, "one process");
	return done_testing();
}
