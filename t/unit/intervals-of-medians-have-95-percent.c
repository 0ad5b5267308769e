/* SPDX-License-Identifier: BSD-3-Clause */
/* Medians, their intervals by the binomial distribution, quantiles, and batches that grow. */
#include "../../tools/measure/batch.c"
#include "../../tools/measure/clock.c"
#include "../../tools/measure/sample.c"
#include "../lib/tap.h"

enum { LEAST = 6, NARROW = 38, MOST = 200 };

/* How likely the median is between samples @low and @high, from 0, of @n sorted ones. */
static double coverage(int n, int low, int high)
{
	double term = pow(0.5, n), sum = 0;

	for (int k = 0; k <= high; k++) {
		if (k > low)
			sum += term;
		term *= (double)(n - k) / (k + 1);
	}
	return sum;
}

static void check_intervals(void)
{
	int low, high, small = 0, wide = 0, lopsided = 0;

	for (int n = 1; n <= MOST; n++) {
		sample_interval(n, &low, &high);
		lopsided += low != n - 1 - high;
		small += n >= LEAST && coverage(n, low, high) < 0.95;
		wide += n > NARROW && coverage(n, low, high) > 0.985;
	}
	is_int(0, small, "6 to %d samples: at least 95 %%", MOST);
	is_int(0, wide, "more than %d samples: at most 98.5 %%", NARROW);
	is_int(0, lopsided, "as many samples below it as above it");
	sample_interval(5, &low, &high);
	ok(low == 0 && high == 4, "5 samples: all of them");
}

static void check_quantiles(void)
{
	double odd[] = { 5, 1, 4, 2, 3 }, even[] = { 40, 10, 30, 20 }, one[] = { 7 };

	ok(sample_median(odd, 5) == 3, "the one in the middle");
	ok(odd[0] == 1 && odd[4] == 5, "which sorts them");
	ok(sample_median(even, 4) == 25, "between the two in the middle");
	ok(sample_quantile(even, 4, 0.25) == 17.5, "a quartile between two samples");
	ok(sample_quantile(even, 4, 0) == 10 && sample_quantile(even, 4, 1) == 40, "and the ends");
	ok(sample_median(one, 1) == 7 && sample_quantile(one, 1, 0.25) == 7, "a single sample");
	ok(sample_median(one, 0) == 0 && sample_quantile(one, 0, 0.5) == 0, "none");
}

static void check_batches(void)
{
	bool disturbed;
	struct batch b;

	is_int(8, batch_grow(1, 1, 1e6, 0), "at most eight times as many");
	is_int(30, batch_grow(10, 1e6, 3e6, 0), "as many as are wanted");
	is_int(0, batch_grow(10, 1e6, 1.4e6, 0), "enough");
	is_int(60, batch_grow(20, 1e6, 1e6, 60), "no fewer than the least");
	is_int(8, batch_grow(1, 0, 100, 0), "a clock that has not moved");
	batch_begin(&b);
	b.began_ns -= 1000000000;
	ok(batch_end(&b, &disturbed) >= 1e9 && disturbed, "a second without the processor");
}

int main(void)
{
	check_intervals();
	check_quantiles();
	check_batches();
	return done_testing();
}
