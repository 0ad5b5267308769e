// SPDX-License-Identifier: BSD-3-Clause
/* bases.c - the state of registrations, and addresses in it: a hash table. */

#include "bsplib/transfer/bases.h"

#include "bsplib/core/error.h"
#include "bsplib/transfer/region.h"

#include <stdlib.h>
#include <string.h>

#define R (bspi_regions)

struct bspi_regions bspi_regions = { .fast_base = BSPI_NO_BASE };

enum { UNUSED = -2 };

static int32_t *bucket_of(const void *at)
{
	return &R.buckets[(uintptr_t)at * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (R.nbuckets - 1)];
}

int32_t bspi_base_find(const void *at)
{
	int32_t i = R.nbuckets ? *bucket_of(at) : -1;

	while (i >= 0 && R.bases[i].at != at)
		i = R.bases[i].next;
	return i;
}

static void link_base(int32_t i)
{
	int32_t *bucket = bucket_of(R.bases[i].at);

	R.bases[i].next = *bucket;
	*bucket = i;
}

/* All of R.bases are in use. */
static void double_buckets(const char *site)
{
	free(R.buckets);
	R.nbuckets = R.nbuckets ? 2 * R.nbuckets : 64;
	R.buckets = malloc(R.nbuckets * sizeof(*R.buckets));
	if (!R.buckets)
		bspi_fail_memory("bsp_push_reg", site);
	memset(R.buckets, -1, R.nbuckets * sizeof(*R.buckets));
	for (size_t i = 0; i < R.nbases; i++)
		link_base(i);
}

int32_t bspi_base_add(const char *site, void *at)
{
	int32_t i = R.unused_base - 1;

	if (i >= 0) {
		R.unused_base = R.bases[i].next;
	} else {
		if (R.nbases == R.nbuckets)
			double_buckets(site);
		R.bases = bspi_grow(R.bases, R.nbases, sizeof(*R.bases), &R.bases_room);
		i = R.nbases++;
	}
	R.bases[i] = (struct bspi_base){ .at = at, .newest = -1, .next_pop = -1 };
	link_base(i);
	return i;
}

void bspi_base_remove(int32_t i)
{
	int32_t *at = bucket_of(R.bases[i].at);

	while (*at != i)
		at = &R.bases[*at].next;
	*at = R.bases[i].next;
	R.bases[i].newest = UNUSED;
	R.bases[i].next = R.unused_base;
	R.unused_base = i + 1;
}
