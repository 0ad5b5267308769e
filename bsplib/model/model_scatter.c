// SPDX-License-Identifier: BSD-3-Clause
/* model_scatter.c - the cost of scatters, gathers and exchanges: Barchet-Estefanel and Mounié. */

/*
 * Tables 2 and 3 of the paper: m bytes of each process, n processes. A gather is a scatter
 * backwards: "once modelling the Scatter we have a good approximation with the Gather model"
 * (section 4).
 */

#include "bsplib/model/model.h"
#include "bsplib/model/model_kinds.h"

#include <math.h>

/* ---- Scatter and gather: Table 2 ------------------------------------------------- */

/*
 * The root copies its own block besides, when it has sent, or while messages come. So an operation
 * that takes @cost takes no less than one of these and that.
 */
static double with_own_block(const struct bspi_plogp *p, const struct goal_task *t, double cost)
{
	double os = bspi_model_send(p, t->bytes), or_ = bspi_model_receive(p, t->bytes);
	double busy = t->kind == GOAL_GATHER ? or_ : os;

	return fmax(cost, fmin(busy, cost) + bspi_model_copy(p, t->bytes));
}

/* (n-1) g(m) + L */
static double scatter_linear(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	double all = (n - 2) * bspi_model_gap(p, t->bytes) + bspi_model_hop(p, t->bytes);

	return with_own_block(p, t, all);
}

/* sum of g(j m), j = 1 .. n-1, + (n-1) L */
static double scatter_chain(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	double sum = 0;

	for (int j = 1; j < n; j++)
		sum += bspi_model_hop(p, j * t->bytes);
	return with_own_block(p, t, sum);
}

/* (n-1) (g(m) + L) */
static double scatter_pipelined(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	return with_own_block(p, t, (n - 1) * bspi_model_hop(p, t->bytes));
}

/*
 * sum of g(2^j m), j = 0 .. ceil(log2 n) - 1, + ceil(log2 n) L, for powers of two; else along the
 * tree.
 */
static double scatter_by_tree(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	return with_own_block(p, t, bspi_model_down(p, n, 0, t->bytes));
}

static double gather_by_tree(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	return with_own_block(p, t, bspi_model_up(p, n, 0, t->bytes, 0));
}

const struct bspi_model bspi_models_scatter[] = {
	{ "linear", scatter_linear },
	{ "chain", scatter_chain },
	{ "pipelined-chain", scatter_pipelined },
	{ "binomial", scatter_by_tree },
	{ NULL, NULL },
};

const struct bspi_model bspi_models_gather[] = {
	{ "linear", scatter_linear },
	{ "chain", scatter_chain },
	{ "pipelined-chain", scatter_pipelined },
	{ "binomial", gather_by_tree },
	{ NULL, NULL },
};

/* ---- Allgather: in no table ---------------------------------------------------------- */

/*
 * The first step of those in which all send and receive at once, of @bytes: while their messages
 * are on their way processes copy their own block of m bytes.
 */
static double first_step(const struct bspi_plogp *p, const struct goal_task *t, uint64_t bytes)
{
	return bspi_model_cross_beside(p, bytes, bspi_model_copy(p, t->bytes));
}

/* n - 1 steps, in each of which all pass on one block: (n-1) (g(m) + L), messages that cross. */
static double allgather_ring(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	return first_step(p, t, t->bytes) + (n - 2) * bspi_model_cross(p, t->bytes);
}

/*
 * Step j brings 2^j blocks, the last what is left: sum of g(min(2^j, n - 2^j) m) + L. Bruck's is
 * the same for any n: our blocks are received in place and not turned round.
 */
static double allgather_doubling(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	double sum = first_step(p, t, t->bytes);

	for (int have = 2; have < n; have *= 2)
		sum += bspi_model_cross(p, (have < n - have ? have : n - have) * t->bytes);
	return sum;
}

/* A gather and a broadcast of all blocks, both by binomial trees. */
static double allgather_gather_bcast(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	return bspi_model_up(p, n, 0, t->bytes, 0) + bspi_model_down(p, n, n * t->bytes, 0);
}

/* All multicast at once, and each receives n - 1 messages: L + g(m) + (n-2) max(g(m), or(m)). */
static double allgather_multicast(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	double pace = fmax(bspi_model_gap(p, t->bytes), bspi_model_receive(p, t->bytes));

	return first_step(p, t, t->bytes) + (n - 2) * pace;
}

const struct bspi_model bspi_models_allgather[] = {
	{ "ring", allgather_ring },
	{ "bruck", allgather_doubling },
	{ "recursive-doubling", allgather_doubling },
	{ "gather-bcast", allgather_gather_bcast },
	{ "multicast", allgather_multicast },
	{ NULL, NULL },
};

/* ---- Total exchange: Table 3 ------------------------------------------------------------ */

/*
 * Without contention a process sends its messages, which takes it (n-1) os(m), copies its own
 * block, waits if the first that comes to it is still on its way then, and receives, (n-1) or(m);
 * or its interface takes longer, (n-1) g(m) + L. The first message crosses that of its receiver.
 */
static double exchange_uncontended(const struct bspi_plogp *p, uint64_t bytes, int n)
{
	double sends = (n - 1) * bspi_model_send(p, bytes), or_ = bspi_model_receive(p, bytes);
	double cross = bspi_model_cross(p, bytes), own = bspi_model_copy(p, bytes);

	if (n == 2)
		return bspi_model_cross_beside(p, bytes, own);
	return fmax(fmax(sends + own, cross - or_) + (n - 1) * or_,
		    (n - 2) * bspi_model_gap(p, bytes) + cross);
}

/*
 * With contention the paper has bounds: (n-1) os(m) + (n-1) or(m) + L, where the processor is all
 * that counts, and (n-1) g(m) + (n-1) or(m) + L, where messages wait for each other on the way;
 * and between them Lower + (Upper - Lower) gamma.
 */
static double exchange_rotated(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	double g = bspi_model_gap(p, t->bytes), os = bspi_model_send(p, t->bytes);
	double or_ = bspi_model_receive(p, t->bytes);
	double lower = (n - 1) * (os + or_) + p->L, upper = (n - 1) * (g + or_) + p->L;
	double least = exchange_uncontended(p, t->bytes, n);

	return p->gamma > 0 ? fmax(lower + (upper - lower) * p->gamma, least) : least;
}

/*
 * All send to process 0 first, then to 1 and so on: process q takes in n - 1 messages from the
 * time on at which the first could leave, and the last of them begins with its own only n - 2
 * gaps late.
 */
static double exchange_direct(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	return exchange_rotated(p, t, n) + (n - 2) * bspi_model_gap(p, t->bytes);
}

/*
 * As rotated, but each of the n - 1 steps waits for what the one before brought: (n-1) (g(m) +
 * L), messages that cross.
 */
static double exchange_pairwise(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	return first_step(p, t, t->bytes) + (n - 2) * bspi_model_cross(p, t->bytes);
}

/* How many of 1 .. n-1 have digit j in base 2. */
static int with_digit(int n, int j)
{
	int rest = n % (2 << j) - (1 << j);

	return (n >> (j + 1) << j) + (rest > 0 ? rest : 0);
}

/*
 * Bruck's index algorithm: in step j all blocks go on whose distance has digit j, in one message
 * of so many pieces.
 */
static double exchange_bruck(const struct bspi_plogp *p, const struct goal_task *t, int n)
{
	double sum = first_step(p, t, with_digit(n, 0) * t->bytes);

	for (int j = 1; 1 << j < n; j++)
		sum += bspi_model_cross(p, with_digit(n, j) * t->bytes);
	return sum;
}

const struct bspi_model bspi_models_exchange[] = {
	{ "direct", exchange_direct },
	{ "direct-rotated", exchange_rotated },
	{ "bruck", exchange_bruck },
	{ "pairwise", exchange_pairwise },
	{ NULL, NULL },
};
