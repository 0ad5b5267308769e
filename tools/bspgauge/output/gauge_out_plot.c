// SPDX-License-Identifier: BSD-3-Clause
/* gauge_out_plot.c - one plot as SVG: axes, curves with their intervals, and a legend. */

#include "tools/bspgauge/gauge.h"
#include "common/escape.h"

#include <math.h>
#include <string.h>

/* Lengths are in units of the picture, which is as wide as there is room. */
enum {
	WIDTH = 620, HEIGHT = 360,
	LEFT = 62, RIGHT = 14, TOP = 14, BOTTOM = 44,
	COLOURS = 10, TICKS_MOST = 12, LABEL = 3 * GAUGE_TEXT,
};

/* Dashes, when the colours have been through. */
static const char *const dashes[] = { "", "6 3", "2 3", "8 3 2 3" };

struct axis {
	double low, high;
	double from, length;	/* on the picture; up is negative */
	bool is_log;
};

struct picture {
	const struct gauge_plot *plot;
	struct axis x, y;
};

/* Each series that a plot has, with what it belongs to. */
struct curve {
	const struct gauge_reports *all;
	const struct gauge_report *report;
	const struct gauge_result *result;
	const struct gauge_series *series;
	int number;
};

typedef void each_curve(const struct curve *c, void *arg);

static int for_each(const struct gauge_reports *all, const struct gauge_plot *plot,
		    each_curve *call, void *arg)
{
	struct curve c = { .all = all };

	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < all->at[i].n; k++)
			for (size_t s = 0; s < all->at[i].result[k].n; s++) {
				c.report = &all->at[i];
				c.result = &all->at[i].result[k];
				c.series = &c.result->series[s];
				if (c.series->n == 0 || strcmp(c.series->plot, plot->name) != 0)
					continue;
				call(&c, arg);
				c.number++;
			}
	return c.number;
}

/* ---- Axes --------------------------------------------------------------------------- */

/* Can it be drawn on the axis at all? */
static bool can_show(const struct axis *a, double value)
{
	return isfinite(value) && (!a->is_log || value > 0);
}

static double plot_place(const struct axis *a, double value)
{
	double part;

	if (a->is_log)
		part = log(fmax(value, a->low) / a->low) / log(a->high / a->low);
	else
		part = (value - a->low) / (a->high - a->low);
	return a->from + fmin(fmax(part, 0), 1) * a->length;
}

static void plot_widen(struct axis *a, double value)
{
	if (!can_show(a, value))
		return;
	a->low = fmin(a->low, value);
	a->high = fmax(a->high, value);
}

static void plot_reach(const struct curve *c, void *arg)
{
	struct picture *p = arg;

	for (size_t i = 0; i < c->series->n; i++) {
		const struct gauge_point *at = &c->series->at[i];

		plot_widen(&p->x, at->x);
		plot_widen(&p->y, at->v.median);
	}
}

/* Round ends that leave a little room. */
static void plot_finish(struct axis *a)
{
	double step;

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

/* 1500 as 1.5k, and bytes by powers of two. */
static void write_number(char *text, size_t len, double x, bool binary)
{
	static const char units[] = { ' ', 'k', 'M', 'G' };
	double base = binary ? 1024 : 1000;
	int u = 0;

	while (fabs(x) >= base && u < 3) {
		x /= base;
		u++;
	}
	snprintf(text, len, "%.4g%c", x, units[u]);
	if (u == 0)
		text[strlen(text) - 1] = '\0';
}

/* Where marks are; how many. */
static int ticks(const struct axis *a, double base, double *at)
{
	double decades = log(a->high / a->low) / log(base),
	       stride = fmax(1, ceil(decades / (TICKS_MOST - 2)));
	double step;
	int n = 0;

	if (a->is_log && decades >= 1.5) {
		for (double e = ceil(log(a->low) / log(base) - 1e-9);
		     pow(base, e) <= a->high && n < TICKS_MOST; e += stride)
			at[n++] = pow(base, e);
		return n;
	}
	step = pow(10, floor(log10((a->high - a->low) / 4)));
	while ((a->high - a->low) / step > 8)
		step *= (a->high - a->low) / step > 16 ? 5 : 2;
	for (double x = ceil(a->low / step) * step; x <= a->high * (1 + 1e-9) && n < TICKS_MOST;
	     x += step)
		at[n++] = x;
	return n;
}

static void draw_x(FILE *out, const struct picture *p)
{
	bool binary = strstr(p->plot->x, "bytes") || strstr(p->plot->x, "words");
	double at[TICKS_MOST];
	int n = ticks(&p->x, binary ? 4 : 10, at);
	char text[GAUGE_NAME];

	for (int i = 0; i < n; i++) {
		double x = plot_place(&p->x, at[i]);

		write_number(text, sizeof(text), at[i], binary);
		fprintf(out,
			"<path class=\"grid\" d=\"M%.1f %dV%d\"/><text class=\"middle\" "
			"x=\"%.1f\" y=\"%d\">%s</text>\n",
			x, TOP, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 16, text);
	}
	fprintf(out, "<text class=\"middle\" x=\"%d\" y=\"%d\">%s</text>\n",
		(LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, p->plot->x);
}

static void draw_y(FILE *out, const struct picture *p)
{
	double at[TICKS_MOST];
	int n = ticks(&p->y, 10, at);
	char text[GAUGE_NAME];

	for (int i = 0; i < n; i++) {
		double y = plot_place(&p->y, at[i]);

		write_number(text, sizeof(text), at[i], false);
		fprintf(out,
			"<path class=\"grid\" d=\"M%d %.1fH%d\"/><text class=\"end\" x=\"%d\" "
			"y=\"%.1f\">%s</text>\n",
			LEFT, y, WIDTH - RIGHT, LEFT - 6, y + 4, text);
	}
	fprintf(out,
		"<text class=\"middle\" transform=\"translate(14 %d) rotate(-90)\">%s</text>\n",
		(TOP + HEIGHT - BOTTOM) / 2, p->plot->y);
	fprintf(out, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP, HEIGHT - BOTTOM,
		WIDTH - RIGHT);
}

/* ---- Curves ------------------------------------------------------------------------- */

struct drawing {
	FILE *out;
	const struct picture *p;
};

static const char *dash_of(int number)
{
	return dashes[number / COLOURS % (int)(sizeof(dashes) / sizeof(dashes[0]))];
}

static bool shows(const struct picture *p, const struct gauge_point *at)
{
	return can_show(&p->x, at->x) && can_show(&p->y, at->v.median);
}

/* A label that differs from those of the other curves of its plot. */
static void label_curve(char *text, size_t len, const struct curve *c)
{
	bool several = c->all->n > 1, named = strcmp(c->series->name, c->result->pattern) != 0;
	char disturbed[GAUGE_NAME];

	snprintf(text, len, "%s%s%s%s%s%s%s", several ? c->report->file : "", several ? ": " : "",
		 c->result->module, named ? ", " : "", named ? c->series->name : "",
		 c->result->taken > 0 ? "; " : "", gauge_disturbed(c->result, disturbed));
}

static void plot_draw_line(const struct drawing *d, const struct curve *c)
{
	char command = 'M';

	fprintf(d->out, "<path class=\"curve\" stroke=\"var(--c%d)\" stroke-dasharray=\"%s\" d=\"",
		c->number % COLOURS, dash_of(c->number));
	for (size_t i = 0; i < c->series->n; i++) {
		const struct gauge_point *at = &c->series->at[i];

		if (!shows(d->p, at))
			continue;
		fprintf(d->out, "%c%.1f %.1f", command, plot_place(&d->p->x, at->x),
			plot_place(&d->p->y, at->v.median));
		command = 'L';
	}
	fputs("\"/>\n", d->out);
}

static void draw_point(const struct drawing *d, const struct curve *c, const struct gauge_point *at)
{
	double x = plot_place(&d->p->x, at->x), y = plot_place(&d->p->y, at->v.median);
	double low = can_show(&d->p->y, at->v.low) ? at->v.low : d->p->y.low;
	int colour = c->number % COLOURS;
	char label[LABEL];

	label_curve(label, sizeof(label), c);
	if (at->v.high > at->v.low)
		fprintf(d->out,
			"<path class=\"spread\" stroke=\"var(--c%d)\" d=\"M%.1f %.1fV%.1f\"/>\n",
			colour, x, plot_place(&d->p->y, low), plot_place(&d->p->y, at->v.high));
	fprintf(d->out,
		"<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" fill=\"var(--c%d)\" "
		"stroke=\"var(--c%d)\"><title>",
		at->v.flagged ? "flagged" : "point", x, y, colour, colour);
	html_escape(d->out, label);
	fprintf(d->out, ", %.6g %s: %.5g %s, %.5g to %.5g, %d samples, %d outliers", at->x,
		d->p->plot->x, at->v.median, c->series->unit, at->v.low, at->v.high, at->v.n,
		at->v.outliers);
	if (at->v.flagged) {
		fputs("; ", d->out);
		html_escape(d->out, at->v.why);
	}
	fputs("</title></circle>\n", d->out);
}

static void draw_curve(const struct curve *c, void *arg)
{
	const struct drawing *d = arg;

	plot_draw_line(d, c);
	for (size_t i = 0; i < c->series->n; i++)
		if (shows(d->p, &c->series->at[i]))
			draw_point(d, c, &c->series->at[i]);
}

static void draw_legend(const struct curve *c, void *arg)
{
	const struct drawing *d = arg;
	char label[LABEL];

	label_curve(label, sizeof(label), c);
	fprintf(d->out,
		"<li><svg viewBox=\"0 0 24 12\" aria-hidden=\"true\"><path class=\"curve\" "
		"stroke=\"var(--c%d)\""
		" stroke-dasharray=\"%s\" d=\"M0 6H24\"/></svg>",
		c->number % COLOURS, dash_of(c->number));
	html_escape(d->out, label);
	fputs("</li>\n", d->out);
}

bool gauge_out_plot(FILE *out, const struct gauge_reports *all, const struct gauge_plot *plot)
{
	struct picture p = {
		.plot = plot,
		.x = { HUGE_VAL, -HUGE_VAL, LEFT, WIDTH - RIGHT - LEFT, plot->log_x },
		.y = { HUGE_VAL, -HUGE_VAL, HEIGHT - BOTTOM, -(HEIGHT - BOTTOM - TOP),
		       plot->log_y },
	};
	struct drawing d = { out, &p };

	if (for_each(all, plot, plot_reach, &p) == 0)
		return false;
	plot_finish(&p.x);
	plot_finish(&p.y);
	fprintf(out, "<figure id=\"%s\">\n<figcaption>%s</figcaption>\n<p>%s</p>\n", plot->name,
		plot->title, plot->what);
	fprintf(out, "<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
		WIDTH, HEIGHT, plot->title);
	draw_x(out, &p);
	draw_y(out, &p);
	for_each(all, plot, draw_curve, &d);
	fputs("</svg>\n<ul class=\"legend\">\n", out);
	for_each(all, plot, draw_legend, &d);
	fputs("</ul>\n</figure>\n", out);
	return true;
}
