// SPDX-License-Identifier: BSD-3-Clause
/* plot.c - curves over two axes, linear or logarithmic, with a legend that hides and shows them. */

#include "plot.h"

#include "picture.h"
#include "style.h"

#include <math.h>
#include <string.h>

enum {
	MARKS_MOST = 12,
	MARK_WIDTH = 45, MARK_HEIGHT = 24,	/* that a mark takes of its axis */
	MARK_SIZE = 12,				/* of its letters */
	AWAY = 6,				/* of the axis */
};

/* Dashes, when the colours have been through. */
static const char *const dashes[] = { "", "6 3", "2 3", "8 3 2 3" };
enum { DASHES = sizeof(dashes) / sizeof(dashes[0]) };

/* ---- Axes --------------------------------------------------------------------------- */

struct plot plot_begin(struct plot_axis x, struct plot_axis y)
{
	x.low = y.low = HUGE_VAL;
	x.high = y.high = -HUGE_VAL;
	return (struct plot){ .x = x, .y = y };
}

static bool axis_shows(const struct plot_axis *a, double value)
{
	return isfinite(value) && (!a->is_log || value > 0);
}

static void axis_reach(struct plot_axis *a, double value)
{
	if (!axis_shows(a, value))
		return;
	a->low = fmin(a->low, value);
	a->high = fmax(a->high, value);
}

void plot_reach(struct plot *p, double x, double y)
{
	axis_reach(&p->x, x);
	axis_reach(&p->y, y);
}

/* Ends that leave a little room; a linear axis has 0. */
static void axis_finish(struct plot_axis *a, double from, double length)
{
	double step;

	a->from = from;
	a->length = length;
	if (!isfinite(a->low)) {
		a->low = 1;
		a->high = 10;
	}
	if (a->is_log && a->high <= a->low * 1.5) {
		a->low /= 2;
		a->high *= 2;
	} else if (a->is_log) {
		step = pow(a->high / a->low, 0.04);
		a->low /= step;
		a->high *= step;
	} else {
		a->low = fmin(a->low, 0);
		a->high = a->high > a->low ? a->high + 0.05 * (a->high - a->low) : a->low + 1;
	}
}

void plot_place(struct plot *p, double left, double top, double width, double height)
{
	axis_finish(&p->x, left, width);
	axis_finish(&p->y, top + height, -height);
}

static double axis_place(const struct plot_axis *a, double value)
{
	double part;

	if (a->is_log)
		part = log(fmax(value, a->low) / a->low) / log(a->high / a->low);
	else
		part = (value - a->low) / (a->high - a->low);
	return a->from + fmin(fmax(part, 0), 1) * a->length;
}

bool plot_shows(const struct plot *p, double x, double y)
{
	return axis_shows(&p->x, x) && axis_shows(&p->y, y);
}

double plot_x(const struct plot *p, double x)
{
	return axis_place(&p->x, x);
}

double plot_y(const struct plot *p, double y)
{
	return axis_place(&p->y, y);
}

/* ---- Marks ---------------------------------------------------------------------------- */

/* How many marks an axis has room for. */
static int marks_most(const struct plot_axis *a)
{
	int most = (int)(a->length < 0 ? -a->length / MARK_HEIGHT : a->length / MARK_WIDTH);

	return most > MARKS_MOST ? MARKS_MOST : most < 4 ? 4 : most;
}

/* At powers of @base, or at every second of them, or third. */
static int marks_log(const struct plot_axis *a, double base, double *at)
{
	double powers = log(a->high / a->low) / log(base);
	int most = marks_most(a), n = 0;
	double stride = fmax(1, ceil(powers / (most > 6 ? most - 2 : most - 1)));

	for (double e = ceil(log(a->low) / log(base) - 1e-9);
	     pow(base, e) <= a->high && n < MARKS_MOST; e += stride)
		at[n++] = pow(base, e);
	return n;
}

/* At multiples of 1, 2 or 5 times a power of ten, or of a power of two. */
static int marks_linear(const struct plot_axis *a, double *at)
{
	double range = a->high - a->low, step = pow(10, floor(log10(range / 4)));
	int most = marks_most(a) < 8 ? marks_most(a) : 8, n = 0;

	if (a->is_binary && range > most)
		step = pow(2, ceil(log2(range / most)));
	while (range / step > most)
		step *= range / step > 2 * most ? 5 : 2;
	for (double x = ceil(a->low / step) * step; x <= a->high * (1 + 1e-9) && n < MARKS_MOST;
	     x += step)
		at[n++] = x;
	return n;
}

/* Where marks are; how many. */
static int marks(const struct plot_axis *a, double *at)
{
	double base = a->is_binary ? 4 : 10;

	if (a->is_log && log(a->high / a->low) / log(base) >= 1.5)
		return marks_log(a, base, at);
	return marks_linear(a, at);
}

/* 1500 as 1.5k, and bytes by powers of two. */
static const char *mark_text(char *text, size_t len, double x, bool binary)
{
	static const char *const units[] = { "", "k", "M", "G", "T" };
	double base = binary ? 1024 : 1000;
	int u = 0;

	for (; fabs(x) >= base && u < 4; u++)
		x /= base;
	snprintf(text, len, "%.4g%s", x, units[u]);
	return text;
}

double plot_marks_width(const struct plot *p)
{
	double at[MARKS_MOST], width = 0;
	int n = marks(&p->y, at);
	char text[32];

	for (int i = 0; i < n; i++) {
		mark_text(text, sizeof(text), at[i], p->y.is_binary);
		width = fmax(width, svg_width(text, MARK_SIZE));
	}
	return width + AWAY;
}

void plot_axes(struct markup *m, const struct plot *p, bool y_marks)
{
	double left = p->x.from, right = left + p->x.length;
	double bottom = p->y.from, top = bottom + p->y.length;
	double at[MARKS_MOST];
	char text[32];

	for (int i = 0, n = marks(&p->x, at); i < n; i++) {
		double x = plot_x(p, at[i]);

		svg_line(m, "line", x, top, x, bottom);
		markup_close(m);
		svg_text(m, "soft", SVG_AROUND, x, bottom + 16, "%s",
			 mark_text(text, sizeof(text), at[i], p->x.is_binary));
	}
	for (int i = 0, n = marks(&p->y, at); i < n; i++) {
		double y = plot_y(p, at[i]);

		svg_line(m, "line", left, y, right, y);
		markup_close(m);
		if (y_marks)
			svg_text(m, "soft", SVG_UP_TO, left - AWAY, y + 4, "%s",
				 mark_text(text, sizeof(text), at[i], p->y.is_binary));
	}
	svg_line(m, "axis", left, top, left, bottom);
	markup_close(m);
	svg_line(m, "axis", left, bottom, right, bottom);
	markup_close(m);
}

void plot_labels(struct markup *m, const struct plot *p)
{
	svg_text(m, "soft", SVG_AROUND, p->x.from + p->x.length / 2, p->y.from + 36, "%s",
		 p->x.label);
	markup_open(m, "text");
	markup_attribute(m, "class", "soft");
	markup_attribute(m, "text-anchor", "middle");
	markup_attribute(m, "transform", "translate(14 %.0f) rotate(-90)",
			 p->y.from + p->y.length / 2);
	markup_text(m, "%s", p->y.label);
	markup_close(m);
}

/* ---- Curves ------------------------------------------------------------------------- */

static void plot_class(char *class, size_t len, const char *kind, int number)
{
	snprintf(class, len, "%s c%d t%d", kind, number % STYLE_COLOURS, number);
}

static const char *plot_dash(int number)
{
	return dashes[number / STYLE_COLOURS % DASHES];
}

struct plot_pen plot_curve(struct markup *m, const struct plot *p, int number)
{
	char class[40];

	plot_class(class, sizeof(class), "curve", number);
	markup_open(m, "path");
	markup_attribute(m, "class", "%s", class);
	markup_attribute(m, "stroke-dasharray", "%s", plot_dash(number));
	fputs(" d=\"", m->out);
	return (struct plot_pen){ .m = m, .p = p, .command = 'M' };
}

void plot_curve_to(struct plot_pen *pen, double x, double y)
{
	if (!plot_shows(pen->p, x, y))
		return;
	fprintf(pen->m->out, "%c%.1f %.1f", pen->command, plot_x(pen->p, x), plot_y(pen->p, y));
	pen->command = 'L';
}

void plot_curve_end(struct plot_pen *pen)
{
	putc('"', pen->m->out);
	markup_close(pen->m);
}

void plot_spread(struct markup *m, const struct plot *p, int number, double x, double low,
		 double high)
{
	double from = axis_shows(&p->y, low) ? low : p->y.low;
	char class[40];

	plot_class(class, sizeof(class), "spread", number);
	svg_line(m, class, plot_x(p, x), plot_y(p, from), plot_x(p, x), plot_y(p, high));
	markup_close(m);
}

void plot_dot(struct markup *m, const struct plot *p, int number, bool hollow, double x, double y)
{
	char class[40];

	plot_class(class, sizeof(class), hollow ? "dot hollow" : "dot", number);
	svg_dot(m, class, plot_x(p, x), plot_y(p, y), 2.6);
}

/* ---- Legend ------------------------------------------------------------------------- */

static bool legend_is_shared(const struct plot_name *names, int n, int part)
{
	for (int i = 1; i < n; i++)
		if (strcmp(names[i].part[part], names[0].part[part]) != 0)
			return false;
	return n > 1;
}

/* Words of a name: those that all have, or the others; "", or with commas between. */
static void legend_words(const struct plot_name *name, const bool *is_shared, bool shared,
			 char *text, size_t len)
{
	size_t used = 0;

	text[0] = '\0';
	for (int part = 0; part < PLOT_PARTS; part++)
		if (is_shared[part] == shared && name->part[part][0] && used < len)
			used += (size_t)snprintf(text + used, len - used, "%s%s",
						 used ? ", " : "", name->part[part]);
}

static void legend_entry(struct markup *m, int number, const char *text)
{
	markup_open(m, "li");
	markup_open(m, "label");
	markup_attribute(m, "class", "toggle");
	if (number < STYLE_TOGGLES) {
		markup_open(m, "input");
		markup_attribute(m, "type", "checkbox");
		markup_attribute(m, "class", "t%d", number);
		markup_attribute(m, "checked", "checked");
		markup_close(m);
	}
	markup_open(m, "svg");
	markup_attribute(m, "width", "24");
	markup_attribute(m, "height", "12");
	markup_attribute(m, "aria-hidden", "true");
	markup_open(m, "path");
	markup_attribute(m, "class", "curve c%d", number % STYLE_COLOURS);
	markup_attribute(m, "stroke-dasharray", "%s", plot_dash(number));
	markup_attribute(m, "d", "M0 6H24");
	markup_close(m);
	markup_close(m);
	markup_text(m, "%s", text);
	markup_close(m);
	markup_close(m);
}

void plot_legend(struct markup *m, const struct plot_name *names, int n)
{
	bool is_shared[PLOT_PARTS];
	char text[1024];

	for (int part = 0; part < PLOT_PARTS; part++)
		is_shared[part] = legend_is_shared(names, n, part);
	if (n > 1) {
		legend_words(&names[0], is_shared, true, text, sizeof(text));
		if (text[0])
			markup_element(m, "p", "about", "All curves: %s", text);
	}
	markup_open(m, "ul");
	markup_attribute(m, "class", "legend");
	for (int i = 0; i < n; i++) {
		legend_words(&names[i], is_shared, false, text, sizeof(text));
		legend_entry(m, i, text[0] ? text : "measured again");
	}
	markup_close(m);
}
