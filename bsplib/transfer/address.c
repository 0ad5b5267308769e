// SPDX-License-Identifier: BSD-3-Clause
/* address.c - what messages say of an address: it is NULL, or why it names no registered area. */

/*
 * A program that names an area by a wrong address has most often a right one nearby: that of the
 * whole array, or of an area whose registration is not in effect yet or not any more. The message
 * says where that was registered or withdrawn. All of this is looked for only when the job ends.
 */

#include "bsplib/transfer/address.h"

#include "bsplib/core/error.h"
#include "bsplib/core/site.h"
#include "bsplib/transfer/region.h"

#include <stdio.h>

enum { TEXTS = 4, TEXT_MOST = 20, AREA_MOST = 240 };

const char *bspi_address_text(const void *at)
{
	static char texts[TEXTS][TEXT_MOST];
	static unsigned int next;
	char *text = texts[next++ % TEXTS];

	if (!at)
		return "NULL";
	snprintf(text, TEXT_MOST, "%p", at);
	return text;
}

const char *bspi_area_text(const struct bspi_slot *s)
{
	static char text[AREA_MOST];

	if (s->site)
		snprintf(text, sizeof(text), "the area registered at %.200s",
			 bspi_site_text(s->site));
	else
		snprintf(text, sizeof(text), "the area at %p", (void *)s->base);
	return text;
}

/* ---- Where it could have been found ---------------------------------------------------- */

static const struct bspi_push *last_of(const struct bspi_push *at, size_t n, const void *area)
{
	while (n > 0 && bspi_regions.bases[at[n - 1].base].at != area)
		n--;
	return n > 0 ? &at[n - 1] : NULL;
}

/* The last registration of an address that was popped, if that was not long ago. */
static const struct bspi_popped *when_popped(const void *area)
{
	size_t n = bspi_regions.nlast_popped;

	for (size_t i = n; i > 0 && i + BSPI_LAST_POPPED > n; i--)
		if (bspi_regions.last_popped[(i - 1) % BSPI_LAST_POPPED].base == area)
			return &bspi_regions.last_popped[(i - 1) % BSPI_LAST_POPPED];
	return NULL;
}

static bool is_inside(const void *at, const char *base, size_t nbytes)
{
	return base && (uintptr_t)at > (uintptr_t)base && (uintptr_t)at - (uintptr_t)base < nbytes;
}

/* An area in which an address lies, behind its start: where it was registered. */
struct around {
	const char *base, *site;
	size_t nbytes;
};

/* The newest. False: there is none. */
static bool find_around(const void *at, struct around *a)
{
	const struct bspi_slot *newest = NULL;

	for (size_t i = bspi_regions.npush; i > 0; i--) {
		const struct bspi_push *p = &bspi_regions.pushes[i - 1];

		*a = (struct around){ bspi_regions.bases[p->base].at, p->site, p->nbytes };
		if (is_inside(at, a->base, a->nbytes))
			return true;
	}
	for (size_t i = 0; i < bspi_regions.nslots; i++) {
		const struct bspi_slot *s = &bspi_regions.slots[i];

		if (s->used && is_inside(at, s->base, s->nbytes) &&
		    (!newest || s->age > newest->age))
			newest = s;
	}
	if (newest)
		*a = (struct around){ newest->base, newest->site, newest->nbytes };
	return newest;
}

/* ---- Refusing it -------------------------------------------------------------------------- */

static _Noreturn void refuse_inside(const char *call, const char *site, const void *at,
				    const struct around *a)
{
	size_t behind = (uintptr_t)at - (uintptr_t)a->base;

	bspi_fail(call, site,
		  "%s is not registered itself: it lies %zu byte%s behind the start of the %zu "
		  "bytes registered at %s; name the area by its start, %s",
		  bspi_address_text(at), behind, bspi_plural(behind), a->nbytes,
		  bspi_site_text(a->site), bspi_address_text(a->base));
}

static _Noreturn void refuse_popped(const char *call, const char *site,
				    const struct bspi_popped *popped)
{
	bspi_fail(call, site,
		  "%s is not registered any more: bsp_pop_reg withdrew it in superstep %u at %s",
		  bspi_address_text(popped->base), popped->step, bspi_site_text(popped->site));
}

void bspi_refuse_address(const char *call, const char *site, const void *area)
{
	const struct bspi_push *push = last_of(bspi_regions.pushes, bspi_regions.npush, area);
	const struct bspi_popped *popped = when_popped(area);
	struct around around;

	if (push)
		bspi_fail(call, site,
			  "%s was just registered, at %s; that takes effect at the next bsp_sync",
			  bspi_address_text(area), bspi_site_text(push->site));
	if (popped)
		refuse_popped(call, site, popped);
	if (find_around(area, &around))
		refuse_inside(call, site, area, &around);
	bspi_fail(call, site,
		  "%s is not registered: a bsp_push_reg with this address is missing on this "
		  "process",
		  bspi_address_text(area));
}

void bspi_refuse_pop(const char *site, const void *area)
{
	const struct bspi_push *pop = last_of(bspi_regions.pops, bspi_regions.npop, area);
	const struct bspi_popped *popped = when_popped(area);
	struct around around;

	if (pop)
		bspi_fail("bsp_pop_reg", site,
			  "%s has been popped as often as it was registered, last at %s in this "
			  "superstep",
			  bspi_address_text(area), bspi_site_text(pop->site));
	if (popped)
		refuse_popped("bsp_pop_reg", site, popped);
	if (find_around(area, &around))
		refuse_inside("bsp_pop_reg", site, area, &around);
	bspi_fail("bsp_pop_reg", site,
		  "%s cannot be popped: a bsp_push_reg with this address is missing on this "
		  "process",
		  bspi_address_text(area));
}
