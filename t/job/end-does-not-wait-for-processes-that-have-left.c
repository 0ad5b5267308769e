/* SPDX-License-Identifier: BSD-3-Clause */
/* No report of how much was taken in goes to a process that has left the barrier. */
#include "../lib/relaxed.h"

#include <sched.h>

enum { LARGE = 600000, PUTS = 60 };

static unsigned char area[LARGE], source[LARGE];

/* One processor for all: process 0 is gone before process 1 has taken in what it put. */
static void crowd(void)
{
	cpu_set_t one;
	int cpu = sched_getcpu();

	CPU_ZERO(&one);
	CPU_SET(cpu < 0 ? 0 : cpu, &one);
	sched_setaffinity(0, sizeof one, &one);
}

static void put_all(void)
{
	enter_relaxed();
	publish(area, sizeof area);
	for (int i = 0; i < PUTS && bsp_pid() == 0; i++)
		bsp_put(1, source, area, 0, LARGE);
	bsp_sync();
}

static void end(void)
{
	put_all();
	bsp_end();
	ok(true, "after bsp_end");
}

/* Processes that have left the barrier compute; the others leave it all the same. */
static void barrier(void)
{
	put_all();
	bsp_set_sync(BSP_CLASSIC);
	bsp_sync();
	if (bsp_pid() == 0)
		await_flag(0, (int)bsp_nprocs() - 1);
	else
		raise_flag(0);
	bsp_end();
}

int main(void)
{
	setenv("BSP_UNREAD", "ignore", 1);
	crowd();
	setenv("BSP_BIND", "none", 1);
	lives_ok(end, 2, "bsp_end after puts that no process reads");
	lives_ok(barrier, 2, "a barrier after them");
	setenv("BSP_CREDIT", "0", 1);
	lives_ok(end, 2, "bsp_end, without credit");
	lives_ok(barrier, 2, "a barrier, without credit");
	lives_ok(barrier, 4, "a barrier of four");
	return done_testing();
}
