/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsp_set_tagsize that only some processes call ends the job, also if the size stays the same. */
#include "../lib/relaxed.h"

static bsp_size_t size;

static void by_one(void)
{
	enter();
	bsp_sync();
	if (bsp_pid() == 1)
		bsp_set_tagsize(&size);
	expect_site(), bsp_sync();
	bsp_end();
}

static void by_all_but_one(void)
{
	enter();
	if (bsp_pid() > 0)
		bsp_set_tagsize(&size);
	expect_site(), bsp_sync();
	bsp_end();
}

/* All come to a barrier because of something else. */
static void by_one_beside_a_registration(void)
{
	enter_relaxed();
	bsp_sync();
	bsp_push_reg(&size, sizeof size);
	if (bsp_pid() == 1)
		bsp_set_tagsize(&size);
	expect_site(), bsp_sync();
	bsp_end();
}

/* Then the others end the superstep without a barrier. */
static void by_one_relaxed(void)
{
	enter_relaxed();
	bsp_sync();
	if (bsp_pid() == 1)
		bsp_set_tagsize(&size);
	bsp_sync();
	bsp_sync();
	bsp_end();
}

/* The last call of a superstep counts, however many there are. */
static void by_all_and_again(void)
{
	bsp_size_t other = 16, same = 8;

	enter();
	for (int i = 0; i < 3; i++) {
		bsp_set_tagsize(&other);
		same = 8;
		bsp_set_tagsize(&same);
		other = 16;
		if (bsp_pid() == 0) {
			same = 8;
			bsp_set_tagsize(&same);
			is_int(8, same, "the size that is on");
		}
		bsp_sync();
	}
	bsp_end();
}

static void under_each_barrier(void)
{
	static const char *const barriers[] = {
		"alltoall", "counting",	 "dissemination", "butterfly",
		"binomial", "knomial:3", "linear", "nbx",
	};

	for (size_t i = 0; i < sizeof barriers / sizeof *barriers; i++) {
		setenv("BSP_BARRIER", barriers[i], 1);
		dies_ok(by_one, 2, "bsp_set_tagsize: process 1 called it in this superstep (",
			"%s: process 1 of 2", barriers[i]);
		dies_ok(by_all_but_one, 3,
			"bsp_set_tagsize: processes 1 and 2 called it in this superstep (",
			"%s: processes 1 and 2 of 3", barriers[i]);
		ok(strstr(job_err(), "), process 0 did not; all processes call it, or none"),
		   "%s: and it says who did not", barriers[i]);
		dies_ok(by_one_beside_a_registration, 3,
			"bsp_set_tagsize: process 1 called it in this superstep (",
			"%s: relaxed, in a superstep with a barrier", barriers[i]);
		dies_ok(by_one_relaxed, 3, "bsp_", "%s: relaxed", barriers[i]);
		ok(strstr(job_err(), "bsp_set_tagsize"), "%s: and the call is named", barriers[i]);
		lives_ok(by_all_and_again, 3, "%s: called by all, not equally often", barriers[i]);
	}
	unsetenv("BSP_BARRIER");
}

int main(void)
{
	if (job_max_nprocs() < 2)
		skip_all("not applicable: there is one process");
	setenv("BSP_SYNC", "program", 1);
	tap_set_limit("BSP_WATCHDOG", 60);
	under_each_barrier();
	return done_testing();
}
