// SPDX-License-Identifier: BSD-3-Clause
/* gauge_out_plot.c - one plot of a page: curves with their intervals, and a legend. */

#include "tools/bspgauge/gauge.h"
#include "common/page/picture.h"
#include "common/page/plot.h"

#include <stdlib.h>
#include <string.h>

enum {
	WIDTH = 620, HEIGHT = 360,
	LEFT = 62, RIGHT = 14, TOP = 14, BOTTOM = 44,	/* around the curves */
};

/* Each series that a plot has, with what it belongs to. */
struct curve {
	const struct gauge_report *report;
	const struct gauge_result *result;
	const struct gauge_series *series;
	char disturbed[GAUGE_NAME];	/* how other programs disturbed it, or "" */
	struct plot_name name;
};

struct curves {
	struct curve *at;
	int n;
};

static void plot_add_curve(struct curves *all, const struct gauge_report *report,
			   const struct gauge_result *result, const struct gauge_series *series)
{
	all->at = gauge_memory(all->at, (all->n + 1) * sizeof(*all->at));
	all->at[all->n] = (struct curve){ .report = report, .result = result, .series = series };
	gauge_disturbed(result, all->at[all->n++].disturbed);
}

/* Name curves, when none of them moves any more, so that they differ. */
static void name_curves(struct curves *all, bool several)
{
	for (int i = 0; i < all->n; i++) {
		struct curve *c = &all->at[i];
		bool named = strcmp(c->series->name, c->result->pattern) != 0;

		c->name = (struct plot_name){ { several ? c->report->file : "", c->result->module,
						named ? c->series->name : "", c->disturbed } };
	}
}

static struct curves find_curves(const struct gauge_reports *all, const struct gauge_plot *plot)
{
	struct curves found = { .n = 0 };

	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < all->at[i].n; k++)
			for (size_t s = 0; s < all->at[i].result[k].n; s++) {
				const struct gauge_result *r = &all->at[i].result[k];

				if (r->series[s].n && strcmp(r->series[s].plot, plot->name) == 0)
					plot_add_curve(&found, &all->at[i], r,
						       &r->series[s]);
			}
	name_curves(&found, all->n > 1);
	return found;
}

static struct plot axes_of(const struct gauge_plot *plot, const struct curves *all)
{
	bool sizes = strstr(plot->x, "bytes") || strstr(plot->x, "words");
	struct plot p = plot_begin(
		(struct plot_axis){ .label = plot->x, .is_log = plot->log_x, .is_binary = sizes },
		(struct plot_axis){ .label = plot->y, .is_log = plot->log_y });

	for (int i = 0; i < all->n; i++)
		for (size_t k = 0; k < all->at[i].series->n; k++)
			plot_reach(&p, all->at[i].series->at[k].x,
				   all->at[i].series->at[k].v.median);
	plot_place(&p, LEFT, TOP, WIDTH - RIGHT - LEFT, HEIGHT - BOTTOM - TOP);
	return p;
}

static void draw_point(struct markup *m, const struct plot *p, const struct gauge_plot *plot,
		       const struct curve *c, int number, const struct gauge_point *at)
{
	const struct measure_value *v = &at->v;
	const char *between = "";

	if (!plot_shows(p, at->x, v->median))
		return;
	if (v->high > v->low)
		plot_spread(m, p, number, at->x, v->low, v->high);
	plot_dot(m, p, number, v->flagged, at->x, v->median);
	markup_open(m, "title");
	for (int part = 0; part < PLOT_PARTS; part++)
		if (c->name.part[part][0]) {
			markup_text(m, "%s%s", between, c->name.part[part]);
			between = ", ";
		}
	markup_text(m, ", %.6g %s: %.5g %s, %.5g to %.5g, %d samples, %d outliers", at->x, plot->x,
		    v->median, c->series->unit, v->low, v->high, v->n, v->outliers);
	if (v->flagged)
		markup_text(m, "; %s", v->why);
	markup_close(m);
	markup_close(m);
}

static void gauge_draw_curve(struct markup *m, const struct plot *p, const struct gauge_plot *plot,
			     const struct curve *c, int number)
{
	struct plot_pen pen = plot_curve(m, p, number);

	for (size_t i = 0; i < c->series->n; i++)
		plot_curve_to(&pen, c->series->at[i].x, c->series->at[i].v.median);
	plot_curve_end(&pen);
	for (size_t i = 0; i < c->series->n; i++)
		draw_point(m, p, plot, c, number, &c->series->at[i]);
}

static void gauge_write_legend(struct markup *m, const struct curves *all)
{
	struct plot_name *names = gauge_memory(NULL, all->n * sizeof(*names));

	for (int i = 0; i < all->n; i++)
		names[i] = all->at[i].name;
	plot_legend(m, names, all->n);
	free(names);
}

void gauge_out_plot(struct markup *m, const struct gauge_reports *all,
		    const struct gauge_plot *plot)
{
	struct curves curves = find_curves(all, plot);
	struct plot p = axes_of(plot, &curves);

	if (curves.n == 0)
		return;
	markup_open(m, "figure");
	markup_attribute(m, "id", "%s", plot->name);
	markup_attribute(m, "class", "card");
	markup_element(m, "figcaption", NULL, "%s", plot->title);
	markup_element(m, "p", "about", "%s", plot->what);
	svg_begin(m, WIDTH, HEIGHT, plot->title);
	plot_axes(m, &p, true);
	plot_labels(m, &p);
	for (int i = 0; i < curves.n; i++)
		gauge_draw_curve(m, &p, plot, &curves.at[i], i);
	svg_end(m);
	gauge_write_legend(m, &curves);
	markup_close(m);
	free(curves.at);
}
