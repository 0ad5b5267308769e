// SPDX-License-Identifier: BSD-3-Clause
/* model_bcast.c - what broadcasts cost: Barchet-Estefanel and Mounié, Table 1; and multicasts. */

/*
 * m bytes, n processes, k segments of s bytes. The formulae are the paper's, but for trees of a
 * number of processes that is no power of two: there the paper bounds the logarithm from below or
 * above, which is up to twice the truth, and we follow the tree. For powers of two that is the
 * same. Where they have L, the latency of the message is meant (bspi_model_latency()).
 */

#include "bsplib/model/model.h"
#include "bsplib/model/model_kinds.h"

#include <math.h>

/* (n-1) g(m) + L */
static double bcast_linear(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	return (n - 2) * bspi_model_gap(p, t->bytes) + bspi_model_hop(p, t->bytes);
}

/* Request and answer, before the data leave: 2 g(1) + 2 L. */
static double handshake(const struct bspi_plogp *p)
{
	return 2 * bspi_model_hop(p, 1);
}

/* (n-1) g(m) + 2 g(1) + 3 L */
static double bcast_linear_rendezvous(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	return bcast_linear(p, t, n) + handshake(p);
}

/* (n-1) g(s) k + L */
static double bcast_segmented_linear(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	struct bspi_cut cut = bspi_model_cut(t);

	return ((n - 1) * cut.k - 1) * bspi_model_gap(p, cut.bytes) +
	       bspi_model_hop(p, cut.bytes);
}

/* (n-1) (g(m) + L) */
static double bcast_chain(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	return (n - 1) * bspi_model_hop(p, t->bytes);
}

/* (n-1) (g(m) + 2 g(1) + 3 L) */
static double bcast_chain_rendezvous(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	return (n - 1) * (bspi_model_hop(p, t->bytes) + handshake(p));
}

/*
 * (n-1) (g(s) + L) + g(s) (k-1). Processes in the middle of a chain receive and send each
 * segment, which for small ones may take longer than the gap.
 */
static double bcast_segmented_chain(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	struct bspi_cut cut = bspi_model_cut(t);
	double pace = n > 2 ? bspi_model_pace(p, cut.bytes) : bspi_model_gap(p, cut.bytes);

	return (n - 1) * bspi_model_hop(p, cut.bytes) + pace * (cut.k - 1);
}

/*
 * The paper bounds it by ceil(log2 n) (2 g(m) + L). Number the processes from 1 on as in a heap:
 * process i sends to 2i, then to 2i + 1. So below the first digit of a number in base 2 each
 * digit is a step of L, and one gap for a 0 or two for a 1. The last to get it is n, or among
 * those that share digits with n up to a 1, have a 0 there and then 1s, or has one digit less and
 * all are 1.
 */
static double bcast_binary(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	double g = bspi_model_gap(p, t->bytes), L = bspi_model_latency(p, t->bytes);
	int depth = bspi_log2_down(n), ones = 0, most = depth > 0 ? 2 * (depth - 1) : 0;
	double cost = most * g + (depth - 1) * L;

	for (int i = depth - 1; i >= 0; i--) {
		if (!(n >> i & 1))
			continue;
		most = depth + ones + i;
		cost = fmax(cost, most * g + depth * L);
		ones++;
	}
	return fmax(cost, (depth + ones) * g + depth * L);
}

/*
 * The paper's section 3: "an optimal tree shape can be deduced from the network parameters" and d,
 * the successors of a process, without a formula. Number i >= 1 gets the message from (i - 1) / d,
 * as the child 1 .. d in its order, so it is there after a gap for each unit of the sum of these
 * digits on the way from the root, and L for each of them. The last to get it is the last number,
 * or one that shares digits with it up to one that is less, and has d behind that, or the last of
 * the level above.
 */
static double bcast_d_ary(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	double g = bspi_model_gap(p, t->bytes), L = bspi_model_latency(p, t->bytes);
	double d = t->arity, most = 0, depth = 0;
	int digits[32], sum = 0;

	if (t->arity == 1)
		return (n - 1) * (g + L);
	for (int v = n - 1; v > 0; v = (v - 1) / t->arity)
		digits[(int)depth++] = (v - 1) % t->arity + 1;
	for (int j = (int)depth - 1; j >= 0; j--) {
		if (digits[j] > 1)
			most = fmax(most, sum + digits[j] - 1 + j * d);
		sum += digits[j];
	}
	most = fmax(most, sum) * g + depth * L;
	return fmax(most, (depth - 1) * (d * g + L));
}

/* floor(log2 n) g(m) + ceil(log2 n) L, for powers of two. */
static double bcast_binomial(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	return bspi_model_down(p, n, t->bytes, 0);
}

/* floor(log2 n) g(m) + ceil(log2 n) (2 g(1) + 3 L), likewise. */
static double bcast_binomial_rendezvous(const struct bspi_plogp *p, const struct goal_task *t,
					int n)
{
	return bcast_binomial(p, t, n) + bspi_log2_up(n) * handshake(p);
}

/*
 * floor(log2 n) g(s) k + ceil(log2 n) L, for powers of two. The root sends each segment to its
 * ceil(log2 n) children before it begins with the next, and others have fewer; the last segment
 * then goes down the tree.
 */
static double bcast_segmented_binomial(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	struct bspi_cut cut = bspi_model_cut(t);

	return bspi_log2_up(n) * bspi_model_gap(p, cut.bytes) * (cut.k - 1) +
	       bspi_model_down(p, n, cut.bytes, 0);
}

/*
 * Van de Geijn's, which is in no table: a scatter of m / n bytes by a binomial tree (Table 2),
 * and then all get the rest: if n is a power of two in log2 n steps, in which pairs exchange all
 * they have, else in n - 1 steps of a ring.
 */
static double bcast_scatter_allgather(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	uint64_t block = (t->bytes + n - 1) / n;
	double sum = bspi_model_down(p, n, 0, block);

	if (n & (n - 1))
		return sum + (n - 1) * bspi_model_cross(p, block);
	for (int have = 1; have < n; have *= 2)
		sum += bspi_model_cross(p, have * block);
	return sum;
}

/* L + g(s), and for each segment more what the root or a receiver is busy with one, if more. */
static double bcast_multicast(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	struct bspi_cut cut = bspi_model_cut(t);
	double busy = fmax(bspi_model_send(p, cut.bytes), bspi_model_receive(p, cut.bytes));

	(void)n;
	return bspi_model_hop(p, cut.bytes) +
	       fmax(bspi_model_gap(p, cut.bytes), busy) * (cut.k - 1);
}

const struct bspi_model bspi_models_bcast[] = {
	{ "linear", bcast_linear },
	{ "linear-rendezvous", bcast_linear_rendezvous },
	{ "segmented-linear", bcast_segmented_linear },
	{ "chain", bcast_chain },
	{ "chain-rendezvous", bcast_chain_rendezvous },
	{ "segmented-chain", bcast_segmented_chain },
	{ "binary", bcast_binary },
	{ "d-ary", bcast_d_ary },
	{ "binomial", bcast_binomial },
	{ "binomial-rendezvous", bcast_binomial_rendezvous },
	{ "segmented-binomial", bcast_segmented_binomial },
	{ "scatter-allgather", bcast_scatter_allgather },
	{ "multicast", bcast_multicast },
	{ NULL, NULL },
};
