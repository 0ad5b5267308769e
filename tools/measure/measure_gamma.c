// SPDX-License-Identifier: BSD-3-Clause
/* measure_gamma.c - contention of total exchange: gamma, and the bounds of the model. */

/*
 * Section 5.1 of Barchet-Estefanel and Mounie: of n processes a total exchange takes
 *
 *	Lower = (n-1) (os(m) + or(m)) + L	where the processor is all that counts
 *	Upper = (n-1) (g(m) + or(m)) + L	where messages wait for each other on the way
 *	T = Lower + (Upper - Lower) gamma
 *
 * and gamma, from 0 to 1, is a constant of the network. Two things can keep it from being measured.
 * Where g(m) is about os(m) the bounds are so close that the quotient is the noise of T, enlarged:
 * such sizes are left out. And T may be more than Upper, as where processes share a processor, or
 * where a switch is busier than any interface: no gamma of the model describes that. A value that
 * cannot be measured is marked, and neither predictions nor readers of files use it.
 *
 * Beside the bounds stands the model that the paper begins with, of Clement, Steed and Crandall
 * (1996) for one link that all share: T = l + b gamma / W, where gamma is the number of processes,
 * l the time of a byte, L + g(1), and W the bandwidth of the longest messages. No prediction uses
 * it.
 */

#include "measure.h"

#include <math.h>

/* An exchange that takes up to so many times its time without contention has none. */
static const double NO_CONTENTION = 1.05;
/* Times of more than so many times the upper bound are not described by gamma. */
static const double ABOVE_UPPER = 1.05;
/*
 * Bounds that are closer than this part of the lower one do not tell: at it, times that are off by
 * 5 % put gamma off by a quarter.
 */
static const double BOUNDS_APART = 0.2;

/* ns per byte of the longest messages. */
static double byte_of(const struct bspi_plogp *p)
{
	uint64_t longest = p->size[p->nsizes - 1];

	if (longest == 1)
		return 0;
	return (bspi_model_gap(p, longest) - bspi_model_gap(p, 1)) / (double)(longest - 1);
}

void measure_exchange_bounds(const struct bspi_plogp *p, int nprocs, struct measure_exchange *x)
{
	/* two messages that cross may have met at a busy switch: without contention is L + g(m) */
	struct bspi_plogp calm = bspi_model_of_trains(p);
	struct goal_task t = {
		.kind = GOAL_EXCHANGE, .bytes = x->bytes, .call = -1, .networks = 1, .target = 1,
		.algorithm = goal_algorithm_named(GOAL_EXCHANGE, "direct-rotated"),
	};
	double os = bspi_model_send(p, x->bytes), or_ = bspi_model_receive(p, x->bytes);
	double g = bspi_model_gap(p, x->bytes), apart;

	calm.has_local = p->has_local;
	calm.copy = p->copy;
	calm.gamma = 0;
	x->lower = (nprocs - 1) * (os + or_) + p->L;
	x->upper = (nprocs - 1) * (g + or_) + p->L;
	x->linear = p->L + bspi_model_gap(p, 1) + (double)x->bytes * nprocs * byte_of(p);
	x->calm = bspi_model_cost(&calm, &t, nprocs);
	apart = x->upper - x->lower;
	if (!(apart >= BOUNDS_APART * x->lower))
		x->gamma = NAN;
	else if (x->took <= NO_CONTENTION * x->calm)
		x->gamma = 0;
	else
		x->gamma = fmax((x->took - x->lower) / apart, 0);
}

/* Is the median time, of sizes that tell, more than the upper bound? */
static bool is_above_upper(const struct measure_exchange *x, int n)
{
	int above = 0, known = 0;

	for (int i = 0; i < n; i++) {
		known += !isnan(x[i].gamma);
		above += !isnan(x[i].gamma) && x[i].took > ABOVE_UPPER * x[i].upper;
	}
	return 2 * above > known;
}

struct measure_value measure_gamma_of(const struct measure_exchange *x, int n)
{
	double gammas[MEASURE_EXCHANGES];
	struct measure_value v;
	int known = 0;

	for (int i = 0; i < n && known < MEASURE_EXCHANGES; i++)
		if (!isnan(x[i].gamma))
			gammas[known++] = x[i].gamma;
	if (n == 0)
		return measure_nothing("no time");
	if (known == 0)
		return measure_nothing("cannot be measured: g(m) is about os(m)");
	v = measure_median(gammas, known);
	if (v.median > 1) {
		v.median = 1;
		v.flagged = is_above_upper(x, n);
		v.why = "cannot be measured: exchanges take more than the upper bound";
	}
	return v;
}
