// SPDX-License-Identifier: BSD-3-Clause
/* bars.c - bars of several parts, each with a range and a value that nothing strikes out. */

#include "bars.h"

#include <math.h>
#include <string.h>

static const double INSIDE = 30;	/* percent: a part as long has its value inside */
static const double VISIBLE = 0.3;	/* percent: a range as long is drawn */

void page_bars(struct markup *m, const char *caption)
{
	markup_open(m, "figure");
	markup_element(m, "figcaption", NULL, "%s", caption);
}

void page_bar_group(struct markup *m, const char *name, const char *note)
{
	markup_open(m, "div");
	markup_attribute(m, "class", "pair");
	markup_element(m, "p", NULL, "%s", name);
	if (note)
		markup_element(m, "p", "about", "%s", note);
}

static double bar_percent(const struct page_bar *bar, double length)
{
	return bar->full > 0 ? fmin(fmax(100 * length / bar->full, 0), 100) : 0;
}

static void bar_part(struct markup *m, const struct page_bar_part *part, double percent)
{
	bool tells = percent >= INSIDE;

	markup_open(m, "span");
	markup_attribute(m, "class", "%s%s", part->class, tells ? " tell" : "");
	markup_attribute(m, "style", "width:%.2f%%", percent);
	markup_attribute(m, "title", "%s: %s", part->name, part->value);
	if (tells)
		markup_text(m, "%s", part->value);
	markup_close(m);
}

void page_bar(struct markup *m, const struct page_bar *bar)
{
	double from = bar_percent(bar, bar->low), to = bar_percent(bar, bar->high);

	markup_open(m, "div");
	markup_attribute(m, "class", "bar");
	markup_element(m, "span", NULL, "%s", bar->label);
	markup_open(m, "span");
	markup_attribute(m, "class", "track");
	markup_open(m, "span");
	markup_attribute(m, "class", "parts");
	for (int i = 0; i < bar->nparts; i++)
		if (bar->parts[i].length > 0)
			bar_part(m, &bar->parts[i], bar_percent(bar, bar->parts[i].length));
	markup_close(m);
	if (to - from >= VISIBLE) {
		markup_open(m, "span");
		markup_attribute(m, "class", "range%s",
				 bar->high > bar->full * 1.001 ? " beyond" : "");
		markup_attribute(m, "style", "left:%.2f%%;width:%.2f%%", from, to - from);
		markup_close(m);
	}
	markup_close(m);
	markup_open(m, "span");
	markup_text(m, "%s", bar->value);
	if (bar->change) {
		markup_text(m, " ");
		markup_element(m, "strong", bar->change_class, "%s", bar->change);
	}
	markup_close(m);
	markup_close(m);
}

void page_legend(struct markup *m)
{
	markup_open(m, "ul");
	markup_attribute(m, "class", "legend");
}

void page_legend_entry(struct markup *m, const char *class, const char *text)
{
	bool range = strcmp(class, "range") == 0;

	markup_open(m, "li");
	markup_open(m, "span");
	markup_attribute(m, "class", "sample%s%s", range ? "" : " ", range ? "" : class);
	if (range) {
		markup_open(m, "span");
		markup_attribute(m, "class", "range");
		markup_close(m);
	}
	markup_close(m);
	markup_text(m, "%s", text);
	markup_close(m);
}
