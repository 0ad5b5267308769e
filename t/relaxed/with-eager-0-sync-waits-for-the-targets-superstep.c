/* SPDX-License-Identifier: BSD-3-Clause */
/* With BSP_EAGER=0 bsp_sync waits for the targets of its puts, and for no other process. */
#include "../lib/relaxed.h"

enum { LEFT = 0, AHEAD = 1, LOOKS = 3000 };

static int x;

/* Process 1 puts to process 0, process 2 has nothing to send: only it goes ahead. */
static void body(void)
{
	int v = 9;

	enter_rendezvous();
	publish(&x, sizeof x);
	if (bsp_pid() == 0) {
		await_flag(AHEAD, 1);
		for (int i = 0; i < LOOKS; i++) {
			(void)bsp_read_test(&x, 1);
			sched_yield();
		}
		is_int(0, raised(LEFT), "process 1 waits for process 0");
	} else if (bsp_pid() == 1) {
		bsp_put(0, &v, &x, 0, sizeof v);
	}
	bsp_sync();
	if (bsp_pid() == 1)
		raise_flag(LEFT);
	for (int s = 0; s < 100; s++)
		bsp_sync();
	if (bsp_pid() == 2)
		raise_flag(AHEAD);
	if (bsp_pid() == 0) {
		bsp_read(&x, 1);
		is_int(9, x, "the put");
	}
	bsp_end();
}

/* A target that is further already is not waited for. */
static void target_is_ahead(void)
{
	int v = 9;

	enter_rendezvous();
	publish(&x, sizeof x);
	if (bsp_pid() == 0) {
		bsp_sync();
		bsp_sync();
		bsp_read(&x, 1);
		is_int(9, x, "the put");
	} else {
		bsp_put(0, &v, &x, 0, sizeof v);
		bsp_sync();
		bsp_sync();
	}
	bsp_end();
}

int main(void)
{
	lives_ok(body, 3, "req, ack, data");
	lives_ok(target_is_ahead, 2, "a target that waits in a later superstep");
	return done_testing();
}
