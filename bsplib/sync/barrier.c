// SPDX-License-Identifier: BSD-3-Clause
/* barrier.c - classic synchronisation by a schedule, which also brings the counts. */

/*
 * A barrier of goal/gen/goal_gen_barrier.c with counts: each process puts the number of chunks it
 * sent to each other one and its sum of collective calls into the scratchpad, starts the
 * schedule, and finds there when it is over how many chunks are for it and the or and the and of
 * all sums. How that comes about is the schedule's business: rounds of dissemination, a tree, all
 * to all.
 *
 * A process may be one barrier ahead of another. Runs are numbered, so its messages belong to
 * the next one.
 *
 * The open chunk to a process to which the schedule sends first leaves with that message: one
 * message on the network, not two. The chunk is counted, so the count that goes with it has one
 * more.
 *
 * A transport may run the schedule beside the process (offload.c): then nothing can leave with it.
 *
 * Where the transport counts inside nodes, and nodes have consecutive processes, only their first
 * processes have a schedule: each starts it with the sums of its node when all of that have
 * entered, and ends the node's round with the result. Messages up and down a tree inside the node
 * would wait at each level until the next process has its turn, if there are more than processors.
 */

#include "bsplib/sync/barrier.h"

#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/in.h"
#include "bsplib/engine/out.h"
#include "bsplib/engine/still.h"
#include "bsplib/model/model.h"
#include "bsplib/model/nodes.h"
#include "bsplib/schedule/run.h"
#include "bsplib/schedule/schedule.h"
#include "bsplib/sync/consensus.h"

#include "goal/gen/goal_gen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_LEAST = sizeof(struct bspi_head) };

enum bspi_barrier bspi_barrier;

static struct {
	char name[56];
	const struct goal_algorithm *algorithm;
	int arity;
	enum goal_release release;
	int networks;			/* 0: all that there are */
	bool by_nodes;
	bool sparse;			/* without counts: consensus.c */
	bool counted;			/* inside nodes */
	struct goal_schedule *schedule;
	struct goal_request *run;
	struct goal_counts counts;	/* where they are in the scratchpad */
} barrier;

static uint32_t *word_at(void *scratch, uint64_t offset)
{
	return (uint32_t *)((char *)scratch + offset);
}

/* ---- Choosing ----------------------------------------------------------------------- */

static void barrier_take(const char *name, const struct goal_algorithm *a, int arity,
			 enum goal_release release)
{
	const char *nodes = barrier.counted ? " of counting nodes" :
			    barrier.by_nodes ? "+nodes" : "";
	const char *how = release == GOAL_RELEASE_MULTICAST ? "+multicast" : "";

	barrier.algorithm = a;
	barrier.arity = arity;
	barrier.release = release;
	if (barrier.sparse)
		snprintf(barrier.name, sizeof(barrier.name), "nbx");
	else if (a && a->has_arity)
		snprintf(barrier.name, sizeof(barrier.name), "%.14s:%d%s%s", name, arity,
			 nodes, how);
	else
		snprintf(barrier.name, sizeof(barrier.name), "%.24s%s%s", name, nodes, how);
}

bool bspi_barrier_choose(const char *name)
{
	char word[24];
	size_t len = strcspn(name, ":+");

	snprintf(word, sizeof(word), "%.*s", (int)len, name);
	barrier.by_nodes = strstr(name, "+nodes");
	barrier.sparse = strcmp(word, "nbx") == 0;
	if (barrier.sparse)
		snprintf(word, sizeof(word), "dissemination");
	barrier_take(word, goal_algorithm_named(GOAL_BARRIER, word),
		     name[len] == ':' ? atoi(name + len + 1) : 2,
		     strstr(name, "+multicast") ? GOAL_RELEASE_MULTICAST : GOAL_RELEASE_TREE);
	return barrier.algorithm;
}

/* Is it on another node than the process before it? */
static bool begins_node(int p)
{
	const int *node = bspi.job.wire->node;

	return p == 0 || node[p] != node[p - 1];
}

int bspi_barrier_node_size(void)
{
	int size = 1;

	while (size < bspi.nprocs && !begins_node(size))
		size++;
	for (int p = 0; p < bspi.nprocs; p++)
		if (begins_node(p) != (p % size == 0))
			return 0;
	return size;
}

/* Processes of a node, for models: of nodes that are not equally large the mean, rounded up. */
static int mean_node_size(void)
{
	int size = bspi_barrier_node_size(), n = bspi_nodes() ? bspi_nodes()->n : bspi.nprocs;

	return size ? size : (bspi.nprocs + n - 1) / n;
}

/*
 * The cheapest schedule, along trees or with release by multicast, over one network or two, as far
 * as the transport has them. Returns its cost.
 */
static double barrier_cheapest(const struct bspi_plogp *plogp, struct goal_task *task)
{
	double least = HUGE_VAL, cost;

	for (int networks = 1; networks <= (bspi.net->networks == 2 ? 2 : 1); networks++)
		for (int multicast = 0; multicast <= bspi.net->multicasts; multicast++) {
			struct goal_task t = *task;

			t.algorithm = NULL;
			t.networks = networks;
			t.release = multicast ? GOAL_RELEASE_MULTICAST : GOAL_RELEASE_TREE;
			cost = bspi_model_choose(plogp, &t, bspi.nprocs);
			if (cost >= least)
				continue;
			least = cost;
			*task = t;
		}
	return least;
}

/*
 * Between nodes of several processes one message goes to and from each. All other choices follow
 * from the parameters of this network, which are the same on all processes. A chunk from each to
 * each other costs one that crosses that of its receiver, and the gaps of those that follow. By
 * consensus a superstep costs what the program sends in it, which is not known yet: log2 P
 * processes let us say.
 */
static void choose_by_parameters(const struct bspi_params *params)
{
	struct goal_counts counts = { 0 };
	struct goal_task task = { .kind = GOAL_BARRIER, .call = -1, .counts = &counts };
	double alltoall, dense, sparse;

	task.node = barrier.by_nodes ? mean_node_size() : 0;
	alltoall = bspi_model_cross(&params->plogp, CHUNK_LEAST) +
		   (bspi.nprocs - 2) * bspi_model_gap(&params->plogp, CHUNK_LEAST);
	/* before the task loses its nodes */
	sparse = bspi_model_consensus(&params->plogp, bspi.nprocs, task.node,
				      (int)ceil(log2(bspi.nprocs)));
	dense = barrier_cheapest(&params->plogp, &task);
	if (fmin(dense, sparse) >= alltoall && !bspi_offload_is_on(BSPI_OFFLOAD_BARRIER)) {
		bspi_barrier = BSPI_ALLTOALL;
		return;
	}
	bspi_barrier = BSPI_BY_SCHEDULE;
	if (sparse < dense && !bspi_offload_is_on(BSPI_OFFLOAD_BARRIER)) {
		bspi_barrier_choose("nbx");
		return;
	}
	barrier_take(task.algorithm->name, task.algorithm, task.arity, task.release);
	barrier.networks = task.networks;
}

void bspi_barrier_choose_by_cost(void)
{
	const struct bspi_params *params = bspi_params();
	bool is_auto = strcmp(bspi.env.barrier, "auto") == 0;

	if ((!is_auto && strcmp(bspi.env.barrier, "counting") != 0) || bspi.nprocs == 1 ||
	    (bspi.net->ops->caps & BSPT_CAP_COUNTING))
		return;
	barrier.by_nodes = bspi_nodes() != NULL;
	if (bspi_offload_is_on(BSPI_OFFLOAD_BARRIER))
		bspi_barrier = BSPI_BY_SCHEDULE;	/* the other ways have none */
	if (is_auto && params->measured)
		choose_by_parameters(params);
	barrier.counted = barrier.by_nodes && bspi_barrier == BSPI_BY_SCHEDULE &&
			  !barrier.sparse && !bspi.env.check &&
			  !bspi_offload_is_on(BSPI_OFFLOAD_BARRIER) &&
			  barrier.release == GOAL_RELEASE_TREE &&
			  (bspi.net->ops->caps & BSPT_CAP_COUNTING_NODES);
	if (barrier.counted)
		bspi_barrier = BSPI_COUNTING_NODES;
	barrier_take(barrier.algorithm->name, barrier.algorithm, barrier.arity, barrier.release);
}

const char *bspi_barrier_name(void)
{
	return barrier.name;
}

/* ---- Open, close ------------------------------------------------------------------ */

static _Noreturn void barrier_refuse(const char *why)
{
	bspi_fail("bsp_begin", NULL, "cannot make the barrier %s: %s; set another BSP_BARRIER",
		  barrier.name, why);
}

static void *barrier_generate(size_t *len)
{
	struct goal_task task = {
		.kind = GOAL_BARRIER, .algorithm = barrier.algorithm, .arity = barrier.arity,
		.release = barrier.release,
		.node = barrier.by_nodes ? bspi_barrier_node_size() : 0,
		.nodes = barrier.by_nodes && !bspi_barrier_node_size() ? bspi_nodes() : NULL,
		.networks = barrier.networks ? barrier.networks : bspi.net->networks,
		.counted = barrier.counted,
		.counts = &barrier.counts,
		.call = -1,
	};
	char why[160];
	void *block = goal_generate(&task, bspi.nprocs, bspi.me, len, why, sizeof(why));

	if (!block)
		barrier_refuse(why);
	return block;
}

void bspi_barrier_open(void)
{
	size_t len, at;
	void *block;
	int err;

	if ((bspi_barrier != BSPI_BY_SCHEDULE && bspi_barrier != BSPI_COUNTING_NODES) ||
	    bspi.nprocs == 1)
		return;
	if (barrier.sparse) {
		barrier.by_nodes = bspi_nodes() != NULL;
		barrier.counts.words = true;
		bspi_consensus_open();
	}
	if (barrier.release == GOAL_RELEASE_MULTICAST && !bspi.net->multicasts)
		barrier_refuse("the transport cannot multicast here (esp can, with BSP_OFFLOAD "
			       "and the module espgoal)");
	if (barrier.by_nodes && bspi_barrier_node_size() == 0 && !bspi_nodes())
		barrier_refuse("the processes of a node have no consecutive numbers");
	block = barrier_generate(&len);
	err = bspi_schedule_load(block, len, NULL, &barrier.schedule, &at);
	if (err < 0)
		barrier_refuse(goal_strerror(-err));
	bspi_schedule_not_counted(barrier.schedule);
	free(block);
	if (!bspi_offload_is_on(BSPI_OFFLOAD_BARRIER) || barrier.sparse)
		return;
	bspi_schedule_offload(barrier.schedule,
			      bspi_schedule_header(barrier.schedule)->scratch_bytes,
			      "bsp_begin", NULL);
	strcat(barrier.name, ", offloaded");	/* for which there is room */
}

void bspi_barrier_close(void)
{
	bspi_consensus_close();
	memset(&barrier, 0, sizeof(barrier));
}

/* ---- The barrier -------------------------------------------------------------------- */

/*
 * Write how many chunks go to each other process. An open chunk to one to which the schedule sends
 * first waits for that, and is counted; others leave now.
 */
static void fill_scratch(void *scratch)
{
	uint32_t *out = word_at(scratch, barrier.counts.out);

	for (int i = 0; i < bspi_engine.ntouched; i++) {
		int q = bspi_engine.touched[i];
		const struct bspi_out *o = &bspi_engine.out[q];
		bool waits;

		if (q == bspi.me)
			continue;
		waits = bspi_has_records(o) && bspi_schedule_begins_with(barrier.schedule, q);
		if (bspi_has_records(o) && !waits)
			bspi_out_send(q);
		out[q < bspi.me ? q - bspi.me + bspi.nprocs : q - bspi.me] = o->sent + waits;
	}
	*word_at(scratch, barrier.counts.any) = bspi_engine.sum;
	*word_at(scratch, barrier.counts.all) = bspi_engine.sum;
}

/*
 * A transport may ask a third process for the address of a peer. The third leaves the barrier when
 * all have entered it, and may compute for long before it answers; so we enter with the answers.
 * Addresses for the chunks of this superstep were asked for when these were begun.
 */
void bspi_barrier_await_addresses(void)
{
	unsigned int idle = 0;

	for (int i = 0; i < bspi_engine.ncarriers; i++)
		while (bspi_engine.carriers[i]->asked) {
			bspi_show_awaited(BSPI_WAIT_BARRIER, 0, 0);
			bspi_pump_aside(&idle);
		}
}

void bspi_barrier_announce(void)
{
	if (barrier.sparse) {
		bspi_consensus_announce();
		return;
	}
	bspi_barrier_await_addresses();
	fill_scratch(bspi_schedule_scratch(barrier.schedule));
	barrier.run = bspi_run_start(barrier.schedule, NULL, NULL, NULL);
	bspi_out_send_all();		/* of a first message that could not leave at once */
}

/* Without counts: start it with our sum; is it over? Then *@c has those of all. */
static void start_words(void)
{
	void *scratch = bspi_schedule_scratch(barrier.schedule);

	*word_at(scratch, barrier.counts.any) = bspi_engine.sum;
	*word_at(scratch, barrier.counts.all) = bspi_engine.sum;
	barrier.run = bspi_run_start(barrier.schedule, NULL, NULL, NULL);
}

static bool test_words(struct bspi_count *c)
{
	void *scratch;

	if (!bspi_run_test(barrier.run))
		return false;
	scratch = bspi_run_scratch(barrier.run);
	c->any = *word_at(scratch, barrier.counts.any);
	c->all = *word_at(scratch, barrier.counts.all);
	bspi_run_end(barrier.run);
	return true;
}

void bspi_barrier_wait(struct bspi_count *c)
{
	unsigned int idle = 0;
	void *scratch;

	if (barrier.sparse) {
		bspi_consensus_wait(c, start_words, test_words);
		return;
	}
	bspi_show_awaited(BSPI_WAIT_BARRIER, 0, 0);
	bspi_run_wait(barrier.run);
	scratch = bspi_run_scratch(barrier.run);
	c->expected = *word_at(scratch, barrier.counts.in);
	c->any = *word_at(scratch, barrier.counts.any);
	c->all = *word_at(scratch, barrier.counts.all);
	bspi_run_end(barrier.run);
	while (c->arrived < c->expected)
		bspi_pump_for(&idle, BSPI_WAIT_CHUNKS, c->arrived, c->expected);
}

/* ---- Between nodes ------------------------------------------------------------------ */

void bspi_barrier_between_nodes(void)
{
	struct bspt_counts sums;
	unsigned int idle = 0;
	void *scratch;

	if (!begins_node(bspi.me))
		return;
	scratch = bspi_schedule_scratch(barrier.schedule);
	while (!bspi.net->ops->count_full(bspi.net, word_at(scratch, barrier.counts.out), &sums))
		bspi_pump_for(&idle, BSPI_WAIT_BARRIER, 0, 0);
	bspi_still_end();
	bspi_show_awaited(BSPI_WAIT_BARRIER, 0, 0);
	*word_at(scratch, barrier.counts.any) = sums.any;
	*word_at(scratch, barrier.counts.all) = sums.all;
	barrier.run = bspi_run_start(barrier.schedule, NULL, NULL, NULL);
	bspi_run_wait(barrier.run);
	scratch = bspi_run_scratch(barrier.run);
	sums.any = *word_at(scratch, barrier.counts.any);
	sums.all = *word_at(scratch, barrier.counts.all);
	bspi.net->ops->count_release(bspi.net, word_at(scratch, barrier.counts.in), &sums);
	bspi_run_end(barrier.run);
}
