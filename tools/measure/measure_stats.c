// SPDX-License-Identifier: BSD-3-Clause
/* measure_stats.c - medians with confidence intervals, and arithmetic with them. */

#include "measure.h"
#include "sample.h"

/* Tukey's far-out values: more than three ranges of the quartiles beyond these. @v is sorted. */
static int count_outliers(const double *v, int n)
{
	double first = v[n / 4], third = v[(3 * n - 1) / 4], range = third - first;
	int out = 0;

	for (int i = 0; i < n; i++)
		out += v[i] < first - 3 * range || v[i] > third + 3 * range;
	return out;
}

struct measure_value measure_median(double *v, int n)
{
	struct measure_value m = { .n = n };
	int low, high;

	if (n == 0)
		return measure_nothing("no time");
	m.median = sample_median(v, n);
	sample_interval(n, &low, &high);
	m.low = v[low];
	m.high = v[high];
	m.outliers = count_outliers(v, n);
	return m;
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
	if (v->median >= least)
		return;
	if (!v->flagged)
		v->why = v->median < 0 ? "was negative" : "was less than the clock can tell";
	v->median = least;
	v->flagged = true;
}

struct measure_value measure_nothing(const char *why)
{
	return (struct measure_value){ .flagged = true, .why = why };
}
