/* SPDX-License-Identifier: BSD-3-Clause */
/* site.h - call sites: their text, and the number that stands for one in a record. */
#ifndef BSPI_SITE_H
#define BSPI_SITE_H

#include "bsplib/core/state.h"

/*
 * A site is a number, or a pointer of which bspj_site_is_text() says what it points to; it is not
 * itself to be printed. NULL: the site is not known. The text, "file:line", stays where it is until
 * the program ends.
 */
__attribute__((cold)) const char *bspi_site_text(const char *site);

/* The site that was packed, perhaps by another process; NULL if it is not known here. */
const char *bspi_site_unpack(int64_t packed);

/*
 * With the top bit, which says what kind of site it is, as the lowest one: so that sites are
 * near each other.
 */
static inline uintptr_t bspi_site_turned(const char *site)
{
	return (uintptr_t)site << 1 | (uintptr_t)site >> 63;
}

/*
 * As a distance from bspi.site_base, which is the same in all processes; INT32_MIN: not known. The
 * distance of a number means nothing, and does not fit 32 bits.
 */
static inline int64_t bspi_site_distance(const char *site)
{
	return site ? (int64_t)(bspi_site_turned(site) - bspi.site_base) : INT32_MIN;
}

/*
 * The same for all sites: a number stays as it is, turned. It cannot be taken for a distance: that
 * of a site of a compiler is odd, and the others are less than 2^62.
 */
static inline int64_t bspi_site_pack(const char *site)
{
	return bspj_site_is_number(site) ? (int64_t)bspi_site_turned(site) :
	       bspi_site_distance(site);
}

/*
 * In 24 bits, for records with no room for more: a site that is 4 MiB or farther from the base
 * is not known then.
 */
enum { BSPI_NEAR = 1 << 23, BSPI_NEAR_MASK = (1 << 24) - 1 };

static inline uint32_t bspi_site_pack_near(const char *site)
{
	int64_t packed = bspi_site_pack(site);

	return packed > -BSPI_NEAR && packed < BSPI_NEAR ? packed & BSPI_NEAR_MASK : BSPI_NEAR;
}

static inline const char *bspi_site_unpack_near(uint32_t packed)
{
	int32_t distance = (int32_t)(packed << 8) >> 8;

	return bspi_site_unpack(distance == -BSPI_NEAR ? INT32_MIN : distance);
}

#endif
