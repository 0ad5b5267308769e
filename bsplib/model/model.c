// SPDX-License-Identifier: BSD-3-Clause
/* model.c - the cost of collective operations on a network, with the best segment or arity. */

#include "bsplib/model/model.h"

#include "bsplib/model/model_kinds.h"
#include "bsplib/model/model_nodes.h"

#include <math.h>
#include <string.h>

enum {
	SEGMENTS_MOST = 4096,	/* that one message is cut into: each is operations of a schedule */
	CLIMB_FINEST = 64,	/* the last steps of the climb are this part of a segment */
	/* in a row, before a network sends them to one after the other: half of a window */
	MULTICASTS_MOST = 32,
};

/* ---- Formulae by name ---------------------------------------------------------------- */

static const struct bspi_model *const model_tables[GOAL_KINDS] = {
	[GOAL_BARRIER] = bspi_models_barrier,
	[GOAL_BCAST] = bspi_models_bcast,
	[GOAL_SCATTER] = bspi_models_scatter,
	[GOAL_GATHER] = bspi_models_gather,
	[GOAL_ALLGATHER] = bspi_models_allgather,
	[GOAL_EXCHANGE] = bspi_models_exchange,
	[GOAL_REDUCE] = bspi_models_reduce,
	[GOAL_ALLREDUCE] = bspi_models_allreduce,
	[GOAL_SCAN] = bspi_models_scan,
	[GOAL_REDUCE_SCATTER] = bspi_models_reduce_scatter,
};

static bspi_formula *formula_of(const struct goal_algorithm *a)
{
	const struct bspi_model *m = model_tables[a->kind];

	while (m->name && strcmp(m->name, a->name) != 0)
		m++;
	return m->cost;
}

/* Alone there is nothing to send. */
static double cost_by(bspi_formula *cost, const struct bspi_plogp *p, const struct goal_task *task,
		      int nprocs)
{
	struct goal_task t = *task;

	if (nprocs < 2)
		return bspi_model_copy(p, t.bytes);
	if (t.bytes == 0)
		t.bytes = 1;
	return cost(p, &t, nprocs);
}

double bspi_model_cost(const struct bspi_plogp *p, const struct goal_task *task, int nprocs)
{
	bspi_formula *cost = formula_of(task->algorithm);

	return cost ? cost_by(cost, p, task, nprocs) : HUGE_VAL;
}

/* ---- Segments and arity ----------------------------------------------------------------- */

/* A search for the cheapest segment or arity: the task, with its formula. */
struct search {
	const struct bspi_plogp *p;
	bspi_formula *cost;
	struct goal_task *task;
	int nprocs;
	uint64_t element;	/* a segment is whole elements, ... */
	uint64_t most;		/* ... and no more bytes than this, unless 0 */
	double best;
};

static uint64_t element_of(const struct goal_task *t)
{
	uint64_t bytes = t->call >= 0 ? t->element : goal_datatype_bytes(t->datatype);

	return goal_kind_folds(t->kind) && bytes > 0 ? bytes : 1;
}

/*
 * Try a segment of @bytes, in whole elements; is it better than the best so far? Then it is that.
 */
static bool try_segment(struct search *s, uint64_t bytes)
{
	uint64_t old = s->task->segment, least = s->task->bytes / SEGMENTS_MOST;
	double cost;

	if (bytes < least)
		bytes = least;
	bytes = (bytes + s->element - 1) / s->element * s->element;
	if (bytes == 0 || bytes > s->task->bytes)
		bytes = s->task->bytes;
	if (s->most > 0 && bytes > s->most)
		bytes = s->most;
	s->task->segment = bytes;
	cost = cost_by(s->cost, s->p, s->task, s->nprocs);
	if (cost < s->best) {
		s->best = cost;
		return true;
	}
	s->task->segment = old;
	return false;
}

/* All of m / 2^i, then up and down the hill from the best of these, in ever smaller steps. */
static void search_segment(struct search *s)
{
	uint64_t step, m = s->task->bytes;

	s->best = HUGE_VAL;
	for (uint64_t parts = 1; parts <= m && parts <= SEGMENTS_MOST; parts *= 2)
		try_segment(s, (m + parts - 1) / parts);
	step = s->task->segment / 4;
	while (step > 0 && step >= s->task->segment / CLIMB_FINEST) {
		if (!try_segment(s, s->task->segment + step) &&
		    !try_segment(s, s->task->segment - step))
			step /= 2;
	}
}

static void search_arity(struct search *s)
{
	int best = 1;

	s->best = HUGE_VAL;
	for (int k = 1; k <= s->nprocs; k++) {
		double cost;

		s->task->arity = k;
		cost = cost_by(s->cost, s->p, s->task, s->nprocs);
		if (cost < s->best) {
			s->best = cost;
			best = k;
		}
	}
	s->task->arity = best;
}

/* ---- One algorithm ------------------------------------------------------------------------- */

/*
 * The best of one algorithm; @number: segment or arity if it is forced, else 0. HUGE_VAL: it is
 * none for this.
 */
double bspi_model_tune_to(const struct bspi_plogp *p, struct goal_task *task, int nprocs,
			  uint64_t number)
{
	const struct goal_algorithm *a = task->algorithm;
	struct search s = {
		.p = p, .cost = formula_of(a), .task = task, .nprocs = nprocs,
		.element = element_of(task), .most = a->multicasts ? task->multicast_most : 0,
	};

	if (!s.cost || (a->refuses && a->refuses(task, nprocs)))
		return HUGE_VAL;
	if (number > 0) {
		task->segment = a->has_segment ? number : 0;
		task->arity = a->has_arity ? (int)number : task->arity;
	} else if (a->has_segment && task->bytes > 0) {
		search_segment(&s);
		return s.best;
	} else if (a->has_arity) {
		search_arity(&s);
		return s.best;
	}
	return cost_by(s.cost, p, task, nprocs);
}

/* Is each multicast one message to all? As a message to each it is worse than a tree. */
static bool multicasts_fit(const struct goal_task *t)
{
	uint64_t messages = t->algorithm->has_segment ? MULTICASTS_MOST : 1;

	return t->multicast_most > 0 && t->bytes <= messages * t->multicast_most;
}

/*
 * Parameters are those of the network between nodes: what of a barrier goes on inside them is not
 * counted.
 */
double bspi_model_tune(const struct bspi_plogp *p, struct goal_task *task, int nprocs)
{
	const struct goal_algorithm *a = task->algorithm;

	if ((a->multicasts && !multicasts_fit(task)) || (task->node > 1 && !a->has_nodes))
		return HUGE_VAL;
	return bspi_model_tune_to(p, task, task->node > 1 ? (nprocs - 1) / task->node + 1 : nprocs,
				  0);
}
