/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline.h - lanes of spans over time, with a path through them, that a reader can zoom. */

/*
 * A lane is a process, or several; a span lasts from one time to another, is of a kind, and takes
 * the whole height of its lane or a part of it. All is drawn once, by times; a script changes which
 * of them are shown, so zooming draws nothing again. Without scripts all is shown; paper has what
 * the window has. Stops are times to which a reader can go by a number, as the ends of supersteps.
 *
 * page_timeline_begin(); for each lane and kind page_timeline_band(), its spans by increasing
 * times, page_timeline_band_end(); a path if there is one; page_timeline_end(), which writes the
 * script.
 */
#ifndef PAGE_TIMELINE_H
#define PAGE_TIMELINE_H

#include "markup.h"

#include <stdint.h>

struct page_timeline_kind {
	const char *class;		/* of the style sheet, a literal: "sync" */
	const char *name;
};

struct page_timeline {
	const char *label;		/* what a screen reader says */
	const char *rows;		/* what a lane is: "process" */
	int lanes;
	const struct page_timeline_kind *kinds;
	int nkinds;
	const void *values;		/* that name() knows */
	/* The name of a lane in @text, which is returned. */
	const char *(*name)(const void *values, int lane, char *text, size_t len);
	/* A time in @text, of 64 bytes, which is returned; as the script does: "1.500 ms" */
	const char *(*time_text)(char *text, double ns);
	uint64_t from, length;		/* of all that is shown, ns; the length is not 0 */
	const char *stop;		/* "superstep" */
	const uint64_t *stops;		/* times, increasing; one at least */
	size_t nstops;
	uint64_t first_stop, last_stop;	/* numbers */
	uint64_t stops_each;		/* each is the last of so many */
	bool has_path;
	/* private: */
	struct markup *m;
	double unit;			/* ns, of a coordinate */
	double height;			/* of a lane, pixels */
	int lane, kind;			/* of the band that is open */
	double sum;			/* of its spans, ns */
	char command;			/* of the path */
};

void page_timeline_begin(struct page_timeline *t, struct markup *m);

/* The spans of one kind in one lane, from @low to @high of its height: 0 below, 1 above. */
void page_timeline_band(struct page_timeline *t, int lane, int kind);
void page_timeline_span(struct page_timeline *t, uint64_t begin, uint64_t finish, double low,
			double high);
void page_timeline_band_end(struct page_timeline *t);

/* A line from lane to lane, by increasing times. */
void page_timeline_path(struct page_timeline *t);
void page_timeline_path_to(struct page_timeline *t, uint64_t time, int lane);
void page_timeline_path_end(struct page_timeline *t);

void page_timeline_end(struct page_timeline *t);

#endif
