/* SPDX-License-Identifier: BSD-3-Clause */
/* places.h - memory that transfers under way are going to write: a set of bytes. */
#ifndef BSPI_PLACES_H
#define BSPI_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bspi_places {
	struct bspi_site {
		uintptr_t from, to;	/* up to the byte before @to */
	} *at;				/* in order, apart from each other */
	size_t n, room;
};

/* Is one of the @bytes from @start in the set? Logarithmic in the number of places. */
bool bspi_places_meet(const struct bspi_places *p, const void *start, size_t bytes);
/* They are none of it, and join it. */
void bspi_places_add(struct bspi_places *p, const void *start, size_t bytes);

#endif
