/* SPDX-License-Identifier: BSD-3-Clause */
/* In random graphs each operation starts once, not before it may, and no later. */
#include "../lib/schedules.h"

/*
 * In a block operations have other numbers: by a tag that nothing else uses, the one of the test.
 */
struct numbered {
	int n;
	size_t nedges;
	struct edge *edges;
	void *block;
	size_t len;
	uint32_t *index;		/* by number of the test: that in the block */
};

/* Sends and calls, which differ by their tag. */
static struct numbered random_graph(uint64_t *seed, int n)
{
	struct goal_graph *g = goal_graph_create(2, 0);
	struct numbered x = { .n = n, .nedges = n > 1 ? random_below(seed, (uint32_t)n * 3) : 0 };
	struct goal_prog prog;
	const struct goal_op *op;
	int i;

	for (i = 0; i < n; i++) {
		if (random_below(seed, 3))
			goal_send(g, 1, GOAL_NOWHERE, 1, (uint32_t)i);
		else
			goal_call(g, (uint32_t)i, NULL, 0, 0);
	}
	x.edges = some(x.nedges * sizeof *x.edges);
	random_edges(g, seed, x.edges, x.nedges);
	x.block = compiled(g, &x.len);
	prog = good(x.block, x.len);
	x.index = some((size_t)n * sizeof *x.index);
	op = goal_op_at(&prog, prog.header->ops_at);
	for (i = 0; i < n; i++, op = goal_op_next(op))
		x.index[op->tag] = op->index;
	goal_graph_destroy(g);
	return x;
}

static void forget(struct numbered *x)
{
	free(x->edges);
	free(x->block);
	free(x->index);
}

/* Reads every edge each time, where the interpreter has counters. */
static bool may_start(const struct numbered *x, const struct late *late, int op)
{
	const struct edge *e;
	uint32_t before;

	for (e = x->edges; e < x->edges + x->nedges; e++) {
		before = x->index[e->before];
		if (e->op == op && !(e->end ? late->ended[before] : late->begun[before]))
			return false;
	}
	return true;
}

/* Whether exactly those have begun that may. */
static bool as_it_should_be(const struct numbered *x, const struct late *late)
{
	int i;

	for (i = 0; i < x->n; i++) {
		if (may_start(x, late, i) != (late->begun[x->index[i]] != 0))
			return false;
	}
	return true;
}

static bool in_order(const struct numbered *x, const struct late *late)
{
	const struct edge *e;
	uint32_t before;

	for (e = x->edges; e < x->edges + x->nedges; e++) {
		before = x->index[e->before];
		if (late->begun[x->index[e->op]] <=
		    (e->end ? late->ended[before] : late->begun[before]))
			return false;
	}
	return true;
}

static bool each_once(const struct numbered *x, const struct late *late)
{
	int i;

	for (i = 0; i < x->n; i++) {
		if (!late->begun[i] || !late->ended[i])
			return false;
	}
	return !late->twice;
}

/* All that can start does; then one ends. */
static bool run_watched(const struct numbered *x, struct goal_run *run, struct late *late)
{
	while (!goal_run_is_over(run)) {
		goal_run_step(run, UINT32_MAX);
		if (!as_it_should_be(x, late))
			return false;
		if (!goal_run_is_over(run) && !late_end(run))
			return false;
	}
	return true;
}

static void random_runs(uint64_t *seed)
{
	int graphs, times, watched = 0, ordered = 0, once = 0, runs = 0;

	for (graphs = 0; graphs < 300; graphs++) {
		struct numbered x = random_graph(seed, (int)random_below(seed, 40));
		struct goal_prog prog = good(x.block, x.len);
		struct late late = late_host(prog.header->nops, *seed);
		struct own_run *own = own_run(&prog, &late_ops, &late, false);

		for (times = 0; times < 3; times++, runs++) {
			late_forget(&late);
			goal_run_start(&own->run, own->buffers, 0);
			watched += run_watched(&x, &own->run, &late);
			ordered += in_order(&x, &late);
			once += each_once(&x, &late);
		}
		own_run_free(own);
		late_free(&late);
		forget(&x);
	}
	is_int(runs, watched, "after each end exactly those have started that may");
	is_int(runs, ordered, "no operation starts before what it waits for");
	is_int(runs, once, "each starts and ends once, the first time and again");
}

/* Runs of one program, each at its own pace. */
static void at_once(uint64_t *seed)
{
	struct numbered x = random_graph(seed, 60);
	struct goal_prog prog = good(x.block, x.len);
	struct late late[3];
	struct own_run *own[3];
	int i, open = 3;

	for (i = 0; i < 3; i++) {
		late[i] = late_host(prog.header->nops, *seed + (uint64_t)i);
		own[i] = own_run(&prog, &late_ops, &late[i], false);
		goal_run_start(&own[i]->run, own[i]->buffers, 0);
	}
	while (open) {
		i = (int)random_below(seed, 3);
		if (goal_run_is_over(&own[i]->run))
			continue;
		if (!goal_run_step(&own[i]->run, random_below(seed, 3)))
			late_end(&own[i]->run);
		open -= goal_run_is_over(&own[i]->run);
	}
	for (i = 0; i < 3; i++) {
		ok(each_once(&x, &late[i]) && in_order(&x, &late[i]),
		   "of three runs at once, run %d", i);
		own_run_free(own[i]);
		late_free(&late[i]);
	}
	forget(&x);
}

int main(void)
{
	uint64_t seed = 4711;

	random_runs(&seed);
	at_once(&seed);
	return done_testing();
}
