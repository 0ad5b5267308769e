/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that ends between bsp_begin and bsp_end ends the job with a message. */
#include "../lib/spmd.h"

#include <unistd.h>

static int leaver;

static void wait_for_leaver(void)
{
	for (;;)
		bsp_sync();
}

static void return_from_main(void)
{
	enter();
}

static void exit_0(void)
{
	enter();
	bsp_sync();
	exit(0);
}

static void exit_3(void)
{
	enter();
	exit(3);
}

static void one_exits_0(void)
{
	enter();
	if (bsp_pid() == leaver)
		exit(0);
	wait_for_leaver();
}

static void one_exits_3(void)
{
	enter();
	if (bsp_pid() == leaver)
		exit(3);
	wait_for_leaver();
}

static void one_exits_0_others_end(void)
{
	enter();
	if (bsp_pid() == leaver)
		exit(0);
	bsp_end();
}

/* No function registered with atexit() runs. */
static void one_exits_at_once(void)
{
	enter();
	if (bsp_pid() == leaver)
		_exit(0);
	wait_for_leaver();
}

int main(void)
{
	dies_ok(return_from_main, 1, "bsp_end: ", "return from main of one process");
	dies_ok(return_from_main, 3, "bsp_end: ", "return from main");
	dies_ok(exit_0, 1, "bsp_end: ", "exit(0) of one process");
	dies_ok(exit_0, 3, "bsp_end: ", "exit(0)");
	dies_ok(exit_3, 3, "bsp", "exit(3)");
	for (leaver = 0; leaver < 3; leaver += 2) {
		dies_ok(one_exits_0, 3, "bsp_end: ", "exit(0) of process %d", leaver);
		dies_ok(one_exits_3, 3, "bsp", "exit(3) of process %d", leaver);
		dies_ok(one_exits_0_others_end, 3, "bsp_end: ",
			"exit(0) of process %d while the others end", leaver);
		dies_ok(one_exits_at_once, 3, "bsp", "_exit(0) of process %d", leaver);
	}
	return done_testing();
}
