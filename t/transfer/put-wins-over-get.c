/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a get and a put write to the same place, the put remains. */
#include "../lib/spmd.h"

static void same_site(bool put_first)
{
	int x, source, value;

	enter();
	x = -1;
	source = 100 + (int)bsp_pid();
	value = 200 + (int)bsp_pid();
	bsp_push_reg(&source, sizeof source);
	publish(&x, sizeof x);
	if (put_first)
		bsp_put(right(), &value, &x, 0, sizeof x);
	bsp_get(right(), &source, 0, &x, sizeof x);
	if (!put_first)
		bsp_put(right(), &value, &x, 0, sizeof x);
	bsp_sync();
	is_int(200 + (int)left(), x, "the put remains");
	bsp_end();
}

static void put_first(void)
{
	same_site(true);
}

static void get_first(void)
{
	same_site(false);
}

/* The put covers the middle of what the get writes. */
static void in_part(void)
{
	enum { SIZE = 300000, FROM = 70001, LEN = 150003 };
	unsigned char *x = calloc(1, SIZE), *source = malloc(SIZE), *value = malloc(LEN);

	enter();
	fill(source, SIZE, 100 + (uint32_t)bsp_pid());
	fill(value, LEN, 200 + (uint32_t)bsp_pid());
	bsp_push_reg(source, SIZE);
	publish(x, SIZE);
	bsp_put(right(), value, x, FROM, LEN);
	bsp_get(left(), source, 0, x, SIZE);
	bsp_sync();
	is_int(0, wrong(x, FROM, 100 + (uint32_t)left()), "the get's bytes before the put");
	is_int(0, wrong(x + FROM, LEN, 200 + (uint32_t)left()), "the put's bytes");
	is_int(0, wrong_from(x + FROM + LEN, SIZE - FROM - LEN, 100 + (uint32_t)left(), FROM + LEN),
	       "the get's bytes after the put");
	bsp_end();
	free(x), free(source), free(value);
}

int main(void)
{
	lives_ok(put_first, 0, "put, then get");
	lives_ok(get_first, 0, "get, then put");
	lives_ok(get_first, 1, "get, then put, on one process");
	lives_ok(in_part, 0, "a put into the middle of a get");
	lives_ok(in_part, 1, "a put into the middle of a get, on one process");
	return done_testing();
}
