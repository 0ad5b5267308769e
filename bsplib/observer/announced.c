// SPDX-License-Identifier: BSD-3-Clause
/* announced.c - bsprun --check: gets and messages against what was announced of them. */

/*
 * By bsp_serve and bsp_expect. Gets are counted when they are served, and compared when
 * their superstep ends. Messages wait to be expected as in a relaxed run, but all that can be
 * here are, so bsp_expect never waits: it takes what there is.
 */

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/list.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/record.h"
#include "bsplib/observer/check.h"
#include "bsplib/transfer/bsmp.h"
#include "bsplib/transfer/handler.h"
#include "bsplib/transfer/target.h"

#include <stdlib.h>
#include <string.h>

/* An area from which was got, or for which bsp_serve was called, in this superstep. */
struct service {
	uint32_t slot;
	bool announced, any;
	const char *site;	/* of the last bsp_serve */
	uint64_t n;		/* sum of all */
	uint64_t came;
	struct bspi_entries gets;
};

/* bsp_expect in this superstep. */
struct expected {
	bool is;
	const char *site;	/* of the last one */
	uint64_t n;		/* sum of all */
};

static struct {
	struct service *services;
	size_t n, room;
	struct expected expected;
	bool barrier;		/* this superstep would end with one in a relaxed run too */
	uint64_t sent, served;	/* messages, and calls of bsp_serve, of this superstep */
	uint64_t nserves, ngets, nexpects, nmessages;	/* of relaxed ones, for the report */
} announced;

/* ---- Gets -------------------------------------------------------------------------------- */

static struct service *service_of(uint32_t slot)
{
	for (size_t i = announced.n; i > 0; i--)
		if (announced.services[i - 1].slot == slot)
			return &announced.services[i - 1];
	announced.services = bspi_grow(announced.services, announced.n,
				       sizeof(*announced.services), &announced.room);
	announced.services[announced.n] = (struct service){ .slot = slot };
	return &announced.services[announced.n++];
}

void bspi_announced_serve(const char *site, uint32_t slot, int n)
{
	struct service *s = service_of(slot);

	announced.served++;
	s->announced = true;
	s->site = site;
	s->any |= n == BSP_ANY;
	s->n += n == BSP_ANY ? 0 : n;
}

/* Puts of earlier supersteps for which no bsp_read waited may come before or after the get. */
static void compare_get(const struct bspi_entries *puts, const struct bspi_entry *get)
{
	for (size_t i = 0; i < puts->n; i++) {
		const struct bspi_entry *put = &puts->at[i];
		struct bspi_violation v = {
			.call = bspi_get_name(get->hp), .pid = get->from, .step = get->step,
			.site = bspi_site_unpack(get->site),
			.other = bspi_site_unpack(put->site),
		};

		if (!bspi_ranges_overlap(get->offset, get->nbytes, put->offset, put->nbytes))
			continue;
		bspi_violation(&v,
			       "gets what process %d, superstep %u, %.200s put, but process %d "
			       "has no bsp_read that waits for it",
			       put->from, put->step, bspi_site_text(v.other), bspi.me);
	}
}

static void announced_count_get(struct service *s, const struct bspi_entry *e)
{
	struct bspi_entry *last = s->gets.n ? &s->gets.at[s->gets.n - 1] : NULL;

	s->came++;
	announced.ngets++;
	if (last && bspi_by_source(last, e) == 0)
		last->count++;
	else if (s->gets.n < BSPI_REMEMBERED_MOST)
		bspi_entries_add(&s->gets, e);
}

static bool is_get(const char *at)
{
	enum bspi_kind kind = bspi_kind_of(*(const uint32_t *)at);

	return kind == BSPI_GET || kind == BSPI_GET_PART;
}

void bspi_announced_begin(bool barrier)
{
	announced.barrier = barrier;
	if (bspi_wants_relaxed()) {
		announced.nmessages += announced.sent;
		announced.nserves += announced.served;
	}
	announced.sent = announced.served = 0;
}

void bspi_announced_sent(void)
{
	announced.sent++;
}

void bspi_announced_sum(struct bspi_checked *sum)
{
	sum->serves = announced.nserves;
	sum->gets = announced.ngets;
	sum->expects = announced.nexpects;
	sum->messages = announced.nmessages;
}

static bool needs_serve(void)
{
	return bspi_wants_relaxed() && !announced.barrier;
}

static void note_get(int from, const struct bspi_rec *rec)
{
	struct bspi_entry e = bspi_entry_of(from, rec);

	compare_get(bspi_updates_unread(rec->what >> 8), &e);
	if (bspi_kind_of(rec->what) == BSPI_GET)
		announced_count_get(service_of(rec->what >> 8), &e);
}

/* With a barrier all puts are there before any get is served, and none needs to be announced. */
static const char *answer_gets(int from, const char *at, const char *end)
{
	for (const char *get = at; needs_serve() && get < end && is_get(get);
	     get = bspi_after(from, get, end))
		note_get(from, (const struct bspi_rec *)get);
	return bspi_answer_gets(from, at, end);
}

void bspi_announced_open(void)
{
	bspi_record_handle(BSPI_GET, BSPI_AT_REQUEST, answer_gets);
	bspi_record_handle(BSPI_GET_PART, BSPI_AT_REQUEST, answer_gets);
}

static void unannounced(const struct service *s)
{
	const char *site = bspi_own_site();

	for (size_t i = 0; i < s->gets.n; i++) {
		const struct bspi_entry *e = &s->gets.at[i];
		struct bspi_violation v = {
			.call = bspi_get_name(e->hp), .pid = e->from, .step = e->step,
			.site = bspi_site_unpack(e->site), .other = site, .times = e->count,
		};

		bspi_violation(&v,
			       "process %d does not announce gets from this area in this "
			       "superstep; let it call bsp_serve before its bsp_sync at %.200s",
			       bspi.me, bspi_site_text(site));
	}
}

static void compare_service(struct service *s)
{
	struct bspi_violation v = {
		.call = "bsp_serve", .pid = bspi.me, .step = bspi.step, .site = s->site,
		.given = s->n, .counted = s->came,
	};
	struct bspi_list l;

	if (!s->announced) {
		unannounced(s);
		return;
	}
	bspi_suggest_note(BSPI_OF_SERVE, s->site, s->came);
	if (s->any || s->n == s->came)
		return;
	bspi_entries_list_calls(&l, &s->gets, s->came);
	bspi_violation(&v,
		       "n is %llu, but the true number of gets from the area registered at "
		       "%.200s is %llu%s",
		       (unsigned long long)s->n, bspi_updates_area_name(s->slot),
		       (unsigned long long)s->came, l.text);
}

static void compare_services(void)
{
	for (size_t i = 0; i < announced.n; i++) {
		if (needs_serve())
			compare_service(&announced.services[i]);
		bspi_entries_drop(&announced.services[i].gets);
	}
	announced.n = 0;
}

/* ---- Messages ------------------------------------------------------------------------------ */

static void add_waiting(void *entries, uint32_t step, int from, const char *site)
{
	(void)site;
	if (bspi_before(step, bspi.step))
		bspi_entries_add(entries,
				 &(struct bspi_entry){ .count = 1, .step = step, .from = from });
}

/* How many messages of supersteps before this one wait, and in a list their senders. */
static size_t list_waiting(struct bspi_list *l)
{
	struct bspi_entries e = { .n = 0 };
	size_t n;

	bspi_pending_each(add_waiting, &e);
	bspi_entries_list_messages(l, &e);
	n = e.n;
	bspi_entries_drop(&e);
	return n;
}

/* @left: the list is of those that were not in the number */
static void wrong_expect(const char *site, uint64_t n, uint64_t counted, bool left,
			 const struct bspi_list *l)
{
	struct bspi_violation v = {
		.call = "bsp_expect", .pid = bspi.me, .step = bspi.step, .site = site,
		.given = n, .counted = counted,
	};
	const char *which = left ? "; left" : "";

	bspi_violation(&v, "n is %llu, but the true number of messages is %llu%s%s",
		       (unsigned long long)n, (unsigned long long)counted, which, l->text);
}

void bspi_announced_expect(const char *site, int n, size_t *take)
{
	struct expected *x = &announced.expected;
	uint64_t before = x->n;
	size_t there = bspi_pending();
	struct bspi_list l;

	announced.nexpects++;
	bspi_suggest_note(BSPI_OF_EXPECT, site, there);
	x->is = true;
	x->site = site;
	x->n += n == BSP_ANY || (size_t)n > there ? there : (size_t)n;
	if (n != BSP_ANY && (size_t)n > there) {
		list_waiting(&l);
		wrong_expect(site, before + n, before + there, false, &l);
	}
	*take = x->n - before;
}

/* All calls of a superstep together take all messages: else it is chance which ones. */
static void compare_expected(void)
{
	struct expected *x = &announced.expected;
	struct bspi_list l;
	size_t left = x->is ? list_waiting(&l) : 0;

	if (left)
		wrong_expect(x->site, x->n, x->n + left, true, &l);
	*x = (struct expected){ .n = 0 };
}

void bspi_announced_lost(const char *call)
{
	struct bspi_violation v = {
		.call = call, .pid = bspi.me, .step = bspi.step, .site = bspi_own_site(),
		.counted = bspi_pending(),
	};
	struct bspi_list l;

	if (!v.counted)
		return;
	list_waiting(&l);
	bspi_violation(&v,
		       "%llu message%s of relaxed supersteps %s never expected%s; announce "
		       "messages with bsp_expect",
		       (unsigned long long)v.counted, bspi_plural(v.counted),
		       v.counted == 1 ? "was" : "were", l.text);
}

/* ---- Both ---------------------------------------------------------------------------------- */

void bspi_announced_compare(void)
{
	compare_services();
	compare_expected();
}

void bspi_announced_close(void)
{
	for (size_t i = 0; i < announced.n; i++)
		bspi_entries_drop(&announced.services[i].gets);
	free(announced.services);
	memset(&announced, 0, sizeof(announced));
}
