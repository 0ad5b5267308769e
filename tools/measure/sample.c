// SPDX-License-Identifier: BSD-3-Clause
/* sample.c - medians, quantiles and confidence intervals of samples. */

#include "sample.h"

#include <math.h>
#include <stdlib.h>

static int sample_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void sample_sort(double *v, int n)
{
	qsort(v, (size_t)n, sizeof(*v), sample_compare);
}

double sample_median(double *v, int n)
{
	if (n == 0)
		return 0;
	sample_sort(v, n);
	return (v[(n - 1) / 2] + v[n / 2]) / 2;
}

double sample_quantile(double *v, int n, double part)
{
	double at = part * (n - 1);
	int low = (int)at;

	if (n == 0)
		return 0;
	sample_sort(v, n);
	if (low + 1 >= n)
		return v[n - 1];
	return v[low] + (at - low) * (v[low + 1] - v[low]);
}

/* Ranks (n -+ 1.96 sqrt n) / 2: how many of n samples lie below the median is binomial. */
void sample_interval(int n, int *low, int *high)
{
	int first = (int)floor((n - 1.96 * sqrt(n)) / 2);
	int last = (int)ceil(1 + (n + 1.96 * sqrt(n)) / 2);

	*low = first < 1 ? 0 : first - 1;
	*high = last > n ? n - 1 : last - 1;
}
