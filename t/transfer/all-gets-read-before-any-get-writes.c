/* SPDX-License-Identifier: BSD-3-Clause */
/* A get reads a place that another get writes before that is written. */
#include "../lib/spmd.h"

static void rotation(void)
{
	int x;

	enter();
	x = 100 + (int)bsp_pid();
	publish(&x, sizeof x);
	bsp_get(right(), &x, 0, &x, sizeof x);
	bsp_sync();
	is_int(100 + (int)right(), x, "the neighbour's value, not one that has moved already");
	bsp_end();
}

static void large_rotation(void)
{
	enum { SIZE = 500003 };
	unsigned char *x = malloc(SIZE);

	enter();
	fill(x, SIZE, (uint32_t)bsp_pid());
	publish(x, SIZE);
	bsp_get(right(), x, 0, x, SIZE);
	bsp_sync();
	is_int(0, wrong(x, SIZE, (uint32_t)right()), "the neighbour's bytes");
	bsp_end();
	free(x);
}

/* a[0] <- a[1] <- a[2] <- a[3] on the neighbour, all in one superstep, in both orders. */
static void chain(void)
{
	enum { LENGTH = 50 };
	int a[LENGTH], shifted = 0;

	enter();
	for (int i = 0; i < LENGTH; i++)
		a[i] = 1000 * (int)bsp_pid() + i;
	publish(a, sizeof a);
	for (int i = 0; i + 1 < LENGTH; i += 2)
		bsp_get(right(), a, (bsp_size_t)((i + 1) * sizeof *a), &a[i], sizeof *a);
	for (int i = LENGTH - 3; i > 0; i -= 2)
		bsp_get(right(), a, (bsp_size_t)((i + 1) * sizeof *a), &a[i], sizeof *a);
	bsp_sync();
	for (int i = 0; i + 1 < LENGTH; i++)
		shifted += a[i] == 1000 * (int)right() + i + 1;
	is_int(LENGTH - 1, shifted, "each element moved by one place");
	bsp_end();
}

static void swap(void)
{
	int a = 1, b = 2;

	enter();
	bsp_push_reg(&a, sizeof a);
	publish(&b, sizeof b);
	bsp_get(bsp_pid(), &a, 0, &b, sizeof a);
	bsp_get(bsp_pid(), &b, 0, &a, sizeof b);
	bsp_sync();
	is_int(2, a, "the first has the second's value");
	is_int(1, b, "the second has the first's value");
	bsp_end();
}

int main(void)
{
	lives_ok(rotation, 0, "a value rotates");
	lives_ok(rotation, 1, "a value rotates on one process");
	lives_ok(large_rotation, 0, "an array rotates");
	lives_ok(chain, 0, "a chain of gets");
	lives_ok(chain, 1, "a chain of gets on one process");
	lives_ok(swap, 0, "two gets from oneself swap");
	return done_testing();
}
