/* SPDX-License-Identifier: BSD-3-Clause */
/* overlap.h - which of many ranges overlap a given one: overlap.c. */
#ifndef BSPI_OVERLAP_H
#define BSPI_OVERLAP_H

#include <stddef.h>
#include <stdint.h>

struct bspi_range {
	uintptr_t begin, end;
	uint32_t id;
};

/* Begins as { 0 }. */
struct bspi_ranges {
	struct bspi_range *at;		/* by beginning, once they are sorted */
	size_t n, room;
	uintptr_t *latest;		/* latest ends, a tree of so many leaves; its root is 1 */
	size_t leaves;
	uint32_t *found;		/* by the last search */
	size_t nfound;
};

/* One of no bytes overlaps none, and is left out. */
void bspi_ranges_add(struct bspi_ranges *r, uintptr_t begin, size_t len, uint32_t id);
/* After all have been added, once. */
void bspi_ranges_sort(struct bspi_ranges *r);
/* The ids of those that overlap it go to r->found, ascending. How many. */
size_t bspi_ranges_find(struct bspi_ranges *r, uintptr_t begin, size_t len);
void bspi_ranges_free(struct bspi_ranges *r);

#endif
