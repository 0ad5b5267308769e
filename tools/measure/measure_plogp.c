// SPDX-License-Identifier: BSD-3-Clause
/* measure_plogp.c - L, os(m), or(m) and g(m) between process 0 and the last one. */

/*
 * Sizes. At first powers of four; then, where the gap in the middle of two sizes is not what
 * lies on a line between them, that size joins and both halves are looked at again. So there
 * are many where the curve bends or jumps, as protocols change, and few where it is straight,
 * which is all that the models take it for.
 */

#include "measure.h"

#include <math.h>

enum {
	TRAIN_MOST = 16,
	TRAIN_LEAST = 3,
	TRAIN_BYTES = 4 << 20,	/* of all messages of a train, if they are more than the least */
	/* messages in which overheads are measured: few, so that credit does not run out */
	BLOCKING = 4,
	WIDE_JUMP = 2,		/* a gap that is so many times what the line before it says */
};

/* ---- Samples ------------------------------------------------------------------------------ */

/* The time of @n messages of @bytes, by the carrier that measures the network. */
static struct measure_value plogp_take(struct measure *m, enum measure_way way, uint64_t bytes,
				       int n, double part)
{
	void *loaded = m->carrier->load(m, way, n, bytes);
	struct measure_value v = measure_take(m, m->carrier->sample, loaded, part);

	m->carrier->unload(m, loaded);
	return v;
}

/* ---- Points --------------------------------------------------------------------------------- */

/* The cost of each message more, from the times of @n and of one. */
static struct measure_value per_message(const struct measure_value *many,
					const struct measure_value *one, int n, double least)
{
	struct measure_value v = measure_difference(many, one, n - 1);

	measure_clamp(&v, least);
	return v;
}

static void measure_point_at(struct measure *m, struct measure_point *p, uint64_t bytes,
			     double part)
{
	struct measure_value many, one;
	int fit = (int)(TRAIN_BYTES / bytes);

	*p = (struct measure_point){ .bytes = bytes };
	p->n = fit > TRAIN_MOST ? TRAIN_MOST : fit < TRAIN_LEAST ? TRAIN_LEAST : fit;
	p->one = plogp_take(m, MEASURE_PRTT, bytes, 1, part);
	p->train = plogp_take(m, MEASURE_PRTT, bytes, p->n, part);
	p->g = per_message(&p->train, &p->one, p->n, 1);
	many = plogp_take(m, MEASURE_SENDS, bytes, BLOCKING, part);
	one = plogp_take(m, MEASURE_SENDS, bytes, 1, part);
	p->os = per_message(&many, &one, BLOCKING, 0);
	many = plogp_take(m, MEASURE_RECEIVES, bytes, BLOCKING, part);
	one = plogp_take(m, MEASURE_RECEIVES, bytes, 1, part);
	p->or_ = per_message(&many, &one, BLOCKING, 0);
}

/* The value at @bytes of the line between points @a and @b. */
static double on_line(const struct measure_point *a, const struct measure_point *b, uint64_t bytes)
{
	double slope = (b->g.median - a->g.median) / (double)(b->bytes - a->bytes);

	return a->g.median + slope * (double)(bytes - a->bytes);
}

/* Put it where it belongs by size; its place. */
static int insert(struct measure_machine *k, const struct measure_point *p)
{
	int i = k->npoints++;

	for (; i > 0 && k->point[i - 1].bytes > p->bytes; i--)
		k->point[i] = k->point[i - 1];
	k->point[i] = *p;
	return i;
}

/* Is the curve bent there, beyond what is noise? */
static bool is_bent(const struct measure_point *p, double line)
{
	double off = fabs(p->g.median - line), noise = p->g.high - p->g.low;

	return off > 0.05 * line && off > noise;
}

/* Between sizes @low and @high; deeper where it is bent. */
static void refine(struct measure *m, struct measure_machine *k, uint64_t low, uint64_t high,
		   double part)
{
	uint64_t middle = (uint64_t)sqrt((double)low * (double)high);
	struct measure_point p;
	bool deeper = false;
	int i;

	if (middle <= low + low / 8 || k->npoints == BSPI_SIZES_MOST || !measure_has_time(m, part))
		return;
	measure_say(m, part, "messages of %llu bytes", (unsigned long long)middle);
	measure_point_at(m, &p, middle, part);
	i = insert(k, &p);
	if (m->me == 0)
		deeper = is_bent(&p, on_line(&k->point[i - 1], &k->point[i + 1], middle));
	measure_agree(m, &deeper, sizeof(deeper));
	if (!deeper)
		return;
	refine(m, k, low, middle, part);
	refine(m, k, middle, high, part);
}

void measure_plogp(struct measure *m, struct measure_machine *k, double part)
{
	uint64_t sizes[BSPI_SIZES_MOST];
	int n = 0;

	for (uint64_t bytes = 1; bytes <= m->bytes_most; bytes *= 4)
		sizes[n++] = bytes;
	for (int i = 0; i < n; i++) {
		measure_say(m, part * i / (2 * n), "messages of %llu bytes",
			    (unsigned long long)sizes[i]);
		measure_point_at(m, &k->point[k->npoints++], sizes[i], part);
	}
	for (int i = 0; i + 1 < n; i++)
		refine(m, k, sizes[i], sizes[i + 1], part);
	/* where the gap is much more than the two sizes before it would have it */
	for (int i = 2; i < k->npoints; i++) {
		const struct measure_point *a = &k->point[i - 2], *b = &k->point[i - 1];
		double line = fmax(on_line(a, b, k->point[i].bytes), b->g.median);

		k->point[i].changes = k->point[i].g.median > WIDE_JUMP * line;
	}
	k->L = k->point[0].one;
	k->L.median = k->L.median / 2 - k->point[0].g.median;
	k->L.low = k->L.low / 2 - k->point[0].g.high;
	k->L.high = k->L.high / 2 - k->point[0].g.low;
	measure_clamp(&k->L, 0);
}
