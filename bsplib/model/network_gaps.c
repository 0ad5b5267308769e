// SPDX-License-Identifier: BSD-3-Clause
/* network_gaps.c - gaps that a busy machine has spoilt become some that can be emulated. */

#include "bsplib/model/network.h"

#include "bsplib/model/measurements.h"
#include "bsplib/model/model.h"

#include <math.h>

/*
 * The slope that is given to gaps: twice what can be emulated, and more than nine digits of the
 * greatest gap lose within the 8 bytes that two sizes differ by on the way.
 */
static double slope_of(const struct bspi_plogp *p)
{
	double most = 0;

	for (int i = 0; i < p->nsizes; i++)
		most = fmax(most, p->g[i]);
	return 2 * BSPI_EMULATED_BYTE_LEAST + most * 1e-9;
}

/* Neighbours that decrease become their mean, until none do: the nearest by least squares. */
static void pool_decreasing(double *y, int n)
{
	int size[BSPI_SIZES_MOST], pools = 0;
	double mean[BSPI_SIZES_MOST];

	for (int i = 0; i < n; i++) {
		mean[pools] = y[i];
		size[pools++] = 1;
		for (; pools > 1 && mean[pools - 2] > mean[pools - 1]; pools--) {
			int a = size[pools - 2], b = size[pools - 1];

			mean[pools - 2] = (mean[pools - 2] * a + mean[pools - 1] * b) / (a + b);
			size[pools - 2] = a + b;
		}
	}
	for (int pool = 0, i = 0; pool < pools; pool++)
		for (int k = 0; k < size[pool]; k++)
			y[i++] = mean[pool];
}

static void make_gaps_grow(struct bspi_plogp *p)
{
	double slope = slope_of(p), least = HUGE_VAL, y[BSPI_SIZES_MOST], first;

	for (int i = 0; i < p->nsizes; i++) {
		least = fmin(least, p->g[i]);
		y[i] = p->g[i] - slope * bspi_network_wire_bytes(p->size[i]);
	}
	pool_decreasing(y, p->nsizes);
	first = least - slope * bspi_network_wire_bytes(p->size[0]);
	for (int i = 0; i < p->nsizes; i++)
		p->g[i] = fmax(y[i], first) + slope * bspi_network_wire_bytes(p->size[i]);
}

enum bspi_gaps bspi_network_mend_gaps(struct bspi_plogp *p)
{
	if (p->nsizes == 0 || bspi_network_wire_bytes(p->size[0]) ==
				      bspi_network_wire_bytes(p->size[p->nsizes - 1]))
		return BSPI_GAPS_SHORT;
	/* digits that are not written must not bring it below what can be emulated */
	if (bspi_network_byte_of(p) >= slope_of(p))
		return BSPI_GAPS_MEASURED;
	make_gaps_grow(p);
	return BSPI_GAPS_MENDED;
}
