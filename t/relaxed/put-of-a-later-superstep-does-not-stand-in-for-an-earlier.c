/* SPDX-License-Identifier: BSD-3-Clause */
/* A put of superstep s+2 that arrives before one of superstep s is not taken for it. */

/*
 * Section 5 of the paper on relaxed barriers: process 0 expects a put of process 1 in
 * superstep s and one of process 2 in s+2, and that of process 2 arrives first.
 * A process that only counts what arrives takes the second for the first. Here process 1 makes
 * its put when process 0 has seen, while waiting, that process 2 is past s+2.
 */
#include "../lib/relaxed.h"

enum { PASSED = 0, SEEN = 1, LOOKS = 2000 };

static int x, y;
static bool rendezvous;

static void late_process(void)
{
	int v = 111;

	await_flag(SEEN, 1);
	bsp_put(0, &v, &x, 0, sizeof v);
	for (int s = 0; s < 4; s++)
		bsp_sync();
}

/* If its puts ask first it cannot leave superstep 2 until process 0 is there. */
static void early_process(void)
{
	int v = 222;

	bsp_sync();
	bsp_sync();
	bsp_put(0, &v, &x, 0, sizeof v);
	if (rendezvous)
		raise_flag(PASSED);
	bsp_sync();
	if (!rendezvous)
		raise_flag(PASSED);
	bsp_sync();
}

static void reader(void)
{
	int taken = 0, written = 0;

	bsp_sync();
	for (int i = 0; i < LOOKS; i += raised(PASSED)) {
		taken += bsp_read_test(&x, 1);
		written += x != 0;
		sched_yield();
	}
	is_int(0, taken, "the early put is not counted in superstep 1");
	is_int(0, written, "nor written");
	raise_flag(SEEN);
	bsp_read(&x, 1);
	is_int(111, x, "superstep 1 reads the put of superstep 0");
	bsp_sync();
	is_int(111, x, "superstep 2 has the same");
	bsp_sync();
	bsp_read(&x, 1);
	is_int(222, x, "superstep 3 reads the put of superstep 2");
	bsp_sync();
}

static void body(void)
{
	if (rendezvous)
		enter_rendezvous();
	else
		enter_eager();
	publish(&x, sizeof x);
	if (bsp_pid() == 0)
		reader();
	else if (bsp_pid() == 1)
		late_process();
	else
		early_process();
	is_int(0, y, "nothing else was written");
	bsp_end();
}

int main(void)
{
	lives_ok(body, 3, "the later put is here before the earlier one is made");
	rendezvous = true;
	lives_ok(body, 3, "the later put has asked before the earlier one is made");
	return done_testing();
}
