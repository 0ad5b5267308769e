// SPDX-License-Identifier: BSD-3-Clause
/* region.c - registrations: which memory has which number, and windows into it. */

/*
 * A registration is a slot; slots are given out in the same order on all
 * processes, so its number means the same everywhere. Slots are found by
 * their address through chains of a hash table, newest first, which is just the
 * rule that the newest registration of an address counts.
 *
 * What is pushed and popped in a superstep is told to all in its bsp_sync. A pop
 * of an address means the newest slot with it when it was called, counting the pushes
 * of the same superstep before it; a pop of NULL means the slot that the others
 * popped, and if all popped NULL, the oldest that is NULL everywhere.
 *
 * Windows. A process that makes large unbuffered transfers to a region marks them as
 * wanting a window. If that happens in two supersteps, the owner exposes the
 * region and tells those who want it. Once is not enough: exposing costs as
 * much as the transfer, and some programs register anew in each superstep.
 */

#include "bspi.h"

#include <stdlib.h>

#define R (bspi.regions)

static size_t hash(const void *base)
{
	return ((uintptr_t)base >> 3) * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (R.nbuckets - 1);
}

/* ---- Slots ---------------------------------------------------------------- */

static void link_slot(uint32_t i)
{
	int32_t *bucket = &R.buckets[hash(R.slots[i].base)];

	R.slots[i].next = *bucket;
	*bucket = i;
}

static void unlink_slot(uint32_t i)
{
	int32_t *at = &R.buckets[hash(R.slots[i].base)];

	while (*at != (int32_t)i)
		at = &R.slots[*at].next;
	*at = R.slots[i].next;
}

static int by_age(const void *a, const void *b)
{
	uint64_t x = R.slots[*(const uint32_t *)a].age, y = R.slots[*(const uint32_t *)b].age;

	return (x > y) - (x < y);
}

/* Twice the buckets; linking oldest first keeps the newest first in each chain. */
static void rehash(void)
{
	uint32_t *order = malloc((R.nslots + 1) * sizeof(*order));
	size_t n = 0;

	free(R.buckets);
	R.nbuckets = R.nbuckets ? 2 * R.nbuckets : 64;
	R.buckets = malloc(R.nbuckets * sizeof(*R.buckets));
	if (!order || !R.buckets)
		bspi_fail_memory("bsp_push_reg", NULL);
	memset(R.buckets, -1, R.nbuckets * sizeof(*R.buckets));
	for (uint32_t i = 0; i < R.nslots; i++)
		if (R.slots[i].used)
			order[n++] = i;
	qsort(order, n, sizeof(*order), by_age);
	for (size_t i = 0; i < n; i++)
		link_slot(order[i]);
	free(order);
}

/* The same slot on all processes, as all take and free in the same order. */
static uint32_t take_slot(const char *place)
{
	if (R.nfree)
		return R.free[--R.nfree];
	if (R.nslots == BSPI_SLOTS_MOST)
		bspi_fail("bsp_push_reg", place, "more than %d registrations", BSPI_SLOTS_MOST);
	R.slots = bspi_grow(R.slots, R.nslots, sizeof(*R.slots), &R.slots_room);
	return R.nslots++;
}

static void add_slot(struct bspi_push *push)
{
	uint32_t i = take_slot(push->place);

	push->slot = i;
	R.slots[i] = (struct bspi_slot){
		.base = push->base, .nbytes = push->nbytes, .used = true, .read_step = bspi.step,
		.age = R.age++, .nonnull = push->base != NULL,
	};
	if (R.nslots - R.nfree > R.nbuckets / 2)
		rehash();
	else
		link_slot(i);
}

static void remove_slot(uint32_t i)
{
	struct bspi_slot *s = &R.slots[i];

	if (s->exposed)
		bspi.net->ops->conceal(bspi.net, s->own.window);
	free(s->peers);
	bspi_clock_forget(s);
	unlink_slot(i);
	s->used = false;
	R.free = bspi_grow(R.free, R.nfree, sizeof(*R.free), &R.free_room);
	R.free[R.nfree++] = i;
}

/* ---- The calls ------------------------------------------------------------ */

static bool was_just_pushed(const void *base)
{
	for (size_t i = 0; i < R.npush; i++)
		if (R.pushes[i].base == base)
			return true;
	return false;
}

/* The last registration of an address that was popped, if that was not long ago. */
static const struct bspi_gone *when_popped(const void *base)
{
	for (size_t i = R.ngone; i > 0 && i + BSPI_GONE > R.ngone; i--)
		if (R.gone[(i - 1) % BSPI_GONE].base == base)
			return &R.gone[(i - 1) % BSPI_GONE];
	return NULL;
}

/* Newest slot of an address, older than @age, that is not going; -1 if there is none. */
static int64_t newest(const void *base, uint64_t age)
{
	int32_t i = R.nbuckets ? R.buckets[hash(base)] : -1;

	while (i >= 0 && (R.slots[i].base != base || R.slots[i].going || R.slots[i].age >= age))
		i = R.slots[i].next;
	return i;
}

static _Noreturn void refuse_base(const char *call, const char *place, const void *base)
{
	const struct bspi_gone *gone = when_popped(base);

	if (was_just_pushed(base))
		bspi_fail(call, place, "%p was just registered; that takes effect at the next bsp_sync",
			  base);
	if (gone)
		bspi_fail(call, place, "%p is not registered any more: bsp_pop_reg withdrew it in superstep %u at %s",
			  base, gone->step, bspi_place_text(gone->place));
	bspi_fail(call, place, "%p is not registered; use the address given to bsp_push_reg", base);
}

uint32_t bspi_region_find_slow(const char *call, const char *place, const void *base)
{
	int64_t i;

	if (!base)
		bspi_fail(call, place, "the registered address is NULL");
	i = newest(base, UINT64_MAX);
	if (i < 0)
		refuse_base(call, place, base);
	if (!(bspi.slow | bspi.clock | bspi.locked | bspi.flying) && bspi.eager == SIZE_MAX) {	/* else no transfer goes the short way */
		R.last_base = base;
		R.last_slot = i;
	}
	return i;
}

void bspi_region_push(const char *place, const void *area, size_t nbytes)
{
	bspi_require_running("bsp_push_reg", place);
	if (bspi_negative(nbytes))
		bspi_fail("bsp_push_reg", place, "size %zd is negative", (ssize_t)nbytes);
	if (!area && nbytes)
		bspi_fail("bsp_push_reg", place, "NULL cannot have %zu bytes; register it with size 0",
			  nbytes);
	R.pushes = bspi_grow(R.pushes, R.npush, sizeof(*R.pushes), &R.push_room);
	R.pushes[R.npush++] = (struct bspi_push){
		.base = (char *)(uintptr_t)area, .nbytes = nbytes, .place = place,
	};
}

/* Registrations of an address, in effect or just pushed, that are not popped yet. */
static bool can_be_popped(const void *area)
{
	size_t there = 0;

	for (int32_t i = R.nbuckets ? R.buckets[hash(area)] : -1; i >= 0; i = R.slots[i].next)
		there += R.slots[i].base == area;
	for (size_t i = 0; i < R.npush; i++)
		there += R.pushes[i].base == area;
	for (size_t i = 0; i < R.npop; i++)
		there -= R.pops[i].base == area;
	return there > 0;
}

void bspi_region_pop(const char *place, const void *area)
{
	bspi_require_running("bsp_pop_reg", place);
	if (!can_be_popped(area))
		bspi_fail("bsp_pop_reg", place, area ?
			  "%p is not registered; use the address given to bsp_push_reg" :
			  "no registration of NULL (%p) is left to pop", area);
	R.pops = bspi_grow(R.pops, R.npop, sizeof(*R.pops), &R.pop_room);
	R.pops[R.npop++] = (struct bspi_push){ .base = (char *)(uintptr_t)area, .place = place,
					       .after = R.npush };
}

/* ---- In bsp_sync ---------------------------------------------------------- */

/* The age that slots had reached when the i-th pop was called. */
static uint64_t age_of_pop(size_t i)
{
	return R.age - R.npush + R.pops[i].after;
}

static void find_popped(size_t i)
{
	const char *base = R.pops[i].base;

	R.popped = bspi_grow(R.popped, i, sizeof(*R.popped), &R.popped_room);
	R.popped[i] = base ? newest(base, age_of_pop(i)) : -1;
	if (base)
		R.slots[R.popped[i]].going = true;
}

static void tell(int pid)
{
	struct bspi_reg_note *note;
	size_t nbytes = sizeof(*note) + (R.npush + R.npop) * sizeof(int32_t);
	struct bspi_rec *rec = bspi_out_room(pid, bspi_align(sizeof(*rec) + nbytes));
	int32_t *items;

	*rec = (struct bspi_rec){ .what = bspi_what(BSPI_REG, 0), .nbytes = nbytes };
	note = (struct bspi_reg_note *)(rec + 1);
	*note = (struct bspi_reg_note){ R.npush, R.npop };
	items = (int32_t *)(note + 1);
	for (size_t i = 0; i < R.npush; i++)
		*items++ = R.pushes[i].base != NULL;
	for (size_t i = 0; i < R.npop; i++)
		*items++ = R.popped[i];
}

void bspi_region_announce(void)
{
	if (!R.npush && !R.npop)
		return;
	for (size_t i = 0; i < R.npush; i++)
		add_slot(&R.pushes[i]);
	for (size_t i = 0; i < R.npop; i++)
		find_popped(i);
	for (int q = 0; q < bspi.nprocs; q++)
		if (q != bspi.me)
			tell(q);
	R.last_base = BSPI_NO_BASE;
}

static void hear_pop(int from, size_t i, int32_t slot)
{
	if (slot < 0 || R.popped[i] == slot)
		return;
	if (R.popped[i] >= 0 || R.slots[slot].base || R.slots[slot].going)
		bspi_fail("bsp_pop_reg", R.pops[i].place,
			  "process %d popped another registration here; all pop the same ones in the same order",
			  from);
	R.popped[i] = slot;
	R.slots[slot].going = true;
}

void bspi_region_hear(int from, const struct bspi_rec *rec)
{
	const struct bspi_reg_note *note = (const struct bspi_reg_note *)(rec + 1);
	const int32_t *items = (const int32_t *)(note + 1);

	for (size_t i = 0; i < R.npush; i++)
		R.slots[R.pushes[i].slot].nonnull += items[i];
	for (size_t i = 0; i < R.npop; i++)
		hear_pop(from, i, items[R.npush + i]);
}

/* All popped NULL: the oldest registration that is NULL everywhere. */
static int64_t oldest_null(const char *place, uint64_t age)
{
	int64_t oldest = -1;

	for (size_t i = 0; i < R.nslots; i++) {
		const struct bspi_slot *s = &R.slots[i];

		if (s->used && !s->going && !s->nonnull && s->age < age &&
		    (oldest < 0 || s->age < R.slots[oldest].age))
			oldest = i;
	}
	if (oldest < 0)
		bspi_fail("bsp_pop_reg", place, "all processes popped NULL, but no registration is NULL on all of them");
	R.slots[oldest].going = true;
	return oldest;
}

/* That we cannot is no reason to stop: it is for messages. */
static void remember_pop(size_t i)
{
	if (!R.gone)
		R.gone = calloc(BSPI_GONE, sizeof(*R.gone));
	if (R.gone)
		R.gone[R.ngone++ % BSPI_GONE] = (struct bspi_gone){
			R.slots[R.popped[i]].base, R.pops[i].place, bspi.step };
}

void bspi_region_settle(void)
{
	if (!R.npush && !R.npop)
		return;
	for (size_t i = 0; i < R.npop; i++)
		if (R.popped[i] < 0)
			R.popped[i] = oldest_null(R.pops[i].place, age_of_pop(i));
	for (size_t i = 0; i < R.npop; i++) {
		remember_pop(i);
		remove_slot(R.popped[i]);
	}
	if (bspi.env.check)
		bspi_check_settle();
	R.npush = 0;
	R.npop = 0;
	R.last_base = BSPI_NO_BASE;
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
	if (bspi.net->ops->expose(bspi.net, s->base, s->nbytes, &window, &head, &tail) < 0) {
		s->refused = true;
		return false;
	}
	s->own = (struct bspi_window_note){ window, head, s->nbytes - tail, s->nbytes };
	s->exposed = true;
	return true;
}

static void send_window(int to, uint32_t slot)
{
	const struct bspi_slot *s = &R.slots[slot];
	struct bspi_rec *rec = bspi_out_room(to, bspi_align(sizeof(*rec) + sizeof(s->own)));

	*rec = (struct bspi_rec){ .what = bspi_what(BSPI_WINDOW, slot), .nbytes = sizeof(s->own) };
	*(struct bspi_window_note *)(rec + 1) = s->own;
}

void bspi_region_want(int from, uint32_t slot)
{
	R.wishes = bspi_grow(R.wishes, R.nwishes, sizeof(*R.wishes), &R.wishes_room);
	R.wishes[R.nwishes++] = (struct bspi_wish){ from, slot };
}

/*
 * In the first superstep of wishes for a region we only take note; see the top of
 * the file. Before a peer learns of a window it must find our stamp.
 */
static void answer(const struct bspi_wish *wish)
{
	struct bspi_slot *s = &R.slots[wish->slot];

	if (!s->used || s->refused)
		return;
	if (!s->wanted_step)
		s->wanted_step = bspi.step;
	if (s->wanted_step == bspi.step || !expose(s))
		return;
	if (!R.windows)
		bspi.net->ops->stamp(bspi.net, bspi.step);
	R.windows = true;
	send_window(wish->from, wish->slot);
}

/* Several transfers may have wished for the same; answering twice is harmless. */
void bspi_region_answer(void)
{
	for (size_t i = 0; i < R.nwishes; i++)
		answer(&R.wishes[i]);
	R.nwishes = 0;
}

void bspi_region_window(int from, const struct bspi_rec *rec)
{
	const struct bspi_window_note *note = (const struct bspi_window_note *)(rec + 1);
	struct bspi_slot *s = &R.slots[rec->what >> 8];

	if (!s->used || s->going)
		return;
	if (!s->peers)
		s->peers = calloc(bspi.nprocs, sizeof(*s->peers));
	if (!s->peers)
		return;
	s->peers[from] = *note;
}

const struct bspi_window_note *bspi_region_way(uint32_t slot, int pid)
{
	const struct bspi_slot *s = &R.slots[slot];

	return s->peers && s->peers[pid].to ? &s->peers[pid] : NULL;
}

void bspi_region_close(void)
{
	for (size_t i = 0; i < R.nslots; i++)
		if (R.slots[i].used) {
			free(R.slots[i].peers);
			free(R.slots[i].times.at);
		}
	free(R.slots);
	free(R.free);
	free(R.buckets);
	free(R.pushes);
	free(R.pops);
	free(R.popped);
	free(R.wishes);
	free(R.gone);
	memset(&R, 0, sizeof(R));
	R.last_base = BSPI_NO_BASE;
}
