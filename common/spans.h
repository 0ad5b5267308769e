/* SPDX-License-Identifier: BSD-3-Clause */
/* spans.h - times at which something goes on, on several processes together. */
#ifndef COMMON_SPANS_H
#define COMMON_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From the first beginning to the last end, ns. */
struct span {
	uint64_t first, last;
};

/* All zero at first; the user frees @at. */
struct spans {
	struct span *at;
	size_t n, room;
};

/* The @n-th one, or a new one, goes from @first or before to @last or after. False: no memory. */
bool spans_add(struct spans *s, uint64_t n, uint64_t first, uint64_t last);
/* How long one goes on or more, ns. They are in the order of their beginnings then. */
uint64_t spans_time(struct spans *s);

#endif
