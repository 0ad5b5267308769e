// SPDX-License-Identifier: BSD-3-Clause
/* measure_bsp.c - the parameters of BSP: s by a dot product, l, g and n_half by puts. */

/*
 * An h-relation: a cyclic shift, in which each process puts all to the next, and a total
 * exchange, in which it puts the same to every other one. g is what a word more costs where
 * there are many, by the total exchange, which is the harder. n_half is the size of a message,
 * in the shift, at which a word costs twice that (Hockney's).
 */

#include "measure.h"
#include "clock.h"

#include "bsp.h"
#include "bsp_goal.h"
#include "transport/transport.h"

#include <math.h>
#include <stdlib.h>

enum {
	WORD = MEASURE_WORD_BYTES,
	SAMPLES = 25,
	DOUBLES = 4096,		/* of each vector: both are in the first cache */
	WORDS_MOST = MEASURE_WORDS_MOST,
	/* with the room of a process itself, which stays empty */
	AREA_BYTES = 2 * WORDS_MOST * WORD,
	LOCAL_BYTES = 1 << 18,
};

/* ---- The processor ------------------------------------------------------------------------ */

static double dot(const double *x, const double *y, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

/*
 * Mflop/s, of at least a millisecond of dot products; by processor time, as others may want the
 * processor.
 */
static double sample_s(double *x, const double *y, double *sum)
{
	double began = clock_cpu_ns(), spent;
	int n = 0;

	do {
		for (int i = 0; i < 16; i++) {
			*sum += dot(x, y, DOUBLES);
			x[i] += 1e-30 * *sum;	/* so that each time it is another one */
		}
		n += 16;
		spent = clock_cpu_ns() - began;
	} while (spent < 1e6);
	return 2.0 * DOUBLES * n * 1e3 / spent;
}

static struct measure_value measure_s(void)
{
	static double x[DOUBLES], y[DOUBLES];
	double samples[SAMPLES], sum = 0;
	struct measure_value v;

	for (int i = 0; i < DOUBLES; i++)
		x[i] = y[i] = 1.0 / (i + 1);
	for (int i = 0; i < SAMPLES; i++)
		samples[i] = sample_s(x, y, &sum);
	v = measure_median(samples, SAMPLES);
	if (!(sum > 0))
		measure_fail("a dot product is not positive");
	return v;
}

/* ---- Local operations of schedules ------------------------------------------------------- */

static struct goal_schedule *load_local(const struct measure *m, enum goal_function function,
					enum goal_datatype type)
{
	struct goal_graph *g = goal_graph_create(m->nprocs, m->me);

	if (!g)
		measure_fail("no memory");
	goal_buffer(g);
	goal_buffer(g);
	goal_local(g, function, type, LOCAL_BYTES, GOAL_AT(0, 0), GOAL_AT(1, 0));
	return measure_load(g);
}

/* ns per byte */
static struct measure_value measure_local(const struct measure *m, enum goal_function function,
					  enum goal_datatype type)
{
	struct goal_schedule *s = load_local(m, function, type);
	double samples[SAMPLES];
	void *buffers[2];

	for (int i = 0; i < 2; i++)
		if (!(buffers[i] = calloc(1, LOCAL_BYTES)))
			measure_fail("no memory");
	for (int i = -1; i < SAMPLES; i++) {
		double began = measure_now(m);
		struct goal_request *f = goal_start(s, buffers);

		goal_wait(f);
		samples[i < 0 ? 0 : i] = (measure_now(m) - began) / LOCAL_BYTES;
	}
	goal_unload(s);
	free(buffers[0]);
	free(buffers[1]);
	return measure_median(samples, SAMPLES);
}

void measure_processor(struct measure *m, struct measure_machine *k, double part)
{
	measure_say(m, 0, "the processor");
	k->s = measure_s();
	measure_has_time(m, part);	/* together again */
	k->combine = measure_local(m, GOAL_ADD, GOAL_F64);
	k->copy = measure_local(m, GOAL_COPY, GOAL_NONE);
	measure_clamp(&k->combine, 0);
	measure_clamp(&k->copy, 0);
}

/* ---- Supersteps ----------------------------------------------------------------------------- */

static char *area, *source;

struct relation {
	int words;
	bool shift;
};

/*
 * A superstep in which each process puts so many words in all: to the next one, or to all
 * others alike.
 */
static double superstep(struct measure *m, void *what)
{
	const struct relation *r = what;
	int each = r->words / (m->nprocs - 1) * WORD;
	double began = measure_now(m);

	if (r->shift && r->words)
		bsp_put((m->me + 1) % m->nprocs, source, area, 0, r->words * WORD);
	for (int i = 1; !r->shift && each && i < m->nprocs; i++)
		bsp_put((m->me + i) % m->nprocs, source, area, m->me * each, each);
	bsp_sync();
	return measure_now(m) - began;
}

struct measure_value measure_relation(struct measure *m, int words, bool shift, double part)
{
	struct relation r = { words, shift };

	return measure_take(m, superstep, &r, part);
}

/* The cost of one word more, between many and twice as many. */
static struct measure_value slope(struct measure *m, bool shift, double part)
{
	struct measure_value some = measure_relation(m, WORDS_MOST / 2, shift, part);
	struct measure_value many = measure_relation(m, WORDS_MOST, shift, part);
	struct measure_value v = measure_difference(&many, &some, WORDS_MOST / 2);

	measure_clamp(&v, 0);
	return v;
}

/*
 * Words at which one costs twice @g: between the last size at which it costs more and the first
 * at which it costs less. By doubling, then on a line.
 */
static struct measure_value find_nhalf(struct measure *m, double l, double g, double part)
{
	double before = HUGE_VAL;
	struct measure_value v = { .flagged = true, .why = "not reached" };

	measure_agree(m, &l, sizeof(l));
	measure_agree(m, &g, sizeof(g));
	for (int words = 1; words <= WORDS_MOST; words *= 2) {
		struct measure_value t = measure_relation(m, words, true, part);
		double per_word = (t.median - l) / words;

		measure_agree(m, &per_word, sizeof(per_word));
		if (per_word <= 2 * g) {
			double back =
				isfinite(before) ? (2 * g - per_word) / (before - per_word) : 0;

			v = (struct measure_value){ .median = words * (1 - back / 2), .n = t.n };
			v.flagged = words == 1;
			v.why = "a single word costs no more";
			v.low = words / 2;
			v.high = words;
			break;
		}
		before = per_word;
	}
	return v;
}

void measure_relations_open(void)
{
	area = malloc(AREA_BYTES);
	source = calloc(WORDS_MOST, WORD);
	if (!area || !source)
		measure_fail("no memory");
	bsp_push_reg(area, AREA_BYTES);
	bsp_sync();
}

void measure_relations_close(void)
{
	bsp_pop_reg(area);
	bsp_sync();
	free(area);
	free(source);
}

void measure_supersteps(struct measure *m, struct measure_machine *k, double part)
{
	measure_relations_open();
	measure_say(m, 0.1, "supersteps");
	k->l_ns = measure_relation(m, 0, true, part);
	k->g_ns = slope(m, false, part);
	k->g_shift_ns = slope(m, true, part);
	k->nhalf = find_nhalf(m, k->l_ns.median, k->g_shift_ns.median, part);
	measure_relations_close();
}
