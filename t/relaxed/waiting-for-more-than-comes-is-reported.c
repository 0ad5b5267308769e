/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for more than ever comes ends the job, telling what is wanted and there. */
#include "../lib/relaxed.h"

enum { WANTED = 4711, PRESENT = 37 };

static int x[PRESENT], y;
static enum { READ, SERVE, EXPECT } what;
static const char *const calls[] = { "bsp_read", "bsp_serve", "bsp_expect" };

/* The last process sends all there is to process 0, which waits for more. */
static void start(void)
{
	int v = 1;

	enter_eager();
	bsp_push_reg(&y, sizeof y);
	publish(x, sizeof x);
	if (what == SERVE && bsp_pid() == 0)
		bsp_serve(x, WANTED);
	for (int i = 0; i < PRESENT && bsp_pid() == bsp_nprocs() - 1; i++) {
		if (what == READ)
			bsp_put(0, &v, x, (bsp_size_t)((size_t)i * sizeof v), sizeof v);
		else if (what == SERVE)
			bsp_get(0, x, 0, &y, sizeof y);
		else
			bsp_send(0, NULL, &v, sizeof v);
	}
	bsp_sync();
	if (what == READ && bsp_pid() == 0)
		bsp_read(x, WANTED);
	if (what == EXPECT && bsp_pid() == 0)
		bsp_expect(WANTED);
}

/* All others are in bsp_end: no process is left to send more. */
static void others_have_ended(void)
{
	start();
	bsp_end();
}

/* The others wait for process 0. */
static void all_wait(void)
{
	start();
	if (bsp_pid() != 0)
		bsp_read(&y, 1);
	bsp_end();
}

static void others_are_in_a_classic_sync(void)
{
	start();
	bsp_set_sync(BSP_CLASSIC);
	bsp_sync();
	bsp_end();
}

static void one(void (*body)(void), int nprocs, const char *claim)
{
	char text[160];

	snprintf(text, sizeof text, "%s, %s, %d processes", calls[what], claim, nprocs);
	if (nprocs > job_max_nprocs()) {
		not_applicable("%s", text);
		return;
	}
	job_run(body, nprocs);
	ended_with_message(text);
	ok(reports(WANTED), "%s: the number wanted is reported", text);
	ok(reports(PRESENT), "%s: the number present is reported", text);
}

/* Needs no watchdog, which is there for a test that hangs. */
static void at_once(int nprocs)
{
	setenv("BSP_BARRIER", "alltoall", 1);
	tap_set_limit("BSP_WATCHDOG", 60);
	one(others_have_ended, nprocs, "the others have ended");
	ok(!strstr(job_err(), "no progress"), "that needs no watchdog");
	unsetenv("BSP_BARRIER");
	unsetenv("BSP_WATCHDOG");
}

/* Bsp_begin is to be over within that time. */
static void with_watchdog(void (*body)(void), int nprocs, const char *claim)
{
	char timeout[16];

	snprintf(timeout, sizeof timeout, "%d", tap_scaled(3));
	setenv("BSP_WATCHDOG", timeout, 1);
	one(body, nprocs, claim);
	unsetenv("BSP_WATCHDOG");
}

int main(void)
{
	for (what = READ; what <= EXPECT; what++) {
		at_once(1);
		with_watchdog(all_wait, 3, "the others wait too");
	}
	what = READ;
	at_once(2);
	at_once(4);
	with_watchdog(others_are_in_a_classic_sync, 2, "the other is in a classic bsp_sync");
	setenv("BSP_BARRIER", "counting", 1);
	with_watchdog(others_have_ended, 3, "the others have ended, counting barrier");
	unsetenv("BSP_BARRIER");
	what = EXPECT;
	at_once(2);
	at_once(4);
	return done_testing();
}
