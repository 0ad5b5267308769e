// SPDX-License-Identifier: BSD-3-Clause
/* region.c - registrations: which memory has which number, and windows into it. */

/*
 * A registration is a slot; slots are given out in the same order on all
 * processes, so its number means the same everywhere. An address has its newest
 * slot, and each slot the next older one of its address: the newest
 * registration of an address counts. Addresses are found by a hash table, and
 * know how many of their registrations are left to pop. So a push, a pop and
 * a look-up take the same time however many registrations there are, of one address
 * or of many.
 *
 * Pushes and pops of a superstep are announced to all in its bsp_sync (sync/areas.c). There
 * pushes and pops take effect on the addresses in the order of the calls. A pop of an address
 * means its newest slot then; a pop of NULL means the slot that the others
 * popped, and if all popped NULL, the oldest that is NULL everywhere. A slot that is
 * popped has left its address, and serves by its number until the end of bsp_sync.
 *
 * Windows. A process that makes large unbuffered transfers to a region marks them as
 * wanting a window. If that happens in two supersteps, the owner exposes the
 * region and announces that to those that want it. Once is not enough: exposing costs as
 * much as the transfer, and some programs register anew in each superstep.
 */

#include "bsplib/transfer/region.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/observe.h"
#include "bsplib/core/phase.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/out.h"
#include "bsplib/engine/record.h"
#include "bsplib/transfer/address.h"
#include "bsplib/transfer/bases.h"
#include "bsplib/transfer/fast.h"
#include "bsplib/transfer/reach.h"

#include <stdlib.h>
#include <string.h>

static struct bspi_regions *const regions = &bspi_regions;

/* ---- Slots ---------------------------------------------------------------- */

static _Noreturn void fail_too_many(const char *site)
{
	bspi_fail("bsp_push_reg", site, "more than %d registrations", BSPI_SLOTS_MOST);
}

/* The same slot on all processes, as all take and free in the same order. */
static uint32_t take_slot(const char *site)
{
	if (regions->nfree)
		return regions->free[--regions->nfree];
	if (regions->nslots == BSPI_SLOTS_MOST)
		fail_too_many(site);
	regions->slots = bspi_grow(regions->slots, regions->nslots, sizeof(*regions->slots),
				   &regions->slots_room);
	return regions->nslots++;
}

/* A number that travels as a byte: 1 more than the bits of the size; 0: there is no area. */
static uint8_t region_extent(const void *base, size_t nbytes)
{
	if (!base)
		return 0;
	return nbytes ? (uint8_t)(BSPI_EXTENT_MOST + 1 - __builtin_clzll(nbytes)) : 1;
}

static void add_slot(struct bspi_push *push)
{
	struct bspi_base *base = &regions->bases[push->base];
	uint32_t i = take_slot(push->site);

	push->slot = i;
	regions->slots[i] = (struct bspi_slot){
		.base = base->at, .nbytes = push->nbytes, .used = true, .read_step = bspi.step,
		.site = push->site, .age = regions->age++, .older = base->newest,
		.extent = region_extent(base->at, push->nbytes),
	};
	if (base->at)
		base->newest = i;
}

static void remove_slot(uint32_t i)
{
	struct bspi_slot *s = &regions->slots[i];

	if (s->exposed)
		bspi.net->ops->unexpose(bspi.net, s->own.window);
	free(s->peers);
	bspi_clock_forget(&s->times);
	s->used = false;
	regions->free = bspi_grow(regions->free, regions->nfree, sizeof(*regions->free),
				  &regions->free_room);
	regions->free[regions->nfree++] = i;
}

/* ---- The calls ------------------------------------------------------------ */

uint32_t bspi_region_find_slow(const char *call, const char *site, const void *base)
{
	int32_t known, i;

	if (!base)
		bspi_fail(call, site, "the registered address is NULL");
	known = bspi_base_find(base);
	i = known < 0 ? -1 : regions->bases[known].newest;
	if (i < 0)
		bspi_refuse_address(call, site, base);
	bspi_fast_open(base, i);
	return i;
}

void bspi_region_push(const char *site, const void *area, size_t nbytes)
{
	int32_t base;

	bspi_require_running("bsp_push_reg", site);
	if (bspi_negative(nbytes))
		bspi_fail("bsp_push_reg", site, "size %zd is negative", (ssize_t)nbytes);
	if (!area && nbytes)
		bspi_fail("bsp_push_reg", site,
			  "NULL cannot have %zu byte%s; register it with size 0",
			  nbytes, bspi_plural(nbytes));
	if (regions->npush == BSPI_SLOTS_MOST)
		fail_too_many(site);
	base = bspi_base_find(area);
	if (base < 0)
		base = bspi_base_add(site, (void *)(uintptr_t)area);
	regions->bases[base].left++;
	regions->bases[base].pushed++;
	regions->pushes = bspi_grow(regions->pushes, regions->npush, sizeof(*regions->pushes),
				    &regions->push_room);
	regions->pushes[regions->npush++] = (struct bspi_push){ .base = base, .nbytes = nbytes,
							       .site = site };
}

/*
 * Programs free an area right after its pop, so from here on no peer may write to it; what peers
 * write through the window until the end of the superstep is copied then (direct.c).
 */
static void withdraw(const char *call, const char *site, struct bspi_slot *s)
{
	if (!s->exposed)
		return;
	if (bspi.net->ops->withdraw(bspi.net, s->own.window) < 0)
		bspi_fail(call, site,
			  "no memory to make the %zu byte%s at %s private again; raise ulimit -v, "
			  "or set BSP_SHARE=0",
			  s->nbytes, bspi_plural(s->nbytes), bspi_address_text(s->base));
	s->withdrawn = true;
}

/* As give_and_find_slots() will do for all. */
static void pop_window(const char *site, struct bspi_base *base)
{
	if (base->pushed) {
		base->pushed--;
	} else if (base->next_pop >= 0) {
		struct bspi_slot *s = &regions->slots[base->next_pop];

		base->next_pop = s->older;
		withdraw("bsp_pop_reg", site, s);
	}
}

void bspi_region_pop(const char *site, const void *area)
{
	int32_t base;

	bspi_require_running("bsp_pop_reg", site);
	base = bspi_base_find(area);
	if (base < 0 || !regions->bases[base].left)
		bspi_refuse_pop(site, area);
	regions->bases[base].left--;
	pop_window(site, &regions->bases[base]);
	regions->pops = bspi_grow(regions->pops, regions->npop, sizeof(*regions->pops),
				  &regions->pop_room);
	regions->pops[regions->npop++] = (struct bspi_push){ .base = base, .site = site,
							    .after = regions->npush };
}

/* ---- In bsp_sync ---------------------------------------------------------- */

/* The age that slots had reached when the i-th pop was called. */
static uint64_t age_of_pop(size_t i)
{
	return regions->age - regions->npush + regions->pops[i].after;
}

/*
 * Pushes get slots, pops find theirs, in the order of the calls. A pop means the newest slot of its
 * address, which leaves it; -1 if other processes know which.
 */
static void give_and_find_slots(void)
{
	size_t given = 0;

	for (size_t i = 0; i < regions->npop; i++) {
		struct bspi_base *base = &regions->bases[regions->pops[i].base];

		for (; given < regions->pops[i].after; given++)
			add_slot(&regions->pushes[given]);
		regions->popped = bspi_grow(regions->popped, i, sizeof(*regions->popped),
					    &regions->popped_room);
		regions->popped[i] = base->newest;
		if (base->newest >= 0) {
			regions->slots[base->newest].going = true;
			base->newest = regions->slots[base->newest].older;
		}
	}
	for (; given < regions->npush; given++)
		add_slot(&regions->pushes[given]);
}

/* For the pops of the next superstep. */
static void note_next_pop(int32_t i)
{
	regions->bases[i].pushed = 0;
	regions->bases[i].next_pop = regions->bases[i].newest;
}

static void note_next_pops(void)
{
	for (size_t i = 0; i < regions->npush; i++)
		note_next_pop(regions->pushes[i].base);
	for (size_t i = 0; i < regions->npop; i++)
		note_next_pop(regions->pops[i].base);
}

/* Addresses without a slot, of which no registration is left. */
static void forget_bases(void)
{
	for (size_t i = 0; i < regions->npop; i++) {
		const struct bspi_base *base = &regions->bases[regions->pops[i].base];

		if (base->newest == -1 && !base->left)
			bspi_base_remove(regions->pops[i].base);
	}
}

static void region_announce_to(int pid)
{
	struct bspi_reg_note *note;
	size_t nbytes = sizeof(*note) + (regions->npush + regions->npop) * sizeof(int32_t);
	struct bspi_rec *rec = bspi_out_room(pid, bspi_align(sizeof(*rec) + nbytes));
	int32_t *items;

	*rec = (struct bspi_rec){ .what = bspi_what(BSPI_REG, 0), .nbytes = nbytes };
	note = (struct bspi_reg_note *)(rec + 1);
	*note = (struct bspi_reg_note){ regions->npush, regions->npop };
	items = (int32_t *)(note + 1);
	for (size_t i = 0; i < regions->npush; i++)
		*items++ = regions->slots[regions->pushes[i].slot].extent;
	for (size_t i = 0; i < regions->npop; i++)
		*items++ = regions->popped[i];
}

void bspi_region_announce(bool to_all)
{
	bspi_show_areas_change();
	give_and_find_slots();
	note_next_pops();
	bspi_show_areas_stay();
	forget_bases();
	for (int q = 0; to_all && q < bspi.nprocs; q++)
		if (q != bspi.me)
			region_announce_to(q);
	bspi_fast_close();
}

void bspi_region_forget(void)
{
	regions->npush = 0;
	regions->npop = 0;
}

/* Another process popped @slot; both are named by where this process registered them. */
static _Noreturn __attribute__((cold)) void refuse_pop(int from, size_t i, int32_t slot)
{
	const char *own = regions->popped[i] < 0 ? "NULL" :
		bspi_site_text(regions->slots[regions->popped[i]].site);

	bspi_fail("bsp_pop_reg", regions->pops[i].site,
		  "process %d popped the registration of %s, this process popped %s; all pop the "
		  "same ones in the same order",
		  from, bspi_site_text(regions->slots[slot].site), own);
}

void bspi_region_on_pop(int from, size_t i, int32_t slot)
{
	if (slot < 0 || regions->popped[i] == slot)
		return;
	if ((size_t)slot >= regions->nslots)
		bspi_fail_damaged(from);
	if (regions->popped[i] >= 0 || regions->slots[slot].base || regions->slots[slot].going)
		refuse_pop(from, i, slot);
	regions->popped[i] = slot;
	regions->slots[slot].going = true;
}

void bspi_region_extend(int from, uint32_t slot, int extent)
{
	if (extent < 0 || extent > BSPI_EXTENT_MOST)
		bspi_fail_damaged(from);
	if (regions->slots[slot].extent < extent)
		regions->slots[slot].extent = (uint8_t)extent;
}

/* Take the announcement of process @from. */
static const char *region_on_announcement(int from, const char *at, const char *end)
{
	const struct bspi_rec *rec = (const struct bspi_rec *)at;
	const struct bspi_reg_note *note = (const struct bspi_reg_note *)(rec + 1);
	const int32_t *items = (const int32_t *)(note + 1);
	const char *next = bspi_after(from, at, end);

	/* All have the same numbers of both, or the job would have ended before. */
	if (rec->nbytes != sizeof(*note) + (regions->npush + regions->npop) * sizeof(*items) ||
	    note->npush != regions->npush || note->npop != regions->npop)
		bspi_fail_damaged(from);
	for (size_t i = 0; i < regions->npush; i++)
		bspi_region_extend(from, regions->pushes[i].slot, items[i]);
	for (size_t i = 0; i < regions->npop; i++)
		bspi_region_on_pop(from, i, items[regions->npush + i]);
	return next;
}

/* Note the slots of this superstep that are NULL everywhere, now that all have said so. */
static void note_nulls(void)
{
	for (size_t i = 0; i < regions->npush; i++) {
		if (regions->slots[regions->pushes[i].slot].extent)
			continue;
		regions->nulls = bspi_grow(regions->nulls, regions->nnulls,
					   sizeof(*regions->nulls), &regions->nulls_room);
		regions->nulls[regions->nnulls++] = regions->pushes[i].slot;
	}
}

/*
 * All popped NULL: the oldest registration that is NULL everywhere. Nothing else pops one of
 * these.
 */
static uint32_t oldest_null(const char *site, uint64_t age)
{
	if (regions->first_null == regions->nnulls ||
	    regions->slots[regions->nulls[regions->first_null]].age >= age)
		bspi_fail("bsp_pop_reg", site,
			  "all processes popped NULL, but no registration is NULL on all of them");
	return regions->nulls[regions->first_null++];
}

/* At most half of regions->nulls is of the past. */
static void forget_nulls(void)
{
	if (!regions->first_null || 2 * regions->first_null < regions->nnulls)
		return;
	regions->nnulls -= regions->first_null;
	memmove(regions->nulls, regions->nulls + regions->first_null,
		regions->nnulls * sizeof(*regions->nulls));
	regions->first_null = 0;
}

/* Without memory for it the program goes on: it is for messages only. */
static void remember_pop(size_t i)
{
	size_t last = regions->nlast_popped % BSPI_LAST_POPPED;

	if (!regions->last_popped)
		regions->last_popped = calloc(BSPI_LAST_POPPED, sizeof(*regions->last_popped));
	if (!regions->last_popped)
		return;
	regions->last_popped[last] = (struct bspi_popped){
		regions->slots[regions->popped[i]].base, regions->pops[i].site, bspi.step
	};
	regions->nlast_popped++;
}

void bspi_region_settle(void)
{
	note_nulls();
	for (size_t i = 0; i < regions->npop; i++)
		if (regions->popped[i] < 0)
			regions->popped[i] = oldest_null(regions->pops[i].site, age_of_pop(i));
	bspi_show_areas_change();
	for (size_t i = 0; i < regions->npop; i++) {
		remember_pop(i);
		remove_slot(regions->popped[i]);
	}
	bspi_show_areas_stay();
	forget_nulls();
	BSPI_EVENT(registrations, ());
	regions->npush = 0;
	regions->npop = 0;
	bspi_fast_close();
}

/* ---- Windows -------------------------------------------------------------- */

static bool expose(struct bspi_slot *s)
{
	uint64_t window;
	size_t head, tail;

	if (s->exposed)
		return true;
	if (s->refused || !bspi.env.share || s->nbytes < bspi.env.share)
		return false;
	if (!regions->surveyed)
		bspi.net->ops->survey(bspi.net);
	regions->surveyed = true;
	if (bspi.net->ops->expose(bspi.net, s->base, s->nbytes, &window, &head, &tail) < 0) {
		s->refused = true;
		return false;
	}
	s->own = (struct bspi_window_note){ window, head, s->nbytes - tail, s->nbytes };
	s->exposed = true;
	return true;
}

void bspi_region_want(int from, uint32_t slot)
{
	regions->requests = bspi_grow(regions->requests, regions->nrequests,
				      sizeof(*regions->requests), &regions->requests_room);
	regions->requests[regions->nrequests++] = (struct bspi_window_request){ from, slot };
}

/*
 * In the first superstep of requests for a region we only take note; see the top of
 * the file. Before a peer learns of a window it must find our number published.
 */
static void region_answer(const struct bspi_window_request *request)
{
	struct bspi_slot *s = &regions->slots[request->slot];
	struct bspi_rec *rec;

	if (!s->used || s->refused || !bspi_is_neighbor(request->from))
		return;
	if (!s->wanted_step)
		s->wanted_step = bspi.step;
	if (s->wanted_step == bspi.step || !expose(s))
		return;
	if (!regions->windows)
		bspi.net->ops->publish(bspi.net, bspi.step);
	regions->windows = true;
	rec = bspi_out_room(request->from, bspi_align(sizeof(*rec) + sizeof(s->own)));
	*rec = (struct bspi_rec){ .what = bspi_what(BSPI_WINDOW, request->slot),
				  .nbytes = sizeof(s->own) };
	*(struct bspi_window_note *)(rec + 1) = s->own;
}

/* Several transfers may have asked for the same; answering twice is harmless. */
void bspi_region_answer(void)
{
	regions->surveyed = false;
	for (size_t i = 0; i < regions->nrequests; i++)
		region_answer(&regions->requests[i]);
	regions->nrequests = 0;
}

/* Process @from answered a request of ours. */
static const char *region_on_window(int from, const char *at, const char *end)
{
	const struct bspi_rec *rec = (const struct bspi_rec *)at;
	const char *next = bspi_after(from, at, end);
	struct bspi_slot *s = &regions->slots[rec->what >> 8];

	if (!s->used || s->going)
		return next;
	if (!s->peers)
		s->peers = calloc(bspi.nprocs, sizeof(*s->peers));
	if (s->peers)
		s->peers[from] = *(const struct bspi_window_note *)(rec + 1);
	return next;
}

const struct bspi_window_note *bspi_region_way(uint32_t slot, int pid)
{
	const struct bspi_slot *s = &regions->slots[slot];

	return s->peers && s->peers[pid].to ? &s->peers[pid] : NULL;
}

void bspi_region_open(void)
{
	bspi_record_handle(BSPI_REG, BSPI_AT_REGISTRATION, region_on_announcement);
	bspi_record_handle(BSPI_WINDOW, BSPI_AT_EFFECT, region_on_window);
}

/* The program goes on, and frees them. */
void bspi_region_withdraw_all(void)
{
	for (size_t i = 0; i < regions->nslots; i++)
		if (regions->slots[i].used)
			withdraw("bsp_end", NULL, &regions->slots[i]);
}

void bspi_region_close(void)
{
	for (size_t i = 0; i < regions->nslots; i++)
		if (regions->slots[i].used) {
			if (regions->slots[i].exposed)
				bspi.net->ops->unexpose(bspi.net, regions->slots[i].own.window);
			free(regions->slots[i].peers);
			free(regions->slots[i].times.at);
		}
	free(regions->slots);
	free(regions->free);
	free(regions->bases);
	free(regions->nulls);
	free(regions->buckets);
	free(regions->pushes);
	free(regions->pops);
	free(regions->popped);
	free(regions->requests);
	free(regions->last_popped);
	memset(regions, 0, sizeof(*regions));
	bspi_fast_close();
}
