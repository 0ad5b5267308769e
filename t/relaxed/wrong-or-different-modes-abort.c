/* SPDX-License-Identifier: BSD-3-Clause */
/* A mode that does not exist, and modes that differ between processes, end the job. */
#include "../lib/relaxed.h"

#include <limits.h>

static int mode, x;

static void no_such_mode(void)
{
	enter();
	bsp_sync();
	expect_superstep(1);
	expect_site(), bsp_set_sync(mode);
	bsp_end();
}

static void no_such_mode_relaxed(void)
{
	enter_relaxed();
	bsp_sync();
	expect_superstep(1);
	expect_site(), bsp_set_sync(mode);
	bsp_end();
}

static void set_by_one(void)
{
	enter();
	publish(&x, sizeof x);
	if (bsp_pid() == 0)
		bsp_set_sync(BSP_RELAXED);
	expect_site(), bsp_sync();
	bsp_end();
}

static void set_by_all_but_one(void)
{
	enter();
	if (bsp_pid() != 1)
		bsp_set_sync(BSP_RELAXED);
	expect_site(), bsp_sync();
	bsp_end();
}

/* The others know nothing of it, and go on. */
static void classic_for_one(void)
{
	enter_relaxed();
	publish(&x, sizeof x);
	bsp_sync();
	if (bsp_pid() == 0)
		bsp_set_sync(BSP_CLASSIC);
	for (int i = 0; i < 3; i++)
		bsp_sync();
	bsp_end();
}

static void classic_for_one_at_the_end(void)
{
	enter_relaxed();
	publish(&x, sizeof x);
	bsp_sync();
	if (bsp_pid() == 0)
		bsp_set_sync(BSP_CLASSIC);
	bsp_sync();
	bsp_end();
}

/* Both make a barrier of it, for different reasons. */
static void classic_against_push(void)
{
	enter_relaxed();
	bsp_sync();
	if (bsp_pid() == 0)
		bsp_set_sync(BSP_CLASSIC);
	else
		bsp_push_reg(&x, sizeof x);
	bsp_sync();
	bsp_end();
}

int main(void)
{
	static const int modes[] = { 2, -1, INT_MAX, INT_MIN };

	setenv("BSP_SYNC", "program", 1);
	tap_set_limit("BSP_WATCHDOG", 60);
	for (int i = 0; i < 4; i++) {
		mode = modes[i];
		dies_ok(no_such_mode, 2, "bsp_set_sync: ", "mode %d", mode);
		dies_ok(no_such_mode_relaxed, 1, "bsp_set_sync: ", "mode %d, relaxed", mode);
	}
	dies_ok(set_by_one, 2, "bsp_set_sync: ", "set by one of two");
	dies_ok(set_by_all_but_one, 4, "bsp_set_sync: ", "set by three of four");
	dies_ok(classic_for_one, 2, "bsp_", "classic for one of two");
	ok(!strstr(job_err(), "no progress"), "no watchdog is needed");
	dies_ok(classic_for_one, 4, "bsp_", "classic for one of four");
	dies_ok(classic_for_one_at_the_end, 2, "bsp_", "classic for one, the other ends");
	ok(!strstr(job_err(), "no progress"), "no watchdog is needed there either");
	dies_ok(classic_against_push, 2, "bsp_", "classic for one, a registration for the other");
	return done_testing();
}
