// SPDX-License-Identifier: BSD-3-Clause
/* gauge_work.c - computing for its own sake, and how long it takes. */

#include "gauge.h"

#include <math.h>

static volatile double sink;

void gauge_work(long n)
{
	double x = sink;

	for (long i = 0; i < n; i++)
		x = x * 0.999999 + 1e-6;
	sink = x;
}

double gauge_work_us(const struct measure *m, long n, int rounds)
{
	double least = HUGE_VAL;

	for (int i = 0; i < rounds; i++) {
		double began = measure_now(m);

		gauge_work(n);
		least = fmin(least, (measure_now(m) - began) * 1e-3);
	}
	return least;
}
