// SPDX-License-Identifier: BSD-3-Clause
/* gauge_pat_overlap.c - how much of collective operations is hidden behind computing. */

/*
 * As NBCBench does: a piece of work that takes as long as the operation alone is calibrated,
 * the operation is started, the work done without a call in between, and the operation waited
 * for. The time beyond the work is the overhead: the cost of the operation for the program
 * after all, whether in its calls or by slowing the work down. Hidden is the share of the
 * operation that is not.
 *
 * The library has no call for a non-blocking barrier: it is a schedule of the program, by
 * dissemination, as that of LibNBC. It has no size, so its plots are by processes.
 */

#include "tools/bspgauge/gauge.h"
#include "tools/measure/work.h"

#include "bsp_coll.h"
#include "bsp_goal.h"

#include <math.h>
#include <stdlib.h>

/* The least of so many is what a piece of work takes; of one, if there is no time for more. */
enum { WORK_ROUNDS = 5, WORK_FIRST = 20000 };

struct operation {
	const char *name;
	bsp_request (*start)(const struct gauge *g, uint64_t bytes);
	bool blocks;		/* a block of so many bytes for each process */
};

static bsp_request start_allreduce(const struct gauge *g, uint64_t bytes)
{
	return bsp_iallreduce(BSP_SUM, BSP_DOUBLE, g->job.src, g->job.dst,
			      (size_t)bytes / sizeof(double));
}

static bsp_request start_exchange(const struct gauge *g, uint64_t bytes)
{
	return bsp_iexchange(g->job.src, g->job.dst, (size_t)bytes);
}

static bsp_request start_bcast(const struct gauge *g, uint64_t bytes)
{
	return bsp_ibcast(0, g->job.src, g->job.dst, (size_t)bytes);
}

static const struct operation operations[] = {
	{ "allreduce", start_allreduce, false },
	{ "exchange", start_exchange, true },
	{ "bcast", start_bcast, false },
};

enum { OPERATIONS = sizeof(operations) / sizeof(operations[0]) };

struct trial {
	struct gauge *g;
	const struct operation *op;
	uint64_t bytes;
	long work;
	double work_us;		/* that it takes, on this process */
	double x;		/* in the plots */
	/* of a barrier, which is no operation: */
	struct goal_schedule *barrier;
};

/* With the work, if there is any: of the slowest process. */
static double overlap_sample(struct measure *m, void *what)
{
	struct trial *t = what;
	struct goal_request *f = NULL;
	bsp_request r = { 0 };
	double began, us;

	measure_align(m);
	began = measure_now(m);
	if (t->barrier)
		f = goal_start(t->barrier, NULL);
	else
		r = t->op->start(t->g, t->bytes);
	if (t->work)
		work_do(t->work);
	if (t->barrier)
		goal_wait(f);
	else
		bsp_wait(&r);
	us = (measure_now(m) - began) * 1e-3;
	return measure_most(m, us - (t->work ? t->work_us : 0));
}

/* Alone, the overhead, and hidden, to the three series. */
static void overlap_measure(struct trial *t, struct gauge_series *s, double part, double width)
{
	struct gauge *g = t->g;
	struct measure_value alone, over, hidden;
	double us;
	int rounds;

	t->work = 0;
	alone = measure_take(&g->m, overlap_sample, t, part + width / 2);
	gauge_add_taken(g, &s[0], t->x, &alone);
	us = alone.median;
	measure_agree(&g->m, &us, sizeof(us));
	rounds = measure_has_time(&g->m, part + width / 2) ? WORK_ROUNDS : 1;
	t->work = (long)fmax(WORK_FIRST * us / gauge_work_us(&g->m, WORK_FIRST, rounds), 1);
	t->work_us = gauge_work_us(&g->m, t->work, rounds);
	over = measure_take(&g->m, overlap_sample, t, part + width);
	hidden = (struct measure_value){
		.median = 1 - over.median / us,
		.low = 1 - over.high / us,
		.high = 1 - over.low / us,
		.n = over.n,
		.outliers = over.outliers,
	};
	measure_clamp(&over, 0);
	gauge_add_taken(g, &s[1], t->x, &over);
	measure_clamp(&hidden, 0);
	if (hidden.median > 1) {
		hidden.median = 1;
		hidden.flagged = true;
		hidden.why = "was more than all";
	}
	gauge_add(&s[2], t->x, &hidden);
}

/* Sizes of which an area has enough, and elements are whole. */
static bool fits(const struct gauge *g, const struct operation *op, uint64_t bytes)
{
	return bytes >= sizeof(double) &&
	       bytes * (op->blocks ? (uint64_t)g->m.nprocs : 1) <= g->job.bytes;
}

static void measure_operation(struct gauge *g, int o, double part)
{
	struct trial t = { .g = g, .op = &operations[o] };
	double width = 1.0 / (OPERATIONS + 1) / g->nsizes;
	size_t first = g->result->n;

	gauge_series(g->result, "collective", "us", "%s alone", t.op->name);
	gauge_series(g->result, "collective", "us", "%s overhead", t.op->name);
	gauge_series(g->result, "overlap", "", "%s", t.op->name);
	for (int i = 0; i < g->nsizes; i++, part += width) {
		t.bytes = g->request->size[i] / sizeof(double) * sizeof(double);
		t.x = (double)t.bytes;
		if (!fits(g, t.op, t.bytes))
			continue;
		measure_say(&g->m, part, "%s: overlap, %s of %llu bytes", g->module->name,
			    t.op->name, (unsigned long long)t.bytes);
		overlap_measure(&t, &g->result->series[first], part, width);
	}
}

static struct goal_schedule *overlap_load_barrier(const struct gauge *g)
{
	struct goal_task task = measure_task_of(GOAL_BARRIER, 0);
	struct goal_schedule *s;
	char why[160];
	size_t len;
	void *block;

	task.algorithm = goal_algorithm_named(GOAL_BARRIER, "dissemination");
	block = goal_generate(&task, g->m.nprocs, g->m.me, &len, why, sizeof(why));
	if (!block)
		bsp_abort("bspgauge: no barrier: %s\n", why);
	s = goal_load(block, len);
	free(block);
	return s;
}

static void measure_overlap_of_barrier(struct gauge *g, double part)
{
	struct trial t = { .g = g, .x = g->m.nprocs, .barrier = overlap_load_barrier(g) };
	size_t first = g->result->n;

	gauge_series(g->result, "stolen", "us", "barrier alone");
	gauge_series(g->result, "stolen", "us", "barrier overhead");
	gauge_series(g->result, "hidden", "", "barrier");
	measure_say(&g->m, part, "%s: overlap, barrier", g->module->name);
	overlap_measure(&t, &g->result->series[first], part, 1 - part);
	goal_unload(t.barrier);
}

static void overlap_run(struct gauge *g)
{
	for (int o = 0; o < OPERATIONS; o++)
		measure_operation(g, o, (double)o / (OPERATIONS + 1));
	measure_overlap_of_barrier(g, (double)OPERATIONS / (OPERATIONS + 1));
}

const struct gauge_pattern gauge_pat_overlap = {
	.name = "overlap",
	.summary =
		"how much of non-blocking collective operations and a barrier is hidden behind "
		"computing, and the overhead",
	.needs = GAUGE_LIBRARY | GAUGE_REAL_TIME,
	.nprocs_least = 2,
	.weight = 1.5,
	.run = overlap_run,
};
