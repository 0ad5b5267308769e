// SPDX-License-Identifier: BSD-3-Clause
/* plogp.c - the parameters of a network at a size, and from those of LogGP. */

#include "bsplib/model/model.h"

#include <math.h>
#include <string.h>

/*
 * Between sizes linear. Beyond the last as between the last two, but never less than at the last:
 * measured values may fall, and costs must not become negative. Below the first as the first.
 */
static double at_size(const struct bspi_plogp *p, const double *value, uint64_t bytes)
{
	int i = 1, last = p->nsizes - 1;
	double slope, cost;

	if (last == 0 || bytes <= p->size[0])
		return value[0];
	while (i < last && p->size[i] < bytes)
		i++;
	slope = (value[i] - value[i - 1]) / (double)(p->size[i] - p->size[i - 1]);
	cost = value[i - 1] + slope * (double)(bytes - p->size[i - 1]);
	return bytes > p->size[last] ? fmax(cost, value[last]) : cost;
}

double bspi_model_gap(const struct bspi_plogp *p, uint64_t bytes)
{
	return at_size(p, p->g, bytes);
}

double bspi_model_send(const struct bspi_plogp *p, uint64_t bytes)
{
	return at_size(p, p->os, bytes);
}

double bspi_model_receive(const struct bspi_plogp *p, uint64_t bytes)
{
	return at_size(p, p->or_, bytes);
}

double bspi_model_fold(const struct bspi_plogp *p, uint64_t bytes)
{
	return p->has_local ? at_size(p, p->fold, bytes) : (double)bytes * p->combine;
}

double bspi_model_copy(const struct bspi_plogp *p, uint64_t bytes)
{
	return p->has_local ? at_size(p, p->move, bytes) : (double)bytes * p->copy;
}

struct bspi_plogp bspi_model_of_trains(const struct bspi_plogp *p)
{
	struct bspi_plogp trains = *p;

	memset(trains.alone, 0, sizeof(trains.alone));
	memset(trains.cross, 0, sizeof(trains.cross));
	trains.has_local = false;
	trains.copy = 0;
	return trains;
}

double bspi_model_hop(const struct bspi_plogp *p, uint64_t bytes)
{
	return p->alone[0] > 0 ? at_size(p, p->alone, bytes) : p->L + at_size(p, p->g, bytes);
}

/* Two messages at once take no less than one. */
double bspi_model_cross(const struct bspi_plogp *p, uint64_t bytes)
{
	double one = bspi_model_hop(p, bytes);

	return p->cross[0] > 0 ? fmax(one, at_size(p, p->cross, bytes)) : one;
}

double bspi_model_cross_beside(const struct bspi_plogp *p, uint64_t bytes, double work)
{
	double cross = bspi_model_cross(p, bytes);
	double busy = at_size(p, p->os, bytes) + at_size(p, p->or_, bytes);

	return fmax(cross, fmin(busy, cross) + work);
}

double bspi_model_latency(const struct bspi_plogp *p, uint64_t bytes)
{
	return fmax(bspi_model_hop(p, bytes) - bspi_model_gap(p, bytes), 0);
}

/*
 * A sender is ready for the next message when its processor is (o) and its interface (g + (m-1)
 * G), which work beside each other. A message is there when both processors have spent o and the
 * last byte has arrived: 2o + L + (m-1) G. Where o <= g, L + g(m) says exactly that; else it is
 * up to o - g too little, from the size on at which the interface is the slower one.
 */
void bspi_plogp_of(struct bspi_plogp *p, double L, double o, double g, double G)
{
	static const uint64_t far = 1 << 30;
	uint64_t bend = o > g && G > 0 ? 1 + (uint64_t)ceil((o - g) / G) : 1;

	*p = (struct bspi_plogp){ .L = L + 2 * o - fmax(o, g), .nsizes = 2 };
	p->size[0] = 1;
	p->g[0] = fmax(o, g);
	if (bend > 1 && bend < far) {
		p->size[1] = bend;
		p->g[1] = fmax(o, g + (double)(bend - 1) * G);
		p->nsizes = 3;
	}
	p->size[p->nsizes - 1] = far;
	p->g[p->nsizes - 1] = fmax(o, g + (double)(far - 1) * G);
	for (int i = 0; i < p->nsizes; i++)
		p->os[i] = p->or_[i] = o;
}

/* At the sizes of @from, since there is a fold and a copy for each of them. */
void bspi_plogp_take_local(struct bspi_plogp *p, const struct bspi_plogp *from)
{
	const struct bspi_plogp was = *p;

	p->combine = from->combine;
	p->copy = from->copy;
	p->has_local = from->has_local;
	for (int i = 0; from->has_local && i < from->nsizes; i++) {
		p->size[i] = from->size[i];
		p->os[i] = at_size(&was, was.os, p->size[i]);
		p->or_[i] = at_size(&was, was.or_, p->size[i]);
		p->g[i] = at_size(&was, was.g, p->size[i]);
		p->alone[i] = at_size(&was, was.alone, p->size[i]);
		p->cross[i] = at_size(&was, was.cross, p->size[i]);
		p->fold[i] = from->fold[i];
		p->move[i] = from->move[i];
		p->nsizes = from->nsizes;
	}
}
