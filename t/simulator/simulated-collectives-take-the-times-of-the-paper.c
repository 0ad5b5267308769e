/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcasts and scatters take on a simulated network what the formulae of the pLogP paper say. */

/*
 * Barchet-Estefanel and Mounié, "Performance Characterisation of Intra-Cluster Collective
 * Communications", Tables 1 and 2, in L, g(m), and the simulator in L, o, g, G (O = 0). A send of m
 * bytes that can start at 0 keeps the sender's network until g + (m-1) G and its processor until o;
 * then the next can start. With o <= g that is
 *	g(m) = g + (m-1) G.
 * It arrives at o + L, and the receiver's processor is done with it at 2o + L + (m-1) G. In pLogP a
 * message is there at L' + g(m), so
 *	L' = L + 2o - g.
 * A process passes data on when they are there. In a pipeline it receives a segment, for o +
 * (s-1) G, and sends it on, for o, while the next one arrives g + (s-1) G after it: no processor is
 * late if 2o <= g. And requests and answers do not get in the way of data if the P - 1 requests, of
 * g each, have left before the first answer arrives, after
 * 2 (L' + g). Under these two conditions the formulae hold to the last unit.
 */
#include "../lib/simulated.h"

#include <math.h>

static const struct goal_net net = { .L = 40000, .o = 400, .g = 1000, .G = 3, .S = 1ull << 50 };

static double g(uint64_t bytes)
{
	return (double)(net.g + (bytes - 1) * net.G);
}

static double L(void)
{
	return (double)(net.L + 2 * net.o - net.g);
}

static double simulated(enum goal_kind kind, const char *name, int nprocs, uint64_t bytes,
			uint64_t segment)
{
	struct goal_task t = {
		.kind = kind, .algorithm = goal_algorithm_named(kind, name), .bytes = bytes,
		.segment = segment, .root = nprocs / 3, .call = -1, .target = kind != GOAL_BCAST,
	};
	struct goal_set set = sim_generated(&t, nprocs);
	uint64_t *times = sim_set_times(&set, &net);
	double latest = (double)sim_latest(times, nprocs);

	free(times);
	goal_set_free(&set);
	return latest;
}

static void takes(double wanted, enum goal_kind kind, const char *name, int nprocs, uint64_t bytes,
		  uint64_t segment)
{
	is_near(wanted, simulated(kind, name, nprocs, bytes, segment), 0.01 * wanted,
		"%s:%s of %d bytes to %d processes", goal_kind_name(kind), name, (int)bytes,
		nprocs);
}

/* The formulae that hold for any P. */
static void any_nprocs(int P, uint64_t m, uint64_t s)
{
	double n = P - 1, k = (double)(m / s), sum = 0;

	takes(n * g(m) + L(), GOAL_BCAST, "linear", P, m, 0);
	takes(n * g(m) + 2 * g(1) + 3 * L(), GOAL_BCAST, "linear-rendezvous", P, m, 0);
	takes(n * (g(s) * k) + L(), GOAL_BCAST, "segmented-linear", P, m, s);
	takes(n * (g(m) + L()), GOAL_BCAST, "chain", P, m, 0);
	takes(n * (g(m) + 2 * g(1) + 3 * L()), GOAL_BCAST, "chain-rendezvous", P, m, 0);
	takes(n * (g(s) + L()) + g(s) * (k - 1), GOAL_BCAST, "segmented-chain", P, m, s);
	takes(n * g(m) + L(), GOAL_SCATTER, "linear", P, m, 0);
	takes(n * g(m) + L(), GOAL_GATHER, "linear", P, m, 0);
	for (int j = 1; j < P; j++)
		sum += g((uint64_t)j * m);
	takes(sum + n * L(), GOAL_SCATTER, "chain", P, m, 0);
	takes(sum + n * L(), GOAL_GATHER, "chain", P, m, 0);
	takes(n * (g(m) + L()), GOAL_SCATTER, "pipelined-chain", P, m, 0);
	takes(n * (g(m) + L()), GOAL_GATHER, "pipelined-chain", P, m, 0);
}

/* The formulae of trees have logarithms in them, which are whole numbers for powers of two. */
static void powers_of_two(int P, int levels, uint64_t m, uint64_t s)
{
	double lg = levels, k = (double)(m / s), sum = 0;

	takes(lg * g(m) + lg * L(), GOAL_BCAST, "binomial", P, m, 0);
	takes(lg * g(m) + lg * (2 * g(1) + 3 * L()), GOAL_BCAST, "binomial-rendezvous", P, m, 0);
	takes(lg * g(s) * k + lg * L(), GOAL_BCAST, "segmented-binomial", P, m, s);
	for (int j = 0; j < levels; j++)
		sum += g(m << j);
	takes(sum + lg * L(), GOAL_SCATTER, "binomial", P, m, 0);
	takes(sum + lg * L(), GOAL_GATHER, "binomial", P, m, 0);
}

static void binary_is_bounded(int P, uint64_t m)
{
	double most = ceil(log2(P)) * (2 * g(m) + L()),
	       seen = simulated(GOAL_BCAST, "binary", P, m, 0);

	ok(seen <= most && seen >= most / 2, "bcast:binary to %d processes: %.0f, at most %.0f", P,
	   seen, most);
}

int main(void)
{
	static const int nprocs[] = { 2, 3, 7, 16, 33 };

	for (int i = 0; i < 5; i++) {
		any_nprocs(nprocs[i], 64, 16);
		any_nprocs(nprocs[i], 8192, 1024);
		binary_is_bounded(nprocs[i], 64);
		binary_is_bounded(nprocs[i], 8192);
	}
	for (int levels = 1; levels <= 6; levels++) {
		powers_of_two(1 << levels, levels, 64, 16);
		powers_of_two(1 << levels, levels, 8192, 1024);
	}
	return done_testing();
}
