/* SPDX-License-Identifier: BSD-3-Clause */
/* sample.c - medians and quartiles. */

#include "bench.h"

#include <stdlib.h>

static int sample_ascending(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Between two samples, linearly. */
double bench_quantile(double *v, int n, double part)
{
	if (n == 0)
		return 0;
	qsort(v, (size_t)n, sizeof *v, sample_ascending);
	double at = part * (n - 1);
	int low = (int)at;

	if (low + 1 >= n)
		return v[n - 1];
	return v[low] + (at - low) * (v[low + 1] - v[low]);
}
