// SPDX-License-Identifier: BSD-3-Clause
/* relaxed.c - relaxed synchronisation: the calls, and supersteps that end without a barrier. */

/*
 * The mode of a superstep. The mode set when bsp_sync is called is that of the
 * superstep it ends. A relaxed one still ends with a barrier if the mode has just changed or
 * areas or tag sizes are set, which all processes do alike. A barrier ends an epoch:
 * all that was sent before has then arrived.
 *
 * The mode is bspi.mode (core/state.h). bspi_mode_begin() turns it when bsp_sync begins, and
 * bspi_relaxed_after_barrier() ends the turn:
 *
 *	CLASSIC -> TO_RELAXED -> RELAXED -> FROM_RELAXED -> CLASSIC
 *	CLASSIC -> TO_OVERRIDDEN -> OVERRIDDEN -> FROM_OVERRIDDEN -> CLASSIC
 *
 * How the others are waited for is in arrival.c (puts), credit.c and ask.c.
 */

#include "bsplib/sync/relaxed.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/observe.h"
#include "bsplib/core/phase.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/effect.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/flow.h"
#include "bsplib/engine/hold.h"
#include "bsplib/engine/in.h"
#include "bsplib/engine/record.h"
#include "bsplib/sync/arrival.h"
#include "bsplib/sync/classic.h"
#include "bsplib/sync/neighbors.h"
#include "bsplib/sync/reason.h"
#include "bsplib/sync/unread.h"
#include "bsplib/transfer/address.h"
#include "bsplib/transfer/answer.h"
#include "bsplib/transfer/bsmp.h"
#include "bsplib/transfer/bulk.h"
#include "bsplib/transfer/direct.h"
#include "bsplib/transfer/handler.h"
#include "bsplib/transfer/region.h"
#include "bsplib/transfer/target.h"

#include "bsp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNLOOKED_MOST = 8 };

/* Gets that bsp_serve announced: an area once. */
struct served {
	uint32_t slot;
	const char *site;
};

static struct {
	struct served *serves;	/* of this superstep */
	size_t nserves, serves_room;
	uint64_t announced, came;	/* gets of this superstep: to these areas, and of these */
	bool looked;		/* for chunks, since the superstep began */
	int unlooked;		/* supersteps that have ended without a look of their own */
	bool ever;		/* an epoch was relaxed */
} relaxed;

/* ---- Modes ------------------------------------------------------------------ */

int bspi_set_sync(const char *site, int mode)
{
	int last = bspi_asks_relaxed() ? BSP_RELAXED : BSP_CLASSIC;

	bspi_require_running("bsp_set_sync", site);
	if (mode != BSP_CLASSIC && mode != BSP_RELAXED)
		bspi_fail("bsp_set_sync", site,
			  "mode %d is neither BSP_CLASSIC (%d) nor BSP_RELAXED (%d)",
			  mode, BSP_CLASSIC, BSP_RELAXED);
	if (mode != last)
		bspi.mode ^= BSPI_MODE_ASKED;
	bspi_mode_site = site;
	return last;
}

static void relaxed_set_mode(enum bspi_mode mode)
{
	bspi.mode = mode | (bspi.mode & (BSPI_MODE_SET | BSPI_MODE_NEIGHBORS));
}

/* Updates of classic supersteps do not count. */
static void begin_relaxed(void)
{
	for (size_t i = 0; i < bspi_regions.nslots; i++) {
		struct bspi_slot *s = &bspi_regions.slots[i];

		s->updates = 0;
		s->read_step = bspi.step;
		bspi_clock_forget(&s->times);
	}
	bspi_release_kept();	/* of the epoch that is over, so not counted as held */
	relaxed_set_mode(BSPI_TO_RELAXED);
	relaxed.ever = true;
	bspi_arrivals_begin();
	bspi_direct_note_all();
	bspi_puts_count(true);
}

bool bspi_all_do_alike(void)
{
	return bspi_reasons();
}

void bspi_mode_begin(void)
{
	if (bspi.mode & BSPI_MODE_ASKED) {
		bool overridden = bspi.env.check || bspi.two_phases ||
				  strcmp(bspi.env.sync, "classic") == 0;
		bool wants = bspi_asks_relaxed();

		bspi_messages_wait(wants);
		if (!wants)
			relaxed_set_mode(bspi_is_relaxed() ? BSPI_FROM_RELAXED :
							     BSPI_FROM_OVERRIDDEN);
		else if (overridden)
			relaxed_set_mode(BSPI_TO_OVERRIDDEN);
		else
			begin_relaxed();
	}
	BSPI_EVENT(way_is_known, (bspi_all_do_alike()));
}

bool bspi_was_relaxed(void)
{
	return relaxed.ever;
}

static void forget_serves(void)
{
	for (size_t i = 0; i < relaxed.nserves; i++) {
		struct bspi_slot *s = &bspi_regions.slots[relaxed.serves[i].slot];

		s->announced = s->served = 0;
	}
	relaxed.nserves = 0;
	relaxed.announced = relaxed.came = 0;
}

/* The next superstep may be classic, with nothing of this left behind. */
void bspi_relaxed_after_barrier(void)
{
	BSPI_EVENT(superstep_is_whole, ());
	forget_serves();
	bspi_flow_reset();
	if (bspi_is_relaxed() && !bspi_wants_relaxed()) {
		bspi_arrivals_end();
		bspi_puts_count(false);
	}
	if (!bspi_wants_relaxed()) {
		bspi.mode &= ~BSPI_MODE_COUNTS;
		bspi_pending_vanish();
	}
	bspi.mode &= ~BSPI_MODE_TURNS;
}

/* ---- Waiting for updates ----------------------------------------------------- */

/* All others have come to a barrier, and all they sent before is here. */
static bool nothing_can_come(void)
{
	const struct bspi_count *c = bspi_count_now();

	return bspi.nprocs == 1 || (bspi_ends_alltoall() && c->ends == bspi.nprocs - 1 &&
				    c->arrived >= c->expected && !bspi_bulk_coming());
}

static bool took_one(unsigned int *idle)
{
	relaxed.looked = true;
	if (!bspi.net || !bspi_take_in())
		return false;
	*idle = 0;
	return true;
}

/* The second wait without success may be one that sleeps, so by then all is to be explained. */
static bool is_time_to_explain(unsigned int idle)
{
	return !bspi.net || (idle > 0 && (idle & (idle - 1)) == 0);
}

static void explain_read(const char *site, const struct bspi_slot *s, int n)
{
	char what[320];

	if (nothing_can_come())
		bspi_fail("bsp_read", site,
			  "waits for %d put%s to %s, but only %u came and no more can: no other "
			  "process is left that could put",
			  n, bspi_plural(n), bspi_area_text(s), s->updates);
	snprintf(what, sizeof(what), "%d update%s of %s wanted, %u present", n, bspi_plural(n),
		 bspi_area_text(s), s->updates);
	bspi_show_waiting("bsp_read", site, what);
}

static __attribute__((noinline)) void wait_for_updates(const char *site,
						       const struct bspi_slot *s, uint32_t n)
{
	unsigned int idle = 0;

	while (s->updates < n) {
		if (took_one(&idle))
			continue;
		if (is_time_to_explain(idle))
			explain_read(site, s, n);
		bspi_wait(&idle);
	}
	bspi_show_computing();
}

static _Noreturn __attribute__((cold)) void refuse_surplus(const char *site,
							   const struct bspi_slot *s, int n)
{
	bspi_fail("bsp_read", site,
		  "%u put%s to %s written since the last bsp_read of it, but only %d announced; "
		  "the last is of process %d, superstep %u at %s",
		  s->updates, bspi_plural(s->updates), bspi_area_text(s), n, s->last.from,
		  s->last.step,
		  bspi_site_text(bspi_site_unpack(s->last.site)));
}

static struct bspi_slot *relaxed_area_of(const char *call, const char *site, const void *area)
{
	if (BSPI_LIKELY(area == bspi_regions.fast_base))
		return &bspi_regions.slots[bspi_regions.fast_slot];
	return &bspi_regions.slots[bspi_region_find_slow(call, site, area)];
}

static void check_count(const char *call, const char *site, int n)
{
	if (BSPI_UNLIKELY(n < 0))
		bspi_fail(call, site, n == BSP_ANY ?
			  "the count is BSP_ANY (%d); bsprun --check --suggest says which it has "
			  "to be" :
			  "the count %d is negative", n);
}

void bspi_read(const char *site, const void *area, int n)
{
	struct bspi_slot *s;

	bspi_require_running("bsp_read", site);
	s = relaxed_area_of("bsp_read", site, area);
	if (bspi_is_relaxed() || n != BSP_ANY)
		check_count("bsp_read", site, n);
	bspi_computing(false);
	BSPI_EVENT(read_begins, (site, s - bspi_regions.slots, n));
	if (bspi_is_relaxed()) {
		/* Wait, pay for the wait, and begin to count anew. */
		if (s->updates < (uint32_t)n)
			wait_for_updates(site, s, n);
		if (BSPI_UNLIKELY(s->updates > (uint32_t)n))
			refuse_surplus(site, s, n);
		s->updates = 0;
		s->read_step = bspi.step;
		s->read_site = site;
		if (BSPI_UNLIKELY(bspi.clock)) {
			bspi_clock_need_updates(&s->times);
			bspi_clock_advance();
		}
	}
	BSPI_EVENT(read_ends, ());
	bspi_computing(true);
}

bool bspi_read_test(const char *site, const void *area, int n)
{
	const struct bspi_slot *s;
	bool answer = true;

	bspi_require_running("bsp_read_test", site);
	s = relaxed_area_of("bsp_read_test", site, area);
	if (!bspi_is_relaxed() && n == BSP_ANY)
		return true;
	check_count("bsp_read_test", site, n);
	if (bspi_is_relaxed()) {
		bspi_drain();
		/* a process that asks again and again never waits */
		bspi_flow_report();
		answer = s->updates >= (uint32_t)n;
	}
	BSPI_EVENT(read_test, (site, s - bspi_regions.slots, n, &answer));
	return answer;
}

/* ---- Gets ------------------------------------------------------------------- */

void bspi_serve(const char *site, const void *area, int n)
{
	struct bspi_slot *s;

	bspi_require_running("bsp_serve", site);
	s = relaxed_area_of("bsp_serve", site, area);
	if (bspi_is_relaxed() || n != BSP_ANY)
		check_count("bsp_serve", site, n);
	BSPI_EVENT(serve, (site, s - bspi_regions.slots, n));
	if (!bspi_is_relaxed() || n == 0)
		return;
	if (!s->announced) {
		relaxed.serves = bspi_grow(relaxed.serves, relaxed.nserves, sizeof(*relaxed.serves),
				       &relaxed.serves_room);
		relaxed.serves[relaxed.nserves++] = (struct served){ s - bspi_regions.slots, site };
	}
	s->announced += n;
	relaxed.announced += n;
}

static _Noreturn __attribute__((cold)) void refuse_get(int from, const struct bspi_rec *rec,
						       const struct bspi_slot *s)
{
	bspi_fail_of(from, bspi.step, bspi_get_name(bspi_is_hp(rec)),
		     bspi_site_of(rec),
		     "process %d has announced %u get%s from this area in this superstep, and "
		     "this is one more; let it call bsp_serve before its bsp_sync at %s",
		     bspi.me, s->announced, bspi_plural(s->announced),
		     bspi_site_text(bspi_own_site()));
}

static const char *count_gets(int from, const char *at, const char *end)
{
	const struct bspi_rec *rec = (const struct bspi_rec *)at;
	struct bspi_slot *s = &bspi_regions.slots[rec->what >> 8];

	if (bspi_kind_of(rec->what) != BSPI_GET)
		return bspi_after(from, at, end);
	if (++s->served > s->announced)
		refuse_get(from, rec, s);
	relaxed.came++;
	return bspi_after(from, at, end);
}

static void explain_serve(void)
{
	char what[128];

	if (nothing_can_come())
		bspi_fail("bsp_serve", relaxed.serves[0].site,
			  "announced, with others, %llu get%s in this superstep, but only %llu "
			  "came and no more can",
			  (unsigned long long)relaxed.announced, bspi_plural(relaxed.announced),
			  (unsigned long long)relaxed.came);
	snprintf(what, sizeof(what), "%llu get%s wanted, %llu present",
		 (unsigned long long)relaxed.announced, bspi_plural(relaxed.announced),
		 (unsigned long long)relaxed.came);
	bspi_show_waiting("bsp_serve", relaxed.serves[0].site, what);
}

/* Processes whose gets came first have their answers before the last one comes. */
static size_t await_gets(void)
{
	unsigned int idle = 0;
	size_t seen = 0;

	for (;;) {
		size_t n = bspi_engine.held.n;

		if (seen < n) {
			bspi_scan_held(seen, BSPI_GETS, count_gets);
			bspi_clock_need_held(BSPI_GETS);
			bspi_clock_advance();
			bspi_serve_requests(seen);
			seen = n;
		}
		if (relaxed.came >= relaxed.announced)
			return seen;
		if (took_one(&idle))
			continue;
		if (is_time_to_explain(idle))
			explain_serve();
		bspi_wait(&idle);
	}
}

/* Gets of this superstep: those of others, then ours. */
void bspi_relaxed_serve(void)
{
	size_t seen = 0;

	if (relaxed.nserves || bspi_is_held(BSPI_GETS)) {
		seen = await_gets();
		bspi_show_syncing();
	}
	if (bspi_engine.owed)
		bspi_await_answers();
	bspi_scan_held(seen, BSPI_GETS, count_gets);	/* which refuses one more */
	forget_serves();
}

/* ---- Messages --------------------------------------------------------------- */

static void explain_expect(const char *site, int n)
{
	char what[128];

	if (!bspi_is_relaxed() || nothing_can_come())
		bspi_fail("bsp_expect", site,
			  "waits for %d message%s, but only %zu came and no more can",
			  n, bspi_plural(n), bspi_pending());
	snprintf(what, sizeof(what), "%d message%s wanted, %zu present", n, bspi_plural(n),
		 bspi_pending());
	bspi_show_waiting("bsp_expect", site, what);
}

static void await_messages(const char *site, int n)
{
	unsigned int idle = 0;

	while (bspi_pending() < (size_t)n) {
		if (took_one(&idle))
			continue;
		if (!bspi_is_relaxed() || is_time_to_explain(idle))
			explain_expect(site, n);
		bspi_wait(&idle);
	}
	bspi_show_computing();
}

void bspi_expect(const char *site, int n)
{
	size_t take;

	bspi_require_running("bsp_expect", site);
	if (bspi_is_relaxed() || n != BSP_ANY)
		check_count("bsp_expect", site, n);
	if (!bspi_wants_relaxed())
		return;
	take = n == BSP_ANY ? bspi_pending() : (size_t)n;
	bspi_computing(false);
	BSPI_EVENT(expect_begins, (site, n, &take));
	await_messages(site, take);
	bspi_pending_move(take);
	bspi_clock_advance();
	BSPI_EVENT(read_ends, ());
	bspi_computing(true);
}

/* ---- The end of a superstep --------------------------------------------------- */

/*
 * Take in what is there, so that no peer waits for us to do so. Over a network a look costs as
 * much as a message: a process that has looked while it waited for something, or found something
 * here the last time, leaves it out a few times.
 */
void bspi_relaxed_look(void)
{
	bool costly = bspi.net && !(bspi.net->ops->caps & BSPT_ONE_NODE);

	if (costly && relaxed.looked && relaxed.unlooked < UNLOOKED_MOST) {
		relaxed.looked = false;
		relaxed.unlooked++;
		return;
	}
	relaxed.unlooked = 0;
	relaxed.looked = bspi_drain();
}

void bspi_relaxed_open(void)
{
	bspi_mode_site = NULL;
	bspi.eager = bspi.env.eager >= 0 ? (size_t)bspi.env.eager : SIZE_MAX;
	bspi_arrivals_open();
	bspi_unread_open();
	bspi_neighbors_open();
}

void bspi_relaxed_close(void)
{
	bspi_neighbors_close();
	bspi_arrivals_close();
	free(relaxed.serves);
	memset(&relaxed, 0, sizeof(relaxed));
}
