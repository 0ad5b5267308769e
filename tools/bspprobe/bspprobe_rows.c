// SPDX-License-Identifier: BSD-3-Clause
/* bspprobe_rows.c - predictions beside what was measured, as a table, CSV or JSON. */

#include "bspprobe.h"

#include "bsp.h"
#include "tools/measure/sample.h"

#include <math.h>
#include <stdlib.h>

void probe_rows_add(struct probe_rows *rows, const struct probe_row *row)
{
	if (rows->n == rows->room) {
		rows->room = rows->room ? 2 * rows->room : 256;
		rows->at = realloc(rows->at, rows->room * sizeof(*rows->at));
		if (!rows->at)
			bsp_abort("bspprobe: no memory");
	}
	rows->at[rows->n++] = *row;
}

/* A segment or an arity, as BSP_COLL would have it; "" if there is none. */
static const char *number_of(const struct goal_task *t, char *text, size_t len)
{
	if (t->algorithm->has_segment)
		snprintf(text, len, "%llu", (unsigned long long)t->segment);
	else if (t->algorithm->has_arity)
		snprintf(text, len, "%d", t->arity);
	else
		text[0] = '\0';
	return text;
}

/*
 * The algorithm, as BSP_BARRIER would have it; "+networks": over two networks, without which it is
 * over one.
 */
static const char *name_of(const struct goal_task *t, char *text, size_t len)
{
	snprintf(text, len, "%s%s%s%s", t->algorithm->name, t->node > 1 || t->nodes ? "+nodes" : "",
		 t->release == GOAL_RELEASE_MULTICAST ? "+multicast" : "",
		 t->networks == 2 ? "+networks" : "");
	return text;
}

static bool is_same_point(const struct probe_row *a, const struct probe_row *b)
{
	return a->task.kind == b->task.kind && a->task.bytes == b->task.bytes &&
	       a->nprocs == b->nprocs;
}

/*
 * A point, whose rows begin at @from: where they end, the row chosen, the one that was the
 * fastest.
 */
struct point {
	size_t end, chosen, best;
};

static struct point look_at(const struct probe_rows *rows, size_t from)
{
	struct point p = { from, from, from };

	for (; p.end < rows->n && is_same_point(&rows->at[p.end], &rows->at[from]); p.end++) {
		if (rows->at[p.end].predicted < rows->at[p.chosen].predicted)
			p.chosen = p.end;
		if (rows->at[p.end].took.median < rows->at[p.best].took.median)
			p.best = p.end;
	}
	return p;
}

/* ---- A table --------------------------------------------------------------------------------- */

static void probe_rows_print_row(FILE *out, const struct probe_row *row, const char *mark)
{
	char name[64], number[32];

	fprintf(out, "  %-27s%9s %12.3f %12.3f %11.3f ..%10.3f %7.2f%s\n",
		name_of(&row->task, name, sizeof(name)),
		number_of(&row->task, number, sizeof(number)), row->predicted * 1e-3,
		row->took.median * 1e-3, row->took.low * 1e-3, row->took.high * 1e-3,
		row->took.median / row->predicted, mark);
}

/* How far predictions are off, in the middle of all rows: a factor. */
static double middle_error(const struct probe_rows *rows)
{
	double *off = malloc(rows->n * sizeof(*off)), middle;

	if (!off || rows->n == 0) {
		free(off);
		return NAN;
	}
	for (size_t i = 0; i < rows->n; i++)
		off[i] = fabs(log(rows->at[i].took.median / rows->at[i].predicted));
	middle = exp(sample_median(off, (int)rows->n));
	free(off);
	return middle;
}

static void probe_rows_print_table(FILE *out, const struct probe_rows *rows)
{
	int points = 0, good = 0;
	struct point p;

	for (size_t i = 0; i < rows->n; i = p.end) {
		const struct probe_row *first = &rows->at[i];

		p = look_at(rows, i);
		fprintf(out, "%s%s", i ? "\n" : "", goal_kind_name(first->task.kind));
		if (first->task.kind != GOAL_BARRIER)
			fprintf(out, ", %llu bytes", (unsigned long long)first->task.bytes);
		fprintf(out, ", %d processes\n  %-27s%9s %12s %12s %24s %7s\n", first->nprocs,
			"algorithm", "number", "predicted us", "measured us", "95 % confidence    ",
			"ratio");
		for (; i < p.end; i++)
			probe_rows_print_row(out, &rows->at[i],
					     i == p.chosen ?
						     (i == p.best ? "  chosen, best" : "  chosen") :
					     i == p.best ? "  best" :
							   "");
		points++;
		good += rows->at[p.chosen].took.median <= 1.1 * rows->at[p.best].took.median;
	}
	fprintf(out,
		"\nchosen within 10 %% of the best: %d of %d; predictions are off by a factor "
		"of %.2f in the middle\n",
		good, points, middle_error(rows));
}

/* ---- CSV and JSON ------------------------------------------------------------------- */

static void print_row_csv(FILE *out, const struct probe_row *w, bool chosen, bool best)
{
	char name[64], number[32];

	fprintf(out, "%s,%s,%d,%llu,%s,%.9g,%.9g,%.9g,%.9g,%d,%d,%d,%.9g,%.9g,%.9g,%.9g\n",
		goal_kind_name(w->task.kind), name_of(&w->task, name, sizeof(name)), w->nprocs,
		(unsigned long long)w->task.bytes, number_of(&w->task, number, sizeof(number)),
		w->predicted * 1e-3, w->took.median * 1e-3, w->took.low * 1e-3,
		w->took.high * 1e-3, w->took.n, chosen, best, w->by_gap * 1e-3, w->alone * 1e-3,
		w->alone_now * 1e-3, w->by_messages * 1e-3);
}

static void probe_rows_print_csv(FILE *out, const struct probe_rows *rows)
{
	struct point p;

	fputs("operation,algorithm,processes,bytes,number,predicted_us,measured_us,low_us,"
	      "high_us,samples,chosen,best,by_gap_us,alone_us,alone_now_us,by_messages_us\n",
	      out);
	for (size_t i = 0; i < rows->n; i = p.end) {
		p = look_at(rows, i);
		for (; i < p.end; i++)
			print_row_csv(out, &rows->at[i], i == p.chosen, i == p.best);
	}
}

static void probe_rows_print_json(FILE *out, const struct probe_rows *rows)
{
	char name[64], number[32];

	fputs("[\n", out);
	for (size_t i = 0; i < rows->n; i++) {
		const struct probe_row *w = &rows->at[i];

		number_of(&w->task, number, sizeof(number));
		fprintf(out,
			"  { \"operation\": \"%s\", \"algorithm\": \"%s\", \"nprocs\": %d, "
			"\"bytes\": %llu, \"number\": %s, \"predicted\": %.9g, \"measured\": "
			"%.9g, \"measured_low\": %.9g, \"measured_high\": %.9g }%s\n",
			goal_kind_name(w->task.kind), name_of(&w->task, name, sizeof(name)),
			w->nprocs, (unsigned long long)w->task.bytes, *number ? number : "null",
			w->predicted, w->took.median, w->took.low, w->took.high,
			i + 1 < rows->n ? "," : "");
	}
	fputs("]\n", out);
}

void probe_write_rows(FILE *out, const struct probe_result *r, enum probe_format format)
{
	if (format == PROBE_JSON)
		probe_rows_print_json(out, &r->rows);
	else if (format == PROBE_CSV)
		probe_rows_print_csv(out, &r->rows);
	else
		probe_rows_print_table(out, &r->rows);
}
