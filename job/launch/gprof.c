// SPDX-License-Identifier: BSD-3-Clause
/* gprof.c - programs that were compiled with -pg: each process has a profile of its own. */

/*
 * The profile of gprof is sampled by a timer, which a copy of a process does not inherit, and
 * written at exit to one file, gmon.out. So the timer is started again, and the C library is given
 * another name, which it completes by the number of the system for the process.
 */

#include "start.h"

#include <stdio.h>
#include <stdlib.h>

/* In the start-up code of such a program alone. */
__attribute__((weak)) void __gmon_start__(void);
/* A function of the C library, whose headers do not have it: sample, or do not. */
__attribute__((weak)) void moncontrol(int on);

void bspj_gprof_resume(int process)
{
	char prefix[32];

	if (!__gmon_start__ || !moncontrol)
		return;
	snprintf(prefix, sizeof(prefix), "gmon.out.%d", process);
	setenv("GMON_OUT_PREFIX", prefix, 0);
	moncontrol(1);
}
