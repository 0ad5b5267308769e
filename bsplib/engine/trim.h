/* SPDX-License-Identifier: BSD-3-Clause */
/* trim.h - memory that a large superstep took goes back to the system. */
#ifndef BSPI_TRIM_H
#define BSPI_TRIM_H

#include <stddef.h>

/* Every so many supersteps; @freed: bytes that other parts have given back. */
enum { BSPI_TRIM_STEPS = 16 };
void bspi_trim(size_t freed);

/*
 * Shorten an array of @n elements that had at most @most since the last time. How many bytes it
 * loses.
 */
size_t bspi_shrink(void **array, size_t n, size_t size, size_t *room, size_t *most);
enum { BSPI_ARRAY_LEAST = 1 << 20 };		/* bytes; shorter ones stay as they are */
#define BSPI_SHRINK(array, n, room, most) \
	bspi_shrink((void **)&(array), n, sizeof(*(array)), &(room), &(most))

#endif
