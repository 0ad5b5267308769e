/* SPDX-License-Identifier: BSD-3-Clause */
/* Chunks that are held are sorted by the numbers of their senders, few or many of up to 16384
 * processes; those of one sender keep their order. */
#include "../lib/tap.h"
#include "../lib/random.h"

#include "bsplib/engine/hold.h"

#include <stdlib.h>

enum { MOST = 20000 };

static struct bspi_arrival at[MOST];
static uint64_t state = 31;

/* @n chunks, whose lengths say in which order they have come. */
static bool are_sorted(size_t n, int nprocs)
{
	struct bspi_arrivals list = { .at = at, .n = n, .room = MOST };
	bool sorted = true;

	for (size_t i = 0; i < n; i++)
		at[i] = (struct bspi_arrival){
			.from = (int)random_below(&state, (uint64_t)nprocs), .len = i,
		};
	bspi_sort_by_sender(&list);
	for (size_t i = 1; i < n; i++)
		sorted &= at[i - 1].from < at[i].from ||
			  (at[i - 1].from == at[i].from && at[i - 1].len < at[i].len);
	return sorted && list.n == n;
}

int main(void)
{
	static const size_t n[] = { 0, 1, 2, 24, 25, 300, MOST };
	static const int nprocs[] = { 1, 2, 255, 256, 257, 1000, 16384 };

	for (size_t i = 0; i < sizeof n / sizeof *n; i++)
		for (size_t k = 0; k < sizeof nprocs / sizeof *nprocs; k++)
			ok(are_sorted(n[i], nprocs[k]), "%zu chunks of %d processes", n[i],
			   nprocs[k]);
	return done_testing();
}
