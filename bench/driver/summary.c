/* SPDX-License-Identifier: BSD-3-Clause */
/* summary.c - from samples to a line of the table. */

/*
 * Each round gives a median of its batches, and the limit that was measured
 * around it. Median and ratio of a figure are medians over the rounds; the ratio
 * is taken within a round, since the machine may be another one in the next.
 * The quartiles are those of all batches. Rounds in which F changed count only
 * if there is no other.
 */
#include "table.h"

#include "tools/measure/sample.h"

#include <math.h>
#include <string.h>

/* The same for all rounds of one row. */
struct view {
	const struct part *part;
	const struct figure *figure;
	const struct sample *sample; /* of the rounds */
	int nrounds;
	bool all; /* unstable rounds too */
	double mpi; /* median of the same in MPI; 0 none */
};

bool table_is_crowded(const struct part *part)
{
	return part->nprocs > part->ncores;
}

const char *table_unit(enum unit unit)
{
	switch (unit) {
	case UNIT_US: return "us";
	case UNIT_NS_EACH: return "ns each";
	case UNIT_PERCENT: return "percent";
	case UNIT_MS: return "ms";
	case UNIT_KIB: return "KiB";
	}
	return "";
}

static double summary_convert(enum unit unit, double value, double limit)
{
	switch (unit) {
	case UNIT_US: return value / 1e3;
	case UNIT_NS_EACH: return value / BENCH_ITEMS;
	case UNIT_PERCENT: return (value / limit - 1) * 100;
	case UNIT_MS: return value / 1e6;
	case UNIT_KIB: return value;
	}
	return value;
}

static double copy_of(const struct bench_limits *limits, size_t nbytes)
{
	for (int i = 0; i < BENCH_SIZES; i++)
		if (bench_sizes[i] == nbytes)
			return limits->copy[i];
	return 0;
}

/* Processes of one core take turns. */
static double turns(const struct part *part)
{
	return table_is_crowded(part) ? (double)part->nprocs / part->ncores : 1;
}

static double limit_of(const struct view *view, const struct sample *s)
{
	double copy = s->limit > 0 ? s->limit : copy_of(&s->machine, view->figure->nbytes);

	switch (view->figure->limit) {
	case LIMIT_NONE: return 0;
	case LIMIT_FLAG:
		return table_is_crowded(view->part) ? s->machine.turn * turns(view->part) : s->flag;
	case LIMIT_COPY: return copy * turns(view->part);
	case LIMIT_TOTAL: return copy * turns(view->part) * (view->part->nprocs - 1);
	case LIMIT_OWN: return s->limit;
	}
	return 0;
}

static double middle_of(const struct sample *s)
{
	double time[BENCH_BATCHES];

	memcpy(time, s->time, sizeof time);
	return sample_median(time, s->n);
}

static bool counts(const struct view *view, int round)
{
	return view->sample[round].valid && (view->all || view->sample[round].stable);
}

static int summary_count(const struct view *view)
{
	int n = 0;

	for (int r = 0; r < view->nrounds; r++)
		n += counts(view, r);
	return n;
}

static struct view view_of(const struct run *run, const struct part *part, int figure, int side)
{
	struct view view = {
		.part = part,
		.figure = &table_figures[figure],
		.sample = part->sample[figure][side],
		.nrounds = run->nrounds,
	};

	view.all = summary_count(&view) == 0;
	return view;
}

typedef double value_of(const struct view *view, const struct sample *s);

static double over_rounds(const struct view *view, value_of *value)
{
	double v[TABLE_ROUNDS];
	int n = 0;

	for (int r = 0; r < view->nrounds; r++)
		if (counts(view, r))
			v[n++] = value(view, &view->sample[r]);
	return sample_median(v, n);
}

static double shown_value(const struct view *view, const struct sample *s)
{
	return summary_convert(view->figure->unit, middle_of(s), limit_of(view, s));
}

/* A loss is relative to its limit, which is shown in microseconds. */
static double shown_limit(const struct view *view, const struct sample *s)
{
	enum unit unit = view->figure->unit == UNIT_PERCENT ? UNIT_US : view->figure->unit;

	return summary_convert(unit, limit_of(view, s), 1);
}

static double ratio(const struct view *view, const struct sample *s)
{
	double limit = limit_of(view, s);

	return limit > 0 ? middle_of(s) / limit : 0;
}

static double flag(const struct view *view, const struct sample *s)
{
	(void)view;
	return s->flag;
}

static struct target summary_target_of(const struct view *view)
{
	const struct part *part = view->part;

	if (part->nprocs == 2 && part->ncores >= 2)
		return view->figure->alone;
	if (part->nprocs == 2 * part->ncores)
		return view->figure->shared;
	if (table_is_crowded(part))
		return view->figure->crowd;
	return (struct target){ .by = BY_NOTHING };
}

/* In the unit of the samples. 0: no target. */
static double target(const struct view *view, const struct sample *s)
{
	struct target t = summary_target_of(view);

	switch (t.by) {
	case BY_NOTHING: return 0;
	case BY_LIMIT: return t.value * limit_of(view, s);
	case BY_FLAG: return t.value * s->flag / TARGET_FLAG;
	case BY_PERCENT: return limit_of(view, s) * (1 + t.value / 100);
	case BY_PROCESSES: return t.value + TARGET_KIB_MORE * (view->part->nprocs - 2);
	case BY_TIME: return t.value;
	case BY_MPI: return view->mpi / summary_convert(view->figure->unit, 1, 1);
	}
	return 0;
}

static double shown_target(const struct view *view, const struct sample *s)
{
	double t = target(view, s);

	return t > 0 ? summary_convert(view->figure->unit, t, limit_of(view, s)) : 0;
}

static double target_ratio(const struct view *view, const struct sample *s)
{
	double limit = limit_of(view, s);

	return limit > 0 ? target(view, s) / limit : 0;
}

static double target_parts(const struct view *view, const struct sample *s)
{
	double t = target(view, s);

	return t > 0 ? middle_of(s) / t : 0;
}

static void quartiles(const struct view *view, struct summary *out)
{
	double v[TABLE_ROUNDS * BENCH_BATCHES];
	int n = 0;

	for (int r = 0; r < view->nrounds; r++) {
		const struct sample *s = &view->sample[r];

		for (int i = 0; counts(view, r) && i < s->n; i++)
			v[n++] = summary_convert(view->figure->unit, s->time[i], limit_of(view, s));
	}
	out->q1 = sample_quantile(v, n, 0.25);
	out->q3 = sample_quantile(v, n, 0.75);
}

/* The fastest way in MPI. */
static void add_mpi(const struct run *run, const struct part *part, int figure, struct summary *out)
{
	for (int side = 1; side < TABLE_SIDES; side++) {
		struct view view = view_of(run, part, figure, side);

		if (summary_count(&view) == 0)
			continue;
		double value = over_rounds(&view, shown_value);

		if (out->mpi_row != NULL && out->mpi <= value)
			continue;
		out->mpi = value;
		out->mpi_row = table_figures[figure].mpi[side - 1];
	}
}

static int is_met(const struct view *view, const struct summary *known)
{
	struct target t = summary_target_of(view);
	double parts = over_rounds(view, target_parts);

	if (parts == 0)
		return -1;
	return parts <= 1 &&
	       !(t.beats_mpi && known->mpi_row != NULL && known->median >= known->mpi);
}

struct summary table_summary(const struct run *run, const struct part *part, int figure)
{
	struct view view = view_of(run, part, figure, 0);
	struct summary out = { .rounds = 0, .met = -1 };

	add_mpi(run, part, figure, &out);
	out.stable = !view.all;
	out.stable_rounds = view.all ? 0 : summary_count(&view);
	view.all = true;
	out.rounds = summary_count(&view);
	view.all = out.stable_rounds == 0;
	if (out.rounds == 0)
		return out;
	out.valid = true;
	view.mpi = out.mpi;
	out.median = over_rounds(&view, shown_value);
	quartiles(&view, &out);
	out.limit = over_rounds(&view, shown_limit);
	out.ratio = over_rounds(&view, ratio);
	out.flag = over_rounds(&view, flag);
	out.target = over_rounds(&view, shown_target);
	out.target_ratio = over_rounds(&view, target_ratio);
	out.met = is_met(&view, &out);
	return out;
}

static double median_of(const struct run *run, const struct part *part, const char *row)
{
	for (int f = 0; table_figures[f].text != NULL; f++)
		if (table_figures[f].row != NULL && strcmp(table_figures[f].row, row) == 0)
			return table_summary(run, part, f).median;
	return 0;
}

/*
 * A superstep of h words costs g h + l. g falls with the size n of the transfers:
 * g(n) = g (1 + n_half / n); so n_half is the size that reaches half the speed.
 */
struct parameters table_parameters(const struct run *run, const struct part *part)
{
	struct parameters p = { .l_ns = 1e3 * median_of(run, part, "sync") };
	double small = 1e3 * median_of(run, part, "exchange-put-64K");
	double large = 1e3 * median_of(run, part, "exchange-put-1M");
	double single = median_of(run, part, "puts-1000");
	double dot = 1e3 * median_of(run, part, "dot");
	double words = (double)((1 << 20) - (64 << 10)) / 8 * (part->nprocs - 1);

	if (dot > 0)
		p.flops_per_ns = 2 * BENCH_DOT / dot;
	if (single > 0 && p.l_ns > 0)
		p.g1_ns = fmax(single - p.l_ns / BENCH_ITEMS, 0);
	if (small > 0 && large > small && words > 0)
		p.g_ns = (large - small) / words;
	if (p.g1_ns > 0 && p.g_ns > 0)
		p.n_half = fmax(p.g1_ns / p.g_ns - 1, 0);
	return p;
}

/* The limits lie side by side as doubles. */
struct bench_limits table_limits(const struct run *run, double quantile)
{
	enum { N = sizeof(struct bench_limits) / sizeof(double) };
	struct bench_limits out;
	double all[TABLE_ROUNDS][N], one[TABLE_ROUNDS], result[N];

	memcpy(all, run->limits, sizeof all);
	for (int i = 0; i < N; i++) {
		for (int r = 0; r < run->nrounds; r++)
			one[r] = all[r][i];
		result[i] = sample_quantile(one, run->nrounds, quantile);
	}
	memcpy(&out, result, sizeof out);
	return out;
}
