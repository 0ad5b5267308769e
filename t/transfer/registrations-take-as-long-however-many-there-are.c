/* SPDX-License-Identifier: BSD-3-Clause */
/* A push, a pop and a transfer take as long among many registrations as among few. */
#include "../lib/growth.h"
#include "../lib/spmd.h"

enum { MANY = 1 << 15 };

static char area[MANY];

static void push_all(long n, long step)
{
	for (long i = 0; i < n; i++)
		bsp_push_reg(area + i * step, 1);
}

static void different_areas(long n)
{
	push_all(n, 1);
	bsp_sync();
	for (long i = 0; i < n; i++)
		bsp_pop_reg(area + i);
	bsp_sync();
}

static void newest_first(long n)
{
	push_all(n, 1);
	bsp_sync();
	for (long i = n - 1; i >= 0; i--)
		bsp_pop_reg(area + i);
	bsp_sync();
}

static void same_area(long n)
{
	push_all(n, 0);
	bsp_sync();
	for (long i = 0; i < n; i++)
		bsp_pop_reg(area);
	bsp_sync();
}

static void in_one_superstep(long n)
{
	for (long i = 0; i < n; i++) {
		bsp_push_reg(area, 1);
		bsp_pop_reg(area);
	}
	bsp_sync();
}

static void pushed_and_popped_in_one_superstep(long n)
{
	push_all(n, 0);
	for (long i = 0; i < n; i++)
		bsp_pop_reg(area);
	bsp_sync();
}

static void null_but_on_one(long n)
{
	const char *mine = bsp_pid() == 0 ? area : NULL;

	for (long i = 0; i < n; i++)
		bsp_push_reg(mine, 0);
	bsp_sync();
	for (long i = 0; i < n; i++)
		bsp_pop_reg(mine);
	bsp_sync();
}

static void null_everywhere(long n)
{
	for (long i = 0; i < n; i++)
		bsp_push_reg(NULL, 0);
	bsp_sync();
	for (long i = 0; i < n; i++)
		bsp_pop_reg(NULL);
	bsp_sync();
}

static void areas_around_each_other(long n)
{
	for (long i = 0; i < n; i++)
		bsp_push_reg(area + i, (bsp_size_t)(MANY - i));
	bsp_sync();
	for (long i = 0; i < n; i++)
		bsp_put(right(), area, area + i, 0, 1);
	bsp_sync();
	for (long i = 0; i < n; i++)
		bsp_pop_reg(area + i);
	bsp_sync();
}

static void body(void)
{
	enter();
	grows_as_n(different_areas, MANY, 50, "areas that are all different");
	grows_as_n(newest_first, MANY, 50, "the newest popped first");
	grows_as_n(same_area, MANY, 50, "the same area again and again");
	grows_as_n(in_one_superstep, MANY, 50, "push and pop in turn");
	grows_as_n(pushed_and_popped_in_one_superstep, MANY, 50,
		   "pushed and popped in one superstep");
	grows_as_n(null_but_on_one, MANY, 50, "NULL on all but one process");
	grows_as_n(null_everywhere, MANY, 50, "NULL on all processes");
	grows_as_n(areas_around_each_other, MANY, 50,
		   "areas around each other, with a put to each");
	bsp_end();
}

int main(void)
{
	lives_ok(body, 2, "two processes");
	return done_testing();
}
