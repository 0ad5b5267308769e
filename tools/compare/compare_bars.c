// SPDX-License-Identifier: BSD-3-Clause
/* compare_bars.c - pairs of bars, classic above relaxed, as SVG inside the page. */

#include "compare.h"
#include "common/escape.h"

#include <math.h>
#include <string.h>

/* Lengths are in units of the picture, which is as wide as there is room. */
enum {
	BAR = 20, BETWEEN = 3, APART = 22, EDGE = 6,
	GROUP = 2 * BAR + BETWEEN + APART,
	INSIDE = 72,		/* a part as long as this has its value inside */
	CAP = 4,		/* half of the ends of a spread */
	LABEL = 24,		/* characters of a name */
	TEXT = 40,
};

/* A picture, from the left: names, modes up to their end, bars, values. */
static const struct layout {
	int modes, bars, length, width;
} layouts[] = {
	[COMPARE_BARS_SHARE] = { 246, 254, 364, 760 },
	[COMPARE_BARS_COMMUNICATION] = { 154, 162, 260, 566 },
	[COMPARE_BARS_TOTAL] = { 154, 162, 260, 566 },
};

/* A bar: what it is made of, from the left. */
struct part {
	const char *class;	/* in the style of the page */
	const char *name;
	double seconds;
};

enum { PARTS_MOST = 4 };

/* A spread may be so many times as long as the bars. */
static const double BEYOND = 1.25;

static int parts_of(enum compare_bars what, const struct compare_figures *f, struct part *parts)
{
	int n = 0;

	if (what == COMPARE_BARS_TOTAL)
		parts[n++] = (struct part){ "compute", "computation", f->compute };
	parts[n++] = (struct part){ "sync", "in bsp_sync", f->sync };
	parts[n++] = (struct part){ "read", "in bsp_read", f->read };
	parts[n++] = (struct part){ "collective", "in collectives", f->collective };
	return n;
}

static double length_of(enum compare_bars what, const struct compare_figures *f)
{
	return f->sync + f->read + f->collective +
	       (what == COMPARE_BARS_TOTAL ? f->compute : 0);
}

/* The longer bar of one comparison. */
static double longer_of(enum compare_bars what, const struct comparison *c)
{
	return fmax(length_of(what, &c->runs[COMPARE_CLASSIC]),
		    length_of(what, &c->runs[COMPARE_RELAXED]));
}

/* How far its picture reaches; a spread goes not much beyond the bars, lest these get short. */
static double reach_of(enum compare_bars what, const struct comparison *c)
{
	double bars = longer_of(what, c);
	double most = fmax(c->spread[COMPARE_CLASSIC].most, c->spread[COMPARE_RELAXED].most);

	return what == COMPARE_BARS_TOTAL ? bars : fmin(fmax(bars, most), BEYOND * bars);
}

/* Units of the picture for a second. */
static double bars_scale_of(enum compare_bars what, double longest)
{
	return longest > 0 ? layouts[what].length / longest : 0;
}

/* ---- One bar --------------------------------------------------------------- */

static void draw_part(FILE *out, const struct part *part, double x, double y, double width,
		      struct compare_unit unit)
{
	char text[TEXT];

	compare_time_text(text, sizeof(text), part->seconds, unit);
	fprintf(out, "<g class=\"%s\"><title>%s: %s</title>"
		"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>", part->class,
		part->name, text, x, y, width, BAR);
	if (width >= INSIDE)
		fprintf(out, "<text class=\"inside\" x=\"%.1f\" y=\"%.1f\">%s</text>",
			x + 6, y + 0.7 * BAR, text);
	fputs("</g>\n", out);
}

/*
 * From the least to the most of all rounds, with a rim that sets it off from the bar; with an
 * arrow if the most is farther than @end. Returns where it ends.
 */
static double draw_spread(FILE *out, const struct compare_spread *s, double x, double y,
			  double scale, double end)
{
	double from = fmin(x + s->least * scale, end), to = fmin(x + s->most * scale, end);
	int arrow = x + s->most * scale > end + 0.5 ? CAP : 0;
	double middle = y + BAR / 2.0;

	if (to - from < 1)
		return to;
	for (int i = 0; i < 2; i++)
		fprintf(out, "<path class=\"%s\" "
			"d=\"M%.1f %.1fv%dM%.1f %.1fH%.1fM%.1f %.1fl%d %dl%d %d\"/>\n",
			i ? "spread" : "halo", from, middle - CAP, 2 * CAP, from, middle, to,
			to - arrow, middle - CAP, arrow, CAP, -arrow, CAP);
	return to;
}

/* The value of the whole bar, and what relaxed saves. */
static void draw_value(FILE *out, enum compare_bars what, const struct comparison *c,
		       enum compare_mode mode, struct compare_unit unit, double x, double y)
{
	const struct compare_figures *f = &c->runs[mode];
	bool total = what == COMPARE_BARS_TOTAL;
	double saved = total ? c->saved_total.median : c->saved.median;
	char text[TEXT], part[TEXT];

	compare_time_text(text, sizeof(text), total ? f->total : f->communication, unit);
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\">%s", x, y + 0.7 * BAR, text);
	if (mode == COMPARE_RELAXED) {
		compare_part_text(part, sizeof(part), fabs(saved));
		fprintf(out, " <tspan class=\"%s\">%s%s</tspan>", saved < 0 ? "lost" : "saved",
			strcmp(part, "0.0 %") == 0 ? "±" : saved > 0 ? "−" : "+", part);
	}
	fputs("</text>\n", out);
}

static void draw_bar(FILE *out, enum compare_bars what, const struct comparison *c,
		     enum compare_mode mode, double y, double scale)
{
	struct compare_unit unit = compare_unit_of(longer_of(what, c));
	struct part parts[PARTS_MOST];
	int n = parts_of(what, &c->runs[mode], parts);
	int base = layouts[what].bars;
	double x = base;

	fprintf(out, "<text class=\"mode\" x=\"%d\" y=\"%.1f\">%s</text>\n", layouts[what].modes,
		y + 0.7 * BAR, compare_name[mode]);
	for (int i = 0; i < n; i++) {
		double width = parts[i].seconds * scale;

		if (width > 0)
			draw_part(out, &parts[i], x, y, width, unit);
		x += width;
	}
	if (what != COMPARE_BARS_TOTAL) {
		double end = base + reach_of(what, c) * scale;

		x = fmax(x, draw_spread(out, &c->spread[mode], base, y, scale, end));
	}
	draw_value(out, what, c, mode, unit, x + 8, y);
}

/* ---- All of them ----------------------------------------------------------- */

/* As much of a name as there is room for. */
static void draw_name(FILE *out, const char *class, const char *name, double y)
{
	char text[4 * LABEL + 1];
	size_t used = 0, characters = 0;

	for (; name[used] && used < sizeof(text) - 1; used++) {
		if ((name[used] & 0xc0) != 0x80 && ++characters > LABEL)
			break;
		text[used] = name[used];
	}
	text[used] = '\0';
	fprintf(out, "<text class=\"%s\" x=\"0\" y=\"%.1f\">", class, y);
	html_escape(out, text);
	fputs(name[used] ? "…</text>\n" : "</text>\n", out);
}

static void draw_pair(FILE *out, enum compare_bars what, const struct comparison *c, double y,
		      double scale)
{
	double below = y + BAR + BETWEEN;
	char processes[TEXT], where[TEXT + 2 + COMPARE_TEXT];

	compare_count_text(processes, sizeof(processes), c->nprocs, "process", "processes");
	snprintf(where, sizeof(where), "%s, %s", processes,
		 c->network[0] ? c->network : c->transport);
	if (what == COMPARE_BARS_SHARE) {
		draw_name(out, "name", c->command, y + 0.7 * BAR);
		draw_name(out, "note", where, below + 0.7 * BAR);
	} else {
		draw_name(out, "name", processes, y + 0.7 * BAR);
	}
	draw_bar(out, what, c, COMPARE_CLASSIC, y, scale);
	draw_bar(out, what, c, COMPARE_RELAXED, below, scale);
}

void compare_bars_draw(FILE *out, enum compare_bars what, const struct comparison *const *c,
		       size_t n, const char *title)
{
	double height = 2 * EDGE + n * GROUP - APART;
	double longest = 0;

	for (size_t i = 0; i < n; i++)
		longest = fmax(longest, reach_of(what, c[i]));
	fprintf(out, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"",
		layouts[what].width, height);
	html_escape(out, title);
	fputs("\">\n", out);
	for (size_t i = 0; i < n; i++) {
		double own = what == COMPARE_BARS_SHARE ? reach_of(what, c[i]) : longest;

		draw_pair(out, what, c[i], EDGE + (double)i * GROUP, bars_scale_of(what, own));
	}
	fprintf(out, "<path class=\"base\" d=\"M%d 0V%.0f\"/>\n</svg>\n", layouts[what].bars,
		height);
}
