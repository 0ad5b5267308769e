/* SPDX-License-Identifier: BSD-3-Clause */
/* An error is one line that names call, reason, process, superstep, file and line. */
#include "../lib/spmd.h"

static int x;

static void known_site(void);

static void in_superstep_3(void)
{
	enter();
	publish(&x, sizeof x);
	bsp_sync();
	bsp_sync();
	expect_process(1);
	expect_superstep(3);
	if (bsp_pid() == 1)
		expect_site(), bsp_put(7, &x, &x, 0, sizeof x);
	bsp_sync();
	bsp_end();
}

static void outside(void)
{
	expect_site(), bsp_sync();
}

int main(void)
{
	dies_ok(in_superstep_3, 3,
		"bsp_put: process 7 does not exist, there are 3 (process 1, superstep 3, ",
		"process 1 in superstep 3");
	dies_ok(outside, 2, "bsp_sync: ", "outside the SPMD part");
	ok(!strstr(job_err(), "process "), "no process is named there");
	dies_ok(known_site, 1,
		"bsp_get: process 7 does not exist, there is 1 (process 0, superstep 0, "
		"ring.c:4711)\n",
		"the whole line, with the file as the compiler names it");
	return done_testing();
}

/* Last in this file, because of the directive. */
static void known_site(void)
{
	enter();
#line 4711 "ring.c"
	bsp_get(7, &x, 0, &x, sizeof x);
	bsp_end();
}
