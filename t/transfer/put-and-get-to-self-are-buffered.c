/* SPDX-License-Identifier: BSD-3-Clause */
/* A put to oneself and a get from oneself take effect at the end of the superstep. */
#include "../lib/spmd.h"

static void put(void)
{
	int x = 1, v = 2;

	enter();
	publish(&x, sizeof x);
	bsp_put(bsp_pid(), &v, &x, 0, sizeof x);
	is_int(1, x, "nothing is written at the call");
	v = 3;
	bsp_sync();
	is_int(2, x, "the value at the call is written by bsp_sync");
	bsp_end();
}

static void get(void)
{
	int x = 1, y = 0;

	enter();
	publish(&x, sizeof x);
	bsp_get(bsp_pid(), &x, 0, &y, sizeof x);
	x = 5;
	is_int(0, y, "nothing is written at the call");
	bsp_sync();
	is_int(5, y, "the value at the end of the superstep is read");
	bsp_end();
}

/* Source and destination of a put overlap; so do those of a get. */
static void overlap(void)
{
	enum { SIZE = 200000, SHIFT = 7 };
	unsigned char *area = malloc(SIZE);

	enter();
	publish(area, SIZE);
	fill(area, SIZE, 1);
	bsp_put(bsp_pid(), area, area, SHIFT, SIZE - SHIFT);
	bsp_sync();
	is_int(0, wrong(area + SHIFT, SIZE - SHIFT, 1), "a put to oneself moves bytes up");
	fill(area, SIZE, 2);
	bsp_get(bsp_pid(), area, SHIFT, area, SIZE - SHIFT);
	bsp_sync();
	is_int(0, wrong_from(area, SIZE - SHIFT, 2, SHIFT), "a get from oneself moves bytes down");
	bsp_end();
	free(area);
}

int main(void)
{
	lives_ok(put, 0, "put");
	lives_ok(put, 1, "put on one process");
	lives_ok(get, 0, "get");
	lives_ok(get, 1, "get on one process");
	lives_ok(overlap, 0, "overlapping source and destination");
	lives_ok(overlap, 1, "overlapping source and destination on one process");
	return done_testing();
}
