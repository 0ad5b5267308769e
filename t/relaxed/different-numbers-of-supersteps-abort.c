/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that meet after different numbers of supersteps end the job, never hang. */
#include "../lib/relaxed.h"

static int x, y, extra;

/* Process 0 has so many supersteps more, or process 1 if that is negative. */
static void start(void)
{
	enter_relaxed();
	publish(&x, sizeof x);
	for (int i = 0; i < 5; i++)
		bsp_sync();
	for (int i = 0; i < extra && bsp_pid() == 0; i++)
		bsp_sync();
	for (int i = 0; i < -extra && bsp_pid() == 1; i++)
		bsp_sync();
}

static void in_end(void)
{
	start();
	bsp_end();
}

static void in_classic_sync(void)
{
	start();
	bsp_set_sync(BSP_CLASSIC);
	bsp_sync();
	bsp_end();
}

static void in_push(void)
{
	start();
	bsp_push_reg(&y, sizeof y);
	bsp_sync();
	bsp_end();
}

static void in_tagsize(void)
{
	bsp_size_t size = 4;

	start();
	bsp_set_tagsize(&size);
	bsp_sync();
	bsp_sync();
	bsp_end();
}

/* One meets, the other ends. */
static void end_against_classic(void)
{
	start();
	if (bsp_pid() == 0) {
		bsp_set_sync(BSP_CLASSIC);
		bsp_sync();
	}
	bsp_end();
}

static void push_against_end(void)
{
	start();
	if (bsp_pid() == 1) {
		bsp_push_reg(&y, sizeof y);
		bsp_sync();
	}
	bsp_end();
}

int main(void)
{
	static const int extras[] = { 1, -1, 100 };

	setenv("BSP_SYNC", "program", 1);
	tap_set_limit("BSP_WATCHDOG", 60);
	for (int i = 0; i < 3; i++) {
		extra = extras[i];
		dies_ok(in_end, 2, "bsp_", "%d more, in bsp_end", extra);
		dies_ok(in_end, 4, "bsp_", "%d more, in bsp_end of four", extra);
		dies_ok(in_classic_sync, 2, "bsp_", "%d more, in a classic bsp_sync", extra);
		dies_ok(in_push, 3, "bsp_", "%d more, after bsp_push_reg", extra);
		dies_ok(in_tagsize, 2, "bsp_", "%d more, after bsp_set_tagsize", extra);
		dies_ok(end_against_classic, 2, "bsp_", "%d more, classic and bsp_end", extra);
		dies_ok(push_against_end, 2, "bsp_", "%d more, push and bsp_end", extra);
		ok(!strstr(job_err(), "no progress"), "no watchdog is needed");
	}
	extra = 0;
	lives_ok(in_end, 2, "the same number, in bsp_end");
	lives_ok(in_classic_sync, 2, "the same number, in a classic bsp_sync");
	lives_ok(in_push, 2, "the same number, after bsp_push_reg");
	return done_testing();
}
