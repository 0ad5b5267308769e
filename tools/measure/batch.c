// SPDX-License-Identifier: BSD-3-Clause
/* batch.c - how long batches are, and what disturbs them. */

#include "batch.h"

#include "clock.h"

#include <math.h>

/* The share of a batch that a process may be without its processor. */
static const double DISTURBANCE = 0.03;

void batch_begin(struct batch *b)
{
	b->cpu_ns = clock_cpu_ns();
	b->began_ns = clock_now_ns();
}

double batch_end(const struct batch *b, bool *disturbed)
{
	double took = (double)(clock_now_ns() - b->began_ns);

	*disturbed = took - (clock_cpu_ns() - b->cpu_ns) > DISTURBANCE * took;
	return took;
}

long batch_grow(long n, double took_ns, double wanted_ns, long least)
{
	double factor = fmax(wanted_ns / fmax(took_ns, 1), (double)least / (double)n);

	return factor < 1.5 ? 0 : (long)ceil((double)n * fmin(factor, 8));
}
