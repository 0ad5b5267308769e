/* SPDX-License-Identifier: BSD-3-Clause */
/* A get that is not announced, or comes too late, ends the job and is named. */
#include "../lib/relaxed.h"

static int x, y, announced;

static void get(void);

/* Process 1 asks when process 0 is past that superstep, where it announced so many. */
static void too_late(void)
{
	enter_eager();
	publish(&x, sizeof x);
	if (bsp_pid() == 0 && announced)
		bsp_serve(&x, 0);
	if (bsp_pid() == 1) {
		await_flag(0, 1);
		get();
	}
	bsp_sync();
	if (bsp_pid() == 0)
		raise_flag(0);
	for (int i = 0; i < 5; i++)
		bsp_sync();
	bsp_end();
}

/* Process 0 waits for its own put of a later superstep meanwhile, and answers nothing but this. */
static void too_late_for_a_reader(void)
{
	int v = 1;

	enter_eager();
	publish(&x, sizeof x);
	if (bsp_pid() == 1) {
		await_flag(0, 1);
		get();
	}
	bsp_sync();
	if (bsp_pid() == 1)
		bsp_put(0, &v, &x, 0, sizeof v);
	bsp_sync();
	if (bsp_pid() == 0) {
		raise_flag(0);
		bsp_read(&x, 1);
	}
	bsp_end();
}

/* All come in their superstep, one more than announced. */
static void more_than_announced(void)
{
	enter_eager();
	publish(&x, sizeof x);
	if (bsp_pid() == 0)
		bsp_serve(&x, announced);
	for (int i = 0; i <= announced && bsp_pid() == 1; i++)
		get();
	bsp_sync();
	bsp_sync();
	bsp_end();
}

/* One's own get as well. */
static void own_get(void)
{
	enter_eager();
	publish(&x, sizeof x);
	if (bsp_pid() == 0)
		get();
	bsp_sync();
	bsp_sync();
	bsp_end();
}

static void one(void (*body)(void), int nprocs, const char *claim)
{
	bool late = body == too_late || body == too_late_for_a_reader;

	if (nprocs > job_max_nprocs()) {
		not_applicable("%s, %d processes", claim, nprocs);
		return;
	}
	job_run(body, nprocs);
	ended_with_message(claim);
	ok(names("get.c", 100), "%s: the get is named", claim);
	if (late)
		ok(strstr(job_err(), "get-that-is-not-announced-aborts.c:"),
		   "%s: so is where its target was", claim);
}

int main(void)
{
	tap_set_limit("BSP_WATCHDOG", 60);
	one(too_late, 2, "a get that comes when the superstep is over");
	one(too_late_for_a_reader, 2, "a get that comes when its target reads");
	announced = 1;
	one(too_late, 2, "a get where none is announced");
	one(more_than_announced, 2, "two gets where one is announced");
	announced = 0;
	one(more_than_announced, 2, "one get where none is announced");
	announced = 1000;
	one(more_than_announced, 3, "1001 gets where 1000 are announced");
	one(own_get, 1, "one's own get, not announced");
	one(own_get, 2, "one's own get, not announced, two processes");
	ok(!strstr(job_err(), "no progress"), "no watchdog is needed");
	return done_testing();
}

/* Last in this file, because of the directive. */
static void get(void)
{
#line 100 "get.c"
	bsp_get(0, &x, 0, &y, sizeof y);
}
