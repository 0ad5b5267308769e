/* SPDX-License-Identifier: BSD-3-Clause */
/* With BSP_EAGER=0 a request leaves in the call of the put, with its place, and is granted and
 * answered with the data in bsp_sync or bsp_read. */
#include "../lib/relaxed.h"

static int a, b;

/* Process 0 never comes to bsp_sync, and process 1 finds out at the request alone. */
static void beyond(void)
{
	static char bytes[40];

	enter_rendezvous();
	publish(&a, sizeof a);
	if (bsp_pid() == 0) {
		bsp_put(1, bytes, &a, 1, sizeof bytes);
		for (;;)
			sched_yield();
	}
	bsp_sync();
	bsp_read(&a, 1);
	bsp_end();
}

/*
 * Process 0 waits in bsp_read for a put that process 2 makes when process 1 has the data of process
 * 0. So the request has left before, and process 0 sends the data where it waits.
 */
static void chain(void)
{
	int value = 7;

	enter_rendezvous();
	bsp_push_reg(&a, sizeof a);
	publish(&b, sizeof b);
	if (bsp_pid() == 2) {
		await_flag(0, 1);
		bsp_put(0, &value, &b, 0, sizeof value);
	}
	bsp_sync();
	if (bsp_pid() == 0) {
		bsp_put(1, &value, &a, 0, sizeof value);
		value = 0;
		bsp_read(&b, 1);
		is_int(7, b, "process 0 has the put of process 2");
	}
	bsp_sync();
	if (bsp_pid() == 1) {
		bsp_read(&a, 1);
		is_int(7, a, "process 1 has the data that process 0 sent in bsp_read");
		raise_flag(0);
	}
	bsp_sync();
	bsp_end();
}

/* Requests of a superstep that turns out to have a barrier are not granted; the data come. */
static void barrier(void)
{
	int value = 3;

	enter_rendezvous();
	publish(&a, sizeof a);
	for (int i = 0; i < 10; i++) {
		bsp_put(right(), &value, &a, 0, sizeof value);
		if (i % 2)
			bsp_push_reg(&b, sizeof b);
		bsp_sync();
		bsp_read(&a, 1);
		is_int(value++, a, "a put of a superstep with a barrier, and without one");
		if (i % 2)
			bsp_pop_reg(&b);
	}
	bsp_end();
}

int main(void)
{
	dies_ok(beyond, 2, "bsp_put: offset 1 + 40 bytes is beyond the 4 bytes registered on "
		"process 1", "a request beyond the area ends the job before its data travel");
	if (job_networked())
		not_applicable("flags are in the memory of one machine");
	else
		lives_ok(chain, 3, "requests are answered in bsp_read");
	lives_ok(barrier, 3, "supersteps with and without a barrier");
	return done_testing();
}
