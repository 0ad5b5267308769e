/* SPDX-License-Identifier: BSD-3-Clause */
/* An unbuffered put that reaches memory directly counts once in the superstep that turns
 * relaxed. */
#include "../lib/relaxed.h"

enum { LARGE = 1 << 20, CLASSIC = 6 };

static unsigned char area[LARGE + 100], source[LARGE];

static void body(void)
{
	unsigned char *at = area + 13;		/* neither end is that of a page */

	enter();
	publish(at, LARGE);
	for (int s = 0; s < CLASSIC; s++) {
		fill(source, LARGE, (uint32_t)(bsp_pid() + 10 * (bsp_pid_t)s));
		bsp_hpput(right(), source, at, 0, LARGE);
		bsp_sync();
	}
	fill(source, LARGE, (uint32_t)bsp_pid() + 1000);
	bsp_set_sync(BSP_RELAXED);
	bsp_hpput(right(), source, at, 0, LARGE);
	bsp_sync();
	bsp_read(at, 1);
	is_int(0, wrong(at, LARGE, (uint32_t)left() + 1000) != 0, "it is all there");
	bsp_hpput(bsp_pid(), source, at, 0, LARGE);
	bsp_sync();
	bsp_read(at, 1);
	is_int(0, wrong(at, LARGE, (uint32_t)bsp_pid() + 1000) != 0,
	       "one to oneself counts once too");
	bsp_end();
}

int main(void)
{
	lives_ok(body, 2, "two processes");
	lives_ok(body, 3, "three processes");
	setenv("BSP_SHARE", "0", 1);
	lives_ok(body, 2, "without shared pages");
	return done_testing();
}
