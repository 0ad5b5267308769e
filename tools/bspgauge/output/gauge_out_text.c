// SPDX-License-Identifier: BSD-3-Clause
/* gauge_out_text.c - reports as a table that people can read, and as comma-separated values. */

#include "tools/bspgauge/gauge.h"

#include <string.h>

/* ---- A table ------------------------------------------------------------------------------- */

/* Behind a median. */
static char text_mark(const struct gauge_result *r, const struct measure_value *v)
{
	if (v->flagged)
		return '*';
	return r->taken > 0 ? '!' : ' ';
}

enum { WIDTH = 27 };	/* of a median and its interval */

/* The series of one plot, beside each other, by the x of the first. */
static void print_columns(FILE *out, const struct gauge_result *r, size_t first, size_t n)
{
	const struct gauge_plot *plot = gauge_plot_named(r->series[first].plot);
	const struct gauge_series *s = &r->series[first];

	fprintf(out, "  %12s", plot ? plot->x : "");
	for (size_t k = 0; k < n; k++)
		fprintf(out, "  %*s%s%s", (int)(WIDTH - (s[k].unit[0] ? strlen(s[k].unit) + 2 : 0)),
			s[k].name, s[k].unit[0] ? ", " : "", s[k].unit);
	putc('\n', out);
	for (size_t i = 0; i < s->n; i++) {
		fprintf(out, "  %12.6g", s->at[i].x);
		for (size_t k = 0; k < n && i < s[k].n; k++) {
			const struct measure_value *v = &s[k].at[i].v;

			fprintf(out, "  %8.4g%c [%7.4g,%7.4g]", v->median, text_mark(r, v), v->low,
				v->high);
		}
		putc('\n', out);
	}
}

static bool goes_with(const struct gauge_series *a, const struct gauge_series *b)
{
	if (strcmp(a->plot, b->plot) != 0 || a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->at[i].x != b->at[i].x)
			return false;
	return true;
}

enum { COLUMNS = 3 };

static void text_print_series(FILE *out, const struct gauge_result *r)
{
	for (size_t i = 0, n; i < r->n; i += n) {
		n = 1;
		if (!r->series[i].plot[0] || r->series[i].skipped[0])
			continue;
		while (i + n < r->n && n < COLUMNS && goes_with(&r->series[i], &r->series[i + n]))
			n++;
		print_columns(out, r, i, n);
	}
}

static void text_print_value(FILE *out, const struct gauge_result *r, const struct gauge_series *s)
{
	const struct measure_value *v = &s->at[0].v;

	fprintf(out, "  %-16s %10.5g%c%-8s [%.5g, %.5g]", s->name, v->median, text_mark(r, v),
		s->unit, v->low, v->high);
	fprintf(out, "%s%s\n", v->flagged ? "  * " : "", v->flagged ? v->why : "");
}

static void text_print_result(FILE *out, const struct gauge_result *r)
{
	int samples = 0, outliers = 0, lost = 0;
	char disturbed[GAUGE_NAME];

	fprintf(out, "\n%s over %s", r->pattern, r->module);
	if (r->skipped[0]) {
		fprintf(out, ": not measured: %s\n", r->skipped);
		return;
	}
	for (size_t k = 0; k < r->n; k++)
		for (size_t i = 0; i < r->series[k].n; i++) {
			samples += r->series[k].at[i].v.n;
			outliers += r->series[k].at[i].v.outliers;
			lost += r->series[k].at[i].v.lost;
		}
	fprintf(out, ", %d processes%s%s: %.1f s, %d samples, %d outliers", r->nprocs,
		r->network[0] ? ", " : "", r->network, r->seconds, samples, outliers);
	if (lost)
		fprintf(out, ", %d lost", lost);
	fprintf(out, "%s%s\n", r->taken > 0 ? "; " : "", gauge_disturbed(r, disturbed));
	for (size_t i = 0; i < r->n; i++)
		if (!r->series[i].plot[0] && r->series[i].n)
			text_print_value(out, r, &r->series[i]);
	text_print_series(out, r);
	for (size_t i = 0; i < r->n; i++)
		if (r->series[i].skipped[0])
			fprintf(out, "  %s: not measured: %s\n", r->series[i].name,
				r->series[i].skipped);
}

void gauge_out_table(FILE *out, const struct gauge_reports *all)
{
	bool disturbed = false;

	for (size_t i = 0; i < all->n; i++) {
		const struct gauge_report *r = &all->at[i];

		if (r->file[0])
			fprintf(out, "%s%s:\n", i ? "\n" : "", r->file);
		fprintf(out, "%s, %s, %s\n%s, bsp %s: %s\nclock: %s\n", r->host, r->processor,
			r->kernel, r->date, r->version, r->command, r->clock);
		for (size_t k = 0; k < r->n; k++) {
			text_print_result(out, &r->result[k]);
			disturbed |= r->result[k].taken > 0;
		}
	}
	fputs("\nMedians, with an interval of 95 % confidence in brackets; * is a replaced value: "
	      "what was\nmeasured is impossible, as a time below 0.\n", out);
	if (disturbed)
		fputs("! was measured while other programs took processors from the job.\n", out);
}

/* ---- Comma-separated values ------------------------------------------------------------------ */

/* In quotes if it needs them. */
static void print_field(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\n")) {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

static void text_print_row(FILE *out, const struct gauge_report *report,
			   const struct gauge_result *r, const struct gauge_series *s,
			   const struct gauge_point *p, bool raw)
{
	char disturbed[GAUGE_NAME];
	const char *fields[] = { report->file, r->module, r->pattern, s->name, s->unit };

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		print_field(out, fields[i]);
		putc(',', out);
	}
	fprintf(out, "%d,%.9g,%.9g,%.9g,%.9g,%d,%d,%d,", r->nprocs, p->x, p->v.median, p->v.low,
		p->v.high, p->v.n, p->v.outliers, p->v.lost);
	print_field(out, p->v.flagged ? p->v.why : gauge_disturbed(r, disturbed));
	for (int i = 0; raw && i < p->nraw; i++)
		fprintf(out, "%c%.9g", i ? ' ' : ',', p->raw[i]);
	putc('\n', out);
}

void gauge_out_csv(FILE *out, const struct gauge_reports *all, bool raw)
{
	fprintf(out,
		"file,module,pattern,series,unit,nprocs,x,median,low,high,samples,outliers,lost,"
		"flag%s\n",
		raw ? ",raw" : "");
	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < all->at[i].n; k++) {
			const struct gauge_result *r = &all->at[i].result[k];

			for (size_t s = 0; s < r->n; s++)
				for (size_t p = 0; p < r->series[s].n; p++)
					text_print_row(out, &all->at[i], r, &r->series[s],
						       &r->series[s].at[p], raw);
		}
}
