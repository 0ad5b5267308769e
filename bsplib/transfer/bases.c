// SPDX-License-Identifier: BSD-3-Clause
/* bases.c - the state of registrations, and addresses in it: a hash table. */

#include "bsplib/transfer/bases.h"

#include "bsplib/core/error.h"
#include "bsplib/transfer/region.h"

#include <stdlib.h>
#include <string.h>

struct bspi_regions bspi_regions = { .fast_base = BSPI_NO_BASE };

static struct bspi_regions *const regions = &bspi_regions;

enum { UNUSED = -2 };

static int32_t *bucket_of(const void *at)
{
	return &regions->buckets[(uintptr_t)at * UINT64_C(0x9e3779b97f4a7c15) >> 32 &
				 (regions->nbuckets - 1)];
}

int32_t bspi_base_find(const void *at)
{
	int32_t i = regions->nbuckets ? *bucket_of(at) : -1;

	while (i >= 0 && regions->bases[i].at != at)
		i = regions->bases[i].next;
	return i;
}

static void link_base(int32_t i)
{
	int32_t *bucket = bucket_of(regions->bases[i].at);

	regions->bases[i].next = *bucket;
	*bucket = i;
}

/* All of regions->bases are in use. */
static void double_buckets(const char *site)
{
	free(regions->buckets);
	regions->nbuckets = regions->nbuckets ? 2 * regions->nbuckets : 64;
	regions->buckets = malloc(regions->nbuckets * sizeof(*regions->buckets));
	if (!regions->buckets)
		bspi_fail_memory("bsp_push_reg", site);
	memset(regions->buckets, -1, regions->nbuckets * sizeof(*regions->buckets));
	for (size_t i = 0; i < regions->nbases; i++)
		link_base(i);
}

int32_t bspi_base_add(const char *site, void *at)
{
	int32_t i = regions->unused_base - 1;

	if (i >= 0) {
		regions->unused_base = regions->bases[i].next;
	} else {
		if (regions->nbases == regions->nbuckets)
			double_buckets(site);
		regions->bases = bspi_grow(regions->bases, regions->nbases,
					   sizeof(*regions->bases), &regions->bases_room);
		i = regions->nbases++;
	}
	regions->bases[i] = (struct bspi_base){ .at = at, .newest = -1, .next_pop = -1 };
	link_base(i);
	return i;
}

void bspi_base_remove(int32_t i)
{
	int32_t *at = bucket_of(regions->bases[i].at);

	while (*at != i)
		at = &regions->bases[*at].next;
	*at = regions->bases[i].next;
	regions->bases[i].newest = UNUSED;
	regions->bases[i].next = regions->unused_base;
	regions->unused_base = i + 1;
}
