/* SPDX-License-Identifier: BSD-3-Clause */
/* A put that comes when its area was read without it ends the job; both are named. */
#include "../lib/relaxed.h"

static int x[4];
static enum { END, SYNC, CLASSIC, READ } then;

static void late_put(void);
static void early_read(void);

/* The end of the program after the read of process 0; all do as many supersteps. */
static void go_on(void)
{
	if (then == READ && bsp_pid() == 0)
		bsp_read(x, 1);
	for (int i = 0; i < 3 && then == SYNC; i++)
		bsp_sync();
	if (then == CLASSIC) {
		bsp_set_sync(BSP_CLASSIC);
		bsp_sync();
	}
	bsp_end();
}

/* Two put in superstep 1; process 2 only when process 0 has read one put. */
static void body(void)
{
	int v = 1;

	enter_eager();
	publish(x, sizeof x);
	if (bsp_pid() == 1)
		bsp_put(0, &v, x, 0, sizeof v);
	if (bsp_pid() == 2) {
		await_flag(0, 1);
		late_put();
	}
	bsp_sync();
	if (bsp_pid() == 0) {
		early_read();
		raise_flag(0);
	}
	bsp_sync();
	go_on();
}

static void one(int what, const char *claim)
{
	then = what;
	job_run(body, 3);
	ended_with_message(claim);
	ok(names("late-put.c", 100), "%s: the put is named", claim);
	ok(names("early-read.c", 200), "%s: the read is named", claim);
}

int main(void)
{
	if (job_max_nprocs() < 3)
		skip_all("not applicable: needs three processes");
	one(END, "found in bsp_end");
	one(SYNC, "found after some supersteps");
	one(CLASSIC, "found in a classic superstep");
	one(READ, "found in the next read");
	return done_testing();
}

/* Last in this file, because of the directives. */
static void late_put(void)
{
	int v = 1;

#line 100 "late-put.c"
	bsp_put(0, &v, x, sizeof v, sizeof v);
}

static void early_read(void)
{
#line 200 "early-read.c"
	bsp_read(x, 1);
}
