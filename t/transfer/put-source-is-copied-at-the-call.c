/* SPDX-License-Identifier: BSD-3-Clause */
/* The source of a put may change as soon as the call returns. */
#include "../lib/spmd.h"

enum { LARGE = 2000003 };

static void put_from_a_frame(void *area, bsp_size_t offset)
{
	int overwritten = 4711 + (int)bsp_pid();

	bsp_put(right(), &overwritten, area, offset, sizeof overwritten);
	memset(&overwritten, 0xff, sizeof overwritten);
}

static void small(void)
{
	int area[2] = { -1, -1 }, value = 1;

	enter();
	publish(area, sizeof area);
	bsp_put(right(), &value, area, 0, sizeof value);
	value = 2;
	put_from_a_frame(area, sizeof *area);
	bsp_sync();
	is_int(1, area[0], "the value at the call arrives");
	is_int(4711 + (int)left(), area[1], "a local variable of a function that returned arrives");
	bsp_end();
}

static void large(void)
{
	unsigned char *area = calloc(1, LARGE), *source = malloc(LARGE);

	enter();
	fill(source, LARGE, (uint32_t)bsp_pid());
	publish(area, LARGE);
	bsp_put(right(), source, area, 0, LARGE);
	memset(source, 0, LARGE);
	free(source);
	bsp_sync();
	is_int(0, wrong(area, LARGE, (uint32_t)left()), "2 MB arrive as they were at the call");
	bsp_end();
	free(area);
}

/* The source is registered itself, and put to by others. */
static void put_to_source(void)
{
	int x;

	enter();
	x = (int)bsp_pid();
	publish(&x, sizeof x);
	bsp_put(right(), &x, &x, 0, sizeof x);
	x = -1;
	bsp_sync();
	is_int((int)left(), x, "values rotate by puts");
	bsp_end();
}

int main(void)
{
	lives_ok(small, 0, "a few bytes");
	lives_ok(small, 1, "a few bytes on one process");
	lives_ok(large, 0, "many bytes");
	lives_ok(large, 1, "many bytes on one process");
	lives_ok(put_to_source, 0, "source and destination in one");
	return done_testing();
}
