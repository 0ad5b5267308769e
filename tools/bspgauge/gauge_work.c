// SPDX-License-Identifier: BSD-3-Clause
/* gauge_work.c - computing and waiting, by the clock of a measurement. */

#include "gauge.h"

#include "tools/measure/work.h"

#include <math.h>

double gauge_work_us(const struct measure *m, long n, int rounds)
{
	double least = HUGE_VAL;

	for (int i = 0; i < rounds; i++) {
		double began = measure_now(m);

		work_do(n);
		least = fmin(least, (measure_now(m) - began) * 1e-3);
	}
	return least;
}

double gauge_wait(const struct measure *m, double ns)
{
	double began = measure_now(m), now;

	do
		now = measure_now(m);
	while (now - began < ns);
	return now - began;
}
