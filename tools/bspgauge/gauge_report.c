// SPDX-License-Identifier: BSD-3-Clause
/* gauge_report.c - reports in memory. */

#include "config.h"

#include "gauge.h"
#include "common/page/machine.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- Plots -------------------------------------------------------------------------- */

const struct gauge_plot gauge_plots[] = {
	{ "latency", "Latency", "bytes", "µs", true, true,
	  "One way of a message and its answer: half of a round trip." },
	{ "bandwidth", "Bandwidth", "bytes", "MB/s", true, true, "Bytes over that time." },
	{ "many", "One to many, many to one", "bytes to or from each", "µs", true, true,
	  "One process sends to all others, or all to one, until all have been answered." },
	{ "many_bandwidth", "Bandwidth of one to many, many to one", "bytes to or from each",
	  "MB/s", true, true, "The bytes to or from all others over that time." },
	{ "gap", "Gap g(m)", "bytes", "µs", true, true,
	  "How long after one message the next can follow; the line is the fit of LogGP." },
	{ "overhead", "Overheads os(m), or(m)", "bytes", "µs", true, true,
	  "How long a process is busy with sending a message, and with receiving one that is "
	  "there." },
	{ "nonblocking", "Non-blocking transfers", "bytes", "µs", true, true,
	  "What starting a transfer, asking for it and finishing it cost the processor." },
	{ "overlap", "Overlap", "bytes", "share hidden", true, false,
	  "The share of a collective operation that is hidden behind computing: 1 is all." },
	{ "hidden", "Overlap by processes", "processes", "share hidden", false, false,
	  "The share of a small collective operation that is hidden behind computing: 1 is all." },
	{ "stolen", "Overhead by processes", "processes", "µs", false, false,
	  "What that operation takes from the program that computes meanwhile." },
	{ "collective", "Overhead of collective operations", "bytes", "µs", true, true,
	  "The operation alone, and what it takes from the program that computes meanwhile." },
	{ "barrier", "Barriers", "processes", "µs", false, true,
	  "A barrier by each algorithm, until the last process is done." },
	{ "bcast", "Broadcasts", "bytes", "µs", true, true,
	  "A broadcast by each algorithm, until the last process is done." },
	{ "allgather", "Allgathers", "bytes of each process", "µs", true, true,
	  "An allgather by each algorithm, until the last process is done." },
	{ "allreduce", "Allreduces", "bytes", "µs", true, true,
	  "An allreduce of doubles by each algorithm, until the last process is done." },
	{ "bisection", "Effective bisection bandwidth", "share of the samples", "MB/s", false,
	  false,
	  "Random pairs at once: the mean bandwidth of a pair, from the worst pairing to the "
	  "best." },
	{ "relation", "h-relations", "words", "µs", true, true,
	  "A superstep in which each process puts so many words of 4 bytes." },
	{ "superstep", "Classic and relaxed supersteps", "bytes", "µs", true, true,
	  "A put to the next process and what makes sure that it is there." },
	{ "noise", "Noise", "share of the samples", "slowdown", false, false,
	  "A piece of work that always takes the same, from the quickest time to the slowest; 1 "
	  "is undisturbed." },
	{ .name = NULL },
};

const struct gauge_plot *gauge_plot_named(const char *name)
{
	for (const struct gauge_plot *p = gauge_plots; p->name; p++)
		if (strcmp(p->name, name) == 0)
			return p;
	return NULL;
}

/* ---- Building ----------------------------------------------------------------------- */

struct gauge_result *gauge_report_add(struct gauge_report *r)
{
	r->result = gauge_memory(r->result, (r->n + 1) * sizeof(*r->result));
	r->result[r->n] = (struct gauge_result){ .nprocs = 0 };
	return &r->result[r->n++];
}

struct gauge_series *gauge_series(struct gauge_result *r, const char *plot, const char *unit,
				  const char *format, ...)
{
	struct gauge_series *s;
	va_list args;

	r->series = gauge_memory(r->series, (r->n + 1) * sizeof(*r->series));
	s = &r->series[r->n++];
	*s = (struct gauge_series){ .n = 0 };
	snprintf(s->plot, sizeof(s->plot), "%s", plot);
	snprintf(s->unit, sizeof(s->unit), "%s", unit);
	va_start(args, format);
	vsnprintf(s->name, sizeof(s->name), format, args);
	va_end(args);
	return s;
}

void gauge_add(struct gauge_series *s, double x, const struct measure_value *v)
{
	s->at = gauge_memory(s->at, (s->n + 1) * sizeof(*s->at));
	s->at[s->n++] = (struct gauge_point){ .x = x, .v = *v };
}

void gauge_skip(struct gauge_result *r, const char *name, const char *why)
{
	struct gauge_series *s = gauge_series(r, "", "", "%s", name);

	snprintf(s->skipped, sizeof(s->skipped), "%s", why);
}

void gauge_value(struct gauge_result *r, const char *name, const char *unit,
		 const struct measure_value *v)
{
	gauge_add(gauge_series(r, "", unit, "%s", name), 0, v);
}

const char *gauge_disturbed(const struct gauge_result *r, char *text)
{
	text[0] = '\0';
	if (r->taken > 0)
		snprintf(text, GAUGE_NAME, "other programs took %.2f processors", r->taken);
	return text;
}

static void free_series(struct gauge_series *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->at[i].raw);
	free(s->at);
}

void gauge_result_free(struct gauge_result *r)
{
	for (size_t i = 0; i < r->n; i++)
		free_series(&r->series[i]);
	free(r->series);
	*r = (struct gauge_result){ .nprocs = 0 };
}

/* ---- The machine -------------------------------------------------------------------- */

void gauge_report_begin(struct gauge_report *r, int argc, char **argv)
{
	struct page_machine machine;

	*r = (struct gauge_report){ .n = 0 };
	page_machine(&machine);
	snprintf(r->host, sizeof(r->host), "%s", machine.host);
	snprintf(r->kernel, sizeof(r->kernel), "%s", machine.kernel);
	snprintf(r->processor, sizeof(r->processor), "%s", machine.processor);
	snprintf(r->date, sizeof(r->date), "%s", machine.date);
	snprintf(r->version, sizeof(r->version), "%s", PACKAGE_VERSION);
	page_command(r->command, sizeof(r->command), "bspgauge", argc, argv);
}
