// SPDX-License-Identifier: BSD-3-Clause
/* work.c - computing that no compiler leaves out. */

#include "work.h"

#include "clock.h"

#include <math.h>

static volatile double sink;

void work_do(long turns)
{
	double x = sink;	/* which the compiler does not know */

	for (long i = 0; i < turns; i++)
		x = x * 0.999999 + 1e-6;
	sink = x;
}

double work_least_ns(long turns, int rounds)
{
	double least = HUGE_VAL;

	for (int i = 0; i < rounds; i++) {
		double began = (double)clock_now_ns();

		work_do(turns);
		least = fmin(least, (double)clock_now_ns() - began);
	}
	return least;
}
