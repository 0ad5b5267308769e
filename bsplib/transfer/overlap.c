// SPDX-License-Identifier: BSD-3-Clause
/* overlap.c - which of many ranges overlap a given one. */

/*
 * The ranges are sorted by their beginning; those that begin before the end of the given one are
 * the first of them. Above them lies a binary tree of the latest end in each part, so that a part
 * in which all end too early is passed over at once. A search that finds k of n ranges looks at
 * O(k log n + log n) nodes.
 */

#include "bsplib/transfer/overlap.h"

#include "bsplib/core/error.h"

#include <stdlib.h>

void bspi_ranges_add(struct bspi_ranges *r, uintptr_t begin, size_t len, uint32_t id)
{
	if (!len)
		return;
	r->at = bspi_grow(r->at, r->n, sizeof(*r->at), &r->room);
	r->at[r->n++] = (struct bspi_range){ .begin = begin, .end = begin + len, .id = id };
}

static int by_begin(const void *a, const void *b)
{
	const struct bspi_range *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

void bspi_ranges_sort(struct bspi_ranges *r)
{
	size_t leaves = 1;

	qsort(r->at, r->n, sizeof(*r->at), by_begin);
	while (leaves < r->n)
		leaves *= 2;
	r->leaves = leaves;
	r->latest = calloc(2 * leaves, sizeof(*r->latest));
	r->found = malloc((r->n + 1) * sizeof(*r->found));
	if (!r->latest || !r->found)
		bspi_fail_memory("bsp_sync", NULL);
	for (size_t i = 0; i < r->n; i++)
		r->latest[leaves + i] = r->at[i].end;
	for (size_t i = leaves - 1; i > 0; i--)
		r->latest[i] = r->latest[2 * i] > r->latest[2 * i + 1] ? r->latest[2 * i] :
									 r->latest[2 * i + 1];
}

void bspi_ranges_free(struct bspi_ranges *r)
{
	free(r->at);
	free(r->latest);
	free(r->found);
	*r = (struct bspi_ranges){ .n = 0 };
}

/* Search the @width ranges below @node, from @first on. From @end on they begin too late. */
static void overlap_search(struct bspi_ranges *r, size_t node, size_t first, size_t width,
			   size_t end,
		   uintptr_t after)
{
	if (first >= end || r->latest[node] <= after)
		return;
	if (width == 1) {
		r->found[r->nfound++] = r->at[first].id;
		return;
	}
	overlap_search(r, 2 * node, first, width / 2, end, after);
	overlap_search(r, 2 * node + 1, first + width / 2, width / 2, end, after);
}

/* How many begin before @bound. */
static size_t begin_before(const struct bspi_ranges *r, uintptr_t bound)
{
	size_t low = 0, high = r->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->at[middle].begin < bound)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int by_id(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

size_t bspi_ranges_find(struct bspi_ranges *r, uintptr_t begin, size_t len)
{
	r->nfound = 0;
	if (!len || !r->n)
		return 0;
	overlap_search(r, 1, 0, r->leaves, begin_before(r, begin + len), begin);
	qsort(r->found, r->nfound, sizeof(*r->found), by_id);
	return r->nfound;
}
