// SPDX-License-Identifier: BSD-3-Clause
/* model_tree.c - what trees cost, which algorithms of several kinds use. */

#include "bsplib/model/model_kinds.h"

#include <math.h>

int bspi_model_levels(int n, int k)
{
	int depth = 0;

	if (k < 2)
		return n - 1;
	for (int64_t joined = 1; joined < n; joined *= k)
		depth++;
	return depth;
}

/*
 * The largest power of two below n is what stays with us; the rest is the first subtree, which
 * has its own part to send. In a full tree the first subtree, of half of the processes, is always
 * the one that is ready last.
 */
static double down_full(const struct bspi_plogp *p, int n, uint64_t fixed, uint64_t each)
{
	double sum = 0;

	for (n /= 2; n > 0; n /= 2)
		sum += bspi_model_hop(p, fixed + n * each);
	return sum;
}

double bspi_model_down(const struct bspi_plogp *p, int n, uint64_t fixed, uint64_t each)
{
	double sum = 0, last = 0;

	while (n > 1) {
		int stay = 1 << bspi_log2_down(n - 1);

		sum += bspi_model_gap(p, fixed + (n - stay) * each);
		last = fmax(last, sum + down_full(p, stay, fixed, each));
		sum += bspi_model_latency(p, fixed + (n - stay) * each);
		n -= stay;
	}
	return fmax(last, sum);
}

double bspi_model_up(const struct bspi_plogp *p, int n, uint64_t fixed, uint64_t each, double work)
{
	int steps = bspi_log2_down(n), rest = n - (1 << steps);
	double sum = 0;

	for (int j = 0; j < steps; j++)
		sum += bspi_model_hop(p, fixed + ((uint64_t)1 << j) * each) + work;
	if (rest == 0)
		return sum;
	/* The subtree of the rest is ready first, but we take it last. */
	return fmax(sum, bspi_model_up(p, rest, fixed, each, work) +
			 bspi_model_latency(p, fixed + rest * each)) +
	       bspi_model_gap(p, fixed + rest * each) + work;
}
