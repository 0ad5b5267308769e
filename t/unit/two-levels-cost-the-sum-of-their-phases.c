/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of two levels is that of their phases: less than that of one where memory is much faster
 * than the network, and more for large blocks, which one process of a node would send for all. */
#include "bsplib/model/model_nodes.h"
#include "../lib/tap.h"

#include <math.h>

static const int first[] = { 0, 4, 8, 10 };
static const struct goal_node_map nodes = { 3, first };
enum { N = 3, P = 10, LARGEST = 4 };

static struct bspi_plogp net, memory;

static struct goal_task task_of(enum goal_kind kind, const char *name, uint64_t bytes)
{
	return (struct goal_task){
		.kind = kind, .algorithm = goal_algorithm_named(kind, name), .bytes = bytes,
		.call = -1, .networks = 1, .function = GOAL_ADD, .datatype = GOAL_I64,
		.target = 1,
	};
}

static double one_level(const struct bspi_plogp *p, enum goal_kind kind, const char *name,
			uint64_t bytes, int nprocs)
{
	struct goal_task t = task_of(kind, name, bytes);

	return bspi_model_cost(p, &t, nprocs);
}

static double two_levels(enum goal_kind kind, const char *name, uint64_t bytes)
{
	struct goal_task t = task_of(kind, name, bytes);

	t.nodes = &nodes;
	return bspi_model_nodes(&net, &t, 0);
}

static void sums(void)
{
	double bcast = one_level(&memory, GOAL_BCAST, "binomial", 64, LARGEST);
	double reduce = one_level(&memory, GOAL_REDUCE, "binomial", 64, LARGEST);
	double free_of_folds = two_levels(GOAL_SCAN, "chain", 64);
	double inside_free_of_folds =
		one_level(&memory, GOAL_SCAN, "recursive-doubling", 64, LARGEST);

	is_near(one_level(&net, GOAL_BCAST, "chain", 64, N) + bcast,
		two_levels(GOAL_BCAST, "chain", 64), 1e-6, "bcast");
	is_near(reduce + one_level(&net, GOAL_ALLREDUCE, "dissemination", 64, N) + bcast,
		two_levels(GOAL_ALLREDUCE, "dissemination", 64), 1e-6, "allreduce");
	is_near(one_level(&memory, GOAL_GATHER, "linear", 64, LARGEST) +
			one_level(&net, GOAL_ALLGATHER, "ring", 64 * LARGEST, N) +
			one_level(&memory, GOAL_BCAST, "binomial", 64 * P, LARGEST),
		two_levels(GOAL_ALLGATHER, "ring", 64), 1e-6, "allgather, of the blocks of a node");
	is_near(one_level(&memory, GOAL_GATHER, "linear", 64 * P, LARGEST) +
			one_level(&net, GOAL_EXCHANGE, "direct", 64 * LARGEST * LARGEST, N) +
			one_level(&memory, GOAL_SCATTER, "linear", 64 * P, LARGEST),
		two_levels(GOAL_EXCHANGE, "direct", 64), 1e-6, "exchange, of those of two nodes");
	is_near(one_level(&memory, GOAL_SCAN, "recursive-doubling", 64, LARGEST) +
			one_level(&net, GOAL_SCAN, "chain", 64, N) + bcast,
		two_levels(GOAL_SCAN, "chain", 64), 1e-6, "scan");
	is_near(one_level(&memory, GOAL_REDUCE, "binomial", 64 * P, LARGEST) +
			one_level(&net, GOAL_REDUCE_SCATTER, "direct-rotated", 64 * LARGEST, N) +
			one_level(&memory, GOAL_SCATTER, "linear", 64, LARGEST),
		two_levels(GOAL_REDUCE_SCATTER, "direct-rotated", 64), 1e-6,
		"reduce-scatter, of the blocks of a node");
	net.combine = memory.combine = 2;
	net.copy = memory.copy = 1;
	is_near(free_of_folds + (N - 1) * 64 * (2 + 2 + 1) + 64 * (2 + 1) +
			one_level(&memory, GOAL_SCAN, "recursive-doubling", 64, LARGEST) -
			inside_free_of_folds,
		two_levels(GOAL_SCAN, "chain", 64), 1e-6,
		"a scan folds twice and copies once for each node, and once inside");
	for (int i = 0; i < BSPI_SIZES_MOST; i++) {
		net.fold[i] = memory.fold[i] = 700;
		net.move[i] = memory.move[i] = 300;
	}
	net.has_local = memory.has_local = true;
	is_near(free_of_folds + (N - 1) * (700 + 700 + 300) + (700 + 300) +
			one_level(&memory, GOAL_SCAN, "recursive-doubling", 64, LARGEST) -
			inside_free_of_folds,
		two_levels(GOAL_SCAN, "chain", 64), 1e-6, "likewise where they have costs by size");
	net.has_local = memory.has_local = false;
	net.combine = net.copy = memory.combine = memory.copy = 0;
	ok(isinf(two_levels(GOAL_GATHER, "binomial", 64)), "a gather along a tree has none");
}

/* A fold of 512 bytes costs as much in a node as between nodes, and messages what they did. */
static void local_operations(void)
{
	struct bspi_plogp inside = memory, from = net;

	from.nsizes = 3;
	for (int i = 0; i < from.nsizes; i++) {
		from.size[i] = (uint64_t)1 << 8 * i;
		from.fold[i] = 100 * (i + 1);
		from.move[i] = 10 * (i + 1);
	}
	from.has_local = true;
	from.combine = 0.5;
	bspi_plogp_take_local(&inside, &from);
	is_near(bspi_model_fold(&from, 512), bspi_model_fold(&inside, 512), 1e-9,
		"a fold inside costs what it does between nodes");
	is_near(bspi_model_copy(&from, 1 << 20), bspi_model_copy(&inside, 1 << 20), 1e-9,
		"so does a copy");
	is_near(0.5, inside.combine, 1e-9, "and one of a byte");
	for (uint64_t bytes = 1; bytes <= 1 << 24; bytes *= 16)
		is_near(bspi_model_hop(&memory, bytes), bspi_model_hop(&inside, bytes), 1e-3,
			"a message of %d bytes as much as before", (int)bytes);
	from.has_local = false;
	inside = memory;
	bspi_plogp_take_local(&inside, &from);
	is_near(512 * 0.5, bspi_model_fold(&inside, 512), 1e-9, "without sizes each byte costs");
}

static void choices(void)
{
	ok(two_levels(GOAL_BCAST, "binomial", 8) < one_level(&net, GOAL_BCAST, "binomial", 8, P),
	   "a broadcast: two rounds of the network in place of four");
	ok(two_levels(GOAL_EXCHANGE, "direct", 8) <
		   one_level(&net, GOAL_EXCHANGE, "direct", 8, P),
	   "a small exchange: two messages in place of nine");
	ok(two_levels(GOAL_SCAN, "recursive-doubling", 8) <
		   one_level(&net, GOAL_SCAN, "recursive-doubling", 8, P),
	   "a scan: two rounds of the network in place of four");
	ok(two_levels(GOAL_REDUCE_SCATTER, "direct-rotated", 1 << 20) <
		   one_level(&net, GOAL_REDUCE_SCATTER, "direct-rotated", 1 << 20, P),
	   "a reduce-scatter even of large blocks, as blocks of a node are folded inside");
	ok(two_levels(GOAL_EXCHANGE, "direct", 1 << 20) >
		   one_level(&net, GOAL_EXCHANGE, "direct", 1 << 20, P),
	   "of a large one all bytes of a node would leave through one process");
}

int main(void)
{
	bspi_plogp_of(&net, 20000, 2000, 3000, 1);
	bspi_plogp_of(&memory, 180, 30, 50, 0.03);
	net.inside = &memory;
	sums();
	local_operations();
	choices();
	return done_testing();
}
