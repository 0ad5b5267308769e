/* SPDX-License-Identifier: BSD-3-Clause */
/* The models say what Tables 1 to 3 and section 5 of the papers say. */
#include "bsplib/model/model.h"
#include "../lib/tap.h"

#include <math.h>
#include <string.h>

/* A network whose gap is not a line. */
static const struct bspi_plogp net = {
	.L = 50000, .nsizes = 4, .gamma = 0.4,
	.size = { 1, 1024, 8192, 1 << 20 },
	.g = { 10000, 20000, 70000, 9000000 },
	.os = { 4000, 6000, 20000, 1000000 },
	.or_ = { 3000, 7000, 30000, 2000000 },
};

enum { M = 1 << 15, S = 1 << 12, K = M / S };

static double g(uint64_t bytes)
{
	return bspi_model_gap(&net, bytes);
}

static double cost(enum goal_kind kind, const char *name, int nprocs)
{
	struct goal_algorithm a = { .kind = kind, .name = name };
	struct goal_task t = {
		.kind = kind,
		.algorithm = &a,
		.bytes = M,
		.segment = S,
		.arity = 4,
		.call = -1,
		.networks = 1,
		.release = GOAL_RELEASE_MULTICAST,
	};

	return bspi_model_cost(&net, &t, nprocs);
}

static void same(double wanted, enum goal_kind kind, const char *name, int nprocs)
{
	is_near(wanted, cost(kind, name, nprocs), 1e-6, "%s by %s on %d processes",
		goal_kind_name(kind), name, nprocs);
}

/* Table 1; for powers of two floor and ceil of the logarithm are the same. */
static void broadcasts(int p, int lg)
{
	double L = net.L;

	same((p - 1) * g(M) + L, GOAL_BCAST, "linear", p);
	same((p - 1) * g(M) + 2 * g(1) + 3 * L, GOAL_BCAST, "linear-rendezvous", p);
	same((p - 1) * (g(S) * K) + L, GOAL_BCAST, "segmented-linear", p);
	same((p - 1) * (g(M) + L), GOAL_BCAST, "chain", p);
	same((p - 1) * (g(M) + 2 * g(1) + 3 * L), GOAL_BCAST, "chain-rendezvous", p);
	same((p - 1) * (g(S) + L) + g(S) * (K - 1), GOAL_BCAST, "segmented-chain", p);
	same(lg * g(M) + lg * L, GOAL_BCAST, "binomial", p);
	same(lg * g(M) + lg * (2 * g(1) + 3 * L), GOAL_BCAST, "binomial-rendezvous", p);
	same(lg * g(S) * K + lg * L, GOAL_BCAST, "segmented-binomial", p);
}

/* When the last process of a d-ary tree has it: a process sends to its children in turn. */
static double d_ary_slowly(int d, int nprocs)
{
	static double at[300];
	double last = 0;

	at[0] = 0;
	for (int v = 1; v < nprocs; v++) {
		at[v] = at[(v - 1) / d] + ((v - 1) % d + 1) * g(M) + net.L;
		last = fmax(last, at[v]);
	}
	return last;
}

static void d_ary_trees(void)
{
	struct goal_task t = { .kind = GOAL_BCAST, .bytes = M, .call = -1,
			       .algorithm = goal_algorithm_named(GOAL_BCAST, "d-ary") };
	long other = 0, better = 0;

	for (int p = 2; p < 300; p++) {
		double best = bspi_model_tune(&net, &t, p);

		for (int d = 1; d <= p; d++) {
			struct goal_task fixed = t;

			fixed.arity = d;
			other += fabs(bspi_model_cost(&net, &fixed, p) - d_ary_slowly(d, p)) > 1e-3;
			better += d_ary_slowly(d, p) < best - 1e-3;
		}
	}
	is_int(0, other, "the cost of a d-ary tree is the time of its last process");
	is_int(0, better, "no d is better than the one that is chosen");
}

/* The paper gives a bound. */
static void binary_trees(void)
{
	bool below = true;

	for (int p = 2; p < 300; p++)
		below &= cost(GOAL_BCAST, "binary", p) <= ceil(log2(p)) * (2 * g(M) + net.L) + 1e-6;
	ok(below, "a binary tree costs no more than ceil(log2 P) (2 g(m) + L)");
	same(2 * g(M) + net.L, GOAL_BCAST, "binary", 3);
	same(4 * g(M) + 2 * net.L, GOAL_BCAST, "binary", 7);
}

static void scatters(int p, int lg)
{
	double sum = 0, doubling = 0;

	for (int j = 1; j < p; j++)
		sum += g((uint64_t)j * M);
	for (int j = 0; j < lg; j++)
		doubling += g((uint64_t)M << j);
	for (int kind = GOAL_SCATTER; kind <= GOAL_GATHER; kind++) {
		same((p - 1) * g(M) + net.L, kind, "linear", p);
		same(sum + (p - 1) * net.L, kind, "chain", p);
		same((p - 1) * (g(M) + net.L), kind, "pipelined-chain", p);
		same(doubling + lg * net.L, kind, "binomial", p);
	}
}

/* Table 3: Lower + (Upper - Lower) gamma; never less than the gap of one process. */
static void exchanges(int p)
{
	double os = bspi_model_send(&net, M), or_ = bspi_model_receive(&net, M);
	double lower = (p - 1) * os + (p - 1) * or_ + net.L,
	       upper = (p - 1) * g(M) + (p - 1) * or_ + net.L;
	double wanted = lower + (upper - lower) * net.gamma, least = (p - 1) * g(M) + net.L;

	same(fmax(wanted, least), GOAL_EXCHANGE, "direct-rotated", p);
}

static void barriers(void)
{
	double hop = g(1) + net.L;

	same(4 * hop, GOAL_BARRIER, "dissemination", 16);
	same(4 * hop, GOAL_BARRIER, "butterfly", 16);
	same(5 * hop, GOAL_BARRIER, "binomial", 16);
	same(2 * (hop + 2 * g(1)) + hop, GOAL_BARRIER, "knomial", 16);
}

/* Section 5.1.2 of Iwasaki and others, with their os and L: 3 or < os + L decides. */
static void overheads_apart(double or_, bool tree_wins)
{
	struct bspi_plogp p = { .L = 17500 + or_, .nsizes = 1, .size = { 1 }, .g = { 3000 },
				.os = { 3000 }, .or_ = { or_ } };
	struct goal_task t = { .kind = GOAL_BARRIER, .arity = 4, .call = -1, .networks = 1,
			       .release = GOAL_RELEASE_MULTICAST };
	double hop = 3000 + 17500 + or_, tree, rounds;

	t.algorithm = goal_algorithm_named(GOAL_BARRIER, "knomial");
	tree = bspi_model_cost(&p, &t, 16);
	is_near(3 * hop + 4 * or_, tree, 1e-6, "a tree of 4 with or of %.1f us", or_ / 1000);
	t.networks = 2;
	is_near(tree, bspi_model_cost(&p, &t, 16), 1e-6,
		"over two networks no less, as one processor receives");
	t.algorithm = goal_algorithm_named(GOAL_BARRIER, "butterfly");
	rounds = bspi_model_cost(&p, &t, 16);
	ok((tree < rounds) == tree_wins, "it is %s than shuffle exchange",
	   tree_wins ? "cheaper" : "no cheaper");
}

/*
 * One message by four numbers: a byte takes L + 2 o, each byte more G, where the gap is not less
 * than the overhead.
 */
static void loggp(void)
{
	struct bspi_plogp p;

	bspi_plogp_of(&p, 24000, 10000, 10000, 29.2);
	is_near(44000, p.L + bspi_model_gap(&p, 1), 1e-6, "a byte takes L + 2 o");
	is_near(44000 + 4095 * 29.2, p.L + bspi_model_gap(&p, 4096), 1e-3,
		"4096 bytes take 4095 G more");
	bspi_plogp_of(&p, 1000, 200, 100, 0.08);
	is_near(1400, p.L + bspi_model_gap(&p, 1), 1e-6,
		"also where the overhead is more than the gap");
	is_near(200, bspi_model_gap(&p, 1000), 1e-3, "whose processor limits small messages");
	is_near(100 + 99999 * 0.08, bspi_model_gap(&p, 100000), 1e-3,
		"and whose interface large ones");
}

/*
 * A network on which a message alone takes longer than L + g(m), and one that meets another longer
 * still: what follows a message is g(m) later all the same.
 */
static void messages_alone(void)
{
	struct bspi_plogp p = net;
	struct goal_task t = { .bytes = M, .segment = S, .call = -1, .networks = 1 };
	double alone = 400000, cross = 700000;

	for (int i = 0; i < p.nsizes; i++) {
		p.alone[i] = alone;
		p.cross[i] = cross;
	}
	is_near(alone, bspi_model_hop(&p, M), 1e-6, "a message takes alone(m)");
	is_near(alone - g(M), bspi_model_latency(&p, M), 1e-6, "all but the gap is latency");
	is_near(0, bspi_model_latency(&p, 1 << 20), 1e-6, "which is not negative");
	is_near(cross, bspi_model_cross(&p, M), 1e-6, "two that cross take cross(m)");
	t.kind = GOAL_BCAST;
	t.algorithm = goal_algorithm_named(GOAL_BCAST, "linear");
	is_near(alone + 2 * g(M), bspi_model_cost(&p, &t, 4), 1e-6, "3 messages of one process");
	t.algorithm = goal_algorithm_named(GOAL_BCAST, "segmented-chain");
	is_near(alone + 7 * g(S), bspi_model_cost(&p, &t, 2), 1e-6, "segments follow each other");
	t.kind = GOAL_ALLGATHER;
	t.algorithm = goal_algorithm_named(GOAL_ALLGATHER, "recursive-doubling");
	is_near(2 * cross, bspi_model_cost(&p, &t, 4), 1e-6, "2 rounds in which pairs exchange");
	t.kind = GOAL_EXCHANGE;
	t.algorithm = goal_algorithm_named(GOAL_EXCHANGE, "pairwise");
	is_near(3 * cross, bspi_model_cost(&p, &t, 4), 1e-6, "3 steps of a total exchange");
	memset(p.alone, 0, sizeof p.alone);
	memset(p.cross, 0, sizeof p.cross);
	is_near(net.L + g(M), bspi_model_hop(&p, M), 1e-6, "where it was not measured, L + g(m)");
	is_near(net.L + g(M), bspi_model_cross(&p, M), 1e-6, "and so do two");
}

static double local_cost(const struct bspi_plogp *p, enum goal_kind kind, const char *name,
			 enum goal_datatype type)
{
	struct goal_task t = { .kind = kind, .bytes = M, .call = -1, .networks = 1,
			       .function = GOAL_ADD, .datatype = type, .target = 1 };

	t.algorithm = goal_algorithm_named(kind, name);
	return bspi_model_cost(p, &t, 2);
}

/* With its segments, among @nprocs. */
static double chain_cost(const struct bspi_plogp *p, enum goal_kind kind, const char *name,
			 int nprocs)
{
	struct goal_task t = { .kind = kind, .bytes = M, .segment = S, .call = -1, .networks = 1,
			       .function = GOAL_ADD, .datatype = GOAL_F64, .target = 1 };

	t.algorithm = goal_algorithm_named(kind, name);
	return bspi_model_cost(p, &t, nprocs);
}

/*
 * Two processes on a network on which a send takes 1 us of its processor, a receive 2, and two
 * messages that cross are there after 5: a copy of up to 2 us is made meanwhile.
 */
static void local_operations(void)
{
	static const struct bspi_plogp idle = {
		.L = 1500, .nsizes = 2, .size = { 1, M }, .os = { 1000, 1000 },
		.or_ = { 2000, 2000 }, .g = { 2500, 2500 }, .alone = { 4000, 4000 },
		.cross = { 5000, 5000 }, .combine = 3, .copy = 0.0625, .has_local = true,
		.fold = { 50, 10000 }, .move = { 30, 6000 },
	};
	struct bspi_plogp p = idle, trains;
	double at_s = bspi_model_fold(&p, S);

	is_near(50, bspi_model_fold(&p, 1), 1e-6, "a fold of a byte is an operation");
	is_near(10000, bspi_model_fold(&p, M), 1e-6, "and one of many as it was measured");
	is_near(6000, bspi_model_copy(&p, M), 1e-6, "so is a copy");
	is_near(1000 + 6000 + 2000, local_cost(&p, GOAL_EXCHANGE, "direct-rotated", GOAL_NONE),
		1e-6, "an exchange: send, copy the own block, receive");
	is_near(9000, local_cost(&p, GOAL_ALLGATHER, "ring", GOAL_NONE), 1e-6,
		"so an allgather does");
	is_near(9000 + 10000, local_cost(&p, GOAL_ALLREDUCE, "recursive-doubling", GOAL_F64), 1e-6,
		"an allreduce in order copies its left operand, and folds");
	is_near(5000 + 10000, local_cost(&p, GOAL_ALLREDUCE, "recursive-doubling", GOAL_I64), 1e-6,
		"one of integers copies nothing");
	is_near(9000 + 10000, local_cost(&p, GOAL_REDUCE_SCATTER, "direct-rotated", GOAL_F64),
		1e-6, "a reduce-scatter: process 0 copies its own block");
	is_near(4000 + 10000, local_cost(&p, GOAL_REDUCE, "binomial", GOAL_F64), 1e-6,
		"a reduce copies while the message is on its way");
	is_near(4000 + 10000 + 2 * (2000 + 10000), chain_cost(&p, GOAL_REDUCE, "linear", 4), 1e-6,
		"a root receives and folds one after the other");
	is_near(4000 + at_s + (K - 1) * (2000 + at_s),
		chain_cost(&p, GOAL_REDUCE, "segmented-chain", 2), 1e-6,
		"so it does with segments");
	is_near(2 * (4000 + at_s) + (K - 1) * (3000 + at_s),
		chain_cost(&p, GOAL_SCAN, "segmented-chain", 3), 1e-6,
		"which a process in the middle sends on as well");
	is_near(1000 + 6000, local_cost(&p, GOAL_SCATTER, "linear", GOAL_NONE), 1e-6,
		"a root that scatters copies after its send");
	p.move[1] = 1500;
	is_near(5000, local_cost(&p, GOAL_EXCHANGE, "pairwise", GOAL_NONE), 1e-6,
		"a copy that is made while the message travels takes no time");
	p.has_local = false;
	is_near(3.0 * M, bspi_model_fold(&p, M), 1e-6, "where it was not measured, by the byte");
	is_near(1000 + 2048 + 2000, local_cost(&p, GOAL_EXCHANGE, "direct-rotated", GOAL_NONE),
		1e-6, "and copies likewise");
	trains = bspi_model_of_trains(&idle);
	is_near(1500 + 2500, local_cost(&trains, GOAL_EXCHANGE, "pairwise", GOAL_NONE), 1e-6,
		"as the papers predict no copy counts");
}

int main(void)
{
	messages_alone();
	local_operations();
	broadcasts(16, 4);
	broadcasts(2, 1);
	binary_trees();
	d_ary_trees();
	scatters(16, 4);
	exchanges(24);
	barriers();
	overheads_apart(9500, false);
	overheads_apart(6000, true);
	loggp();
	is_near(15000 + 1.0 / 1023 * 5000 * 0.5, g(512) + 1.0 / 1023 * 5000 * 0.5, 10,
		"between sizes the gap is linear");
	is_near(9000000 + (9000000 - 70000), g((2 << 20) - 8192), 1e-3,
		"beyond the last it goes on as before");
	return done_testing();
}
