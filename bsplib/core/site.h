/* SPDX-License-Identifier: BSD-3-Clause */
/* site.h - call sites: their text, and what stands for them on the way. */
#ifndef BSPI_SITE_H
#define BSPI_SITE_H

#include "bsplib/core/state.h"

/*
 * A place is a call site as bspt_site_is_text() tells it, and no text to be printed; NULL: not known. Its text,
 * "file:line", stays where it is for good.
 */
__attribute__((cold)) const char *bspi_place_text(const char *place);

/* The place that was packed, perhaps by another process; or NULL. */
const char *bspi_place_unpack(int64_t place);

/* With the top bit, which says what kind of site it is, as the lowest one: so that places are near each other. */
static inline uintptr_t bspi_place_turned(const char *place)
{
	return (uintptr_t)place << 1 | (uintptr_t)place >> 63;
}

/* As a distance from bspi.anchor, which is the same in all processes; INT32_MIN: not known. */
static inline int64_t bspi_place_pack(const char *place)
{
	return place ? (int64_t)(bspi_place_turned(place) - bspi.anchor) : INT32_MIN;
}

#endif
