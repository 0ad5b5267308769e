// SPDX-License-Identifier: BSD-3-Clause
/* bspprobe_svg.c - predictions as lines and measured times as dots. */

/*
 * One row of pictures for each operation over the size of messages, for all processes; then the
 * same over the number of processes at one size. All axes are logarithmic and those of an
 * operation are the same, so that algorithms can be compared at a glance.
 */

#include "bspprobe.h"
#include "common/page/machine.h"
#include "common/page/page.h"
#include "common/page/picture.h"
#include "common/page/plot.h"
#include "common/replace.h"

#include <errno.h>
#include <math.h>

enum {
	WIDTH = 210, HEIGHT = 150,	/* of a picture */
	EDGE = 20, TOP = 92, GAP = 30,	/* around and between */
	COLUMNS = 4, LABEL = 46,
	TEXT = 1600,
	MODEL = 0, REAL = 1,		/* colours of curves and dots */
};

/* A group of pictures: an operation, over sizes or over numbers of processes. */
struct group {
	const struct probe_result *r;
	enum goal_kind kind;
	bool by_size;
	struct plot plot;
};

static double x_of(const struct group *g, const struct probe_row *w)
{
	return g->by_size ? fmax(1, (double)w->task.bytes) : w->nprocs;
}

/*
 * Over processes: the rows of the size that has several numbers of them. No barriers by multicast
 * or over two networks, and nothing in two levels: a picture has one line.
 */
static bool is_in(const struct group *g, const struct probe_row *w)
{
	const struct probe_rows *rows = &g->r->rows;

	if (w->task.kind != g->kind || w->task.release == GOAL_RELEASE_MULTICAST ||
	    w->task.networks == 2 || w->task.node > 1 || w->task.nodes)
		return false;
	if (g->by_size)
		return w->nprocs == g->r->key.nprocs;
	for (size_t i = 0; i < rows->n; i++)
		if (rows->at[i].task.kind == g->kind && rows->at[i].nprocs != g->r->key.nprocs &&
		    rows->at[i].task.bytes == w->task.bytes)
			return true;
	return false;
}

/* The axes of all pictures; are there at least two values of x? A line needs two. */
static bool measure_axes(struct group *g)
{
	double low = HUGE_VAL, high = 0;

	g->plot = plot_begin(
		(struct plot_axis){ .is_log = true, .is_binary = g->by_size },
		(struct plot_axis){ .is_log = true });
	for (size_t i = 0; i < g->r->rows.n; i++) {
		const struct probe_row *w = &g->r->rows.at[i];

		if (!is_in(g, w))
			continue;
		low = fmin(low, x_of(g, w));
		high = fmax(high, x_of(g, w));
		plot_reach(&g->plot, x_of(g, w), w->predicted * 1e-3);
		plot_reach(&g->plot, x_of(g, w), w->took.median * 1e-3);
	}
	return high > low;
}

/* Rows of one algorithm; over processes those of all come last but were measured first. */
static void probe_draw_line(struct markup *m, const struct group *g, const struct goal_algorithm *a)
{
	const struct probe_rows *rows = &g->r->rows;
	struct plot_pen pen = plot_curve(m, &g->plot, MODEL);

	for (int last = 0; last < 2; last++)
		for (size_t i = 0; i < rows->n; i++) {
			const struct probe_row *w = &rows->at[i];
			bool is_last = !g->by_size && w->nprocs == g->r->key.nprocs;

			if (w->task.algorithm == a && is_in(g, w) && is_last == last)
				plot_curve_to(&pen, x_of(g, w), w->predicted * 1e-3);
		}
	plot_curve_end(&pen);
}

static void probe_draw_dots(struct markup *m, const struct group *g, const struct goal_algorithm *a)
{
	for (size_t i = 0; i < g->r->rows.n; i++) {
		const struct probe_row *w = &g->r->rows.at[i];
		double us = w->took.median * 1e-3;

		if (w->task.algorithm != a || !is_in(g, w) || !plot_shows(&g->plot, x_of(g, w), us))
			continue;
		plot_dot(m, &g->plot, REAL, false, x_of(g, w), us);
		svg_tip(m, "%.3f us measured, %.3f us predicted", us, w->predicted * 1e-3);
		markup_close(m);
	}
}

static bool has_rows(const struct group *g, const struct goal_algorithm *a)
{
	for (size_t i = 0; i < g->r->rows.n; i++)
		if (g->r->rows.at[i].task.algorithm == a && is_in(g, &g->r->rows.at[i]))
			return true;
	return false;
}

/* One algorithm; @first: it is at the left. */
static void draw_algorithm(struct markup *m, const struct group *g, const struct goal_algorithm *a,
			   double left, double top, bool first)
{
	struct group here = *g;

	plot_place(&here.plot, left, top, WIDTH, HEIGHT);
	svg_text(m, "name", SVG_FROM, left, top - 7, "%s", a->name);
	svg_rect(m, "frame", left, top, WIDTH, HEIGHT);
	markup_close(m);
	plot_axes(m, &here.plot, first);
	probe_draw_line(m, &here, a);
	probe_draw_dots(m, &here, a);
}

/* The room that the marks of y need at the left. */
static double group_left(const struct group *g)
{
	struct plot p = g->plot;

	plot_place(&p, 0, 0, WIDTH, HEIGHT);
	return EDGE + plot_marks_width(&p);
}

/* All pictures of a group from @top on; where the next may begin. Without @m: only that. */
static double draw_group(struct markup *m, const struct group *g, double top)
{
	double first = group_left(g);
	int n = 0;

	if (m)
		svg_text(m, "head", SVG_FROM, EDGE, top, "%s over %s: microseconds, %s",
			 goal_kind_name(g->kind), g->by_size ? "size" : "processes",
			 g->by_size ? "bytes" : "processes");
	top += 2 * GAP - 14;
	for (unsigned int i = 0; goal_algorithm(g->kind, i); i++) {
		const struct goal_algorithm *a = goal_algorithm(g->kind, i);

		if (!has_rows(g, a))
			continue;
		if (n > 0 && n % COLUMNS == 0)
			top += HEIGHT + LABEL + 8;
		if (m)
			draw_algorithm(m, g, a, first + n % COLUMNS * (WIDTH + GAP), top,
				       n % COLUMNS == 0);
		n++;
	}
	return top + HEIGHT + LABEL + GAP;
}

/* All groups; where they end, and *@left for the widest marks. */
static double draw_all(struct markup *m, const struct probe_result *r, double *left)
{
	double top = TOP + GAP;

	for (int i = 0; i < 2 * GOAL_KINDS; i++) {
		struct group g = { .r = r, .kind = i / 2, .by_size = i % 2 == 0 };

		if (!measure_axes(&g))
			continue;
		*left = fmax(*left, group_left(&g));
		top = draw_group(m, &g, top);
	}
	return top;
}

static void draw_title(struct markup *m, const struct probe_result *r, const char *about)
{
	svg_text(m, "title", SVG_FROM, EDGE, 30, "Collective operations: predicted and measured");
	svg_text(m, "soft", SVG_FROM, EDGE, 50, "%s", about);
	svg_text(m, "soft", SVG_FROM, EDGE, 68, "%d processes; line: the model; dots: measured",
		 r->key.nprocs);
}

/* As wide as the widest row and the longest line of words. */
static void draw_page(FILE *out, const struct probe_result *r)
{
	struct page_machine machine;
	const struct page_conditions c = {
		.host = r->key.host, .processor = machine.processor, .network = r->key.network,
		.date = r->date, .version = page_version, .command = r->command,
	};
	double left = EDGE, height = draw_all(NULL, r, &left), width;
	char conditions[TEXT], about[2 * TEXT];
	struct markup m;

	page_machine(&machine);
	page_conditions_text(&c, conditions, sizeof(conditions));
	snprintf(about, sizeof(about), "transport %s, %s", r->key.transport, conditions);
	width = fmax(left + COLUMNS * (WIDTH + GAP), EDGE + svg_width(about, 12) + EDGE);
	svg_document(&m, out, width, height, "Collective operations: predicted and measured");
	draw_title(&m, r, about);
	draw_all(&m, r, &left);
	markup_end(&m);
}

int probe_write_svg(const char *path, const struct probe_result *r)
{
	struct replacement file;

	errno = replace_begin(&file, path);
	if (errno)
		return -1;
	draw_page(file.out, r);
	errno = replace_end(&file, true);
	return errno ? -1 : 0;
}
