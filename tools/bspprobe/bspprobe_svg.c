// SPDX-License-Identifier: BSD-3-Clause
/* bspprobe_svg.c - predictions as lines and measured times as dots. */

/*
 * One row of pictures for each operation over the size of messages, for all processes; then the
 * same over the number of processes at one size. All axes are logarithmic and those of an
 * operation are the same, so that algorithms can be compared at a glance. Colours follow the
 * reader's preference for light or dark.
 */

#include "bspprobe.h"
#include "common/escape.h"
#include "common/replace.h"

#include <errno.h>
#include <math.h>

enum {
	WIDTH = 210, HEIGHT = 150,	/* of a picture */
	LEFT = 58, TOP = 66, GAP = 26,	/* around and between */
	COLUMNS = 4, LABEL = 40,
};

static const char head[] =
	"<style>\n"
	":root { --ink: #1d2430; --soft: #5d6878; --line: #d6dbe3; --card: #ffffff; --back: "
	"#f4f6f9;\n"
	"  --model: #2563c9; --real: #c2410c; }\n"
	"@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #9aa5b5;\n"
	"  --line: #343d4b; --card: #1a2029; --back: #11151b; --model: #7fb0ff; --real: "
	"#ff9a62; } }\n"
	"text { font: 11px system-ui, sans-serif; fill: var(--soft); }\n"
	".title { font-size: 18px; font-weight: 600; fill: var(--ink); }\n"
	".kind { font-size: 14px; font-weight: 600; fill: var(--ink); }\n"
	".name { font-weight: 600; fill: var(--ink); }\n"
	".back { fill: var(--back); }\n"
	".card { fill: var(--card); stroke: var(--line); }\n"
	".grid { stroke: var(--line); fill: none; }\n"
	".model { stroke: var(--model); stroke-width: 1.8; fill: none; }\n"
	".real { fill: var(--real); }\n"
	".right { text-anchor: end; }\n"
	".middle { text-anchor: middle; }\n"
	"</style>\n";

/* A logarithmic axis from @low to @high over @length. */
struct axis {
	double low, high, length;
};

/* A group of pictures: an operation, over sizes or over numbers of processes. */
struct group {
	const struct probe_result *r;
	enum goal_kind kind;
	bool by_size;
	struct axis x, y;
};

static double probe_svg_place(const struct axis *a, double value)
{
	return a->high > a->low ? log(value / a->low) / log(a->high / a->low) * a->length :
				  a->length / 2;
}

static double x_of(const struct group *g, const struct probe_row *w)
{
	return g->by_size ? fmax(1, (double)w->task.bytes) : w->nprocs;
}

/*
 * Over processes: the rows of the size that has several numbers of them. No barriers by multicast
 * or over two networks: a picture has one line.
 */
static bool is_in(const struct group *g, const struct probe_row *w)
{
	const struct probe_rows *rows = &g->r->rows;

	if (w->task.kind != g->kind || w->task.release == GOAL_RELEASE_MULTICAST ||
	    w->task.networks == 2 || w->task.node > 1)
		return false;
	if (g->by_size)
		return w->nprocs == g->r->key.nprocs;
	for (size_t i = 0; i < rows->n; i++)
		if (rows->at[i].task.kind == g->kind && rows->at[i].nprocs != g->r->key.nprocs &&
		    rows->at[i].task.bytes == w->task.bytes)
			return true;
	return false;
}

static void probe_svg_widen(struct axis *a, double value)
{
	a->low = fmin(a->low, value);
	a->high = fmax(a->high, value);
}

/* The axes of all pictures; how many values of x there are at least: a line needs two. */
static bool measure_axes(struct group *g)
{
	g->x = (struct axis){ HUGE_VAL, 0, WIDTH };
	g->y = (struct axis){ HUGE_VAL, 0, HEIGHT };
	for (size_t i = 0; i < g->r->rows.n; i++) {
		const struct probe_row *w = &g->r->rows.at[i];

		if (!is_in(g, w))
			continue;
		probe_svg_widen(&g->x, x_of(g, w));
		probe_svg_widen(&g->y, w->predicted * 1e-3);
		probe_svg_widen(&g->y, w->took.median * 1e-3);
	}
	g->y.low = pow(10, floor(log10(g->y.low)));
	g->y.high = pow(10, ceil(log10(g->y.high)));
	return g->x.high > g->x.low && g->y.high > g->y.low;
}

static const char *short_number(double value, char *text, size_t len)
{
	if (value >= 1 << 20)
		snprintf(text, len, "%gM", value / (1 << 20));
	else if (value >= 1024)
		snprintf(text, len, "%gk", value / 1024);
	else
		snprintf(text, len, "%g", value);
	return text;
}

static void draw_grid(FILE *out, const struct group *g, double left, double top, bool first)
{
	char text[32];

	for (double y = g->y.low; y <= g->y.high * 1.001; y *= 10) {
		double at = top + HEIGHT - probe_svg_place(&g->y, y);

		fprintf(out, "<path class=\"grid\" d=\"M%.1f %.1fh%d\"/>\n", left, at, WIDTH);
		if (first)
			fprintf(out, "<text class=\"right\" x=\"%.1f\" y=\"%.1f\">%g us</text>\n",
				left - 5, at + 4, y);
	}
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", left, top + HEIGHT + 13,
		short_number(g->x.low, text, sizeof(text)));
	fprintf(out, "<text class=\"right\" x=\"%.1f\" y=\"%.1f\">%s %s</text>\n", left + WIDTH,
		top + HEIGHT + 13, short_number(g->x.high, text, sizeof(text)),
		g->by_size ? "bytes" : "processes");
}

/* Rows of one algorithm; over processes those of all come last but were measured first. */
static void probe_svg_draw_line(FILE *out, const struct group *g, const struct goal_algorithm *a,
				double left, double top)
{
	const struct probe_rows *rows = &g->r->rows;
	char step = 'M';

	fputs("<path class=\"model\" d=\"", out);
	for (int last = 0; last < 2; last++)
		for (size_t i = 0; i < rows->n; i++) {
			const struct probe_row *w = &rows->at[i];
			bool is_last = !g->by_size && w->nprocs == g->r->key.nprocs;

			if (w->task.algorithm != a || !is_in(g, w) || is_last != last)
				continue;
			fprintf(out, "%c%.1f %.1f", step, left + probe_svg_place(&g->x, x_of(g, w)),
				top + HEIGHT - probe_svg_place(&g->y, w->predicted * 1e-3));
			step = 'L';
		}
	fputs("\"/>\n", out);
	for (size_t i = 0; i < rows->n; i++) {
		const struct probe_row *w = &rows->at[i];

		if (w->task.algorithm == a && is_in(g, w))
			fprintf(out,
				"<circle class=\"real\" r=\"2.6\" cx=\"%.1f\" "
				"cy=\"%.1f\"><title>%.3f us measured, %.3f us "
				"predicted</title></circle>\n",
				left + probe_svg_place(&g->x, x_of(g, w)),
				top + HEIGHT - probe_svg_place(&g->y, w->took.median * 1e-3),
				w->took.median * 1e-3, w->predicted * 1e-3);
	}
}

static bool has_rows(const struct group *g, const struct goal_algorithm *a)
{
	for (size_t i = 0; i < g->r->rows.n; i++)
		if (g->r->rows.at[i].task.algorithm == a && is_in(g, &g->r->rows.at[i]))
			return true;
	return false;
}

/* All pictures of a group from @top on; where the next may begin. */
static double draw_group(FILE *out, const struct group *g, double top)
{
	int n = 0;

	fprintf(out, "<text class=\"kind\" x=\"%d\" y=\"%.1f\">%s over %s</text>\n", LEFT, top,
		goal_kind_name(g->kind), g->by_size ? "size" : "processes");
	top += 2 * GAP - 12;
	for (unsigned int i = 0; goal_algorithm(g->kind, i); i++) {
		const struct goal_algorithm *a = goal_algorithm(g->kind, i);
		double left = LEFT + n % COLUMNS * (WIDTH + GAP);

		if (!has_rows(g, a))
			continue;
		if (n > 0 && n % COLUMNS == 0)
			top += HEIGHT + LABEL + 8;
		fprintf(out, "<text class=\"name\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", left,
			top - 5, a->name);
		fprintf(out,
			"<rect class=\"card\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>\n",
			left, top, WIDTH, HEIGHT);
		draw_grid(out, g, left, top, n % COLUMNS == 0);
		probe_svg_draw_line(out, g, a, left, top);
		n++;
	}
	return top + HEIGHT + 2 * LABEL;
}

static double draw_all(FILE *out, const struct probe_result *r)
{
	double top = TOP + GAP;

	for (int i = 0; i < 2 * GOAL_KINDS; i++) {
		struct group g = { .r = r, .kind = i / 2, .by_size = i % 2 == 0 };

		if (measure_axes(&g))
			top = draw_group(out, &g, top);
	}
	return top;
}

/* Names of machines and networks may have any characters. */
static void draw_title(FILE *out, const struct probe_result *r)
{
	fprintf(out,
		"<text class=\"title\" x=\"%d\" y=\"30\">Collective operations: predicted and "
		"measured</text>\n"
		"<text x=\"%d\" y=\"48\">",
		LEFT, LEFT);
	html_escape(out, r->key.host);
	fprintf(out, ", transport %s %s, %d processes, %s: ", r->key.transport, r->key.network,
		r->key.nprocs, r->date);
	fputs("line: the model; dots: measured</text>\n", out);
}

static void draw_page(FILE *out, const struct probe_result *r)
{
	const int width = LEFT + COLUMNS * (WIDTH + GAP);
	FILE *nowhere = fopen("/dev/null", "we");
	double height = nowhere ? draw_all(nowhere, r) : 0;

	if (nowhere)
		fclose(nowhere);
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
		"viewBox=\"0 0 %d %.0f\" role=\"img\">\n",
		width, height, width, height);
	fputs(head, out);
	fprintf(out, "<rect class=\"back\" width=\"%d\" height=\"%.0f\"/>\n", width, height);
	draw_title(out, r);
	draw_all(out, r);
	fputs("</svg>\n", out);
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
