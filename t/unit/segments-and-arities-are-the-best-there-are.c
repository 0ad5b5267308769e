/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for segment and arity finds what trying all finds, and the choice takes the
 * cheapest. */
#include "bsplib/model/model_nodes.h"
#include "../lib/tap.h"

#include <math.h>
#include <string.h>

enum { M = 20000 };

static struct bspi_plogp net, slow;

static struct goal_task task(const struct goal_algorithm *a)
{
	return (struct goal_task){
		.kind = a->kind, .algorithm = a, .bytes = M, .call = -1, .networks = 1, .arity = 2
	};
}

static double best_segment(const struct goal_algorithm *a, int nprocs)
{
	struct goal_task t = task(a);
	double best = HUGE_VAL;

	for (t.segment = 1; t.segment <= M; t.segment++)
		best = fmin(best, bspi_model_cost(&net, &t, nprocs));
	return best;
}

/* Local hill climbing misses at most little, as the paper has it. */
static void segments(const char *name)
{
	static const int nprocs[] = { 2, 3, 8, 24, 200 };
	struct goal_algorithm a = { .kind = GOAL_BCAST, .name = name, .has_segment = true };

	for (int i = 0; i < 5; i++) {
		struct goal_task t = task(&a);
		double found = bspi_model_tune(&net, &t, nprocs[i]),
		       best = best_segment(&a, nprocs[i]);

		ok(found >= best && found <= 1.01 * best,
		   "%s on %d processes: segment of %d bytes, %.4f of the least cost", name,
		   nprocs[i], (int)t.segment, found / best);
		is_near(found, bspi_model_cost(&net, &t, nprocs[i]), 1e-6,
			"which is that of the task");
	}
}

static void arities(int nprocs)
{
	struct goal_algorithm a = { .kind = GOAL_BARRIER, .name = "knomial", .has_arity = true };
	struct goal_task t = task(&a), other = task(&a);
	double found = bspi_model_tune(&net, &t, nprocs), best = HUGE_VAL;

	for (other.arity = 1; other.arity <= 300; other.arity++)
		best = fmin(best, bspi_model_cost(&net, &other, nprocs));
	is_near(best, found, 1e-6, "arity %d is the best for %d processes", t.arity, nprocs);
}

static void folds(void)
{
	struct goal_algorithm a = { .kind = GOAL_REDUCE,
				    .name = "segmented-chain",
				    .has_segment = true };
	struct goal_task t = task(&a);

	t.datatype = GOAL_F64;
	t.function = GOAL_ADD;
	bspi_model_tune(&net, &t, 40);
	ok(t.segment % 8 == 0 && t.segment < M, "segments of a fold are whole elements");
	t.call = 0;
	t.element = 24;
	bspi_model_tune(&net, &t, 40);
	ok(t.segment % 24 == 0 && t.segment < M, "also of those that the program folds");
}

static struct goal_task of_kind(enum goal_kind kind, uint64_t bytes, uint64_t multicast_most)
{
	return (struct goal_task){ .kind = kind,
				   .bytes = bytes,
				   .multicast_most = multicast_most,
				   .call = -1,
				   .networks = 1,
				   .datatype = GOAL_U8,
				   .function = GOAL_ADD,
				   .target = 1 };
}

/* The choice is the cheapest algorithm in the table. */
static void choices(enum goal_kind kind, int nprocs)
{
	struct goal_task chosen = of_kind(kind, M, 0);
	double cost = bspi_model_choose(&net, &chosen, nprocs), least = HUGE_VAL;

	if (!goal_algorithm(kind, 0))
		return;
	for (unsigned int i = 0; goal_algorithm(kind, i); i++) {
		struct goal_task t = chosen;

		t.algorithm = goal_algorithm(kind, i);
		least = fmin(least, bspi_model_tune(&net, &t, nprocs));
	}
	is_near(least, cost, 1e-6, "%s on %d processes: %s", goal_kind_name(kind), nprocs,
		chosen.algorithm->name);
}

static struct goal_task chosen(enum goal_kind kind, int nprocs, uint64_t bytes, uint64_t most)
{
	struct goal_task t = of_kind(kind, bytes, most);

	bspi_model_choose(&slow, &t, nprocs);
	return t;
}

/* Multicasts are chosen where the network has them, for what they can carry, if they win. */
static void multicasts(enum goal_kind kind, const char *name)
{
	enum { MOST = 1400 };
	const char *of = goal_kind_name(kind);
	struct goal_task t;
	bool never = true;

	for (int nprocs = 2; nprocs < 100; nprocs++)
		for (uint64_t bytes = 1; bytes < 1 << 20; bytes *= 4)
			never &= !chosen(kind, nprocs, bytes, 0).algorithm->multicasts;
	ok(never, "%s: no multicast where the network has none", of);
	t = chosen(kind, 16, 64, MOST);
	ok(strcmp(t.algorithm->name, name) == 0, "%s of 64 bytes, 16 processes: %s", of,
	   t.algorithm->name);
	ok(!chosen(kind, 16, 33 * MOST, MOST).algorithm->multicasts,
	   "%s of more than is multicast is not", of);
	t = chosen(kind, 16, 10 * MOST, MOST);
	ok(t.algorithm->multicasts == (kind == GOAL_BCAST) && t.segment <= 10 * MOST,
	   "%s of 14000 bytes: %s", of, t.algorithm->name);
	ok(kind != GOAL_BCAST || t.segment <= MOST, "in segments that are multicast");
}

/* Two latencies and what comes to process 0, or as many latencies as there are digits. */
static void arity_of_allreduce(void)
{
	struct goal_task t = chosen(GOAL_ALLREDUCE, 16, 64, 1400);

	is_int(16, t.arity, "on a slow network all send to process 0");
	ok(!chosen(GOAL_ALLREDUCE, 2, 64, 1400).algorithm->multicasts,
	   "of two processes none multicasts, as it costs no less");
}

/* An exchange of 64 processes on 4 nodes: has it two levels? */
static bool has_levels(const struct bspi_plogp *inside, uint64_t bytes)
{
	static const int first[] = { 0, 16, 32, 48, 64 };
	static const struct goal_node_map map = { .n = 4, .first = first };
	struct bspi_plogp between = net;
	struct goal_task t = of_kind(GOAL_EXCHANGE, bytes, 0);

	between.inside = inside;
	t.nodes = &map;
	bspi_model_choose(&between, &t, 64);
	return t.nodes;
}

/* In one level the 16 processes of a node have one interface. */
static void levels(void)
{
	struct bspi_plogp fast, as_net = net, shared = net;

	bspi_plogp_of(&fast, 200, 30, 50, 0.03);
	ok(has_levels(&fast, 1024), "an exchange in fast nodes has two levels");
	ok(!has_levels(&as_net, 1 << 20),
	   "of long blocks, in nodes as slow as the network, it has one");
	bspi_model_share(&shared, 16);
	is_near(16 * bspi_model_gap(&net, 1000), bspi_model_gap(&shared, 1000), 1e-6,
		"sixteen share an interface: sixteen gaps");
	is_near(net.L + 16 * bspi_model_gap(&net, 1000), bspi_model_hop(&shared, 1000), 1e-6,
		"and one latency");
}

int main(void)
{
	bspi_plogp_of(&net, 24000, 8000, 10000, 29.2);
	segments("segmented-chain");
	segments("segmented-linear");
	segments("segmented-binomial");
	arities(2);
	arities(16);
	arities(100);
	folds();
	for (int kind = 0; kind < GOAL_KINDS; kind++) {
		choices(kind, 2);
		choices(kind, 15);
	}
	bspi_plogp_of(&slow, 100000, 3000, 4000, 8);
	multicasts(GOAL_BCAST, "multicast");
	multicasts(GOAL_ALLREDUCE, "reduce-multicast");
	multicasts(GOAL_ALLGATHER, "multicast");
	arity_of_allreduce();
	levels();
	return done_testing();
}
