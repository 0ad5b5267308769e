// SPDX-License-Identifier: BSD-3-Clause
/* measure_plogp.c - L, os(m), or(m) and g(m) between process 0 and the last one. */

/*
 * Sizes. At first powers of four; then, where the gap in the middle of two sizes is not what
 * lies on a line between them, that size joins and both halves are looked at later. So there
 * are many where the curve bends or jumps, as protocols change, and few where it is straight,
 * which is all that the models take it for. The same for the times of messages by themselves.
 */

#include "measure.h"

#include <math.h>

enum {
	TRAIN_MOST = 16,
	TRAIN_LEAST = 3,
	TRAIN_BYTES = 4 << 20,	/* of all messages of a train, if they are more than the least */
	/* messages, or folds, of which one is measured: few, so that credit does not run out */
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

struct measure_value measure_message(struct measure *m, enum measure_way way, uint64_t bytes,
				     double part)
{
	return plogp_take(m, way, bytes, 1, part);
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

/*
 * A gap that came out as nothing would make segments cost nothing. By definition it is no less than
 * either overhead, as both are part of it.
 */
static void mend_gap(struct measure_point *p)
{
	if (p->g.flagged)
		p->g.median = fmax(p->g.median, fmax(p->os.median, p->or_.median));
}

/* The cost of each message, or local operation, more where each waits for the one before. */
static struct measure_value one_of_blocking(struct measure *m, enum measure_way way,
					    uint64_t bytes, double part)
{
	struct measure_value many = plogp_take(m, way, bytes, BLOCKING, part);
	struct measure_value one = plogp_take(m, way, bytes, 1, part);

	return per_message(&many, &one, BLOCKING, 0);
}

static void measure_point_at(struct measure *m, struct measure_point *p, uint64_t bytes,
			     double part)
{
	int fit = (int)(TRAIN_BYTES / bytes);

	*p = (struct measure_point){ .bytes = bytes };
	p->n = fit > TRAIN_MOST ? TRAIN_MOST : fit < TRAIN_LEAST ? TRAIN_LEAST : fit;
	p->one = plogp_take(m, MEASURE_PRTT, bytes, 1, part);
	p->train = plogp_take(m, MEASURE_PRTT, bytes, p->n, part);
	p->g = per_message(&p->train, &p->one, p->n, 1);
	p->os = one_of_blocking(m, MEASURE_SENDS, bytes, part);
	p->or_ = one_of_blocking(m, MEASURE_RECEIVES, bytes, part);
	mend_gap(p);
	if (!m->carrier->has_pairs)
		return;
	if (bytes == 1)
		m->answer_ns = p->one.median / 2;
	p->alone = plogp_take(m, MEASURE_ALONE, bytes, 1, part);
	p->cross = plogp_take(m, MEASURE_CROSS, bytes, 1, part);
	measure_clamp(&p->alone, 1);
	measure_clamp(&p->cross, 1);
	p->fold = one_of_blocking(m, MEASURE_FOLDS, bytes, part);
	p->copy = one_of_blocking(m, MEASURE_COPIES, bytes, part);
}

/* The value at @bytes of the line between @low at one of @from and @high at one of @to. */
static double line_at(uint64_t from, double low, uint64_t to, double high, uint64_t bytes)
{
	return low + (high - low) / (double)(to - from) * (double)(bytes - from);
}

/* The gap at @bytes of the line between points @a and @b. */
static double on_line(const struct measure_point *a, const struct measure_point *b, uint64_t bytes)
{
	return line_at(a->bytes, a->g.median, b->bytes, b->g.median, bytes);
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

/* Is a curve bent there, beyond what is noise? */
static bool is_off(const struct measure_value *v, double line)
{
	double off = fabs(v->median - line), noise = v->high - v->low;

	return off > 0.05 * line && off > noise;
}

/* Is any curve bent at @p, which lies between @a and @b? */
static bool is_bent(const struct measure_point *a, const struct measure_point *p,
		    const struct measure_point *b)
{
	return is_off(&p->g, on_line(a, b, p->bytes)) ||
	       is_off(&p->alone, line_at(a->bytes, a->alone.median, b->bytes, b->alone.median,
					 p->bytes)) ||
	       is_off(&p->cross, line_at(a->bytes, a->cross.median, b->bytes, b->cross.median,
					 p->bytes));
}

/* Two sizes between which curves are to be looked at, in the order in which it happens. */
struct span {
	uint64_t low, high;
};

struct spans {
	struct span at[2 * BSPI_SIZES_MOST];
	int first, n;
};

static void spans_add(struct spans *s, uint64_t low, uint64_t high)
{
	if (s->n < 2 * BSPI_SIZES_MOST)
		s->at[s->n++] = (struct span){ low, high };
}

/* Measure in the middle of the two; is it bent there? */
static bool measure_between(struct measure *m, struct measure_machine *k, uint64_t middle,
			    double part)
{
	struct measure_point p;
	bool bent = false;
	int i;

	measure_say(m, part, "messages of %llu bytes", (unsigned long long)middle);
	measure_point_at(m, &p, middle, part);
	i = insert(k, &p);
	if (m->me == 0)
		bent = is_bent(&k->point[i - 1], &p, &k->point[i + 1]);
	measure_agree(m, &bent, sizeof(bent));
	return bent;
}

/*
 * All spans, then both halves of those that were bent, and so on: if time runs out, no size is far
 * from one that was measured.
 */
static void refine(struct measure *m, struct measure_machine *k, struct spans *s, double part)
{
	while (s->first < s->n && k->npoints < BSPI_SIZES_MOST && measure_has_time(m, part)) {
		struct span between = s->at[s->first++];
		uint64_t middle = (uint64_t)sqrt((double)between.low * (double)between.high);

		if (middle <= between.low + between.low / 8 ||
		    !measure_between(m, k, middle, part))
			continue;
		spans_add(s, between.low, middle);
		spans_add(s, middle, between.high);
	}
}

void measure_plogp(struct measure *m, struct measure_machine *k, double part)
{
	uint64_t sizes[BSPI_SIZES_MOST];
	struct spans spans = { .n = 0 };
	int n = 0;

	for (uint64_t bytes = 1; bytes <= m->bytes_most; bytes *= 4)
		sizes[n++] = bytes;
	for (int i = 0; i < n; i++) {
		measure_say(m, part * i / (2 * n), "messages of %llu bytes",
			    (unsigned long long)sizes[i]);
		measure_point_at(m, &k->point[k->npoints++], sizes[i], part);
	}
	for (int i = 0; i + 1 < n; i++)
		spans_add(&spans, sizes[i], sizes[i + 1]);
	refine(m, k, &spans, part);
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
