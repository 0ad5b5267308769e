/* SPDX-License-Identifier: BSD-3-Clause */
/* With order=1 a process that waits in a pipe for one that waits for its clock ends the job. */
#include "../lib/relaxed.h"

#include <unistd.h>

static int ends[2];		/* of a pipe, from process 0 to process 1 */

/* Process 0 has sent so much that its clock is ahead, and process 1 shows no later one. */
static void body(void)
{
	static int x;
	char byte = 0;

	enter_eager();
	publish(&x, sizeof x);
	if (bsp_pid() == 1 && read(ends[0], &byte, 1) < 0)
		bail("no pipe");
	for (int i = 0; i < 4; i++) {
		if (bsp_pid() == 0)
			bsp_put(1, &i, &x, 0, sizeof i);
		bsp_sync();
	}
	if (bsp_pid() == 0 && write(ends[1], &byte, 1) < 0)
		bail("no pipe");
	bsp_end();
}

int main(void)
{
	if (pipe(ends) < 0)
		bail("no pipe");
	setenv("BSP_TRANSPORT", "emu", 1);
	setenv("BSP_EMULATE", "L=1us,o=10us,g=1us,G=1ns,cpu=0,order=1", 1);
	setenv("BSP_WATCHDOG", "0", 1);
	setenv("BSP_WAIT", "warn:1s", 1);	/* the job would go on */
	job_run(body, 2);
	ended_with_message("the job ends with a message");
	ok(strstr(job_err(), "bsp_sync: waits in virtual time (order=1) for process 1, which "
			     "sleeps outside of the library"),
	   "that names the cause, and the process");
	return done_testing();
}
