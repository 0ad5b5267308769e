// SPDX-License-Identifier: BSD-3-Clause
/* places.c - memory that transfers under way are going to write. */

/*
 * An array that is sorted, in which places that touch are one. Programs that send much at a time
 * send it to neighbouring places, in order, so mostly the last place only grows.
 */

#include "bsplib/transfer/places.h"

#include "bsplib/core/error.h"

#include <string.h>

/* The first place that ends behind @start; p->n if none does. */
static size_t first_behind(const struct bspi_places *p, uintptr_t start)
{
	size_t low = 0, high = p->n;

	if (p->n && p->at[p->n - 1].to <= start)
		return p->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->at[middle].to <= start)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool bspi_places_meet(const struct bspi_places *p, const void *start, size_t bytes)
{
	size_t i = first_behind(p, (uintptr_t)start);

	return i < p->n && p->at[i].from < (uintptr_t)start + bytes;
}

static void places_insert(struct bspi_places *p, size_t i, uintptr_t from, uintptr_t to)
{
	p->at = bspi_grow(p->at, p->n, sizeof(*p->at), &p->room);
	memmove(p->at + i + 1, p->at + i, (p->n - i) * sizeof(*p->at));
	p->at[i] = (struct bspi_site){ from, to };
	p->n++;
}

void bspi_places_add(struct bspi_places *p, const void *start, size_t bytes)
{
	uintptr_t from = (uintptr_t)start, to = from + bytes;
	size_t i = first_behind(p, from);
	bool before = i > 0 && p->at[i - 1].to == from;
	bool behind = i < p->n && p->at[i].from == to;

	if (before)
		p->at[i - 1].to = to;
	else if (behind)
		p->at[i].from = from;
	else
		places_insert(p, i, from, to);
	if (before && behind) {
		p->at[i - 1].to = p->at[i].to;
		p->n--;
		memmove(p->at + i, p->at + i + 1, (p->n - i) * sizeof(*p->at));
	}
}
