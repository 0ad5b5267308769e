// SPDX-License-Identifier: BSD-3-Clause
/* model_barrier.c - what barriers cost: Iwasaki and others, section 5. */

/*
 * The paper counts in LogP, where a message takes os + L + or; that is L + g(1) here. A process
 * to which several messages come at once takes one after the other, or apart; one that sends
 * several sends them os apart; and both no faster than the interface, the gap apart. So a tree of
 * 4 beats shuffle exchange among 16 processes where 3 or < os + L, and else does not.
 *
 *	shuffle exchange (butterfly)	(os + L + or) log2 n
 *	tree of 2			(os + L + or) (log2 n + 1)
 *	tree of k			(os + L + (k-1) or) log_k n + (os + L + or)
 *
 * the last step being the release by multicast. Their tree of k joins k processes in each step,
 * of which one goes on: k - 1 messages come to it.
 */

#include "bsplib/model/model.h"
#include "bsplib/model/model_kinds.h"

#include <math.h>

/* Bytes of the counts for @n processes, or for all of so many nodes. */
static uint64_t counts_bytes(const struct goal_task *t, int n)
{
	if (t->counts->words)
		return 0;
	return 4 * (uint64_t)n * (t->node > 1 ? (uint64_t)t->node : 1);
}

/* A message with @n counts and the two words, or these alone; without any it is empty. */
static uint64_t message_bytes(const struct goal_task *t, int n)
{
	return t->counts ? counts_bytes(t, n) + 8 : 1;
}

/*
 * ceil(log2 n) rounds, from the longest way to the shortest; each with the counts for as many
 * processes as it goes, in messages that cross.
 */
static double barrier_dissemination(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	double sum = 0;

	for (int hop = 1 << bspi_log2_up(n) >> 1; hop > 0; hop /= 2)
		sum += bspi_model_cross(p, message_bytes(t, hop < n - hop ? hop : n - hop));
	return sum;
}

/*
 * log2 n rounds among the first 2^k, in messages that cross; each process beyond sends to one of
 * them before and receives from it afterwards. The notification of one of those r goes through the
 * rounds in which the numbers of the two differ: so it is 1 + log2 n steps to a process that has
 * none behind it, and 2 + those of r - 1 to one that has. The first message has to be received and
 * sent on besides.
 */
static double barrier_butterfly(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	int core = 1 << bspi_log2_down(n), rest = n - core, rounds = bspi_log2_down(n);
	double sum = 0;

	for (int half = core / 2; half > 0; half /= 2)
		sum += bspi_model_cross(p, message_bytes(t, (int)((int64_t)half * n / core)));
	if (rest > 0)
		sum += bspi_model_hop(p, message_bytes(t, n)) +
		       bspi_model_pace(p, message_bytes(t, 1));
	if (rest > 1 && 1 + bspi_log2_up(rest) > rounds)
		sum += bspi_model_hop(p, message_bytes(t, 1));
	return sum;
}

/*
 * To or from the parent: k - 1 messages in a row, each of which takes @busy of its processor. Two
 * networks take turns, but it is one processor.
 */
static double tree_level(const struct bspi_plogp *p, const struct goal_task *t, int n, int k,
			 uint64_t bytes, double busy)
{
	double gap = bspi_model_gap(p, bytes) / (t->networks == 2 ? 2 : 1);
	int more = (k < n ? k : n) - 2;

	return bspi_model_hop(p, bytes) + (more > 0 ? more : 0) * fmax(gap, busy);
}

/*
 * (L + g) and k - 2 messages more, log_k n times; then the release: one multicast, or the same
 * way back, where a message has the counts of a subtree.
 */
static double barrier_tree(const struct bspi_plogp *p, const struct goal_task *t, int n, int k)
{
	uint64_t bytes = message_bytes(t, n);
	int64_t below = n;
	double sum = bspi_model_levels(n, k) *
		     tree_level(p, t, n, k, bytes, bspi_model_receive(p, bytes));

	if (t->release == GOAL_RELEASE_MULTICAST)
		return sum + bspi_model_hop(p, message_bytes(t, n));
	for (int i = bspi_model_levels(n, k); i > 0; i--) {
		below = k < 2 ? below - 1 : below / k;
		bytes = message_bytes(t, below > 1 ? (int)below : 1);
		sum += tree_level(p, t, n, k, bytes, bspi_model_send(p, bytes));
	}
	return sum;
}

/*
 * The k-nomial tree of 2. If the number of processes is no power of two, its last level is not
 * full.
 */
static double barrier_binomial(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	double sum = bspi_model_up(p, n, message_bytes(t, n), 0, 0);

	if (t->release == GOAL_RELEASE_MULTICAST)
		return sum + bspi_model_hop(p, message_bytes(t, n));
	if (t->counts)
		return sum + bspi_model_down(p, n, 8, counts_bytes(t, 1));
	return sum + bspi_model_down(p, n, 1, 0);
}

static double barrier_knomial(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	return t->arity == 2 ? barrier_binomial(p, t, n) : barrier_tree(p, t, n, t->arity);
}

/* All processes notify process 0, which releases all: "concurrent" in the paper. */
static double barrier_linear(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	return barrier_tree(p, t, n, n);
}

const struct bspi_model bspi_models_barrier[] = {
	{ "dissemination", barrier_dissemination },
	{ "butterfly", barrier_butterfly },
	{ "binomial", barrier_binomial },
	{ "knomial", barrier_knomial },
	{ "linear", barrier_linear },
	{ NULL, NULL },
};
