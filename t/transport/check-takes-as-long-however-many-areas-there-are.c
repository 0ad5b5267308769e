/* SPDX-License-Identifier: BSD-3-Clause */
/* Under --check an area takes as long among many as among few, and overlaps are all found. */
#include "../lib/checked.h"
#include "../lib/growth.h"

#include <stdlib.h>

enum { MANY = 1 << 16, STEP = 16, PAIRS = 500, CROSSED = 100 };

static char memory[(MANY + 2) * STEP];

/* Side by side, and looked at in a relaxed superstep, which is when areas are compared. */
static void side_by_side(long n)
{
	for (long i = 0; i < n; i++)
		bsp_push_reg(memory + i * STEP, STEP);
	bsp_sync();
	bsp_sync();
	for (long i = 0; i < n; i++)
		bsp_pop_reg(memory + i * STEP);
	bsp_sync();
}

static void many(void)
{
	enter();
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	grows_as_n(side_by_side, MANY, 200, "areas side by side");
	bsp_end();
}

/* Each overlaps the one before, all of one line: as many overlaps as there are pairs. */
static void chained(void)
{
	bsp_begin(bsp_nprocs());
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	for (int i = 0; i <= PAIRS; i++)
		bsp_push_reg(memory + i * STEP, STEP + 1);
	bsp_sync();
	bsp_sync();
	bsp_end();
}

/* Around all others, of which there are as many; registered last, and in the middle of them. */
static void around(void)
{
	bsp_begin(bsp_nprocs());
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	for (int i = 0; i < CROSSED; i++) {
		if (i == CROSSED / 2)
			bsp_push_reg(memory, CROSSED * STEP);
		bsp_push_reg(memory + (CROSSED - 1 - i) * STEP, STEP);
	}
	bsp_sync();
	bsp_sync();
	bsp_end();
}

/* The verdict, which is reported last: "... 0 puts: 500 violations, ...". */
static long violations(void (*body)(void))
{
	const char *number;

	check_run(body, 1, false);
	number = strstr(last_reported(), "puts: ");
	return number ? strtol(number + strlen("puts: "), NULL, 10) : -1;
}

int main(void)
{
	setenv("BSP_CHECK", "1", 1);
	lives_ok(many, 2, "two processes");
	is_int(PAIRS, violations(chained), "every overlap in a row is found");
	is_int(CROSSED, violations(around), "every overlap with one is found");
	return done_testing();
}
