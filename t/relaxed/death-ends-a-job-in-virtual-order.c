/* SPDX-License-Identifier: BSD-3-Clause */
/* With order=1 a process that is killed while others wait for its virtual time ends the job. */
#include "../lib/relaxed.h"

#include <signal.h>

/* All but process 1 go on until they sleep, as process 1 shows no later time. */
static void body(void)
{
	static int x;

	enter_eager();
	publish(&x, sizeof x);
	if (bsp_pid() == 1) {
		await_flag(0, 4);
		raise(SIGKILL);
	}
	raise_flag(0);
	for (int i = 0; i < 9; i++) {
		bsp_put(right(), &i, &x, 0, sizeof i);
		bsp_sync();
	}
	bsp_read(&x, 9);
	bsp_end();
}

int main(void)
{
	setenv("BSP_TRANSPORT", "emu", 1);
	setenv("BSP_EMULATE", "L=1us,o=10us,g=1us,G=1ns,cpu=0,order=1", 1);
	job_run(body, 5);
	ok(strstr(job_err(), "bsp: killed by signal 9"), "the job ends with a message");
	ok(strstr(job_err(), "process 1, superstep 1"), "that names the process");
	return done_testing();
}
