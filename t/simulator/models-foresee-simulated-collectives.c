/* SPDX-License-Identifier: BSD-3-Clause */
/* The model of an algorithm predicts its schedule's time on a simulated network, for any P. */

/*
 * Where model and schedule are the same rounds both agree to the last unit. The table has the other
 * differences: overlap that a formula of the paper leaves out, or messages that the simulator's
 * receivers cannot take at once.
 */
#include "bsplib/model/model_nodes.h"
#include "../lib/simulated.h"

#include <math.h>

/* Simulated by foreseen, at the least and at the most. All that is not here: 0.99 .. 1.01. */
static const struct {
	const char *name;
	double least, most;
} bounds[] = {
	/* Asking the next child goes on while the one before gets its data. */
	{ "bcast:binomial-rendezvous", 0.60, 1.01 },
	/* Shares are exchanged while others are still on their way down. */
	{ "bcast:scatter-allgather", 0.50, 1.01 },
	/* Levels of a tree of no power of two overlap. */
	{ "gather:binomial", 0.80, 1.01 },
	{ "allgather:gather-bcast", 0.88, 1.01 },
	/* Processes in excess of a power of two begin early. */
	{ "allreduce:recursive-doubling", 0.65, 1.01 },
	{ "allreduce:dissemination", 0.85, 1.06 },
	{ "allreduce:reduce-scatter-allgather", 0.99, 1.08 },
	/* Levels of a tree that is not full overlap, or have fewer messages. */
	{ "allreduce:reduce-multicast", 0.65, 1.01 },
	{ "scan:recursive-doubling", 0.85, 1.03 },
	/* Receiving and sending take the processor in turn. */
	{ "exchange:direct-rotated", 0.99, 1.25 },
	{ "exchange:direct", 0.99, 1.05 },
	{ "reduce-scatter:direct-rotated", 0.98, 1.25 },
};

static double simulated(const struct goal_task *t, int nprocs, const struct goal_net *net)
{
	struct goal_set set = sim_generated(t, nprocs);
	uint64_t *times = sim_set_times(&set, net);
	double seen = (double)sim_latest(times, nprocs);

	free(times);
	goal_set_free(&set);
	return seen;
}

static struct goal_task foreseen_task(const struct goal_algorithm *a, uint64_t bytes)
{
	return (struct goal_task){
		.kind = a->kind, .algorithm = a, .bytes = bytes, .segment = bytes / 16, .call = -1,
		.arity = 4,
		.function = GOAL_ADD, .datatype = GOAL_U8, .target = a->kind != GOAL_BCAST,
	};
}

static double ratio(const struct goal_algorithm *a, int nprocs, uint64_t bytes)
{
	static const struct goal_net net = {
		.L = 20000, .o = 400, .g = 1000, .G = 3, .S = 1ull << 50, .multicast = true
	};
	struct goal_task t = foreseen_task(a, bytes);
	struct bspi_plogp p;

	if (goal_refuses(&t, nprocs, 0))
		return 1;
	bspi_plogp_of(&p, net.L, net.o, net.g, net.G);
	return simulated(&t, nprocs, &net) / bspi_model_cost(&p, &t, nprocs);
}

static void foreseen(const struct goal_algorithm *a)
{
	double least = 0.99, most = 1.01, low = 1, high = 1;
	char name[100];

	snprintf(name, sizeof name, "%s:%s", goal_kind_name(a->kind), a->name);
	for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++)
		if (strcmp(bounds[i].name, name) == 0) {
			least = bounds[i].least;
			most = bounds[i].most;
		}
	for (int nprocs = 2; nprocs <= 33; nprocs++)
		for (uint64_t bytes = 64; bytes <= 65536; bytes *= 32) {
			double r = ratio(a, nprocs, bytes);

			low = r < low ? r : low;
			high = r > high ? r : high;
		}
	ok(low >= least && high <= most, "%s: simulated %.3f to %.3f of what is foreseen", name,
	   low, high);
}

/* ---- Two levels: phases one after the other, each on its own network --- */

static double ratio_of_levels(const struct goal_algorithm *a, int n, int node, uint64_t bytes)
{
	static const struct goal_net memory = { .L = 180, .o = 30, .g = 50, .S = 1ull << 50 };
	const struct goal_net net = {
		.L = 20000, .o = 400, .g = 1000, .G = 3, .S = 1ull << 50, .node = node,
		.inside = &memory,
	};
	struct goal_task t = foreseen_task(a, bytes);
	int first[17];
	const struct goal_node_map nodes = { n, first };
	struct bspi_plogp p, inside;
	double cost;

	for (int k = 0; k <= n; k++)
		first[k] = k * node;
	t.nodes = &nodes;
	bspi_plogp_of(&p, net.L, net.o, net.g, net.G);
	bspi_plogp_of(&inside, memory.L, memory.o, memory.g, memory.G);
	p.inside = &inside;
	cost = bspi_model_nodes(&p, &t, 0);	/* it chooses the segment */
	return isfinite(cost) ? simulated(&t, n * node, &net) / cost : 1;
}

static void foreseen_in_levels(enum goal_kind kind, double least, double most)
{
	const struct goal_algorithm *a;

	for (unsigned int i = 0; (a = goal_algorithm(kind, i)); i++) {
		double low = 1, high = 1;

		for (int n = 2; n <= 16; n *= 2)
			for (int node = 1; node <= 9; node += 4) {
				double r = ratio_of_levels(a, n, node, 64);

				low = r < low ? r : low;
				high = r > high ? r : high;
			}
		ok(low >= least && high <= most,
		   "%s:%s in two levels: simulated %.3f to %.3f of what is foreseen",
		   goal_kind_name(kind), a->name, low, high);
	}
}

int main(void)
{
	const struct goal_algorithm *a;

	for (enum goal_kind kind = GOAL_BARRIER + 1; kind < GOAL_KINDS; kind++)
		for (unsigned int i = 0; (a = goal_algorithm(kind, i)); i++)
			foreseen(a);
	foreseen_in_levels(GOAL_SCAN, 0.99, 1.01);
	foreseen_in_levels(GOAL_REDUCE_SCATTER, 0.99, 1.03);
	return done_testing();
}
