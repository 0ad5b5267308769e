/* SPDX-License-Identifier: BSD-3-Clause */
/* A get that no process announced ends the job, also if its owner awaits answers to its own. */
#include "../lib/relaxed.h"

static int x, got;

/* Process 0 serves 1 and waits for 3, who does not come before 2 has asked too. */
static void body(void)
{
	enter_eager();
	publish(&x, sizeof x);
	if (bsp_pid() == 0) {
		bsp_serve(&x, 1);
		bsp_get(3, &x, 0, &got, sizeof got);
	} else if (bsp_pid() == 1) {
		bsp_get(0, &x, 0, &got, sizeof got);
	} else if (bsp_pid() == 2) {
		await_flag(0, 1);
		expect_site(), bsp_get(0, &x, 0, &got, sizeof got);
	} else {
		bsp_serve(&x, 1);
		await_flag(0, 1);
	}
	if (bsp_pid() == 1) {
		bsp_sync();		/* returns when process 0 has answered */
		raise_flag(0);
	} else {
		bsp_sync();
	}
	bsp_end();
}

int main(void)
{
	tap_set_limit("BSP_WATCHDOG", 60);
	job_run(body, 4);
	ended_with_message("one get more than announced");
	ok(strstr(job_err(), "has announced") || strstr(job_err(), "came too late"),
	   "and that is what it says");
	return done_testing();
}
