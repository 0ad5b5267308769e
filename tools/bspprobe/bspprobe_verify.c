// SPDX-License-Identifier: BSD-3-Clause
/* bspprobe_verify.c - run each algorithm of each operation, and compare with the models. */

/*
 * As the paper's Figures 2 to 11: over sizes for all processes, and at one size over numbers of
 * processes (2, 3, 4, 6, 8, 12, ... and all). The first processes of the job then make the
 * operation. Where the transport runs schedules, all processes also use the algorithms that
 * multicast, and their barriers are spread over two networks, if it has them. Where there are
 * several nodes of several processes, barriers and collective operations of all also send one
 * message to and from a node.
 */

#include "bspprobe.h"

#include "bsp.h"
#include "bsplib/collective/coll.h"
#include "bsplib/model/model_nodes.h"
#include "bsplib/model/nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	FIGURE_BYTES = 1 << 16,	/* the size at which the number of processes is varied */
	ROWS_MOST = 1 << 20,
};

/* Is the operation asked for? */
static bool probe_verify_is_wanted(const char *only, enum goal_kind kind)
{
	char list[PROBE_TEXT], *at = list, *name;

	if (!only)
		return true;
	snprintf(list, sizeof(list), "%s", only);
	while ((name = strsep(&at, ",")))
		if (goal_kind_of(name) == (int)kind)
			return true;
	return false;
}

/* A point: an operation, a size and a number of processes; what is done with each algorithm. */
struct point {
	struct measure *m;
	struct probe_result *r;
	int nprocs;
	uint64_t message;		/* bytes of the message that is measured beside it */
	double alone_now;
	void (*with)(struct point *p, const struct goal_task *task);
	/* the cheapest that has been found, by choose() */
	struct goal_task best;
	double least;
};

/* With the best segment or arity, which @task then has. */
static double verify_tune(const struct bspi_plogp *net, struct goal_task *task, int nprocs)
{
	return task->nodes ? bspi_model_nodes(net, task, 0) : bspi_model_tune(net, task, nprocs);
}

/* By other parameters: those that @task has. */
static double verify_cost(const struct bspi_plogp *net, const struct goal_task *task, int nprocs)
{
	struct goal_task t = *task;
	uint64_t number = t.algorithm->has_segment ? t.segment : (uint64_t)t.arity;

	return t.nodes ? bspi_model_nodes(net, &t, number) : bspi_model_cost(net, &t, nprocs);
}

static void verify(struct point *p, const struct goal_task *task)
{
	const struct bspi_plogp *net = &p->r->plogp;
	/* As the papers predict, which have the latency and the gap of trains. */
	struct bspi_plogp gaps = bspi_model_of_trains(net), messages = *net;
	struct probe_row row = {
		.task = *task, .nprocs = p->nprocs, .alone_now = p->alone_now,
		.alone = bspi_model_hop(net, p->message),
	};

	row.predicted = verify_tune(net, &row.task, p->nprocs);
	row.by_gap = verify_cost(&gaps, &row.task, p->nprocs);
	messages.has_local = false;
	messages.copy = 0;
	row.by_messages = verify_cost(&messages, &row.task, p->nprocs);
	if (isfinite(row.predicted) && measure_task(p->m, &row.task, p->nprocs, 1, &row.took))
		probe_rows_add(&p->r->rows, &row);
}

static void choose(struct point *p, const struct goal_task *task)
{
	struct goal_task tuned = *task;
	double cost = verify_tune(&p->r->plogp, &tuned, p->nprocs);

	if (cost >= p->least)
		return;
	p->least = cost;
	p->best = *task;
}

/* All algorithms of an operation, barriers in each way that can run here. */
static void with_each(struct point *p, struct goal_task task)
{
	task.multicast_most = measure_multicast_refuses(p->m, p->nprocs) ? 0 : BSPI_MULTICAST_BYTES;
	for (unsigned int i = 0; goal_algorithm(task.kind, i); i++) {
		struct goal_task barrier;	/* a copy: variants change it */

		task.algorithm = goal_algorithm(task.kind, i);
		if (task.kind != GOAL_BARRIER) {
			task.nodes = NULL;
			p->with(p, &task);
			task.nodes = p->nprocs == p->m->nprocs ? bspi_nodes() : NULL;
			if (task.nodes && !goal_refuses(&task, p->nprocs, 0))
				p->with(p, &task);
			continue;
		}
		barrier = task;
		for (const struct measure_variant *v = measure_variants; v->name; v++)
			if (!measure_variant_refuses(p->m, v, p->nprocs) &&
			    measure_variant_take(v, &barrier))
				p->with(p, &barrier);
	}
}

static void verify_point(struct measure *m, const struct probe_request *request,
			 struct probe_result *r, struct goal_task task, int nprocs)
{
	struct point p = { .m = m, .r = r, .nprocs = nprocs, .least = HUGE_VAL,
			   .message = task.bytes > 0 ? task.bytes : 1,
			   .with = request->chosen ? choose : verify };

	p.alone_now = measure_message(m, MEASURE_ALONE, p.message, 1).median;
	with_each(&p, task);
	if (request->chosen && isfinite(p.least))
		verify(&p, &p.best);
}

/* 2, 3, 4, 6, 8, 12, ... below @nprocs; 0 at the end. */
static int next_nprocs(int n, int nprocs)
{
	int next = n == 0 ? 2 : (n & (n - 1)) == 0 ? n + n / 2 : n / 3 * 4;

	return next < nprocs ? next : 0;
}

void probe_verify(struct measure *m, const struct probe_request *request, struct probe_result *r)
{
	m->carrier = &measure_schedules;
	/* the parameters were not measured, and with them not what an answer takes */
	if (request->estimate)
		m->answer_ns = measure_message(m, MEASURE_PRTT, 1, 1).median / 2;
	for (enum goal_kind kind = 0; kind < GOAL_KINDS; kind++) {
		double part = 0.5 + 0.5 * kind / GOAL_KINDS;
		uint64_t most = kind == GOAL_BARRIER ? 1 : m->bytes_most;

		if (!probe_verify_is_wanted(request->only, kind))
			continue;
		for (uint64_t bytes = goal_kind_folds(kind) ? 8 : 1; bytes <= most; bytes *= 4) {
			measure_say(m, part, "%s of %llu bytes", goal_kind_name(kind),
				    (unsigned long long)bytes);
			if (measure_has_time(m, 1) || bytes <= 64)
				verify_point(m, request, r,
					     measure_task_of(kind,
							     kind == GOAL_BARRIER ? 0 : bytes),
					     m->nprocs);
		}
		most = most < FIGURE_BYTES ? most : FIGURE_BYTES;
		for (int n = next_nprocs(0, m->nprocs); n > 0 && measure_has_time(m, 1);
		     n = next_nprocs(n, m->nprocs)) {
			measure_say(m, part, "%s of %d processes", goal_kind_name(kind), n);
			verify_point(m, request, r, measure_task_of(kind, most), n);
		}
	}
}
