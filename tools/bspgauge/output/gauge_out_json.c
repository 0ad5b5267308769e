// SPDX-License-Identifier: BSD-3-Clause
/* gauge_out_json.c - a report as JSON, as gauge_read.c reads it. */

/*
 * { "bspgauge": 1, "host", "processor", "kernel", "clock", "date", "version", "command": texts,
 *   "results": [ { "module", "pattern", "transport", "network", "skipped": texts, "nprocs",
 *     "seconds", "taken": processors that other programs took,
 *     "series": [ { "name", "plot", "unit", "skipped": texts,
 *       "points": [ { "x", "median", "low", "high", "samples", "outliers", "lost", "flag": text,
 *		     "raw": [ ... ] } ] } ] } ] }
 * A number that is none, as where all messages were lost, is 0 and has a flag.
 */

#include "tools/bspgauge/gauge.h"
#include "common/json.h"

#include <math.h>

static void print_text(FILE *out, const char *key, const char *text)
{
	fprintf(out, "\"%s\": ", key);
	bspi_json_write(out, text);
	fputs(", ", out);
}

static double or_0(double x)
{
	return isfinite(x) ? x : 0;
}

static void json_print_series(FILE *out, const struct gauge_series *s, bool raw)
{
	fputs("\t{", out);
	print_text(out, "name", s->name);
	print_text(out, "plot", s->plot);
	print_text(out, "unit", s->unit);
	print_text(out, "skipped", s->skipped);
	fputs("\"points\": [\n", out);
	for (size_t i = 0; i < s->n; i++) {
		const struct gauge_point *p = &s->at[i];
		const struct measure_value *v = &p->v;

		fprintf(out,
			"\t\t{\"x\": %.12g, \"median\": %.9g, \"low\": %.9g, \"high\": %.9g, ",
			p->x, or_0(v->median), or_0(v->low), or_0(v->high));
		fprintf(out, "\"samples\": %d, \"outliers\": %d, \"lost\": %d, \"flag\": ", v->n,
			v->outliers, v->lost);
		bspi_json_write(out, v->flagged ? v->why : "");
		for (int k = 0; raw && k < p->nraw; k++)
			fprintf(out, "%s%.9g", k ? ", " : ", \"raw\": [", or_0(p->raw[k]));
		fputs(raw && p->nraw ? "]}" : "}", out);
		fputs(i + 1 < s->n ? ",\n" : "\n", out);
	}
	fputs("\t]}", out);
}

static void json_print_result(FILE *out, const struct gauge_result *r, bool raw)
{
	putc('{', out);
	print_text(out, "module", r->module);
	print_text(out, "pattern", r->pattern);
	print_text(out, "transport", r->transport);
	print_text(out, "network", r->network);
	print_text(out, "skipped", r->skipped);
	fprintf(out, "\"nprocs\": %d, \"seconds\": %.3f, \"taken\": %.3f, \"series\": [\n",
		r->nprocs, r->seconds, r->taken);
	for (size_t i = 0; i < r->n; i++) {
		json_print_series(out, &r->series[i], raw);
		fputs(i + 1 < r->n ? ",\n" : "\n", out);
	}
	fputs("]}", out);
}

void gauge_out_json(FILE *out, const struct gauge_report *r, bool raw)
{
	fputs("{\"bspgauge\": 1, ", out);
	print_text(out, "host", r->host);
	print_text(out, "processor", r->processor);
	print_text(out, "kernel", r->kernel);
	print_text(out, "clock", r->clock);
	print_text(out, "date", r->date);
	print_text(out, "version", r->version);
	print_text(out, "command", r->command);
	fputs("\"results\": [\n", out);
	for (size_t i = 0; i < r->n; i++) {
		json_print_result(out, &r->result[i], raw);
		fputs(i + 1 < r->n ? ",\n" : "\n", out);
	}
	fputs("]}\n", out);
}
