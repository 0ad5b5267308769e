// SPDX-License-Identifier: BSD-3-Clause
/* clock.c - clocks of the system. */

#include "clock.h"

#include <time.h>

static uint64_t clock_read(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t clock_now_ns(void)
{
	return clock_read(CLOCK_MONOTONIC);
}

double clock_now_s(void)
{
	return 1e-9 * (double)clock_now_ns();
}

double clock_cpu_ns(void)
{
	return (double)clock_read(CLOCK_PROCESS_CPUTIME_ID);
}
