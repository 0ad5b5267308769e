// SPDX-License-Identifier: BSD-3-Clause
/* difference.c - the message about processes that did not do the same in a superstep. */

/*
 * The sums that travel with the counts (classic.c) say that the processes differ, but not in
 * which call. Every process sees that, whichever way the counts travel. So each sends a detail to
 * process 0, which waits for all of them and names the first thing in which they differ, with the
 * processes that did the same together:
 *
 *	processes 1 and 3 registered 1 area in this superstep (ring.c:12), process 0 none
 *
 * The chunk with a detail is not counted, and none is needed again: the job ends here.
 */

#include "bsplib/sync/difference.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/list.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/in.h"
#include "bsplib/engine/out.h"
#include "bsplib/sync/reason.h"
#include "bsplib/transfer/bsmp.h"
#include "bsplib/transfer/region.h"

#include <stdlib.h>

enum { GROUPS_MOST = 6 };	/* that one message names */

/* The collective calls of a process in this superstep, as process 0 needs to know them. */
struct detail {
	uint64_t npush, npop, tag_bytes;
	uint64_t mode, step;
	uint32_t ended, relaxed, tagged, reasons, neighbors, zero;
	int64_t site;		/* packed: of bsp_sync or bsp_end ... */
	/* ... and of the last of these; of the first reason */
	int64_t push_site, pop_site, tag_site, mode_site, neighbors_site, reason_site;
};

/* The things that all processes do alike, in the order in which they are compared. */
enum trait { STEP, ENDED, MODE, PUSHES, POPS, NEIGHBORS, TAG_CALL, TAG_SIZE };

static uint64_t difference_value_of(const struct detail *d, enum trait t)
{
	switch (t) {
	case STEP:
		return d->step;
	case ENDED:
		return d->ended;
	case MODE:
		return d->mode;
	case PUSHES:
		return d->npush;
	case POPS:
		return d->npop;
	case NEIGHBORS:
		return d->neighbors;
	case TAG_CALL:
		return d->tagged;
	default:
		return d->tag_bytes;
	}
}

/* Packed; where that was done. */
static int64_t difference_site_of(const struct detail *d, enum trait t)
{
	switch (t) {
	case STEP:
		/* where the barrier was asked for */
		return d->reason_site;
	case MODE:
		return d->mode_site;
	case PUSHES:
		return d->push_site;
	case POPS:
		return d->pop_site;
	case NEIGHBORS:
		return d->neighbors_site;
	case TAG_CALL:
	case TAG_SIZE:
		return d->tag_site;
	default:
		return d->site;
	}
}

/* ---- Calls of a process ------------------------------------------------------------ */

/* "registered 2 areas in this superstep", then "registered 1", then "none". */
static void append_count(struct bspi_list *l, const char *did, const char *what, uint64_t n,
			 bool first)
{
	if (n == 0)
		bspi_list_append(l, " none");
	else
		bspi_list_append(l, " %s %llu", did, (unsigned long long)n);
	if (first)
		bspi_list_append(l, " %s%s in this superstep", what, bspi_plural(n));
}

/* @first: no other process was named before, whose verb could serve again. */
static void append_deed(struct bspi_list *l, const struct detail *d, enum trait t, bool first)
{
	switch (t) {
	case STEP:
		bspi_list_append(l, "%s after %llu superstep%s because of %s",
				 first ? " came to a barrier" : "", (unsigned long long)d->step,
				 bspi_plural(d->step),
				 bspi_reason_name(d->ended ? BSPI_SUM_END : d->reasons));
		break;
	case ENDED:
		bspi_list_append(l, " %s%s", first ? "called " : "",
				 d->ended ? "bsp_end" : "bsp_sync");
		break;
	case MODE:
		bspi_list_append(l, "%s %s", first ? " ended the superstep in mode" : " in",
				 d->mode ? "BSP_RELAXED" : "BSP_CLASSIC");
		break;
	case PUSHES:
		append_count(l, "registered", "area", d->npush, first);
		break;
	case POPS:
		append_count(l, "popped", "registration", d->npop, first);
		break;
	case NEIGHBORS:
		bspi_list_append(l, d->neighbors == BSPI_NO_LIST ? " did not" :
				 d->neighbors == BSPI_LIST ? " called it with a list" :
				 " called it with BSP_ALL");
		break;
	case TAG_CALL:
		bspi_list_append(l, difference_value_of(d, t) ?
				 " called it in this superstep" : " did not");
		break;
	default:
		bspi_list_append(l, "%s of %llu", first ? " set tags" : "",
				 (unsigned long long)d->tag_bytes);
		if (first)
			bspi_list_append(l, " byte%s", bspi_plural(d->tag_bytes));
		break;
	}
}

/* ---- Processes with the same calls ---------------------------------------------------- */

static bool is_alike(const struct detail *details, int p, int q, enum trait t)
{
	return difference_value_of(&details[p], t) == difference_value_of(&details[q], t);
}

static bool is_first_of_its_kind(const struct detail *details, int q, enum trait t)
{
	for (int p = 0; p < q; p++)
		if (is_alike(details, p, q, t))
			return false;
	return true;
}

/* Process @q and those like it, and what they did. */
static void append_group(struct bspi_list *l, const struct detail *details, int q, enum trait t)
{
	const char *site = bspi_site_unpack(difference_site_of(&details[q], t));
	bool first = l->len == 0, *in = calloc(bspi.nprocs, sizeof(*in));

	if (!in)
		bspi_fail_memory("bsp_sync", bspi_own_site());
	for (int p = q; p < bspi.nprocs; p++)
		in[p] = is_alike(details, q, p, t);
	bspi_list_append(l, first ? "" : ", ");
	bspi_list_processes(l, in);
	free(in);
	append_deed(l, &details[q], t, first);
	if (site)
		bspi_list_append(l, " (%.200s)", bspi_site_text(site));
}

/* The processes and their calls, in groups; those without such a call come last. */
static const char *difference_describe(const struct detail *details, enum trait t)
{
	static struct bspi_list l;
	int left = GROUPS_MOST;

	for (int nothing = 0; nothing < 2; nothing++)
		for (int q = 0; q < bspi.nprocs && left; q++)
			if ((difference_value_of(&details[q], t) == 0) == nothing &&
			    is_first_of_its_kind(details, q, t)) {
				append_group(&l, details, q, t);
				left--;
			}
	if (!left)
		bspi_list_append(&l, ", others differ as well");
	return l.text;
}

/* Only relaxed processes come to barriers in supersteps of different numbers. */
static bool all_are_alike(const struct detail *details, enum trait t)
{
	for (int q = 0; t == STEP && q < bspi.nprocs; q++)
		if (!details[q].relaxed)
			return true;
	for (int q = 1; q < bspi.nprocs; q++)
		if (!is_alike(details, 0, q, t))
			return false;
	return true;
}

static _Noreturn void fail_difference(const struct detail *details)
{
	const char *call = bspi.ending ? "bsp_end" : "bsp_sync", *site = bspi_own_site();
	enum trait t = STEP;

	while (t < TAG_SIZE && all_are_alike(details, t))
		t++;
	switch (t) {
	case STEP:
		bspi_fail(call, site, "%s; all processes call bsp_sync equally often",
			  difference_describe(details, t));
	case ENDED:
		bspi_fail(call, site, "%s; all processes call the same",
			  difference_describe(details, t));
	case MODE:
		bspi_fail("bsp_set_sync", site, "%s; all processes set the same mode",
			  difference_describe(details, t));
	case PUSHES:
		bspi_fail("bsp_push_reg", site, "%s; all processes register alike",
			  difference_describe(details, t));
	case POPS:
		bspi_fail("bsp_pop_reg", site, "%s; all processes pop alike",
			  difference_describe(details, t));
	case NEIGHBORS:
		bspi_fail("bsp_set_neighbors", site,
			  "%s; all processes call it, all with lists or all with BSP_ALL",
			  difference_describe(details, t));
	case TAG_CALL:
		bspi_fail("bsp_set_tagsize", site, "%s; all processes call it, or none",
			  difference_describe(details, t));
	default:
		bspi_fail("bsp_set_tagsize", site, "%s; all processes set the same size",
			  difference_describe(details, t));
	}
}

/* ---- Details ----------------------------------------------------------------------------- */

static int64_t last_site(const struct bspi_push *at, size_t n)
{
	return bspi_site_pack(n ? at[n - 1].site : NULL);
}

static struct detail own_detail(void)
{
	const struct bspi_regions *r = &bspi_regions;

	return (struct detail){
		.npush = r->npush, .npop = r->npop, .tag_bytes = bspi_tags.set,
			.ended = bspi.ending,
		.mode = bspi_wants_relaxed(), .step = bspi.step, .relaxed = bspi_is_relaxed(),
		.tagged = bspi_tags.called, .reasons = bspi_reasons(),
		.site = bspi_site_pack(bspi_own_site()),
		.push_site = last_site(r->pushes, r->npush),
		.pop_site = last_site(r->pops, r->npop),
		.tag_site = bspi_site_pack(bspi_tags.site),
		.mode_site = bspi_site_pack(bspi_mode_site),
		.neighbors = bspi_neighbors_call,
		.neighbors_site = bspi_site_pack(bspi_neighbors_site),
		.reason_site = bspi_site_pack(bspi_reason_site()),
	};
}

static _Noreturn void send_detail(void)
{
	size_t bytes = bspi_align(sizeof(struct bspi_rec) + sizeof(struct detail));
	struct bspi_rec *rec = bspi_out_room(0, bytes);
	unsigned int idle = 0;

	*rec = (struct bspi_rec){ .what = bspi_what(BSPI_WHAT, 0), .nbytes = bytes - sizeof(*rec) };
	*(struct detail *)(rec + 1) = own_detail();
	bspi_engine.out[0].flags = BSPI_DETAIL;
	bspi_out_send(0);
	for (;;)		/* until the supervisor ends us */
		bspi_pump_for(&idle, BSPI_WAIT_DETAILS, 0, 0);
}

/* Collect the details among the held chunks; returns how many there are. */
static int difference_collect(struct detail *details)
{
	int n = 0;

	for (size_t i = 0; i < bspi_engine.held.n; i++) {
		const struct bspi_arrival *a = &bspi_engine.held.at[i];
		const struct bspi_head *h = bspi_head_of(a->chunk);
		const struct bspi_rec *rec = (const struct bspi_rec *)(h + 1);

		if (!(h->flags & BSPI_DETAIL))
			continue;
		details[a->from] = *(const struct detail *)(rec + 1);
		n++;
	}
	return n;
}

void bspi_explain_difference(void)
{
	struct detail *details;
	unsigned int idle = 0;

	if (bspi.me != 0)
		send_detail();
	details = calloc(bspi.nprocs, sizeof(*details));
	if (!details)
		bspi_fail_memory("bsp_sync", bspi_own_site());
	details[0] = own_detail();
	while (difference_collect(details) < bspi.nprocs - 1)
		bspi_pump_for(&idle, BSPI_WAIT_DETAILS, 0, 0);
	fail_difference(details);
}
