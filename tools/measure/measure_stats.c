// SPDX-License-Identifier: BSD-3-Clause
/* measure_stats.c - medians with confidence intervals, and arithmetic with them. */

#include "measure.h"

#include <math.h>
#include <stdlib.h>

static int stats_ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Tukey's far-out values: more than three ranges of the quartiles beyond these. @v is sorted. */
static int count_outliers(const double *v, int n)
{
	double first = v[n / 4], third = v[(3 * n - 1) / 4], range = third - first;
	int out = 0;

	for (int i = 0; i < n; i++)
		out += v[i] < first - 3 * range || v[i] > third + 3 * range;
	return out;
}

/*
 * The interval between the samples of ranks (n -+ 1.96 sqrt n) / 2: how many of n samples lie
 * below the median is binomial. With less than six samples no interval has 95 %, and it is all
 * of them.
 */
struct measure_value measure_median(double *v, int n)
{
	int low = (int)floor((n - 1.96 * sqrt(n)) / 2),
	    high = (int)ceil(1 + (n + 1.96 * sqrt(n)) / 2);

	if (n == 0)
		return measure_nothing("no time");
	qsort(v, (size_t)n, sizeof(*v), stats_ascending);
	low = low < 1 ? 1 : low;
	high = high > n ? n : high;
	return (struct measure_value){
		.median = n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2,
		.low = v[low - 1], .high = v[high - 1], .n = n, .outliers = count_outliers(v, n),
	};
}

struct measure_value measure_difference(const struct measure_value *a,
					const struct measure_value *b, double by)
{
	return (struct measure_value){
		.median = (a->median - b->median) / by,
		.low = (a->low - b->high) / by, .high = (a->high - b->low) / by,
		.n = a->n < b->n ? a->n : b->n,
		.outliers = a->outliers + b->outliers, .lost = a->lost + b->lost,
		.flagged = a->flagged || b->flagged, .why = a->flagged ? a->why : b->why,
	};
}

void measure_clamp(struct measure_value *v, double least)
{
	if (v->median >= least || v->flagged)
		return;
	v->why = v->median < 0 ? "was negative" : "was less than the clock can tell";
	v->median = least;
	v->flagged = true;
}

struct measure_value measure_nothing(const char *why)
{
	return (struct measure_value){ .flagged = true, .why = why };
}
