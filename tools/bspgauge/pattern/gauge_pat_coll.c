// SPDX-License-Identifier: BSD-3-Clause
/* gauge_pat_coll.c - barriers and collective operations by each algorithm, and by the library. */

/*
 * Barriers of BSP_BARRIER's names: along each tree on 2 processes up to all; on all of them also
 * released by multicast, over two networks, and with one message to and from each node. Operations
 * of BSP_COLL's names, over sizes, with the segment or the arity that the library would choose.
 */

#include "tools/bspgauge/gauge.h"

#include "bsp.h"
#include "bsp_coll.h"
#include "bsplib/collective/coll.h"

#include <math.h>

enum { ARITY = 4 };

static unsigned int algorithms_of(enum goal_kind kind)
{
	unsigned int n = 0;

	while (goal_algorithm(kind, n))
		n++;
	return n;
}

/* ---- Barriers ----------------------------------------------------------------------- */

static void measure_barrier(struct gauge *g, const struct measure_variant *variant,
			    struct goal_task t, double part, double width)
{
	const struct goal_algorithm *a = t.algorithm;
	int p = variant == measure_variants ? 2 : g->m.nprocs;
	char arity[8] = "";
	struct gauge_series *s;
	struct measure_value v;

	if (!measure_variant_take(variant, &t))
		return;
	if (a->has_arity)
		snprintf(arity, sizeof(arity), ":%d", ARITY);
	s = gauge_series(g->result, "barrier", "us", "%s%s%s", a->name, arity, variant->name);
	for (; p <= g->m.nprocs; p++) {
		measure_say(&g->m, part, "%s: barrier %s%s, %d processes", g->module->name,
			    a->name, variant->name, p);
		if (!measure_task(&g->m, &t, p, part + width * (p - 1) / (g->m.nprocs - 1), &v))
			continue;
		v = gauge_scaled(&v, 1e-3);
		gauge_add(s, p, &v);
	}
}

static double sample_sync(struct measure *m, void *what)
{
	double began;

	(void)what;
	measure_align(m);
	began = measure_now(m);
	bsp_sync();
	return measure_most(m, measure_now(m) - began) * 1e-3;
}

static void coll_run_barrier(struct gauge *g)
{
	struct goal_task t = measure_task_of(GOAL_BARRIER, 0);
	double part = 0, width = 0.5 / algorithms_of(GOAL_BARRIER);
	struct measure_value v;

	t.arity = ARITY;
	for (const struct measure_variant *at = measure_variants; at->name; at++) {
		const char *why = measure_variant_refuses(&g->m, at, g->m.nprocs);

		if (why)
			gauge_skip(g->result, at->name, why);
		for (unsigned int i = 0; !why && goal_algorithm(GOAL_BARRIER, i); i++) {
			t.algorithm = goal_algorithm(GOAL_BARRIER, i);
			measure_barrier(g, at, t, part, width);
			part += width;
		}
		width = (1 - part) / 6 / algorithms_of(GOAL_BARRIER);
	}
	v = measure_take(&g->m, sample_sync, NULL, 1);
	gauge_add_taken(g, gauge_series(g->result, "barrier", "us", "bsp_sync"), g->m.nprocs, &v);
}

const struct gauge_pattern gauge_pat_barrier = {
	.name = "barrier",
	.summary = "barriers by each algorithm, on 2 processes up to all, and bsp_sync",
	.needs = GAUGE_LIBRARY,
	.nprocs_least = 2,
	.weight = 0.7,
	.run = coll_run_barrier,
};

/* ---- Operations --------------------------------------------------------------------- */

struct operation {
	enum goal_kind kind;
	const char *call;
	void (*make)(const struct gauge *g, size_t bytes);
};

static void make_bcast(const struct gauge *g, size_t bytes)
{
	bsp_bcast(0, g->job.src, g->job.dst, bytes);
}

static void make_allgather(const struct gauge *g, size_t bytes)
{
	bsp_allgather(g->job.src, g->job.dst, bytes);
}

static void make_allreduce(const struct gauge *g, size_t bytes)
{
	bsp_allreduce(BSP_SUM, BSP_DOUBLE, g->job.src, g->job.dst, bytes / sizeof(double));
}

struct operation_call {
	const struct gauge *g;
	const struct operation *op;
	size_t bytes;
};

static double sample_call(struct measure *m, void *what)
{
	const struct operation_call *c = what;
	double began;

	measure_align(m);
	began = measure_now(m);
	c->op->make(c->g, c->bytes);
	return measure_most(m, measure_now(m) - began) * 1e-3;
}

/* Does what each process gets fit an area? Areas are of the largest size that was asked for. */
static bool operation_fits(const struct gauge *g, const struct operation *op, uint64_t bytes)
{
	uint64_t blocks = op->kind == GOAL_ALLGATHER ? (uint64_t)g->m.nprocs : 1;

	return bytes * blocks <= g->job.bytes &&
	       (!goal_kind_folds(op->kind) || bytes >= sizeof(double));
}

/* By one algorithm, or as the library does it if @a is NULL; false: the algorithm refuses. */
static bool operation_take(struct gauge *g, const struct operation *op,
			   const struct goal_algorithm *a, uint64_t bytes, double part,
			   struct measure_value *v)
{
	struct goal_task t = measure_task_of(op->kind, bytes);
	struct operation_call c = { g, op, (size_t)t.bytes };

	if (!a) {
		*v = measure_take(&g->m, sample_call, &c, part);
		return true;
	}
	t.algorithm = a;
	t.multicast_most = BSPI_MULTICAST_BYTES;
	if (!isfinite(bspi_model_tune(&bspi_params()->plogp, &t, g->m.nprocs)) ||
	    !measure_task(&g->m, &t, g->m.nprocs, part, v))
		return false;
	*v = gauge_scaled(v, 1e-3);
	return true;
}

/* Why it cannot be done at all, or NULL. */
static const char *operation_refuses(const struct gauge *g, const struct operation *op,
				     const struct goal_algorithm *a)
{
	struct goal_task t = measure_task_of(op->kind, g->request->size[g->nsizes - 1]);

	if (!a)
		return NULL;
	t.algorithm = a;
	return a->multicasts ? measure_multicast_refuses(&g->m, g->m.nprocs) :
			       goal_refuses(&t, g->m.nprocs, 0);
}

static void operation_measure(struct gauge *g, const struct operation *op,
			      const struct goal_algorithm *a, double part, double width)
{
	const char *name = a ? a->name : op->call, *why = operation_refuses(g, op, a);
	struct gauge_series *s;
	struct measure_value v;

	if (why) {
		gauge_skip(g->result, name, why);
		return;
	}
	s = gauge_series(g->result, goal_kind_name(op->kind), "us", "%s", name);
	for (int i = 0; i < g->nsizes; i++, part += width / g->nsizes) {
		uint64_t bytes = measure_task_of(op->kind, g->request->size[i]).bytes;

		if (!operation_fits(g, op, g->request->size[i]))
			continue;
		measure_say(&g->m, part, "%s: %s, %s of %llu bytes", g->module->name,
			    goal_kind_name(op->kind), name, (unsigned long long)bytes);
		if (operation_take(g, op, a, bytes, part + width / g->nsizes, &v))
			gauge_add(s, (double)bytes, &v);
	}
	if (s->n == 0)
		snprintf(s->skipped, sizeof(s->skipped), "none of the sizes suits it");
}

static void operation_run(struct gauge *g, const struct operation *op)
{
	double width = 1.0 / (algorithms_of(op->kind) + 1);
	const struct goal_algorithm *a;

	for (unsigned int i = 0; (a = goal_algorithm(op->kind, i)); i++)
		operation_measure(g, op, a, i * width, width);
	operation_measure(g, op, NULL, 1 - width, width);
}

static void coll_run_bcast(struct gauge *g)
{
	operation_run(g, &(struct operation){ GOAL_BCAST, "bsp_bcast", make_bcast });
}

static void coll_run_allgather(struct gauge *g)
{
	operation_run(g, &(struct operation){ GOAL_ALLGATHER, "bsp_allgather", make_allgather });
}

static void coll_run_allreduce(struct gauge *g)
{
	operation_run(g, &(struct operation){ GOAL_ALLREDUCE, "bsp_allreduce", make_allreduce });
}

const struct gauge_pattern gauge_pat_bcast = {
	.name = "bcast",
	.summary = "broadcasts by each algorithm, and bsp_bcast",
	.needs = GAUGE_LIBRARY,
	.nprocs_least = 2,
	.weight = 0.7,
	.run = coll_run_bcast,
};

const struct gauge_pattern gauge_pat_allgather = {
	.name = "allgather",
	.summary = "allgathers by each algorithm, and bsp_allgather",
	.needs = GAUGE_LIBRARY,
	.nprocs_least = 2,
	.weight = 0.5,
	.run = coll_run_allgather,
};

const struct gauge_pattern gauge_pat_allreduce = {
	.name = "allreduce",
	.summary = "allreduces by each algorithm, and bsp_allreduce",
	.needs = GAUGE_LIBRARY,
	.nprocs_least = 2,
	.weight = 0.5,
	.run = coll_run_allreduce,
};
