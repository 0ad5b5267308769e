/* SPDX-License-Identifier: BSD-3-Clause */
/* One of the transfers to the same place wins, whole, in one piece, in many, or in bulk. */
#include "../lib/spmd.h"

enum { MOST = 200000, TIMES = 10 };

static unsigned char area[MOST], source[MOST], taken[MOST];

/* One byte again and again, that of some process but ours. */
static bool is_whole(const unsigned char *bytes, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (bytes[i] != bytes[0])
			return false;
	return bytes[0] >= 1 && bytes[0] <= bsp_nprocs();
}

/* All put to process 0, and all get from all. */
static void one_size(size_t n)
{
	long torn_puts = 0, torn_gets = 0;

	for (int i = 0; i < TIMES; i++) {
		for (bsp_pid_t q = 0; q < bsp_nprocs(); q++)
			bsp_get(q, source, 0, taken, (bsp_size_t)n);
		bsp_put(0, source, area, 0, (bsp_size_t)n);
		bsp_sync();
		torn_gets += !is_whole(taken, n);
		torn_puts += bsp_pid() == 0 && !is_whole(area, n);
	}
	is_int(0, torn_puts, "puts of %zu bytes", n);
	is_int(0, torn_gets, "gets of %zu bytes", n);
}

static void body(void)
{
	static const size_t sizes[] = { 100, 16000, 20000, 32767, 40000, 65535, 70000, MOST };

	enter();
	memset(source, (int)bsp_pid() + 1, sizeof source);
	bsp_push_reg(source, sizeof source);
	publish(area, sizeof area);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		one_size(sizes[i]);
	bsp_end();
}

int main(void)
{
	lives_ok(body, 3, "three processes");
	setenv("BSP_CHECK", "1", 1);
	lives_ok(body, 3, "three processes, under BSP_CHECK");
	return done_testing();
}
