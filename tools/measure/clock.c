// SPDX-License-Identifier: BSD-3-Clause
/* clock.c - clocks of the system. */

#include "clock.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

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

/*
 * Not the times of users and system, which are counted by ticks: a machine that is late with those
 * loses some. Interrupts are those of the network as likely as those of other programs.
 */
double clock_machine_s(void)
{
	double idle, iowait, irq, softirq;
	FILE *file = fopen("/proc/stat", "re");
	int n;

	if (!file)
		return 0;
	n = fscanf(file, "cpu %*f %*f %*f %lf %lf %lf %lf", &idle, &iowait, &irq, &softirq);
	fclose(file);
	if (n != 4)
		return 0;
	return clock_now_s() * (double)sysconf(_SC_NPROCESSORS_ONLN) -
	       (idle + iowait + irq + softirq) / (double)sysconf(_SC_CLK_TCK);
}
