// SPDX-License-Identifier: BSD-3-Clause
/* measure_coll.c - how long collective operations take by each algorithm. */

#include "measure.h"

#include "bsp_goal.h"

#include <stdlib.h>
#include <string.h>

enum {
	WHY_MOST = 160,
};

/* ---- One operation ------------------------------------------------------------------------ */

/* A schedule that is loaded, with its buffers. */
struct loaded {
	struct goal_schedule *s;
	void *buffers[2];
};

/* As much as any kind needs of either: a block of each process. */
static size_t buffer_bytes(const struct goal_task *t, int nprocs)
{
	bool blocks = t->kind == GOAL_SCATTER || t->kind == GOAL_GATHER ||
		      t->kind == GOAL_ALLGATHER || t->kind == GOAL_EXCHANGE ||
		      t->kind == GOAL_REDUCE_SCATTER;

	return (size_t)t->bytes * (blocks ? (size_t)nprocs : 1) + 64;
}

/*
 * A schedule of the first processes alone: that of a smaller job, whose numbers are good in this
 * one, too. NULL: the algorithm refuses, for all of them alike.
 */
static void *generate(const struct measure *m, const struct goal_task *t, int nprocs, size_t *len)
{
	char why[WHY_MOST];
	struct goal_header *block =
		goal_generate(t, nprocs, m->me < nprocs ? m->me : 0, len, why, sizeof(why));

	if (!block)
		return NULL;
	if (m->me >= nprocs) {		/* a process without a part has an empty one */
		struct goal_graph *g;

		free(block);
		g = goal_graph_create(m->nprocs, m->me);
		block = g ? goal_compile(g, len) : NULL;
		goal_graph_destroy(g);
		return block;
	}
	block->nprocs = (uint32_t)m->nprocs;
	return block;
}

static bool task_load(const struct measure *m, const struct goal_task *t, int nprocs,
		      struct loaded *l)
{
	size_t len;
	void *block = generate(m, t, nprocs, &len);

	if (!block)
		return false;
	for (int i = 0; i < 2; i++) {
		l->buffers[i] = malloc(buffer_bytes(t, nprocs));
		if (!l->buffers[i])
			measure_fail("no memory");
		/* reads of memory without a write are of one page of zeros, in a cache */
		memset(l->buffers[i], 1, buffer_bytes(t, nprocs));
	}
	l->s = goal_load(block, len);
	free(block);
	return true;
}

static void task_unload(struct loaded *l)
{
	goal_unload(l->s);
	free(l->buffers[0]);
	free(l->buffers[1]);
}

/* The last to end counts. Clocks of processes differ, so what is compared is how long each took. */
static double task_once(struct measure *m, void *what)
{
	const struct loaded *l = what;
	struct goal_request *f;
	double began;

	measure_align(m);
	began = measure_now(m);
	f = goal_start(l->s, l->buffers);
	goal_wait(f);
	return measure_most(m, measure_now(m) - began);
}

bool measure_task(struct measure *m, const struct goal_task *task, int nprocs, double part,
		  struct measure_value *v)
{
	struct loaded l;

	if (!task_load(m, task, nprocs, &l))
		return false;
	*v = measure_take(m, task_once, &l, part);
	task_unload(&l);
	return true;
}

struct goal_task measure_task_of(enum goal_kind kind, uint64_t bytes)
{
	struct goal_task t = {
		.kind = kind,
		.bytes = bytes,
		.call = -1,
		.networks = 1,
		.arity = 2,
		.source = 0,
		.target = 1,
	};

	if (goal_kind_folds(kind)) {
		t.function = GOAL_ADD;
		t.datatype = GOAL_F64;
		t.bytes = bytes < sizeof(double) ? sizeof(double) :
						   bytes / sizeof(double) * sizeof(double);
	}
	if (kind == GOAL_BCAST)
		t.target = 0;
	return t;
}

/* ---- Contention --------------------------------------------------------------------- */

void measure_gamma(struct measure *m, struct measure_machine *k, double part)
{
	struct goal_task t = measure_task_of(GOAL_EXCHANGE, 0);
	struct bspi_params params;
	struct measure_value v;

	t.algorithm = goal_algorithm_named(GOAL_EXCHANGE, "direct-rotated");
	measure_tell(m, k, &params);
	k->nexchanges = 0;
	for (int i = 0; i < MEASURE_EXCHANGES && t.algorithm; i++) {
		struct measure_exchange *x = &k->exchange[k->nexchanges];

		x->bytes = t.bytes = (uint64_t)1 << (10 + 2 * i);
		if (t.bytes > m->bytes_most)
			break;
		measure_say(m, part * (0.9 + 0.02 * i), "total exchange of %llu bytes",
			    (unsigned long long)t.bytes);
		if ((i > 0 && !measure_has_time(m, part)) ||
		    !measure_task(m, &t, m->nprocs, part, &v))
			continue;
		x->took = v.median;
		measure_exchange_bounds(&params.plogp, m->nprocs, x);
		k->nexchanges++;
	}
	k->gamma = measure_gamma_of(k->exchange, k->nexchanges);
}
