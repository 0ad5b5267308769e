/* SPDX-License-Identifier: BSD-3-Clause */
/* sum.c - the sum of numbers that are spread over the processes. */

/*
 * Shows bsp_get(), and how to think about cost: each process adds its own
 * numbers, fetches the p partial sums and adds these too. It takes one superstep
 * for the registration and one with h = p, whatever the number of numbers is.
 *
 *	bspcc -O2 -o sum sum.c -lm
 *	bsprun -n 4 ./sum
 */
#include <bsp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { EACH = 100000 };		/* numbers on each process */

/* Returns to every process the sum of the xs of all. */
static int64_t sum(const int64_t *xs, int n)
{
	bsp_nprocs_t p = bsp_nprocs();
	int64_t *partial = calloc((size_t)p, sizeof *partial);
	int64_t mine = 0, total = 0;

	if (!partial)
		bsp_abort("sum: no memory for %d numbers", (int)p);
	bsp_push_reg(&mine, sizeof mine);
	for (int i = 0; i < n; i++)
		mine += xs[i];
	bsp_sync();

	for (bsp_pid_t q = 0; q < p; q++)
		bsp_get(q, &mine, 0, &partial[q], sizeof mine);
	bsp_pop_reg(&mine);
	bsp_sync();

	for (bsp_pid_t q = 0; q < p; q++)
		total += partial[q];
	free(partial);
	return total;
}

int main(void)
{
	static int64_t xs[EACH];

	bsp_begin(bsp_nprocs());

	/* the numbers 1, 2, ... n, dealt out in blocks */
	int64_t n = (int64_t)EACH * (int64_t)bsp_nprocs();
	for (int i = 0; i < EACH; i++)
		xs[i] = (int64_t)EACH * (int64_t)bsp_pid() + i + 1;

	int64_t total = sum(xs, EACH);
	if (total != n * (n + 1) / 2)
		bsp_abort("the sum of 1..%lld is not %lld", (long long)n, (long long)total);
	if (bsp_pid() == 0)
		printf("1 + 2 + ... + %lld = %lld\n", (long long)n, (long long)total);

	bsp_end();
	return 0;
}
