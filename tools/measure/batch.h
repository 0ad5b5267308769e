/* SPDX-License-Identifier: BSD-3-Clause */
/* batch.h - so many steps that the clock does not count, and whether they were disturbed. */
#ifndef MEASURE_BATCH_H
#define MEASURE_BATCH_H

#include <stdbool.h>
#include <stdint.h>

struct batch {
	double cpu_ns;
	uint64_t began_ns;
};

void batch_begin(struct batch *b);
/*
 * ns since then. Was this process without its processor for so much of them that it was
 * disturbed? A process with a core for itself never leaves it in so short a time, so another
 * program had it.
 */
double batch_end(const struct batch *b, bool *disturbed);

/*
 * @n steps have taken @took_ns, and a batch takes @wanted_ns and at least @least steps: how many
 * the next try has, at most eight times as many; 0: these are enough.
 */
long batch_grow(long n, double took_ns, double wanted_ns, long least);

#endif
