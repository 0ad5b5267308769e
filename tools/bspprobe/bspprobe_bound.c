// SPDX-License-Identifier: BSD-3-Clause
/* bspprobe_bound.c - replace measured values that readers refuse by the nearest ones. */

/*
 * The library, bsprun --emulate and bspprobe itself refuse files with numbers that cannot be. So
 * such numbers are replaced here, marked, and reported, before anything is written.
 */

#include "bspprobe.h"

#include "bsplib/model/network.h"
#include "common/plain.h"

#include <math.h>

/* A value times @factor is in the unit of the file. */
static void bound_value(struct measure_value *v, const char *name, double least, double most,
			double factor, FILE *warnings)
{
	double was = v->median * factor, is = was >= least ? fmin(was, most) : least;

	if (was == is)
		return;
	v->median = is / factor;
	v->flagged = true;
	v->why = is == most ? "was more than can be" : "was less than can be";
	if (warnings)
		plain_fprintf(warnings,
			      "bspprobe: %s was measured as %g, which cannot be, and is taken as "
			      "%g; measure again when the machine is less busy, or longer "
			      "(--seconds)\n",
			      name, was, is);
}

static void bound_member(struct measure_value *v, const char *key, double factor, FILE *warnings)
{
	double least = 0, most = HUGE_VAL;

	bspi_params_range(key, &least, &most);
	bound_value(v, key, least, most, factor, warnings);
}

static void bound_gaps(struct measure_machine *k, FILE *warnings)
{
	struct bspi_plogp p = { .nsizes = k->npoints };
	enum bspi_gaps gaps;

	for (int i = 0; i < k->npoints; i++) {
		p.size[i] = k->point[i].bytes;
		p.g[i] = k->point[i].g.median;
	}
	gaps = bspi_network_mend_gaps(&p);
	for (int i = 0; i < k->npoints; i++) {
		struct measure_value *g = &k->point[i].g;

		if (g->median == p.g[i])
			continue;
		g->median = p.g[i];
		g->flagged = true;
		g->why = "more bytes took no more time";
	}
	if (warnings && gaps == BSPI_GAPS_MENDED)
		fputs("bspprobe: more bytes took no more time: g(m) is taken as the nearest that "
		      "grows; measure again when the machine is less busy, longer messages "
		      "(--bytes), or longer (--seconds)\n",
		      warnings);
	if (warnings && gaps == BSPI_GAPS_SHORT)
		fputs("bspprobe: all messages are as long on the way: programs can use these "
		      "parameters, but bsprun --emulate @FILE needs longer ones (--bytes)\n",
		      warnings);
}

static void bound_points(struct measure_machine *k, FILE *warnings)
{
	const double most = BSPI_EMULATED_TIME_MOST;

	bound_value(&k->L, "L", 0, most, 1, warnings);
	for (int i = 0; i < k->npoints; i++) {
		bound_value(&k->point[i].os, "os(m)", 0, most, 1, warnings);
		bound_value(&k->point[i].or_, "or(m)", 0, most, 1, warnings);
		bound_value(&k->point[i].g, "g(m)", 1, most, 1, warnings);
		bound_value(&k->point[i].alone, "alone(m)", 1, most, 1, warnings);
		bound_value(&k->point[i].cross, "cross(m)", 1, most, 1, warnings);
		bound_value(&k->point[i].fold, "fold(m)", 0, most, 1, warnings);
		bound_value(&k->point[i].copy, "copy(m)", 0, most, 1, warnings);
	}
	bound_gaps(k, warnings);
}

void probe_bound(struct measure_machine *k, FILE *warnings)
{
	double flops;

	bound_member(&k->s, "s", 1, warnings);
	flops = k->s.median / 1e3;	/* per ns */
	bound_member(&k->l_ns, "l", flops, warnings);
	bound_member(&k->g_ns, "g", flops, warnings);
	bound_value(&k->gamma, "gamma", 0, 1, 1, warnings);
	bound_member(&k->combine, "combine", 1, warnings);
	bound_member(&k->copy, "copy", 1, warnings);
	bound_value(&k->nhalf, "nhalf", 0, 1e9, 1, warnings);
	bound_points(k, warnings);
	/* not warned of: nothing is emulated from these */
	if (k->inside)
		bound_points(k->inside, NULL);
}
