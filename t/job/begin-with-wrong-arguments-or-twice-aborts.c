/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsp_begin is not called inside the SPMD part, takes a positive number, and starts no more
 * processes than that. */
#include "../lib/spmd.h"

#include <limits.h>

static int most;

static void begin(void)
{
	expect_site(), bsp_begin(most);
	bsp_end();
}

static void nested(void)
{
	enter();
	expect_site(), bsp_begin(bsp_nprocs());
	bsp_end();
}

static void at_most(void)
{
	bsp_begin(most);
	tap_process((int)bsp_pid());
	int wanted = most < 3 ? most : 3;

	is_int(wanted, (long)bsp_nprocs(), "at most %d of 3", most);
	ok(bsp_pid() >= 0 && (int)bsp_pid() < wanted, "numbered below that");
	bsp_sync();
	bsp_end();
}

static void fewer_than_there_are(int n)
{
	most = n;
	job_run(at_most, 3);
	is_int(0, job_status(), "bsp_begin(%d) with BSP_NPROCS=3 ends well", n);
	is_str("", job_err(), "without a word");
}

int main(void)
{
	static const int wrong[] = { 0, -1, INT_MIN };

	for (int i = 0; i < 3; i++) {
		most = wrong[i];
		dies_ok(begin, 0, "bsp_begin: ", "bsp_begin(%d)", most);
	}
	dies_ok(nested, 0, "bsp_begin: ", "bsp_begin inside the SPMD part");
	dies_ok(nested, 1, "bsp_begin: ", "bsp_begin inside the SPMD part of one process");
	if (job_max_nprocs() < 3)
		return done_testing();
	fewer_than_there_are(2);
	fewer_than_there_are(1);
	fewer_than_there_are(3);
	fewer_than_there_are(INT_MAX);
	return done_testing();
}
