// SPDX-License-Identifier: BSD-3-Clause
/* gauge_pat_loggp.c - LogGP by least squares, and pLogP, from one measurement. */

/*
 * Hoefler, Lichei and Rehm, Low-Overhead LogGP Parameter Assessment for Modern Interconnection
 * Networks (2007): with trains, g(m) = (PRTT(n, m) - PRTT(1, m)) / (n - 1) is g + (w - 1) G for
 * messages that are w bytes on the way, a line whose least squares are taken; relative ones, as
 * values are spread over orders of magnitude. Unlike there L has no overheads in it: PRTT(1, 1)
 * / 2 is os + L + (w - 1) G + or.
 *
 * Where a network changes its protocol there are several lines. A row of points is cut in two
 * where two lines fit them much better than one, and so on.
 */

#include "tools/bspgauge/gauge.h"

#include <math.h>

enum { LEAST_POINTS = 4, SEGMENTS = 4 };

/* Better than this one line is good enough; and two must be so many times better than one. */
static const double GOOD_FIT = 0.05, MUCH_BETTER = 2;

static struct {
	struct measure_machine machine;
	bool measured;
} once;

const struct measure_machine *gauge_machine(struct gauge *g)
{
	if (!once.measured)
		measure_plogp(&g->m, &once.machine, 1);
	once.measured = true;
	return &once.machine;
}

/* ---- Least squares -------------------------------------------------------------------------- */

enum bound { MEDIAN, LOW, HIGH };

struct line {
	double g, G;		/* ns, ns per byte */
	double off;		/* root of the mean square of the relative distance */
};

static double gap_of(const struct measure_point *p, enum bound bound)
{
	return bound == LOW ? p->g.low : bound == HIGH ? p->g.high : p->g.median;
}

/* Of the points @from up to @to. */
static struct line fit(const struct gauge *g, int from, int to, enum bound bound)
{
	double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0, sum = 0;
	struct line line = { 0, 0, 0 };

	for (int i = from; i < to; i++) {
		const struct measure_point *p = &once.machine.point[i];
		double x = gauge_wire_bytes(g->module, p->bytes) - 1, y = gap_of(p, bound),
		       weight = 1 / (p->g.median * p->g.median);

		w += weight;
		wx += weight * x;
		wy += weight * y;
		wxx += weight * x * x;
		wxy += weight * x * y;
	}
	if (w * wxx - wx * wx > 0)
		line.G = (w * wxy - wx * wy) / (w * wxx - wx * wx);
	line.g = (wy - line.G * wx) / w;
	for (int i = from; i < to; i++) {
		const struct measure_point *p = &once.machine.point[i];
		double y = line.g + line.G * (gauge_wire_bytes(g->module, p->bytes) - 1);

		sum += pow((y - gap_of(p, bound)) / p->g.median, 2);
	}
	line.off = sqrt(sum / (to - from));
	return line;
}

/* Where to cut so that two lines fit best; 0: nowhere. */
static int best_cut(const struct gauge *g, int from, int to)
{
	struct line whole = fit(g, from, to, MEDIAN);
	double best = whole.off / MUCH_BETTER;
	int cut = 0;

	for (int i = from + LEAST_POINTS; i + LEAST_POINTS <= to && whole.off > GOOD_FIT; i++) {
		struct line a = fit(g, from, i, MEDIAN), b = fit(g, i, to, MEDIAN);
		double off =
			sqrt((a.off * a.off * (i - from) + b.off * b.off * (to - i)) / (to - from));

		if (off < best) {
			best = off;
			cut = i;
		}
	}
	return cut;
}

/* Ends of the segments, in order; how many. */
static int cut_segments(const struct gauge *g, int from, int to, int *ends, int n)
{
	int cut = n < SEGMENTS - 1 ? best_cut(g, from, to) : 0;

	if (!cut) {
		ends[n] = to;
		return n + 1;
	}
	n = cut_segments(g, from, cut, ends, n);
	return cut_segments(g, cut, to, ends, n);
}

/* ---- Results ------------------------------------------------------------------------ */

static struct measure_value value_of(double median, double low, double high, int n, double unit)
{
	struct measure_value v = {
		.median = median * unit,
		.low = fmin(low, high) * unit,
		.high = fmax(low, high) * unit,
		.n = n,
	};

	v.low = fmin(v.low, v.median);
	v.high = fmax(v.high, v.median);
	measure_clamp(&v, 0);
	return v;
}

static void add_overhead(struct gauge *g, const char *name, const struct measure_value *ns)
{
	struct measure_value v = gauge_scaled(ns, 1e-3);

	gauge_value(g->result, name, "us", &v);
}

/* A segment's g and G, the line of it, and where it begins. */
static struct line add_segment(struct gauge *g, int k, int from, int to)
{
	const struct measure_point *p = once.machine.point;
	struct line line = fit(g, from, to, MEDIAN), low = fit(g, from, to, LOW),
		    high = fit(g, from, to, HIGH);
	struct measure_value v = value_of(line.g, low.g, high.g, to - from, 1e-3);
	struct gauge_series *s;
	char name[GAUGE_NAME];

	if (k) {
		struct measure_value at = { .median = (double)p[from].bytes,
					    .low = (double)p[from - 1].bytes,
					    .high = (double)p[from].bytes,
					    .n = 1 };

		snprintf(name, sizeof(name), "protocol_%d_from", k + 1);
		gauge_value(g->result, name, "bytes", &at);
	}
	snprintf(name, sizeof(name), k ? "g_%d" : "g", k + 1);
	gauge_value(g->result, name, "us", &v);
	v = value_of(line.G, low.G, high.G, to - from, 1);
	snprintf(name, sizeof(name), k ? "G_%d" : "G", k + 1);
	gauge_value(g->result, name, "ns/byte", &v);
	s = gauge_series(g->result, "gap", "us", k ? "fit_%d" : "fit", k + 1);
	for (int i = from; i < to; i++) {
		double y = (line.g + line.G * (gauge_wire_bytes(g->module, p[i].bytes) - 1)) * 1e-3;
		struct measure_value at = { .median = y, .low = y, .high = y, .n = 1 };

		measure_clamp(&at, 0);	/* short of g, where it was cut, a line may pass below */
		gauge_add(s, (double)p[i].bytes, &at);
	}
	return line;
}

static void run_loggp(struct gauge *g)
{
	const struct measure_machine *k = gauge_machine(g);
	int ends[SEGMENTS], n, from = 0;
	struct line first = { 0, 0, 0 };
	const struct measure_value *one, *os, *or_;
	struct measure_value L;
	double body;

	if (g->m.me != 0)
		return;
	n = cut_segments(g, 0, k->npoints, ends, 0);
	add_overhead(g, "os", &k->point[0].os);
	add_overhead(g, "or", &k->point[0].or_);
	for (int i = 0; i < n; from = ends[i++]) {
		struct line line = add_segment(g, i, from, ends[i]);

		first = i == 0 ? line : first;
	}
	one = &k->point[0].one;
	os = &k->point[0].os;
	or_ = &k->point[0].or_;
	body = (gauge_wire_bytes(g->module, 1) - 1) * fmax(first.G, 0);
	L = value_of(one->median / 2 - os->median - or_->median - body,
		     one->low / 2 - os->high - or_->high - body,
		     one->high / 2 - os->low - or_->low - body, one->n, 1e-3);
	gauge_value(g->result, "L", "us", &L);
}

static void add_curve(struct gauge *g, const char *plot, const char *name, size_t offset)
{
	const struct measure_machine *k = gauge_machine(g);
	struct gauge_series *s = gauge_series(g->result, plot, "us", "%s", name);

	for (int i = 0; i < k->npoints; i++) {
		const char *p = (const char *)&k->point[i];
		struct measure_value v = gauge_scaled(
			(const struct measure_value *)(const void *)(p + offset), 1e-3);

		gauge_add(s, (double)k->point[i].bytes, &v);
	}
}

static void run_plogp(struct gauge *g)
{
	const struct measure_machine *k = gauge_machine(g);
	struct measure_value L;

	if (g->m.me != 0)
		return;
	L = gauge_scaled(&k->L, 1e-3);
	gauge_value(g->result, "L", "us", &L);
	add_curve(g, "gap", "g(m)", offsetof(struct measure_point, g));
	add_curve(g, "overhead", "os(m)", offsetof(struct measure_point, os));
	add_curve(g, "overhead", "or(m)", offsetof(struct measure_point, or_));
}

const struct gauge_pattern gauge_pat_loggp = {
	.name = "loggp",
	.summary =
		"L, o, g and G of LogGP by least squares, for each protocol that the network "
		"changes to",
	.needs = GAUGE_RELIABLE,
	.nprocs_least = 2,
	.weight = 2,
	.run = run_loggp,
};

const struct gauge_pattern gauge_pat_plogp = {
	.name = "plogp", .summary = "L, os(m), or(m) and g(m) of parameterised LogP",
	.needs = GAUGE_RELIABLE, .nprocs_least = 2, .weight = 1, .run = run_plogp,
};
