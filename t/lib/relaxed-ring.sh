# SPDX-License-Identifier: BSD-3-Clause
# relaxed-ring.sh - a program with relaxed barriers, for tests that run bsprun; read after
# installed.sh.
# shellcheck shell=sh

# write_relaxed FILE: each process passes numbers on in a ring until each number is back, and
# computes for some time on each
write_relaxed()
{
	cat >"$1" <<'END'
#include <bsp.h>
#include <stdio.h>

int main(void)
{
	static volatile double work;
	int left = -1, mine, round, came_round;

	bsp_begin(bsp_nprocs());
	bsp_push_reg(&left, sizeof left);
	bsp_sync();
	bsp_set_sync(BSP_RELAXED);
	mine = (int)bsp_pid();
	for (round = 0; round < (int)bsp_nprocs(); round++) {
		int i;

		bsp_put(((int)bsp_pid() + 1) % (int)bsp_nprocs(), &mine, &left, 0, sizeof mine);
		bsp_sync();
		bsp_read(&left, 1);
		mine = left;
		for (i = 0; i < 20000; i++)
			work += i;
	}
	printf("%d has %d after %d\n", (int)bsp_pid(), mine, round);
	came_round = mine == (int)bsp_pid();
	bsp_end();
	return !came_round;
}
END
}
