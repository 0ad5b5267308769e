/* SPDX-License-Identifier: BSD-3-Clause */
/* A get of data that a process puts to in the same superstep returns what was there before. */
#include "../lib/spmd.h"

static void neighbours(void)
{
	int x, new, old = -1;

	enter();
	x = 100 + (int)bsp_pid();
	new = 200 + (int)bsp_pid();
	publish(&x, sizeof x);
	bsp_put(right(), &new, &x, 0, sizeof x);
	bsp_get(right(), &x, 0, &old, sizeof x);
	bsp_sync();
	is_int(100 + (int)right(), old, "the get returns the old value");
	is_int(200 + (int)left(), x, "the put leaves the new value");
	bsp_end();
}

/* The same with areas of several chunks, and the get asked for before the put. */
static void large(void)
{
	enum { SIZE = 700001 };
	unsigned char *x = malloc(SIZE), *new = malloc(SIZE), *old = calloc(1, SIZE);

	enter();
	fill(x, SIZE, 100 + (uint32_t)bsp_pid());
	fill(new, SIZE, 200 + (uint32_t)bsp_pid());
	publish(x, SIZE);
	bsp_get(right(), x, 0, old, SIZE);
	bsp_put(right(), new, x, 0, SIZE);
	bsp_sync();
	is_int(0, wrong(old, SIZE, 100 + (uint32_t)right()), "a large get returns the old bytes");
	is_int(0, wrong(x, SIZE, 200 + (uint32_t)left()), "a large put leaves the new bytes");
	bsp_end();
	free(x), free(new), free(old);
}

/* All put to one place and all get it. */
static void crowd(void)
{
	int x = 7, mine, old = -1;

	enter();
	mine = 100 + (int)bsp_pid();
	publish(&x, sizeof x);
	bsp_put(0, &mine, &x, 0, sizeof x);
	bsp_get(0, &x, 0, &old, sizeof x);
	bsp_sync();
	is_int(7, old, "every process gets the old value of a place that every process puts to");
	ok(bsp_pid() != 0 || (x >= 100 && x < 100 + (int)bsp_nprocs()), "one of the puts remains");
	bsp_end();
}

int main(void)
{
	lives_ok(neighbours, 0, "put to and get from the neighbour");
	lives_ok(neighbours, 1, "put to and get from the only process");
	lives_ok(large, 0, "large put to and get from the neighbour");
	lives_ok(large, 1, "large put to and get from the only process");
	lives_ok(crowd, 0, "all put to and get from process 0");
	return done_testing();
}
