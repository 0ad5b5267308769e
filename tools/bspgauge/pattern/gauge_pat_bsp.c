// SPDX-License-Identifier: BSD-3-Clause
/* gauge_pat_bsp.c - the BSP patterns: h-relations, relaxed supersteps. */

#include "tools/bspgauge/gauge.h"

#include "bsp.h"

#include <stdlib.h>

/* ---- h-relations -------------------------------------------------------------------- */

static void add_relations(struct gauge *g, bool shift, double part, double width)
{
	struct gauge_series *s = gauge_series(g->result, "relation", "us",
					      shift ? "cyclic shift" : "total exchange");
	int n = 0;

	for (int words = 1; words <= MEASURE_WORDS_MOST; words *= 4, n++) {
		struct measure_value v =
			measure_relation(&g->m, words, shift, part + width * (n + 1) / 9);

		v = gauge_scaled(&v, 1e-3);
		gauge_add(s, words, &v);
	}
}

static void run_hrelation(struct gauge *g)
{
	struct measure_machine *k = calloc(1, sizeof(*k));
	struct measure_value l_us;

	if (!k)
		measure_fail("no memory");
	measure_supersteps(&g->m, k, 0.5);
	l_us = gauge_scaled(&k->l_ns, 1e-3);
	gauge_value(g->result, "l", "us", &l_us);
	gauge_value(g->result, "g", "ns/word", &k->g_ns);
	gauge_value(g->result, "g_shift", "ns/word", &k->g_shift_ns);
	gauge_value(g->result, "n_half", "words", &k->nhalf);
	free(k);
	measure_relations_open();
	measure_say(&g->m, 0.5, "%s: h-relations", g->module->name);
	add_relations(g, true, 0.5, 0.25);
	add_relations(g, false, 0.75, 0.25);
	measure_relations_close();
}

const struct gauge_pattern gauge_pat_hrelation = {
	.name = "hrelation", .summary = "h-relations of bsp_put: g, l and n_half of BSP",
	.needs = GAUGE_LIBRARY, .nprocs_least = 2, .weight = 0.7, .run = run_hrelation,
};

/* ---- Classic and relaxed ------------------------------------------------------------ */

enum { BATCH = 16, SUPERSTEP_MOST = 1 << 16 };

struct supersteps {
	struct gauge *g;
	int mode, bytes;
};

/* A put to the next process, and what makes sure that the one of the process before is here. */
static double sample_superstep(struct measure *m, void *what)
{
	const struct supersteps *s = what;
	double began, us;

	bsp_set_sync(s->mode);
	bsp_sync();
	began = measure_now(m);
	for (int i = 0; i < BATCH; i++) {
		bsp_put((m->me + 1) % m->nprocs, s->g->job.src, s->g->job.dst, 0, s->bytes);
		bsp_sync();
		bsp_read(s->g->job.dst, 1);
	}
	us = (measure_now(m) - began) * 1e-3 / BATCH;
	bsp_set_sync(BSP_CLASSIC);
	bsp_sync();
	return us;
}

static void bsp_run_relaxed(struct gauge *g)
{
	gauge_series(g->result, "superstep", "us", "classic");
	gauge_series(g->result, "superstep", "us", "relaxed");
	bsp_push_reg(g->job.dst, (int)g->job.bytes);
	bsp_sync();
	for (int i = 0; i < g->nsizes && g->request->size[i] <= SUPERSTEP_MOST; i++)
		for (int k = 0; k < 2; k++) {
			struct supersteps s = { g, k ? BSP_RELAXED : BSP_CLASSIC,
						(int)g->request->size[i] };
			double part = (i + (k + 1) / 2.0) / g->nsizes;
			struct measure_value v;

			measure_say(&g->m, part, "%s: supersteps of %d bytes", g->module->name,
				    s.bytes);
			v = measure_take(&g->m, sample_superstep, &s, part);
			gauge_add_taken(g, &g->result->series[k], s.bytes, &v);
		}
	bsp_pop_reg(g->job.dst);
	bsp_sync();
}

const struct gauge_pattern gauge_pat_relaxed = {
	.name = "relaxed",
	.summary = "a superstep with a put to the next process, classic and relaxed",
	.needs = GAUGE_LIBRARY,
	.nprocs_least = 2,
	.weight = 0.5,
	.run = bsp_run_relaxed,
};
