/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - the table on the terminal, as CSV and as Markdown. */

#include "table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

extern char **environ;

enum { CELL = 24 };

static const char *const not_there = "-";

/* Three to four digits that count. */
static const char *report_number(char *cell, double v)
{
	double size = v < 0 ? -v : v;
	int places = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;

	snprintf(cell, CELL, "%.*f", places, v);
	return cell;
}

static const char *number_or_none(char *cell, double v)
{
	return v > 0 ? report_number(cell, v) : not_there;
}

static const char *mpi_cell(char *cell, const struct summary *s)
{
	return s->mpi_row != NULL ? report_number(cell, s->mpi) : not_there;
}

static const char *report_verdict(const struct summary *s)
{
	return s->met < 0 ? not_there : s->met ? "yes" : "NO";
}

/* Nothing to say about a figure of which neither side was measured. */
static bool is_line(const struct summary *s)
{
	return s->valid || s->mpi_row != NULL;
}

static void size_name(char *cell, size_t nbytes)
{
	if (nbytes >= 1 << 20)
		snprintf(cell, CELL, "%zu MiB", nbytes >> 20);
	else if (nbytes >= 1 << 10 && nbytes % 1024 == 0)
		snprintf(cell, CELL, "%zu KiB", nbytes >> 10);
	else
		snprintf(cell, CELL, "%zu B", nbytes);
}

/* ---- Terminal -------------------------------------------------------------- */

static void text_limits(const struct run *run, FILE *out)
{
	struct bench_limits m = table_limits(run, 0.5);
	struct bench_limits q1 = table_limits(run, 0.25);
	struct bench_limits q3 = table_limits(run, 0.75);

	fprintf(out,
		"Limits of the machine, two processes on processors %d and %d, "
		"medians (quartiles) of %d rounds\n",
		run->cpu[0], run->cpu[1], run->nrounds);
	fprintf(out, "  flag barrier F                %9.1f ns (%.1f-%.1f)\n", m.flag, q1.flag,
		q3.flag);
	fprintf(out, "  turn of two on one processor  %9.1f ns (%.1f-%.1f)\n", m.turn, q1.turn,
		q3.turn);
	for (int i = 0; i < BENCH_SIZES; i++) {
		char name[CELL];

		size_name(name, bench_sizes[i]);
		fprintf(out,
			"  copy from other core %8s %9.0f ns (%.0f-%.0f) %6.1f GB/s; "
			"memcpy %9.0f ns %6.1f GB/s\n",
			name, m.copy[i], q1.copy[i], q3.copy[i], (double)bench_sizes[i] / m.copy[i],
			m.memcpy[i], (double)bench_sizes[i] / m.memcpy[i]);
	}
}

static void text_line(const struct figure *f, const struct summary *s, FILE *out)
{
	char c[7][CELL];

	if (!is_line(s))
		return;
	fprintf(out, "%-38s %-7s %9s%c %9s %9s %9s %7s %7s %-4s %9s %s\n", f->text,
		table_unit(f->unit), s->valid ? report_number(c[0], s->median) : not_there,
		s->valid && !s->stable ? '~' : ' ',
		s->valid ? report_number(c[1], s->q1) : not_there,
		s->valid ? report_number(c[2], s->q3) : not_there, number_or_none(c[3], s->limit),
		number_or_none(c[4], s->ratio),
		s->target_ratio > 0 ? report_number(c[5], s->target_ratio) :
				      number_or_none(c[5], s->target),
		report_verdict(s), mpi_cell(c[6], s), s->mpi_row != NULL ? s->mpi_row : "");
}

static void text_parameters(const struct run *run, const struct part *part, FILE *out)
{
	struct parameters p = table_parameters(run, part);
	char c[2][CELL];

	if (p.flops_per_ns > 0)
		fprintf(out, "  r       %s Mflop/s\n", report_number(c[0], 1e3 * p.flops_per_ns));
	if (p.l_ns > 0)
		fprintf(out, "  l       %s us = %s flops\n", report_number(c[0], p.l_ns / 1e3),
			report_number(c[1], p.l_ns * p.flops_per_ns));
	if (p.g1_ns > 0)
		fprintf(out, "  g       %.5f us = %s flops per 8-byte word, words put one by one\n",
			p.g1_ns / 1e3, report_number(c[0], p.g1_ns * p.flops_per_ns));
	if (p.g_ns > 0)
		fprintf(out, "  g       %.5f us = %s flops per 8-byte word, in blocks\n",
			p.g_ns / 1e3, report_number(c[0], p.g_ns * p.flops_per_ns));
	if (p.n_half > 0)
		fprintf(out, "  n_half  %s words\n", report_number(c[0], p.n_half));
}

static void text_part(const struct run *run, const struct part *part, FILE *out)
{
	fprintf(out, "\nP = %d processes on %d cores%s\n", part->nprocs, part->ncores,
		table_is_crowded(part) ? ", taking turns" : "");
	fprintf(out, "%-38s %-7s %9s  %9s %9s %9s %7s %7s %-4s %9s %s\n", "figure", "unit",
		"median", "quartile", "quartile", "limit", "ratio", "target", "met", "MPI", "by");
	for (int f = 0; table_figures[f].text != NULL; f++) {
		struct summary s = table_summary(run, part, f);

		text_line(&table_figures[f], &s, out);
	}
	text_parameters(run, part, out);
}

static const char *const reading =
	"median over rounds of the median of a round; quartiles of all batches;\n"
	"ratio: to the limit in the same round; target: the ratio wanted (a value where there is\n"
	"no limit), absolute ones scaled by F / 78 ns; ~ no round was undisturbed.\n";

void report_text(const struct run *run, FILE *out)
{
	text_limits(run, out);
	for (int i = 0; i < run->nparts; i++)
		text_part(run, &run->part[i], out);
	fprintf(out, "\n%s", reading);
	if (run->mpi_note != NULL)
		fprintf(out, "No MPI: %s.\n", run->mpi_note);
}

/* ---- CSV ------------------------------------------------------------------- */

static void report_csv_line(const struct part *part, int figure, const struct summary *s, FILE *out)
{
	const struct figure *f = &table_figures[figure];

	if (!is_line(s))
		return;
	fprintf(out, "%d,%s,%s,%s,", part->nprocs, f->row != NULL ? f->row : "", f->text,
		table_unit(f->unit));
	if (s->valid)
		fprintf(out, "%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%s,", s->median, s->q1, s->q3,
			s->limit, s->ratio, s->target, s->target_ratio,
			s->met < 0 ? "" :
			s->met	   ? "yes" :
				     "no");
	else
		fprintf(out, ",,,,,,,,");
	if (s->mpi_row != NULL)
		fprintf(out, "%.6g,%s,", s->mpi, s->mpi_row);
	else
		fprintf(out, ",,");
	fprintf(out, "%.6g,%d,%d\n", s->flag, s->rounds, s->stable_rounds);
}

/* A value that is no figure: the columns of figures stay empty. */
static void csv_value(int nprocs, const char *row, const char *text, const char *unit, double value,
		      FILE *out)
{
	fprintf(out, "%d,%s,%s,%s,%.6g,,,,,,,,,,,,\n", nprocs, row, text, unit, value);
}

static void csv_limits(const struct run *run, FILE *out)
{
	struct bench_limits m = table_limits(run, 0.5);

	csv_value(2, "limit-flag", "flag barrier F", "ns", m.flag, out);
	csv_value(2, "limit-turn", "turn of two on one processor", "ns", m.turn, out);
	for (int i = 0; i < BENCH_SIZES; i++) {
		char size[CELL], row[2 * CELL], text[2 * CELL];

		size_name(size, bench_sizes[i]);
		snprintf(row, sizeof row, "limit-copy-%zu", bench_sizes[i]);
		snprintf(text, sizeof text, "copy from other core %s", size);
		csv_value(2, row, text, "ns", m.copy[i], out);
		snprintf(row, sizeof row, "limit-memcpy-%zu", bench_sizes[i]);
		snprintf(text, sizeof text, "memcpy %s", size);
		csv_value(1, row, text, "ns", m.memcpy[i], out);
	}
}

static void csv_parameters(const struct run *run, const struct part *part, FILE *out)
{
	struct parameters p = table_parameters(run, part);

	csv_value(part->nprocs, "r", "computing speed", "Mflop/s", 1e3 * p.flops_per_ns, out);
	csv_value(part->nprocs, "l", "synchronisation", "us", p.l_ns / 1e3, out);
	csv_value(part->nprocs, "l-flops", "synchronisation", "flops", p.l_ns * p.flops_per_ns,
		  out);
	csv_value(part->nprocs, "g-single", "word put alone", "us", p.g1_ns / 1e3, out);
	csv_value(part->nprocs, "g-single-flops", "word put alone", "flops",
		  p.g1_ns * p.flops_per_ns, out);
	csv_value(part->nprocs, "g", "word in a block", "us", p.g_ns / 1e3, out);
	csv_value(part->nprocs, "g-flops", "word in a block", "flops", p.g_ns * p.flops_per_ns,
		  out);
	csv_value(part->nprocs, "n-half", "size for half the speed", "words", p.n_half, out);
}

void report_csv(const struct run *run, FILE *out)
{
	fprintf(out, "nprocs,row,figure,unit,median,quartile1,quartile3,limit,ratio,target,"
		     "target_ratio,met,mpi,mpi_row,flag_ns,rounds,stable_rounds\n");
	csv_limits(run, out);
	for (int i = 0; i < run->nparts; i++) {
		const struct part *part = &run->part[i];

		for (int f = 0; table_figures[f].text != NULL; f++) {
			struct summary s = table_summary(run, part, f);

			report_csv_line(part, f, &s, out);
		}
		csv_parameters(run, part, out);
	}
}

/* ---- Markdown -------------------------------------------------------------- */

static void processor_model(char *text, size_t len)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[256];

	snprintf(text, len, "unknown");
	if (file == NULL)
		return;
	while (fgets(line, sizeof line, file) != NULL) {
		char *value = strchr(line, ':');

		if (strncmp(line, "model name", 10) != 0 || value == NULL)
			continue;
		value[strcspn(value, "\n")] = '\0';
		snprintf(text, len, "%s", value + 2);
		break;
	}
	fclose(file);
}

static void markdown_settings(FILE *out)
{
	for (char **e = environ; *e != NULL; e++)
		if (strncmp(*e, "BSP_", 4) == 0)
			fprintf(out, "| setting | `%s` |\n", *e);
}

static void markdown_host(const struct run *run, FILE *out)
{
	char model[256], date[64];
	struct utsname system;
	time_t now = time(NULL);
	struct tm local;

	processor_model(model, sizeof model);
	uname(&system);
	strftime(date, sizeof date, "%Y-%m-%d", localtime_r(&now, &local));
	fprintf(out, "| | |\n|---|---|\n");
	fprintf(out, "| command | `%s` |\n| date | %s |\n", run->command, date);
	fprintf(out, "| processor | %s, %d cores used |\n", model,
		run->nparts > 0 ? run->part[0].ncores : 0);
	fprintf(out, "| system | %s %s %s |\n", system.sysname, system.release, system.machine);
	fprintf(out, "| compiler of the benchmark | %s |\n", __VERSION__);
	fprintf(out, "| rounds | %d |\n", run->nrounds);
	markdown_settings(out);
}

static void markdown_limits(const struct run *run, FILE *out)
{
	struct bench_limits m = table_limits(run, 0.5);
	struct bench_limits q1 = table_limits(run, 0.25);
	struct bench_limits q3 = table_limits(run, 0.75);

	fprintf(out, "\n## Limits\n\n| what | median | quartiles |\n|---|---|---|\n");
	fprintf(out, "| flag barrier of two processes, F | %.1f ns | %.1f-%.1f |\n", m.flag,
		q1.flag, q3.flag);
	fprintf(out, "| turn of two on one processor | %.0f ns | %.0f-%.0f |\n", m.turn, q1.turn,
		q3.turn);
	for (int i = 0; i < BENCH_SIZES; i++) {
		char name[CELL];

		size_name(name, bench_sizes[i]);
		fprintf(out, "| copy out of the other core's cache, %s | %.0f ns | %.0f-%.0f |\n",
			name, m.copy[i], q1.copy[i], q3.copy[i]);
		fprintf(out, "| memcpy in one thread, %s | %.0f ns | %.0f-%.0f |\n", name,
			m.memcpy[i], q1.memcpy[i], q3.memcpy[i]);
	}
}

static void report_markdown_line(const struct figure *f, const struct summary *s, FILE *out)
{
	char c[8][CELL];

	if (!is_line(s))
		return;
	fprintf(out, "| %s | %s | %s%s | %s-%s | %s | %s | %s | %s | %s | %s %s |\n", f->text,
		table_unit(f->unit), s->valid ? report_number(c[0], s->median) : not_there,
		s->valid && !s->stable ? " ~" : "", s->valid ? report_number(c[1], s->q1) : "",
		s->valid ? report_number(c[2], s->q3) : "", number_or_none(c[3], s->limit),
		number_or_none(c[4], s->ratio), number_or_none(c[5], s->target_ratio),
		number_or_none(c[6], s->target), report_verdict(s), mpi_cell(c[7], s),
		s->mpi_row != NULL ? s->mpi_row : "");
}

static void markdown_parameters(const struct run *run, const struct part *part, FILE *out)
{
	char text[1024] = "";
	FILE *lines = fmemopen(text, sizeof text, "w");

	if (lines == NULL)
		return;
	text_parameters(run, part, lines);
	fclose(lines);
	if (text[0] != '\0')
		fprintf(out, "\n```\n%s```\n", text);
}

static void markdown_part(const struct run *run, const struct part *part, FILE *out)
{
	fprintf(out, "\n## %d processes on %d cores\n\n", part->nprocs, part->ncores);
	fprintf(out,
		"| figure | unit | median | quartiles | limit | ratio | target ratio | target | "
		"met | MPI |\n");
	fprintf(out, "|---|---|---|---|---|---|---|---|---|---|\n");
	for (int f = 0; table_figures[f].text != NULL; f++) {
		struct summary s = table_summary(run, part, f);

		report_markdown_line(&table_figures[f], &s, out);
	}
	markdown_parameters(run, part, out);
}

void report_markdown(const struct run *run, FILE *out)
{
	markdown_host(run, out);
	markdown_limits(run, out);
	for (int i = 0; i < run->nparts; i++)
		markdown_part(run, &run->part[i], out);
	fprintf(out, "\n%s", reading);
	if (run->mpi_note != NULL)
		fprintf(out, "No MPI: %s.\n", run->mpi_note);
}
