/* SPDX-License-Identifier: BSD-3-Clause */
/* Registrations take effect in any number of supersteps, and the job ends after any number, by
 * every barrier. */
#include "../lib/spmd.h"

enum { REGISTRATIONS = 300 };

static int supersteps;		/* before bsp_end */

/* Nothing is sent but what was pushed and popped. */
static void register_again_and_again(void)
{
	int area = -1, wrong_values = 0;

	enter();
	for (int i = 0; i < REGISTRATIONS; i++) {
		int value = 1000 * i + (int)bsp_pid();

		bsp_push_reg(&area, sizeof area);
		bsp_sync();
		bsp_put(right(), &value, &area, 0, sizeof value);
		bsp_pop_reg(&area);
		bsp_sync();
		wrong_values += area != 1000 * i + (int)left();
	}
	is_int(0, wrong_values, "%d registrations, each for one superstep", REGISTRATIONS);
	bsp_end();
}

static void put_and_end(void)
{
	int area = -1, value = 0;

	enter();
	publish(&area, sizeof area);
	for (int i = 1; i < supersteps; i++) {
		value = 1000 * i + (int)bsp_pid();
		bsp_put(right(), &value, &area, 0, sizeof value);
		bsp_sync();
	}
	is_int(1000 * (supersteps - 1) + (int)left(), area, "the last of %d supersteps",
	       supersteps);
	bsp_end();
}

int main(void)
{
	static const char *const barriers[] = { "auto", "alltoall", "counting", "dissemination",
						"knomial:3" };

	for (size_t b = 0; b < sizeof barriers / sizeof *barriers; b++) {
		setenv("BSP_BARRIER", barriers[b], 1);
		for (int n = 3; n <= 4; n++)
			lives_ok(register_again_and_again, n, "%d processes, %s", n, barriers[b]);
		for (supersteps = 63; supersteps <= 65; supersteps++)
			lives_ok(put_and_end, 3, "end after %d supersteps, %s", supersteps,
				 barriers[b]);
	}
	return done_testing();
}
