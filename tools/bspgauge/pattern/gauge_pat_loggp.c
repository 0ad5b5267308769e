// SPDX-License-Identifier: BSD-3-Clause
/* gauge_pat_loggp.c - LogGP by least squares, and pLogP, from one measurement. */

/*
 * Hoefler, Lichei and Rehm, Low-Overhead LogGP Parameter Assessment for Modern Interconnection
 * Networks (2007): with trains, g(m) = (PRTT(n, m) - PRTT(1, m)) / (n - 1) is g + (w - 1) G for
 * messages that are w bytes on the way; bsplib/model/loggp.h has the lines through them. Unlike
 * there L has no overheads in it: PRTT(1, 1) / 2, one_way, is os + L + (w - 1) G + or. o is
 * measured as there, too (gauge_delay.c), beside os and or.
 */

#include "tools/bspgauge/gauge.h"

#include "bsplib/model/network.h"

#include <math.h>

#define LOGGP_PART 0.7	/* of the time for gaps and overheads, the rest for o by delay */

static struct {
	struct measure_machine machine;
	bool measured;
	int lost;		/* samples of all points in which a message was */
} once;

static bool came(const struct measure_point *p)
{
	return !(p->one.lost && !p->one.n) && !(p->train.lost && !p->train.n);
}

/*
 * pLogP of the module, measured once, until @part of the budget is gone. Read on process 0. Sizes
 * of which every sample was lost are left out.
 */
static const struct measure_machine *gauge_machine(struct gauge *g, double part)
{
	struct measure_machine *k = &once.machine;
	int left = 0;

	if (once.measured)
		return k;
	measure_plogp(&g->m, k, part);
	for (int i = 0; i < k->npoints; i++) {
		const struct measure_point *p = &k->point[i];

		once.lost += p->g.lost + p->os.lost + p->or_.lost;
		if (came(p))
			k->point[left++] = *p;
	}
	k->npoints = left;
	once.measured = true;
	return k;
}

/* Is there anything? How many samples were discarded is said where messages may be lost. */
static bool loggp_has_points(struct gauge *g)
{
	struct measure_value v = { .median = once.lost, .low = once.lost, .high = once.lost,
				   .n = 1 };

	if (once.machine.npoints == 0)
		snprintf(g->result->skipped, sizeof(g->result->skipped),
			 "all messages were lost");
	else if (!(g->module->can & GAUGE_RELIABLE))
		gauge_value(g->result, "discarded", "samples", &v);
	return once.machine.npoints;
}

/* ---- Gaps ----------------------------------------------------------------------------------- */

enum bound { MEDIAN, LOW, HIGH, BOUNDS };

static double gap_of(const struct measure_point *p, enum bound bound)
{
	return bound == LOW ? p->g.low : bound == HIGH ? p->g.high : p->g.median;
}

/* The gaps as they are on the way. */
static void fill_gaps(const struct gauge *g, enum bound bound, struct bspi_gap *gaps)
{
	for (int i = 0; i < once.machine.npoints; i++) {
		const struct measure_point *p = &once.machine.point[i];

		gaps[i] = (struct bspi_gap){
			.bytes = gauge_wire_bytes(g->module, p->bytes) - 1,
			.ns = gap_of(p, bound),
			.scale = p->g.median,
		};
	}
}

/* ---- Results ------------------------------------------------------------------------ */

static struct measure_value value_of(double median, double low, double high, int n, double unit,
				     double least)
{
	struct measure_value v = {
		.median = median * unit,
		.low = fmin(low, high) * unit,
		.high = fmax(low, high) * unit,
		.n = n,
	};

	v.low = fmin(v.low, v.median);
	v.high = fmax(v.high, v.median);
	measure_clamp(&v, least);
	return v;
}

static void add_overhead(struct gauge *g, const char *name, const struct measure_value *ns)
{
	struct measure_value v = gauge_scaled(ns, 1e-3);

	gauge_value(g->result, name, "us", &v);
}

/* The g and G of row @k, whose gaps are @from up to @to; its line. */
static struct bspi_line loggp_add_row(struct gauge *g,
				      struct bspi_gap gaps[BOUNDS][BSPI_SIZES_MOST], int k,
				      int from, int to)
{
	const struct measure_point *p = once.machine.point;
	struct bspi_line line = bspi_line_fit(&gaps[MEDIAN][from], to - from),
			 low = bspi_line_fit(&gaps[LOW][from], to - from),
			 high = bspi_line_fit(&gaps[HIGH][from], to - from);
	struct measure_value v = value_of(line.g, low.g, high.g, to - from, 1e-3, 0);
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
	/* what is written can be emulated */
	v = value_of(line.G, low.G, high.G, to - from, 1, BSPI_EMULATED_BYTE_LEAST);
	snprintf(name, sizeof(name), k ? "G_%d" : "G", k + 1);
	gauge_value(g->result, name, "ns/byte", &v);
	s = gauge_series(g->result, "gap", "us", k ? "fit_%d" : "fit", k + 1);
	for (int i = from; i < to; i++) {
		double y = (line.g + line.G * gaps[MEDIAN][i].bytes) * 1e-3;
		struct measure_value at = { .median = y, .low = y, .high = y, .n = 1 };

		measure_clamp(&at, 0);	/* short of g, where it was cut, a line may pass below */
		gauge_add(s, (double)p[i].bytes, &at);
	}
	return line;
}

/* The time of one byte, and L from it and the G of its row. */
static void add_latency(struct gauge *g, double G)
{
	const struct measure_point *p = &once.machine.point[0];
	const struct measure_value *one = &p->one, *os = &p->os, *or_ = &p->or_;
	struct bspi_byte median = { os->median, or_->median, one->median / 2 },
			 least = { os->high, or_->high, one->low / 2 },
			 most = { os->low, or_->low, one->high / 2 };
	double body = gauge_wire_bytes(g->module, 1) - 1;
	struct measure_value L = value_of(bspi_loggp_latency(&median, body, G),
					  bspi_loggp_latency(&least, body, G),
					  bspi_loggp_latency(&most, body, G), one->n, 1e-3, 0),
			     one_way = gauge_scaled(one, 0.5e-3);

	gauge_value(g->result, "L", "us", &L);
	gauge_value(g->result, "one_way", "us", &one_way);
}

static void loggp_add_parameters(struct gauge *g, const struct measure_machine *k)
{
	struct bspi_gap gaps[BOUNDS][BSPI_SIZES_MOST];
	int ends[BSPI_LINES_MOST], n, from = 0;
	struct bspi_line first = { 0, 0, 0 };

	for (int bound = MEDIAN; bound < BOUNDS; bound++)
		fill_gaps(g, bound, gaps[bound]);
	n = bspi_line_cut(gaps[MEDIAN], k->npoints, ends);
	add_overhead(g, "os", &k->point[0].os);
	add_overhead(g, "or", &k->point[0].or_);
	for (int i = 0; i < n; from = ends[i++]) {
		struct bspi_line line = loggp_add_row(g, gaps, i, from, ends[i]);

		first = i == 0 ? line : first;
	}
	add_latency(g, first.G);
}

static void loggp_add_delayed(struct gauge *g, double from)
{
	struct gauge_series *s;

	if (g->m.virtual_time) {
		gauge_skip(g->result, "o by delay", "time is virtual, and waiting takes none");
		return;
	}
	s = gauge_series(g->result, "overhead", "us", "o by delay");
	for (int i = 0; i < g->nsizes; i++) {
		double part = from + (1 - from) * (i + 1) / g->nsizes;
		struct measure_value v;

		measure_say(&g->m, part, "%s: o by delay, %llu bytes", g->module->name,
			    (unsigned long long)g->request->size[i]);
		v = gauge_delay_overhead(g, g->request->size[i], part);
		gauge_add(s, (double)g->request->size[i], &v);
	}
}

static void run_loggp(struct gauge *g)
{
	const struct measure_machine *k = gauge_machine(g, LOGGP_PART);
	bool good = g->m.me == 0 && loggp_has_points(g);

	if (good)
		loggp_add_parameters(g, k);
	measure_agree(&g->m, &good, sizeof(good));
	if (good)
		loggp_add_delayed(g, LOGGP_PART);
}

static void add_curve(struct gauge *g, const char *plot, const char *name, size_t offset)
{
	const struct measure_machine *k = &once.machine;
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
	const struct measure_machine *k = gauge_machine(g, 1);
	struct measure_value L;

	if (g->m.me != 0 || !loggp_has_points(g))
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
	.needs = 0,
	.nprocs_least = 2,
	.weight = 2,
	.run = run_loggp,
};

const struct gauge_pattern gauge_pat_plogp = {
	.name = "plogp", .summary = "L, os(m), or(m) and g(m) of parameterised LogP",
	.needs = 0, .nprocs_least = 2, .weight = 1, .run = run_plogp,
};
