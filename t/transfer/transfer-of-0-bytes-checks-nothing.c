/* SPDX-License-Identifier: BSD-3-Clause */
/* A put or get of 0 bytes does nothing and looks at none of its arguments. */
#include "../lib/spmd.h"

#include <limits.h>

static void body(void)
{
	static const int pids[] = { -1, 0, 1, 4711, INT_MAX, INT_MIN };
	static const int offsets[] = { -1, 0, 4, 5, INT_MAX, INT_MIN };
	int known = 1, fresh = 2, unknown = 3;
	int *areas[] = { NULL, &known, &fresh, &unknown };

	enter();
	publish(&known, sizeof known);
	bsp_push_reg(&fresh, sizeof fresh);
	for (int i = 0; i < 6 * 6 * 4; i++) {
		int pid = pids[i % 6], offset = offsets[i / 6 % 6], *area = areas[i / 36];

		bsp_put(pid, NULL, area, offset, 0);
		bsp_hpput(pid, &unknown, area, offset, 0);
		bsp_get(pid, area, offset, NULL, 0);
		bsp_hpget(pid, area, offset, &unknown, 0);
	}
	bsp_sync();
	is_int(123, 100 * known + 10 * fresh + unknown, "nothing has changed");
	bsp_end();
}

int main(void)
{
	lives_ok(body, 0, "wrong pids, addresses and offsets");
	lives_ok(body, 1, "wrong pids, addresses and offsets on one process");
	return done_testing();
}
