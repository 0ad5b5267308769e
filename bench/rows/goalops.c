/* SPDX-License-Identifier: BSD-3-Clause */
/* goalops.c - what the interpreter of schedules spends on an operation, in several graphs. */

/*
 *	goalops
 *
 * One process, bound to the processor it is on; nothing is moved: the host says at once that a
 * message has ended (now), or says so later, one after the other (late). Times are those of a whole
 * run, start included, divided by operations: the median of BATCHES batches.
 */
#include "bench.h"
#include "goal.h"

#include "tools/measure/clock.h"
#include "tools/measure/sample.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	BATCHES = 21,
	BATCH_OPS = 200000,		/* operations in a batch, about */
	LAYER = 16,			/* operations of a layer of the random graph */
};

/* Operations that ended but are not reported yet; in a ring as long as there are operations. */
struct host {
	const struct goal_op **moving;
	uint32_t first, n, room;
};

static bool move_now(struct goal_run *run, const struct goal_op *op)
{
	(void)run;
	(void)op;
	return true;
}

static bool move_late(struct goal_run *run, const struct goal_op *op)
{
	struct host *h = run->owner;
	uint32_t at = h->first + h->n++;

	h->moving[at < h->room ? at : at - h->room] = op;
	return false;
}

static const struct goal_host hosts[2] = { { .move = move_now }, { .move = move_late } };
static const char *const host_name[2] = { "now", "late" };

/* ---- Graphs ----------------------------------------------------------------------------- */

static void *goalops_some(size_t bytes)
{
	void *memory = calloc(1, bytes ? bytes : 1);

	if (!memory) {
		perror("goalops");
		exit(1);
	}
	return memory;
}

/* A dissemination barrier of 2^@n processes. */
static void goalops_barrier(struct goal_graph *g, int n)
{
	int round, sent, got, last = -1, nprocs = 1 << n;

	for (round = 0; round < n; round++, last = got) {
		sent = goal_send(g, 0, GOAL_NOWHERE, 1 << round, (uint32_t)round);
		got = goal_recv(g, 0, GOAL_NOWHERE, nprocs - (1 << round), (uint32_t)round);
		if (last >= 0)
			goal_requires(g, sent, last);
	}
}

/*
 * A binary tree's inner process, @n times one after the other: two children up, one parent, two
 * children down.
 */
static void tree(struct goal_graph *g, int n)
{
	int i, up, down, last = -1, child[2];

	for (i = 0; i < n; i++) {
		child[0] = goal_recv(g, 0, GOAL_NOWHERE, 1, 0);
		child[1] = goal_recv(g, 0, GOAL_NOWHERE, 2, 0);
		up = goal_send(g, 0, GOAL_NOWHERE, 3, 0);
		goal_requires(g, up, child[0]);
		goal_requires(g, up, child[1]);
		if (last >= 0)
			goal_requires(g, up, last);
		down = goal_recv(g, 0, GOAL_NOWHERE, 3, 1);
		goal_requires(g, down, up);
		goal_requires(g, goal_send(g, 0, GOAL_NOWHERE, 1, 1), down);
		last = goal_send(g, 0, GOAL_NOWHERE, 2, 1);
		goal_requires(g, last, down);
	}
}

static void chain(struct goal_graph *g, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		goal_send(g, 0, GOAL_NOWHERE, 1, 0);
		if (i > 0)
			goal_requires(g, i, i - 1);
	}
}

/* One, then @n, then one. */
static void fan(struct goal_graph *g, int n)
{
	int first = goal_send(g, 0, GOAL_NOWHERE, 1, 0);
	int last = goal_send(g, 0, GOAL_NOWHERE, 1, 0);
	int i, op;

	for (i = 0; i < n; i++) {
		op = goal_send(g, 0, GOAL_NOWHERE, 1, 0);
		goal_requires(g, op, first);
		goal_requires(g, last, op);
	}
}

static void independent(struct goal_graph *g, int n)
{
	int i;

	for (i = 0; i < n; i++)
		goal_send(g, 0, GOAL_NOWHERE, 1, 0);
}

/* Layers, each operation behind four of the layer before. */
static void layers(struct goal_graph *g, int n)
{
	int i, j;

	for (i = 0; i < n; i++) {
		goal_send(g, 0, GOAL_NOWHERE, 1, 0);
		for (j = 0; j < 4 && i >= LAYER; j++)
			goal_requires(g, i, i / LAYER * LAYER - 1 - (i * 7 + j * 5) % LAYER);
	}
}

/* Receive a number and add it. */
static void sums(struct goal_graph *g, int n)
{
	int i, op, got;

	goal_scratch(g, 64);
	for (i = 0; i < n; i++) {
		got = goal_recv(g, 8, GOAL_AT(GOAL_SCRATCHPAD, 8), 1, 0);
		op = goal_local(g, GOAL_ADD, GOAL_U64, 8, GOAL_AT(GOAL_SCRATCHPAD, 0),
				GOAL_AT(GOAL_SCRATCHPAD, 8));
		goal_requires(g, op, got);
		if (i > 0)
			goal_requires(g, got, got - 1);
	}
}

static const struct graph {
	const char *name;
	void (*build)(struct goal_graph *g, int n);
	int n;
} graphs[] = {
	{ "barrier of 16", goalops_barrier, 4 },
	{ "barrier of 65536", goalops_barrier, 16 },
	{ "tree node", tree, 1 },
	{ "100 tree nodes", tree, 100 },
	{ "chain of 1000", chain, 1000 },
	{ "chain of 100000", chain, 100000 },
	{ "fan of 1000", fan, 1000 },
	{ "1000 independent", independent, 1000 },
	{ "layers, 4 each", layers, 1000 },
	{ "sums of 8 bytes", sums, 500 },
};

/* ---- Measuring ---------------------------------------------------------------------------- */

static void goalops_run_once(struct goal_run *run, struct host *h)
{
	const struct goal_op *op;

	goal_run_start(run, NULL, 0);
	while (!goal_run_is_over(run)) {
		goal_run_step(run, UINT32_MAX);
		if (h->n) {
			op = h->moving[h->first];
			h->n--;
			if (++h->first == h->room)
				h->first = 0;
			goal_run_done(run, op);
		}
	}
}

static double goalops_batch(struct goal_run *run, struct host *h, long runs)
{
	uint64_t begin = clock_now_ns();
	long i;

	for (i = 0; i < runs; i++)
		goalops_run_once(run, h);
	return (double)(clock_now_ns() - begin) / (double)runs / run->prog.header->nops;
}

static double goalops_measure(const struct goal_prog *prog, const struct goal_host *ops, bool timed)
{
	uint32_t nops = prog->header->nops;
	struct host h = { .moving = goalops_some(nops * sizeof *h.moving), .room = nops };
	void *memory = goalops_some(goal_run_bytes(prog, timed));
	void *scratch = goalops_some(prog->header->scratch_bytes);
	long runs = BATCH_OPS / nops + 1;
	double ns[BATCHES];
	struct goal_run run;
	int i;

	goal_run_init(&run, prog, ops, &h, timed, memory, scratch);
	goalops_batch(&run, &h, runs);
	for (i = 0; i < BATCHES; i++)
		ns[i] = goalops_batch(&run, &h, runs);
	free(h.moving);
	free(memory);
	free(scratch);
	return sample_median(ns, BATCHES);
}

static struct goal_prog compile(const struct graph *graph)
{
	struct goal_graph *g = goal_graph_create(1 << 20, 0);
	struct goal_prog prog = { NULL };
	size_t len, at, work_bytes;
	void *block, *work;

	graph->build(g, graph->n);
	block = goal_compile(g, &len);
	if (!block) {
		fprintf(stderr, "goalops: %s\n", goal_graph_error(g));
		exit(1);
	}
	work_bytes = goal_check_bytes(len);
	work = goalops_some(work_bytes);
	if (goal_check(block, len, 0, work, work_bytes, &prog, &at))
		exit(1);
	free(work);
	goal_graph_destroy(g);
	return prog;
}

static double entries(const struct goal_prog *prog)
{
	const struct goal_op *op = goal_first_op(prog);
	double n = 0;
	uint32_t i;

	for (i = 0; i < prog->header->nops; i++, op = goal_op_next(op))
		n += op->dependencies;
	return n / prog->header->nops;
}

/* How long the check takes, too. */
static double check_time(const struct goal_prog *prog)
{
	size_t len = prog->header->bytes, work_bytes = goal_check_bytes(len), at;
	long runs = BATCH_OPS / prog->header->nops + 1, j;
	void *work = goalops_some(work_bytes);
	double ns[BATCHES];
	struct goal_prog same;
	uint64_t begin;
	int i;

	for (i = 0; i < BATCHES; i++) {
		begin = clock_now_ns();
		for (j = 0; j < runs; j++)
			goal_check(prog->header, len, 0, work, work_bytes, &same, &at);
		ns[i] = (double)(clock_now_ns() - begin) / (double)runs / prog->header->nops;
	}
	free(work);
	return sample_median(ns, BATCHES);
}

static void goalops_stay_here(void)
{
	cpu_set_t set;
	int cpu = sched_getcpu();

	CPU_ZERO(&set);
	CPU_SET(cpu < 0 ? 0 : cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
}

int main(void)
{
	struct goal_prog prog;
	size_t i;
	int h;

	goalops_stay_here();
	printf("%-20s %10s %8s %8s %8s %8s %8s\n", "ns per operation", "operations", "waits",
	       host_name[0], host_name[1], "timed", "check");
	for (i = 0; i < sizeof graphs / sizeof *graphs; i++) {
		prog = compile(&graphs[i]);
		printf("%-20s %10u %8.2f", graphs[i].name, prog.header->nops, entries(&prog));
		for (h = 0; h < 2; h++)
			printf(" %8.1f", goalops_measure(&prog, &hosts[h], false));
		printf(" %8.1f %8.1f\n", goalops_measure(&prog, &hosts[1], true),
		       check_time(&prog));
		free((void *)prog.header);
	}
	return 0;
}
