// SPDX-License-Identifier: BSD-3-Clause
/* updates.c - bsprun --check: registered areas, puts to them, and bsp_read. */

/*
 * Each area remembers the puts to it since its last bsp_read, side by side ones as one, and
 * only so many. Whether a superstep is a relaxed one is known when its bsp_sync begins, so
 * what a sender finds wrong waits until then. The numbers are those of check.c.
 */

#include "bsplib/observer/check.h"

#include "bsplib/core/error.h"
#include "bsplib/core/list.h"
#include "bsplib/core/observe.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/record.h"
#include "bsplib/transfer/drma.h"
#include "bsplib/transfer/handler.h"
#include "bsplib/transfer/overlap.h"
#include "bsplib/transfer/region.h"
#include "bsplib/transfer/target.h"

#include <stdlib.h>
#include <string.h>

enum {
	VAIN_MOST = 1 << 20,	/* answers after which a bsp_read_test is given up */
	FEW = 16,		/* areas that are compared one by one sooner than all are sorted */
};

/* The area of a registration. */
struct area {
	const char *site;	/* of its bsp_push_reg, in superstep @step */
	uint32_t step;
	bool compared;		/* with all others */
	bool was_read;
	uint32_t read_step;
	const char *read_site;
	struct bspi_entries puts;	/* since then */
	uint64_t nputs;		/* with those not remembered */
	uint32_t vain_step;	/* superstep of the last bsp_read_test that said no */
	uint32_t vain;		/* how often it did in that */
};

/* A line that puts in this superstep. */
struct sent {
	const char *call, *site;
	uint64_t puts, beyond;		/* of these, beyond our own area: such as */
	size_t offset, nbytes, size;
};

/* A put of several records, of which some have come. */
struct begun {
	bool is;
	uint64_t offset;
};

static struct {
	struct area *areas;	/* by slot */
	size_t nareas, areas_room;
	bool fresh;		/* some are not compared */
	struct sent *sent;
	size_t nsent, sent_room;
	struct begun *begun;	/* of each process */
	uint64_t nputs, nreads;	/* in all, for the report */
} updates;

static void forget_puts(struct area *a)
{
	a->puts.n = 0;
	a->nputs = 0;
}

static struct area *updates_area_of(uint32_t slot)
{
	while (updates.nareas <= slot) {
		updates.areas = bspi_grow(updates.areas, updates.nareas, sizeof(*updates.areas),
					  &updates.areas_room);
		updates.areas[updates.nareas++] = (struct area){ .step = 0 };
	}
	return &updates.areas[slot];
}

const struct bspi_entries *bspi_updates_unread(uint32_t slot)
{
	return &updates_area_of(slot)->puts;
}

const char *bspi_updates_area_name(uint32_t slot)
{
	return bspi_site_text(updates_area_of(slot)->site);
}

uint32_t bspi_updates_area_step(uint32_t slot)
{
	return updates_area_of(slot)->step;
}

/* ---- (1) Areas ----------------------------------------------------------------- */

static void overlapping_areas(uint32_t i, uint32_t k)
{
	const struct bspi_slot *slots = bspi_regions.slots;
	bool newer = slots[i].age > slots[k].age;
	uint32_t new = newer ? i : k, old = newer ? k : i;
	const struct area *a = updates_area_of(new), *b = updates_area_of(old);
	struct bspi_violation v = {
		.call = "bsp_push_reg", .pid = bspi.me, .step = a->step, .site = a->site,
		.other = b->site,
	};

	bspi_violation(&v,
		       "the area of %zu bytes overlaps that of %zu bytes registered in superstep "
		       "%u, %s",
		       slots[new].nbytes, slots[old].nbytes, b->step, bspi_site_text(b->site));
}

static bool is_fresh(size_t i)
{
	return bspi_regions.slots[i].used && !updates_area_of(i)->compared;
}

/* By a table of ranges: of time in proportion to the number of areas and of overlaps. */
static void compare_many(void)
{
	const struct bspi_slot *slots = bspi_regions.slots;
	struct bspi_ranges all = { .n = 0 };

	for (size_t i = 0; i < bspi_regions.nslots; i++)
		if (slots[i].used)
			bspi_ranges_add(&all, (uintptr_t)slots[i].base, slots[i].nbytes, i);
	bspi_ranges_sort(&all);
	for (size_t i = 0; i < bspi_regions.nslots; i++) {
		size_t n;

		if (!is_fresh(i))
			continue;
		n = bspi_ranges_find(&all, (uintptr_t)slots[i].base, slots[i].nbytes);
		for (size_t f = 0; f < n; f++)
			if (all.found[f] != i && updates_area_of(all.found[f])->compared)
				overlapping_areas(i, all.found[f]);
		updates_area_of(i)->compared = true;
	}
	bspi_ranges_free(&all);
}

static void compare_few(void)
{
	const struct bspi_slot *slots = bspi_regions.slots;

	for (size_t i = 0; i < bspi_regions.nslots; i++) {
		const struct bspi_slot *s = &slots[i];

		if (!is_fresh(i))
			continue;
		for (size_t k = 0; k < bspi_regions.nslots; k++)
			if (k != i && slots[k].used && updates_area_of(k)->compared &&
			    bspi_ranges_overlap((uintptr_t)s->base, s->nbytes,
						(uintptr_t)slots[k].base, slots[k].nbytes))
				overlapping_areas(i, k);
		updates_area_of(i)->compared = true;
	}
}

/* ---- (3) Puts that are never read -------------------------------------------------- */

static void never_read(struct area *a, const char *when, const char *site)
{
	for (size_t i = 0; i < a->puts.n; i++) {
		const struct bspi_entry *e = &a->puts.at[i];
		struct bspi_violation v = {
			.call = bspi_put_name(e->hp), .pid = e->from, .step = e->step,
			.site = bspi_site_unpack(e->site), .other = site, .times = e->count,
		};

		bspi_violation(&v,
			       "is never read: no bsp_read of process %d depends on it before %s "
			       "in superstep %u, %.200s",
			       bspi.me, when, bspi.step, bspi_site_text(site));
	}
	forget_puts(a);
}

void bspi_updates_none_is_read(const char *when)
{
	for (size_t i = 0; i < updates.nareas; i++)
		never_read(&updates.areas[i], when, bspi_own_site());
}

/* Sent after the last bsp_sync. */
void bspi_updates_never_sent(void)
{
	for (size_t i = 0; i < updates.nsent; i++) {
		struct bspi_violation v = {
			.call = updates.sent[i].call, .pid = bspi.me, .step = bspi.step,
			.site = updates.sent[i].site, .times = updates.sent[i].puts,
		};

		bspi_violation(&v, "is never read: bsp_end drops what no bsp_sync ends, %.200s",
			       bspi_site_text(bspi_own_site()));
	}
}

/* ---- (4) Puts that overlap --------------------------------------------------------- */

static int by_offset(const void *a, const void *b)
{
	const struct bspi_entry *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return bspi_by_source(a, b);
}

static uint64_t end_of(const struct bspi_entry *e)
{
	return e->offset + e->nbytes;
}

static void overlapping_puts(const char *site, const struct area *area, const struct bspi_entry *a,
			     const struct bspi_entry *b)
{
	bool ordered = bspi_by_source(a, b) <= 0;
	const struct bspi_entry *x = ordered ? a : b, *y = ordered ? b : a;
	const char *x_site = bspi_site_unpack(x->site), *y_site = bspi_site_unpack(y->site);
	uint64_t from = a->offset > b->offset ? a->offset : b->offset;
	uint64_t to = end_of(a) < end_of(b) ? end_of(a) : end_of(b);
	struct bspi_violation v = {
		.call = "bsp_read", .pid = bspi.me, .step = bspi.step, .site = site,
		.other = x_site, .third = y_site,
	};

	bspi_violation(&v,
		       "depends on two puts to bytes %llu to %llu of the area registered at "
		       "%.200s: process %d, superstep %u, %.200s and process %d, superstep %u, "
		       "%.200s",
		       (unsigned long long)from, (unsigned long long)to - 1,
		       bspi_site_text(area->site), x->from, x->step, bspi_site_text(x_site),
		       y->from, y->step, bspi_site_text(y_site));
}

static bool may_overlap(const struct bspi_entry *a, const struct bspi_entry *b)
{
	return a->from == b->from && a->step == b->step;
}

/*
 * In the order of their offsets, each with the one before it that reaches farthest. If that
 * is of the same process and superstep, with the farthest that is not.
 */
static void compare_puts(const char *site, struct area *area)
{
	const struct bspi_entry *far = NULL, *other = NULL;

	if (area->puts.n < 2)
		return;
	qsort(area->puts.at, area->puts.n, sizeof(*area->puts.at), by_offset);
	for (size_t i = 0; i < area->puts.n; i++) {
		const struct bspi_entry *e = &area->puts.at[i];
		const struct bspi_entry *rival = far && may_overlap(far, e) ? other : far;

		if (rival && end_of(rival) > e->offset)
			overlapping_puts(site, area, rival, e);
		if (!far || end_of(e) > end_of(far)) {
			if (far && !may_overlap(far, e))
				other = far;
			far = e;
		} else if (!may_overlap(far, e) && (!other || end_of(e) > end_of(other))) {
			other = e;
		}
	}
}

/* ---- Puts, on the sender -------------------------------------------------------------- */

static struct sent *sent_from(const char *call, const char *site)
{
	for (size_t i = 0; i < updates.nsent; i++)
		if (updates.sent[i].site == site && updates.sent[i].call == call)
			return &updates.sent[i];
	updates.sent = bspi_grow(updates.sent, updates.nsent, sizeof(*updates.sent),
				 &updates.sent_room);
	updates.sent[updates.nsent] = (struct sent){ .call = call, .site = site };
	return &updates.sent[updates.nsent++];
}

void bspi_updates_sent(const struct bspi_transfer *t, uint32_t slot)
{
	struct sent *s = sent_from(t->call, t->site);
	size_t size = bspi_regions.slots[slot].nbytes;

	s->puts++;
	if (t->nbytes <= size && t->offset <= size - t->nbytes)
		return;
	if (s->beyond++ == 0) {
		s->offset = t->offset;
		s->nbytes = t->nbytes;
		s->size = size;
	}
}

/* (2) */
static void compare_sent(const struct sent *s)
{
	struct bspi_violation v = {
		.call = s->call, .pid = bspi.me, .step = bspi.step, .site = s->site,
		.times = s->beyond,
	};

	if (s->beyond)
		bspi_violation(&v,
			       "offset %zu + %zu bytes is beyond the %zu byte%s that the sender "
			       "has registered itself",
			       s->offset, s->nbytes, s->size, bspi_plural(s->size));
}

/* ---- Puts, on the target --------------------------------------------------------------- */

static void remember_put(struct area *a, const struct bspi_entry *e)
{
	struct bspi_entry *last = a->puts.n ? &a->puts.at[a->puts.n - 1] : NULL;

	bool continues = last && bspi_by_source(last, e) == 0 && last->hp == e->hp &&
			 end_of(last) == e->offset;

	a->nputs++;
	updates.nputs++;
	if (continues) {
		last->nbytes += e->nbytes;
		last->count++;
	} else if (a->puts.n < BSPI_REMEMBERED_MOST) {
		bspi_entries_add(&a->puts, e);
	}
}

static void note_put(int from, const struct bspi_rec *rec)
{
	struct begun *begun = &updates.begun[from];
	struct bspi_entry e = bspi_entry_of(from, rec);

	if (begun->is) {
		e.nbytes += e.offset - begun->offset;
		e.offset = begun->offset;
		begun->is = false;
	}
	remember_put(updates_area_of(rec->what >> 8), &e);
}

static const char *updates_on_parts(int from, const char *at, const char *end)
{
	struct begun *begun = &updates.begun[from];

	if (bspi_wants_relaxed() && !begun->is) {
		begun->is = true;
		begun->offset = bspi_offset_of((const struct bspi_rec *)at);
	}
	return bspi_write_put_parts(from, at, end);
}

static const char *updates_on_puts(int from, const char *at, const char *end)
{
	const char *stop = bspi_write_puts(from, at, end);

	for (; at < stop; at = bspi_after(from, at, stop))
		note_put(from, (const struct bspi_rec *)at);
	return stop;
}

/* ---- bsp_read -------------------------------------------------------------------------- */

static void wrong_read(const char *site, struct area *a, int n)
{
	struct bspi_violation v = {
		.call = "bsp_read", .pid = bspi.me, .step = bspi.step, .site = site,
		.given = n, .counted = a->nputs,
	};
	struct bspi_list l;

	bspi_entries_list_calls(&l, &a->puts, a->nputs);
	if (a->puts.n)
		v.other = bspi_site_unpack(a->puts.at[0].site);
	else if (a->was_read)
		bspi_list_append(&l, "; the last bsp_read of it was in superstep %u, %.200s",
				 a->read_step, bspi_site_text(a->read_site));
	bspi_violation(&v,
		       "n is %d, but the true number of puts to the area registered at %.200s is "
		       "%llu%s",
		       n, bspi_site_text(a->site), (unsigned long long)a->nputs, l.text);
}

void bspi_updates_read(const char *site, uint32_t slot, int n)
{
	struct area *a = updates_area_of(slot);

	if (!bspi_wants_relaxed())
		return;
	updates.nreads++;
	bspi_suggest_note(BSPI_OF_READ, site, a->nputs);
	if (n != BSP_ANY && (uint64_t)n != a->nputs)
		wrong_read(site, a, n);
	compare_puts(site, a);
	a->was_read = true;
	a->read_step = bspi.step;
	a->read_site = site;
	forget_puts(a);
}

static void tested_in_vain(const char *site, struct area *a, int n)
{
	struct bspi_violation v = {
		.call = "bsp_read_test", .pid = bspi.me, .step = bspi.step, .site = site,
		.given = n, .counted = a->nputs,
	};
	struct bspi_list l;

	bspi_entries_list_calls(&l, &a->puts, a->nputs);
	bspi_violation(&v,
		       "will never say yes in this superstep, though asked again and again: n is "
		       "%d, but the true number of puts to the area registered at %.200s is %llu%s",
		       n, bspi_site_text(a->site), (unsigned long long)a->nputs, l.text);
}

/*
 * All puts of the superstep are here, so an answer of no stays until a later one. A program may
 * ask, but not wait for it; one that asks again and again is reported, and gets a yes to go on.
 */
void bspi_updates_read_test(const char *site, uint32_t slot, int n, bool *answer)
{
	struct area *a = updates_area_of(slot);

	*answer = true;
	if (!bspi_wants_relaxed() || n == BSP_ANY || (uint64_t)n <= a->nputs)
		return;
	if (a->vain_step != bspi.step)
		a->vain = 0;
	a->vain_step = bspi.step;
	if (++a->vain < VAIN_MOST)
		*answer = false;
	else if (a->vain == VAIN_MOST)
		tested_in_vain(site, a, n);
}

/* ---- With the program ---------------------------------------------------------------------- */

void bspi_updates_begin(void)
{
	bspi_record_handle(BSPI_PUT, BSPI_AT_EFFECT,
			   bspi_wants_relaxed() ? updates_on_puts : bspi_write_puts);
}

void bspi_updates_follow_registrations(void)
{
	const struct bspi_regions *r = &bspi_regions;

	updates.fresh |= r->npush > 0;
	for (size_t i = 0; i < r->npop; i++)
		never_read(updates_area_of(r->popped[i]), "bsp_pop_reg", r->pops[i].site);
	for (size_t i = 0; i < r->npush; i++) {
		struct area *a = updates_area_of(r->pushes[i].slot);

		bspi_entries_drop(&a->puts);
		*a = (struct area){ .site = r->pushes[i].site, .step = bspi.step };
	}
}

void bspi_updates_compare(void)
{
	/* areas registered since the last time, with all others and with each other */
	if (updates.fresh && bspi_wants_relaxed()) {
		size_t fresh = 0;

		for (size_t i = 0; i < bspi_regions.nslots; i++)
			fresh += is_fresh(i);
		if (fresh <= FEW)
			compare_few();
		else
			compare_many();
		updates.fresh = false;
	}
	for (size_t i = 0; i < updates.nsent && bspi_wants_relaxed(); i++)
		compare_sent(&updates.sent[i]);
	updates.nsent = 0;
}

void bspi_updates_sum(struct bspi_checked *sum)
{
	sum->puts = updates.nputs;
	sum->reads = updates.nreads;
}

void bspi_updates_open(void)
{
	updates.begun = calloc(bspi.nprocs, sizeof(*updates.begun));
	if (!updates.begun)
		bspi_fail_memory("bsp_begin", NULL);
	bspi_record_handle(BSPI_PUT_PART, BSPI_AT_EFFECT, updates_on_parts);
}

void bspi_updates_close(void)
{
	for (size_t i = 0; i < updates.nareas; i++)
		bspi_entries_drop(&updates.areas[i].puts);
	free(updates.areas);
	free(updates.sent);
	free(updates.begun);
	memset(&updates, 0, sizeof(updates));
}
