// SPDX-License-Identifier: BSD-3-Clause
/* model_reduce.c - what folds cost: reduce, allreduce and scan, which are in no table. */

/*
 * m bytes, n processes, k segments of s bytes; c m is what a fold of m bytes takes. A reduce is a
 * broadcast backwards in which every message is folded when it has come, so its formulae are
 * those of Table 1 with c m for each step.
 */

#include "bsplib/model/model.h"
#include "bsplib/model/model_kinds.h"

#include <math.h>

/*
 * Two processes that exchange values, and fold them in order: if the operator does not commute (no
 * sum of floating-point numbers does here), the lower one copies its own operand, which the result
 * replaces, before it receives the other.
 */
static double exchange_and_fold(const struct bspi_plogp *p, const struct goal_task *t,
				uint64_t bytes)
{
	bool copies = t->call < 0 && (t->datatype == GOAL_F32 || t->datatype == GOAL_F64);

	return bspi_model_cross_beside(p, bytes, copies ? bspi_model_copy(p, bytes) : 0) +
	       bspi_model_fold(p, bytes);
}

/* ---- Reduce ---------------------------------------------------------------------- */

/*
 * All send to the root, which receives and folds one while the next comes:
 * g(m) + L + c m + (n-2) max(g(m), or(m) + c m).
 */
static double reduce_linear(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	double g = bspi_model_gap(p, t->bytes), c = bspi_model_fold(p, t->bytes);
	double work = bspi_model_receive(p, t->bytes) + c;

	return bspi_model_hop(p, t->bytes) + c + (n - 2) * fmax(g, work);
}

/* (n-1) (g(m) + L + c m) from one end to the other. */
static double end_to_end(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	return (n - 1) * (bspi_model_hop(p, t->bytes) + bspi_model_fold(p, t->bytes));
}

/* Chains come to the root from both ends: how many processes the longer one has, with the root. */
static int longer(const struct goal_task *t, int n)
{
	return 1 + (t->root > n - 1 - t->root ? t->root : n - 1 - t->root);
}

static double reduce_chain(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	return end_to_end(p, t, longer(t, n));
}

/*
 * (n-1) (g(s) + L + c s), and as much more for each segment as lies between two at the process that
 * is busiest: it receives a segment and folds it, and in the middle sends the result as well.
 */
static double end_to_end_segmented(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	struct bspi_cut cut = bspi_model_cut(t);
	double c = bspi_model_fold(p, cut.bytes), gap = bspi_model_gap(p, cut.bytes);
	double work = bspi_model_receive(p, cut.bytes) + c;

	if (n > 2)
		work += bspi_model_send(p, cut.bytes);
	return (n - 1) * (bspi_model_hop(p, cut.bytes) + c) + fmax(gap, work) * (cut.k - 1);
}

static double reduce_segmented_chain(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	return end_to_end_segmented(p, t, longer(t, n));
}

/*
 * log2 n (g(m) + L + c m), for powers of two. In general the processes are halved: when both
 * halves are done one sends to the other, T(n) = max(T(n / 2), T(n / 2, rounded up or down) + L)
 * + g(m) + c m. From the highest digit of n on, with T of what has been read of it and of one
 * more.
 */
static double reduce_binomial(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	double step = bspi_model_gap(p, t->bytes) + bspi_model_fold(p, t->bytes);
	double L = bspi_model_latency(p, t->bytes);
	double here = 0, more = L + step;

	for (int i = bspi_log2_down(n) - 1; i >= 0; i--) {
		double even = here + L + step, odd = fmax(more, here + L) + step;

		here = n >> i & 1 ? odd : even;
		more = n >> i & 1 ? more + L + step : odd;
	}
	return here;
}

const struct bspi_model bspi_models_reduce[] = {
	{ "linear", reduce_linear },
	{ "chain", reduce_chain },
	{ "segmented-chain", reduce_segmented_chain },
	{ "binomial", reduce_binomial },
	{ NULL, NULL },
};

/* ---- Allreduce -------------------------------------------------------------------- */

/*
 * log2 n steps in which pairs exchange all they have, in messages that cross. Each of the r
 * processes over a power of two gives its own to a neighbour before and gets the result from it
 * afterwards. Its own goes through the steps in which the numbers of two neighbours differ, so it
 * is two steps more only if these are all; else one, and a gap where a neighbour receives from two
 * at a time.
 */
static double allreduce_doubling(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	int steps = bspi_log2_down(n), rest = n - (1 << steps);
	double c = bspi_model_fold(p, t->bytes), step = bspi_model_hop(p, t->bytes) + c;
	double sum = exchange_and_fold(p, t, t->bytes) +
		     (steps - 1) * (bspi_model_cross(p, t->bytes) + c);

	if (rest == 0)
		return sum;
	if (rest > 1 && 1 + bspi_log2_up(rest) > steps)
		return sum + 2 * step - c;
	return sum + step + bspi_model_gap(p, t->bytes);
}

/*
 * ceil(log2 n) (g(m) + L + c m), if n is a power of two. Else there is a second value, of which
 * the digits of n that are set decide: it goes with the first one, where a digit is set but for
 * the lowest and the highest, and alone at the highest, which waits for no more than that value.
 * All processes do the same at the same time, so that messages cross.
 */
static double allreduce_dissemination(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	double full = 0, rest = 0, out = 0, in = 0, gap = 0, before;

	for (int bit = 1; bit < n; bit *= 2) {
		bool set = n & bit, any = n & (bit - 1), last = bit > n / 2;
		uint64_t bytes = set && any && !last ? 2 * t->bytes : t->bytes;

		before = last && any ? rest : fmax(full, rest);
		out = fmax(out + gap, before);
		gap = bspi_model_gap(p, bytes);
		in = fmax(in + gap, out + bspi_model_cross(p, bytes));
		before = full;
		full = fmax(full, in) + bspi_model_fold(p, bytes);
		if (set)
			rest = any ? full : before;
	}
	return full;
}

/* By binomial trees, up and down again. */
static double allreduce_reduce_bcast(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	return reduce_binomial(p, t, n) + bspi_model_down(p, n, t->bytes, 0);
}

/*
 * As a barrier along the k-nomial tree with release by multicast: in each level k - 1 messages come
 * to a process, which receives and folds one while the next is under way.
 */
static double allreduce_reduce_multicast(const struct bspi_plogp *p, const struct goal_task *t,
					 int n)
{
	double gap = bspi_model_gap(p, t->bytes), c = bspi_model_fold(p, t->bytes);
	double hop = bspi_model_hop(p, t->bytes);
	int more = (t->arity < n ? t->arity : n) - 2;

	if (t->arity == 2)
		return bspi_model_up(p, n, t->bytes, 0, c) + hop;
	if (more < 0)
		more = 0;
	return bspi_model_levels(n, t->arity) *
		       (hop + c + more * fmax(gap, bspi_model_receive(p, t->bytes) + c)) + hop;
}

/*
 * Rabenseifner's: log2 n steps that halve what a process is to fold, and as many that double what
 * it has: 2 (sum of g(m / 2^j) + L) + c m (n-1) / n, messages that cross. Processes beyond a power
 * of two as in recursive doubling.
 */
static double allreduce_scatter_allgather(const struct bspi_plogp *p, const struct goal_task *t,
					  int n)
{
	int steps = bspi_log2_down(n);
	double hop = bspi_model_hop(p, t->bytes);
	double sum = exchange_and_fold(p, t, t->bytes >> 1) + bspi_model_cross(p, t->bytes >> 1);

	for (int j = 2; j <= steps; j++)
		sum += 2 * bspi_model_cross(p, t->bytes >> j) + bspi_model_fold(p, t->bytes >> j);
	return sum + (n > 1 << steps ? 2 * hop + bspi_model_fold(p, t->bytes) : 0);
}

const struct bspi_model bspi_models_allreduce[] = {
	{ "recursive-doubling", allreduce_doubling },
	{ "dissemination", allreduce_dissemination },
	{ "reduce-bcast", allreduce_reduce_bcast },
	{ "reduce-multicast", allreduce_reduce_multicast },
	{ "reduce-scatter-allgather", allreduce_scatter_allgather },
	{ NULL, NULL },
};

/* ---- Scan --------------------------------------------------------------------------- */

/*
 * ceil(log2 n) rounds to the process 2^j further on. A result goes through floor(log2 n) of them
 * one after the other, as the ways add up to less than n; in the last round of other numbers
 * processes get what those at the beginning have had for long: floor(log2 n) (g(m) + L + c m) +
 * g(m) + c m.
 */
static double scan_doubling(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	int rounds = bspi_log2_down(n);
	double step = bspi_model_gap(p, t->bytes) + bspi_model_fold(p, t->bytes);

	return rounds * (step + bspi_model_latency(p, t->bytes)) + (n > 1 << rounds ? step : 0);
}

const struct bspi_model bspi_models_scan[] = {
	{ "recursive-doubling", scan_doubling },
	{ "chain", end_to_end },
	{ "segmented-chain", end_to_end_segmented },
	{ NULL, NULL },
};

/* ---- Reduce-scatter: m bytes are a block ------------------------------------------------ */

/*
 * As a total exchange without contention, model_scatter.c, in which all that has come is folded in
 * order: the first is there when it has crossed that of its receiver, and folded; then
 * (n-2) max(g(m), or(m) + c m). Process 0 has copied its own block by then, as folds begin with it.
 */
static double reduce_scatter_direct(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	double g = bspi_model_gap(p, t->bytes), sends = (n - 1) * bspi_model_send(p, t->bytes);
	double work = bspi_model_receive(p, t->bytes) + bspi_model_fold(p, t->bytes);
	double own = bspi_model_copy(p, t->bytes);
	double first = bspi_model_cross_beside(p, t->bytes, own) + bspi_model_fold(p, t->bytes);

	return fmax(first + (n - 2) * fmax(g, work), sends + own + (n - 1) * work);
}

/*
 * Half of the blocks in each round: sum of g(m n / 2^k) + L + c m n / 2^k, k = 1 .. log2 n,
 * messages that cross; and the block is copied to where it is wanted.
 */
static double reduce_scatter_halving(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	double sum = exchange_and_fold(p, t, n / 2 * t->bytes) + bspi_model_copy(p, t->bytes);

	for (int half = n / 4; half > 0; half /= 2)
		sum += bspi_model_cross(p, half * t->bytes) + bspi_model_fold(p, half * t->bytes);
	return sum;
}

const struct bspi_model bspi_models_reduce_scatter[] = {
	{ "direct-rotated", reduce_scatter_direct },
	{ "halving", reduce_scatter_halving },
	{ NULL, NULL },
};
