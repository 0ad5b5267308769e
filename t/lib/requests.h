/* SPDX-License-Identifier: BSD-3-Clause */
/* requests.h - for tests of operations that are under way at once: waited for in any order. */
#ifndef REQUESTS_H
#define REQUESTS_H

#include "collective.h"
#include "random.h"

/* As the numbers fall, it is tested some times before. */
static inline void test_and_wait(bsp_request *r, uint64_t *numbers)
{
	if (random_below(numbers, 2))
		for (int i = 0; i < 20 && !bsp_test(r); i++)
			continue;
	bsp_wait(r);
}

/* Calls @finish for each of 0 .. @n - 1. */
static inline void in_any_order(int n, uint64_t *numbers, void (*finish)(int))
{
	int *of = memory((size_t)n * sizeof *of);

	for (int i = 0; i < n; i++)
		of[i] = i;
	for (int left = n; left > 0; left--) {
		int i = (int)random_below(numbers, (uint32_t)left);

		finish(of[i]);
		of[i] = of[left - 1];
	}
	free(of);
}

#endif
