/* SPDX-License-Identifier: BSD-3-Clause */
/* In the superstep of its pop an area may still be put to and got from. */
#include "../lib/spmd.h"

enum { SIZE = 200000 };

static unsigned char area[SIZE], source[SIZE], copy[SIZE];

static void still_used(bool hp)
{
	enter();
	fill(area, SIZE, 10 + (uint32_t)bsp_pid());
	fill(source, SIZE, 20 + (uint32_t)bsp_pid());
	publish(area, SIZE);
	bsp_pop_reg(area);
	(hp ? (bsp_hpget) : (bsp_get))(right(), area, 0, copy, SIZE / 2);
	(hp ? (bsp_hpput) : (bsp_put))(right(), source + SIZE / 2, area, SIZE / 2, SIZE / 2);
	bsp_sync();
	is_int(0, wrong(copy, SIZE / 2, 10 + (uint32_t)right()), "a get after the pop");
	is_int(0, wrong_from(area + SIZE / 2, SIZE / 2, 20 + (uint32_t)left(), SIZE / 2),
	       "a put after the pop");
	bsp_end();
}

static void buffered(void)
{
	still_used(false);
}

static void unbuffered(void)
{
	still_used(true);
}

static void used_before(void)
{
	enter();
	fill(source, SIZE, 20 + (uint32_t)bsp_pid());
	publish(area, SIZE);
	bsp_put(right(), source, area, 0, SIZE);
	bsp_pop_reg(area);
	bsp_sync();
	is_int(0, wrong(area, SIZE, 20 + (uint32_t)left()), "a put before the pop");
	bsp_end();
}

static void put_later(void)
{
	enter();
	publish(area, SIZE);
	bsp_pop_reg(area);
	bsp_sync();
	expect_site(), bsp_put(right(), source, area, 0, 1);
	bsp_end();
}

static void get_later(void)
{
	enter();
	publish(area, SIZE);
	bsp_pop_reg(area);
	bsp_sync();
	expect_site(), bsp_get(right(), area, 0, copy, 1);
	bsp_end();
}

int main(void)
{
	lives_ok(buffered, 0, "put and get after the pop");
	lives_ok(buffered, 1, "put and get after the pop on one process");
	lives_ok(unbuffered, 0, "hpput and hpget after the pop");
	lives_ok(used_before, 0, "put before the pop");
	dies_ok(put_later, 0, "bsp_put: ", "a put in the superstep after");
	dies_ok(get_later, 0, "bsp_get: ", "a get in the superstep after");
	return done_testing();
}
