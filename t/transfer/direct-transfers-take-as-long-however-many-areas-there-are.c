/* SPDX-License-Identifier: BSD-3-Clause */
/* The time to write directly to an area, and to pop it, does not grow with their number. */
#include "../lib/growth.h"
#include "../lib/spmd.h"

enum { MOST = 2048, SIZE = 16384 };

static char source[SIZE];
static char *areas[MOST];

static void transfer_to_all(long n)
{
	for (long i = 0; i < n; i++)
		bsp_hpput(right(), source, areas[i], 0, SIZE);
	bsp_sync();
}

static void pushed_written_and_popped(long n)
{
	for (long i = 0; i < n; i++)
		bsp_push_reg(areas[i], SIZE);
	bsp_sync();
	for (int i = 0; i < 3; i++)
		transfer_to_all(n);
	for (long i = 0; i < n; i++)
		bsp_pop_reg(areas[i]);
	bsp_sync();
}

static void body(void)
{
	enter();
	for (int i = 0; i < MOST; i++)
		areas[i] = malloc(SIZE);
	grows_as_n(pushed_written_and_popped, MOST, 1000, "areas that are written to directly");
	bsp_end();
}

int main(void)
{
	setenv("BSP_SHARE", "8192", 1);
	lives_ok(body, 2, "many areas");
	return done_testing();
}
