// SPDX-License-Identifier: BSD-3-Clause
/* prof_timeline.c - the card of a profile with what each process does, and when. */

/*
 * Up to PROF_CELLS lanes: of one process, or of several as in the matrix. As long as all calls are
 * SPANS_MOST at most, a lane of one process has each of them from its begin to its end. Else the
 * time is divided into bins, and a lane has for each the shares of what its processes do, one above
 * the other. With --steps the picture is of some supersteps, which then have all of these spans.
 */

#include "prof_html.h"

#include "common/page/page.h"
#include "common/page/timeline.h"

#include <stdlib.h>
#include <string.h>

enum {
	SPANS_MOST = 1 << 16,
	STOPS_MOST = 4096,
	POINTS_MOST = 1 << 16,		/* of the path */
};

enum card_kind { COMPUTING, COLLECTIVE, READING, SYNCING, KINDS };

static const struct page_timeline_kind kinds[KINDS] = {
	[COMPUTING] = { "compute", "computing" },
	[COLLECTIVE] = { "collective", "in collective operations and schedules" },
	[READING] = { "read", "in bsp_read, bsp_expect and direct gets" },
	[SYNCING] = { "sync", "in bsp_sync and bsp_end" },
};

struct prof_steps prof_steps = { .last = UINT64_MAX };

bool prof_steps_read(const char *text)
{
	char *end;

	if (strspn(text, "0123456789") == 0)
		return false;
	prof_steps.first = strtoull(text, &end, 10);
	if (*end != ':' || strspn(end + 1, "0123456789") == 0)
		return false;
	prof_steps.last = strtoull(end + 1, &end, 10);
	return !*end && prof_steps.first <= prof_steps.last;
}

/* ---- Spans ------------------------------------------------------------------------------- */

struct timeline_card {
	const struct prof *p;
	struct page_timeline picture;
	uint64_t from, to;
	size_t bins;			/* 0: each call is a span of its own */
	double *share;			/* of each kind, ns in each bin */
};

static enum card_kind card_kind(const struct prof_row *r)
{
	switch (r->kind) {
	case RECORDING_SYNC:
		return SYNCING;
	case RECORDING_READ:
	case RECORDING_EXPECT:
	case RECORDING_DIRECT_GET:
		return READING;
	default:
		return COLLECTIVE;
	}
}

typedef void card_take(struct timeline_card *c, enum card_kind kind, uint64_t begin,
		       uint64_t finish);

/* All pieces of a process, as far as they are shown. */
static void card_walk(struct timeline_card *c, int pid, card_take *take)
{
	const struct prof_calls *calls = &c->p->calls[pid];
	uint64_t last = 0;

	for (size_t i = 0; i < calls->n; i++) {
		const struct prof_call *call = &calls->at[i];
		uint64_t computed = i > 0 ? prof_computed_before(call, last) : call->computed;
		const uint64_t ends[] = {
			call->begin - (computed < call->begin ? computed : call->begin),
			call->begin, call->finish,
		};

		for (int part = 0; part < 2; part++) {
			uint64_t begin = ends[part] < c->from ? c->from : ends[part];
			uint64_t finish = ends[part + 1] > c->to ? c->to : ends[part + 1];

			if (begin < finish)
				take(c, part == 0 ? COMPUTING : card_kind(&c->p->rows[call->row]),
				     begin, finish);
		}
		last = call->finish;
	}
}

static void card_count(struct timeline_card *c, enum card_kind kind, uint64_t begin,
		       uint64_t finish)
{
	(void)kind;
	(void)begin;
	(void)finish;
	c->bins++;
}

/* How many bins, and room for their shares; false: no memory. */
static bool card_divide(struct timeline_card *c)
{
	for (int q = 0; q < c->p->nprocs; q++)
		card_walk(c, q, card_count);
	if (c->bins <= SPANS_MOST && c->p->per_cell == 1) {
		c->bins = 0;
		return true;
	}
	c->bins = SPANS_MOST / KINDS / (size_t)c->p->cells;
	c->share = calloc(KINDS * c->bins, sizeof(*c->share));
	return c->share;
}

static void card_draw(struct timeline_card *c, enum card_kind kind, uint64_t begin,
		      uint64_t finish)
{
	if ((int)kind == c->picture.kind)
		page_timeline_span(&c->picture, begin, finish, 0, 1);
}

static uint64_t card_bin_begin(const struct timeline_card *c, size_t bin)
{
	return c->from + (uint64_t)((double)(c->to - c->from) * (double)bin / (double)c->bins);
}

static void card_share(struct timeline_card *c, enum card_kind kind, uint64_t begin,
		       uint64_t finish)
{
	size_t bin = (size_t)((double)(begin - c->from) / (double)(c->to - c->from) *
			      (double)c->bins);

	for (bin -= bin > 0; bin < c->bins && card_bin_begin(c, bin) < finish; bin++) {
		uint64_t from = card_bin_begin(c, bin), to = card_bin_begin(c, bin + 1);

		from = from < begin ? begin : from;
		to = to > finish ? finish : to;
		if (from < to)
			c->share[kind * c->bins + bin] += (double)(to - from);
	}
}

/* The shares of a kind in all bins of a lane, above those of the kinds before it. */
static void card_draw_bins(struct timeline_card *c, int kind, int processes)
{
	for (size_t bin = 0; bin < c->bins; bin++) {
		uint64_t begin = card_bin_begin(c, bin), end = card_bin_begin(c, bin + 1);
		double all = (double)(end - begin) * processes, low = 0;

		for (int below = 0; below < kind; below++)
			low += c->share[(size_t)below * c->bins + bin];
		if (c->share[(size_t)kind * c->bins + bin] > 0)
			page_timeline_span(&c->picture, begin, end, low / all,
					   (low + c->share[(size_t)kind * c->bins + bin]) / all);
	}
}

static void card_lane(struct timeline_card *c, int lane)
{
	int first = lane * c->p->per_cell, processes = 0;

	if (c->bins)
		memset(c->share, 0, KINDS * c->bins * sizeof(*c->share));
	for (int q = first; q < first + c->p->per_cell && q < c->p->nprocs; q++) {
		processes += c->p->recording.parts[q].head.nprocs != 0;
		if (c->bins)
			card_walk(c, q, card_share);
	}
	for (int kind = 0; kind < KINDS; kind++) {
		page_timeline_band(&c->picture, lane, kind);
		if (c->bins)
			card_draw_bins(c, kind, processes);
		else
			card_walk(c, first, card_draw);
		page_timeline_band_end(&c->picture);
	}
}

/* ---- The path ----------------------------------------------------------------------------- */

/* Its points are backwards; of more than POINTS_MOST those are left out that are too near. */
static void card_path(struct timeline_card *c)
{
	const struct prof *p = c->p;
	uint64_t apart = p->npoints > POINTS_MOST ? (c->to - c->from) / POINTS_MOST : 0, last = 0;

	page_timeline_path(&c->picture);
	for (size_t i = p->npoints; i-- > 0;) {
		const struct prof_point *at = &p->points[i];
		bool is_before = i > 0 && p->points[i - 1].time < c->from;
		bool is_behind = i + 1 < p->npoints && p->points[i + 1].time > c->to;

		if (is_before || is_behind || (i > 0 && last && at->time < last + apart))
			continue;
		page_timeline_path_to(&c->picture, at->time, at->pid / p->per_cell);
		last = at->time;
	}
	page_timeline_path_end(&c->picture);
}

/* ---- The card ----------------------------------------------------------------------------- */

/* The ends of the supersteps that are shown, or of as many together as makes STOPS_MOST of them. */
static uint64_t *card_stops(struct timeline_card *c)
{
	struct page_timeline *t = &c->picture;
	uint64_t n = t->last_stop - t->first_stop + 1, *stops;

	t->stops_each = (n + STOPS_MOST - 1) / STOPS_MOST;
	t->nstops = (n + t->stops_each - 1) / t->stops_each;
	stops = calloc(t->nstops, sizeof(*stops));
	for (size_t i = 0; stops && i < t->nstops; i++) {
		uint64_t step = (i + 1) * t->stops_each - 1;

		stops[i] = c->p->steps[t->first_stop + (step < n ? step : n - 1)].finish;
	}
	t->stops = stops;
	return stops;
}

static void card_say(const struct timeline_card *c, struct markup *m)
{
	const struct prof *p = c->p;
	char several[PROF_TEXT] = "", bins[PROF_TEXT * 3] = "", text[PROF_TEXT];

	if (p->per_cell > 1)
		snprintf(several, sizeof(several), " A row is %d processes.", p->per_cell);
	if (c->bins)
		snprintf(bins, sizeof(bins), " Shown are shares of %s each; bspprof html --steps "
			 "FIRST:LAST shows some supersteps finer.",
			 prof_time_text(text, (double)(c->to - c->from) / (double)c->bins));
	page_say(m, PAGE_ABOUT, "From left to right: %s.%s%s Lines are ends of supersteps, where "
		 "they are few. Closer and back: the buttons, a click, or in the picture the keys "
		 "+ \342\210\222 [ ] and 0.%s",
		 prof_time_text(text, (double)(c->to - c->from)), several, bins,
		 prof_is_part() ? " Supersteps are numbered among those that count." : "");
}

static void card_show(struct timeline_card *c, struct markup *m)
{
	const struct prof *p = c->p;
	struct page_timeline *t = &c->picture;
	uint64_t last = prof_steps.last < p->nsteps ? prof_steps.last : p->nsteps - 1;
	bool is_whole = prof_steps.first == 0 && last == p->nsteps - 1;
	uint64_t *stops;

	c->from = is_whole ? 0 : p->steps[prof_steps.first].begin;
	c->to = is_whole ? p->length : p->steps[last].finish;
	if (c->to <= c->from) {
		page_say(m, PAGE_PLAIN, "There is none: no call took any time.");
		return;
	}
	*t = (struct page_timeline){
		.label = "what each process does over time", .rows = "process",
		.lanes = p->cells, .kinds = kinds, .nkinds = KINDS, .values = p,
		.name = prof_cell_name, .time_text = prof_time_text, .from = c->from,
		.length = c->to - c->from, .stop = "superstep", .has_path = p->npoints > 0,
		.first_stop = prof_steps.first, .last_stop = last,
	};
	stops = card_stops(c);
	if (stops && card_divide(c)) {
		card_say(c, m);
		page_timeline_begin(t, m);
		for (int lane = 0; lane < p->cells; lane++)
			card_lane(c, lane);
		if (t->has_path)
			card_path(c);
		page_timeline_end(t);
	} else {
		page_say(m, PAGE_WARNING, "There was not enough memory for it.");
	}
	free(stops);
	free(c->share);
}

void prof_write_timeline(const struct prof *p, struct markup *m)
{
	struct timeline_card card = { .p = p };

	page_card(m, "Processes over time");
	if (!p->calls)
		page_say(m, PAGE_PLAIN, "It is left out: too many calls.");
	else if (p->nsteps <= prof_steps.first)
		page_say(m, PAGE_PLAIN, "There are no supersteps to show.");
	else
		card_show(&card, m);
	page_card_end(m);
}
