/* SPDX-License-Identifier: BSD-3-Clause */
/* bars.h - bars of several parts, each with a range and a value that nothing strikes out. */

/*
 * A figure has groups, a group has bars below each other. A bar is as long as its share of what
 * the figure says is full; its range is a bracket below it, its value stands beside both, in a
 * narrow window above them.
 */
#ifndef PAGE_BARS_H
#define PAGE_BARS_H

#include "markup.h"

struct page_bar_part {
	const char *class;	/* of the style sheet, a literal: "sync" */
	const char *name;
	const char *value;
	double length;
};

struct page_bar {
	const char *label;
	const struct page_bar_part *parts;
	int nparts;
	double low, high;	/* of the range; the same: none */
	double full;		/* the length of the longest bar that there could be */
	const char *value;
	const char *change;	/* beside the value, or NULL */
	const char *change_class;	/* "saved", "lost", "unseen" */
};

/* A figure of bars: groups, until markup_close(). */
void page_bars(struct markup *m, const char *caption);

/* A group of bars, until markup_close(); @note may be NULL. */
void page_bar_group(struct markup *m, const char *name, const char *note);

void page_bar(struct markup *m, const struct page_bar *bar);

/* A legend; an entry of a part of a bar, or with @class "range" of the range; markup_close(). */
void page_legend(struct markup *m);
void page_legend_entry(struct markup *m, const char *class, const char *text);

#endif
