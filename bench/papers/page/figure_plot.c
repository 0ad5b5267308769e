// SPDX-License-Identifier: BSD-3-Clause
/* figure_plot.c - published values as hollow dots and ours as full ones, a plot for each panel. */

#include "figure_plot.h"

#include "common/page/page.h"
#include "common/page/picture.h"
#include "common/page/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	WIDTH = 620, HEIGHT = 320,
	LEFT = 62, RIGHT = 14, TOP = 14, BOTTOM = 44,	/* around the curves */
	CURVES = 40, PANELS = 32,
	ENTRY = 18, HEAD = 40,				/* lines of a picture */
};

struct panel_curve {
	const struct sheet *sheet;
	const char *series;
	bool published;
};

struct panel {
	const char *series;		/* its first */
	size_t len;			/* of the panel's name in it */
	struct panel_curve curve[CURVES];
	int curves;
};

static bool panel_has(const struct panel *p, const char *series)
{
	return sheet_panel(series) == p->len && strncmp(series, p->series, p->len) == 0;
}

static void panel_add_curve(struct panel *p, const struct sheet *s, const char *series,
			    bool published)
{
	for (int i = 0; i < p->curves; i++)
		if (p->curve[i].sheet == s && strcmp(p->curve[i].series, series) == 0)
			return;
	if (p->curves < CURVES)
		p->curve[p->curves++] = (struct panel_curve){ s, series, published };
}

static struct panel *panel_of(struct panel *all, int *n, const char *series)
{
	for (int i = 0; i < *n; i++)
		if (panel_has(&all[i], series))
			return &all[i];
	if (*n == PANELS)
		return NULL;
	all[*n] = (struct panel){ .series = series, .len = sheet_panel(series) };
	return &all[(*n)++];
}

static void panels_add(struct panel *all, int *n, const struct sheet *s, bool published)
{
	for (size_t i = 0; i < s->n; i++) {
		struct panel *p = panel_of(all, n, s->row[i].series);

		if (p)
			panel_add_curve(p, s, s->row[i].series, published);
	}
}

/* All panels, ours first, so that a curve has its colour whether or not values are published. */
static struct panel *panels_find(const struct figure *f, int *n)
{
	struct panel *all = calloc(PANELS, sizeof(*all));

	*n = 0;
	if (!all)
		return NULL;
	panels_add(all, n, &f->ours, false);
	panels_add(all, n, &f->published, true);
	return all;
}

static struct plot panel_axes(const struct figure *f, const struct panel *p, double top)
{
	struct plot plot = plot_begin(
		(struct plot_axis){ .label = f->x.label, .is_log = f->x.is_log,
				    .is_binary = f->x.is_binary },
		(struct plot_axis){ .label = f->y.label, .is_log = f->y.is_log,
				    .is_binary = f->y.is_binary });

	for (int i = 0; i < p->curves; i++)
		for (size_t k = 0; k < p->curve[i].sheet->n; k++) {
			const struct sheet_row *row = &p->curve[i].sheet->row[k];

			if (strcmp(row->series, p->curve[i].series) == 0)
				plot_reach(&plot, row->x, row->value);
		}
	plot_place(&plot, LEFT, top + TOP, WIDTH - RIGHT - LEFT, HEIGHT - BOTTOM - TOP);
	return plot;
}

static const char *curve_name(const struct panel *p, const struct panel_curve *c)
{
	return c->series + (p->len ? p->len + 1 : 0);
}

static void draw_row(struct markup *m, const struct plot *plot, int number,
		     const struct panel_curve *c, const struct sheet_row *row)
{
	if (!plot_shows(plot, row->x, row->value))
		return;
	if (row->high > row->low)
		plot_spread(m, plot, number, row->x, row->low, row->high);
	plot_dot(m, plot, number, c->published, row->x, row->value);
	svg_tip(m, "%s%s, %.6g: %.5g %s, %.5g to %.5g", c->published ? "published: " : "",
		row->series, row->x, row->value, row->unit, row->low, row->high);
	markup_close(m);
}

static void draw_panel_curve(struct markup *m, const struct plot *plot, int number,
			     const struct panel_curve *c)
{
	struct plot_pen pen = plot_curve(m, plot, number);

	for (size_t i = 0; i < c->sheet->n; i++)
		if (strcmp(c->sheet->row[i].series, c->series) == 0)
			plot_curve_to(&pen, c->sheet->row[i].x, c->sheet->row[i].value);
	plot_curve_end(&pen);
	for (size_t i = 0; i < c->sheet->n; i++)
		if (strcmp(c->sheet->row[i].series, c->series) == 0)
			draw_row(m, plot, number, c, &c->sheet->row[i]);
}

static void draw_panel(struct markup *m, const struct figure *f, const struct panel *p, double top)
{
	struct plot plot = panel_axes(f, p, top);

	plot_axes(m, &plot, true);
	plot_labels(m, &plot);
	for (int i = 0; i < p->curves; i++)
		draw_panel_curve(m, &plot, i, &p->curve[i]);
}

static void panel_legend(struct markup *m, const struct panel *p)
{
	struct plot_name names[CURVES];

	for (int i = 0; i < p->curves; i++)
		names[i] = (struct plot_name){ { curve_name(p, &p->curve[i]), "",
						 p->curve[i].published ? "published" : "", "" } };
	plot_legend(m, names, p->curves);
}

void figure_plots(struct markup *m, const struct figure *f)
{
	int n;
	struct panel *all = panels_find(f, &n);

	page_grid(m);
	for (int i = 0; i < n; i++) {
		markup_open(m, "figure");
		if (all[i].len)
			markup_element(m, "figcaption", NULL, "%.*s", (int)all[i].len,
				       all[i].series);
		svg_begin(m, WIDTH, HEIGHT, f->title);
		draw_panel(m, f, &all[i], 0);
		svg_end(m);
		panel_legend(m, &all[i]);
		markup_close(m);
	}
	markup_close(m);
	free(all);
}

static double panel_height(const struct panel *p)
{
	return HEAD + HEIGHT + ENTRY * (p->curves + 1);
}

/* A short curve for each entry, in its colour, and its name. */
static void picture_legend(struct markup *m, const struct panel *p, double top)
{
	struct plot line = plot_begin((struct plot_axis){ .label = "" },
				      (struct plot_axis){ .label = "" });

	plot_reach(&line, 0, 0);
	plot_reach(&line, 1, 1);
	for (int i = 0; i < p->curves; i++) {
		double y = top + ENTRY * i;
		struct plot_pen pen;

		plot_place(&line, LEFT, y, 24, 0);
		pen = plot_curve(m, &line, i);
		plot_curve_to(&pen, 0, 0);
		plot_curve_to(&pen, 1, 1);
		plot_curve_end(&pen);
		svg_text(m, "soft", SVG_FROM, LEFT + 32, y + 4, "%s%s",
			 curve_name(p, &p->curve[i]), p->curve[i].published ? ", published" : "");
	}
}

void figure_picture(FILE *out, const struct figure *f)
{
	int n;
	struct panel *all = panels_find(f, &n);
	double top = HEAD;
	struct markup m;

	for (int i = 0; i < n; i++)
		top += panel_height(&all[i]);
	svg_document(&m, out, fmax(WIDTH, 2 * LEFT + svg_width(f->title, 17)), top, f->title);
	svg_text(&m, "title", SVG_FROM, LEFT, 26, "%s", f->title);
	top = HEAD;
	for (int i = 0; i < n; i++) {
		svg_text(&m, "head", SVG_FROM, LEFT, top + 24, "%.*s", (int)all[i].len,
			 all[i].series);
		draw_panel(&m, f, &all[i], top + HEAD - TOP);
		picture_legend(&m, &all[i], top + HEAD + HEIGHT);
		top += panel_height(&all[i]);
	}
	markup_end(&m);
	free(all);
}
