/* SPDX-License-Identifier: BSD-3-Clause */
/* In relaxed supersteps too a put of 0 bytes does nothing and does not count. */
#include "../lib/relaxed.h"

static int x;

static void body(void)
{
	int v = 6;

	enter_relaxed();
	publish(&x, sizeof x);
	bsp_put(right(), &v, &x, 0, 0);
	bsp_hpput(right(), &v, &x, 0, 0);
	bsp_put(4711, NULL, NULL, -1, 0);
	bsp_put(right(), &v, &v, 0, 0);
	bsp_sync();
	is_int(0, bsp_read_test(&x, 1), "none has come");
	bsp_read(&x, 0);
	bsp_put(right(), &v, &x, sizeof x, 0);
	bsp_put(right(), &v, &x, 0, sizeof v);
	bsp_put(right(), &v, &x, 1, 0);
	bsp_sync();
	bsp_read(&x, 1);
	is_int(6, x, "of three one has bytes");
	is_int(0, bsp_read_test(&x, 1), "and counts");
	bsp_end();
}

int main(void)
{
	setenv("BSP_SYNC", "program", 1);
	lives_ok(body, 0, "on several processes");
	lives_ok(body, 1, "on one process");
	under("BSP_EAGER", "0", body, 0, "on several processes");
	return done_testing();
}
