/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_gen_exchange.c - total exchange: block q of process p becomes block p of process q. */

/*
 * Barchet-Estefanel and Mounié, "Performance Characterisation of Intra-Cluster Collective
 * Communications", section 5; Bruck, Ho, Kipnis, Upfal and Weathersby, "Efficient Algorithms for
 * All-to-All Communications in Multiport Message-Passing Systems" (1997). In place all blocks are
 * copied to the scratchpad first, and are sent from there; a receive then waits for the copy.
 */
#include "goal/gen/goal_gen_tree.h"
#include "goal/goal_graph.h"

#include <stdlib.h>

struct exchange {
	struct goal_graph *g;
	const struct goal_task *task;
	int nprocs, rank;
	struct goal_place from;		/* our blocks */
	int saved;			/* the copy of them, or -1 */
};

/* Returns whether there are other processes. */
static bool exchange_begin(struct exchange *x)
{
	uint64_t bytes = x->task->bytes * (uint64_t)x->nprocs;
	bool in_place = x->task->source == x->task->target;

	x->from = GOAL_AT(x->task->source, 0);
	x->saved = -1;
	if (bytes == 0 || x->nprocs == 1 || !in_place)
		return bytes > 0;
	x->from = GOAL_AT(GOAL_SCRATCHPAD, goal_scratch(x->g, bytes));
	x->saved = goal_copy(x->g, x->from, GOAL_AT(x->task->source, 0), bytes);
	return true;
}

static struct goal_piece exchange_outgoing(const struct exchange *x, int to)
{
	uint64_t at = x->from.offset + (uint64_t)to * x->task->bytes;

	return (struct goal_piece){ GOAL_AT(x->from.buffer, at), x->task->bytes };
}

static struct goal_piece incoming(const struct exchange *x, int from)
{
	uint64_t at = (uint64_t)from * x->task->bytes;

	return (struct goal_piece){ GOAL_AT(x->task->target, at), x->task->bytes };
}

/* In place it is where it should be. */
static void exchange_copy_own(const struct exchange *x)
{
	if (x->task->source != x->task->target)
		goal_copy(x->g, incoming(x, x->rank).at, exchange_outgoing(x, x->rank).at,
			  x->task->bytes);
}

static int exchange_send_to(const struct exchange *x, int to)
{
	int op = goal_send(x->g, x->task->bytes, exchange_outgoing(x, to).at, to, 0);

	goal_after(x->g, op, x->saved);
	return op;
}

static int exchange_receive_from(const struct exchange *x, int from)
{
	int op = goal_recv(x->g, x->task->bytes, incoming(x, from).at, from, 0);

	goal_after(x->g, op, x->saved);
	return op;
}

static void gen_exchange_direct(struct goal_graph *g, const struct goal_task *task, int nprocs,
				int rank)
{
	struct exchange x = { .g = g, .task = task, .nprocs = nprocs, .rank = rank };

	if (!exchange_begin(&x))
		return;
	for (int p = 0; p < nprocs; p++)
		if (p != rank)
			exchange_receive_from(&x, p);
	for (int p = 0; p < nprocs; p++)
		if (p != rank)
			exchange_send_to(&x, p);
	exchange_copy_own(&x);
}

static void gen_exchange_direct_rotated(struct goal_graph *g, const struct goal_task *task,
					int nprocs, int rank)
{
	struct exchange x = { .g = g, .task = task, .nprocs = nprocs, .rank = rank };

	if (!exchange_begin(&x))
		return;
	for (int i = 1; i < nprocs; i++)
		exchange_receive_from(&x, (rank + nprocs - i) % nprocs);
	for (int i = 1; i < nprocs; i++)
		exchange_send_to(&x, (rank + i) % nprocs);
	exchange_copy_own(&x);
}

/* One partner at a time: a step begins when our part of the one before has ended. */
static void gen_exchange_pairwise(struct goal_graph *g, const struct goal_task *task, int nprocs,
				  int rank)
{
	struct exchange x = { .g = g, .task = task, .nprocs = nprocs, .rank = rank };
	bool power = goal_butterfly_core(nprocs) == nprocs;
	int received = -1, sent = -1;

	if (!exchange_begin(&x))
		return;
	for (int i = 1; i < nprocs; i++) {
		int to = power ? rank ^ i : (rank + i) % nprocs;
		int from = power ? to : (rank + nprocs - i) % nprocs;
		int in = exchange_receive_from(&x, from), out = exchange_send_to(&x, to);

		goal_after(g, out, received);
		goal_after(g, out, sent);
		received = in;
		sent = out;
	}
	exchange_copy_own(&x);
}

/* ---- Bruck ------------------------------------------------------------------- */

/*
 * Block j is the one that has to go j processes on. In round k all blocks whose number has bit k go
 * on by 2^k in one message, a list of pieces: nothing is packed and nothing rotated. A block with n
 * bits is on its way n times. It leaves from the source and ends in the target; in between it is by
 * turns where the target's block will be and in the scratchpad, so that what is sent in a round and
 * what comes are never in the same place.
 */
struct way {
	struct exchange x;
	uint64_t slots;			/* in the scratchpad: blocks with two bits and more */
	struct goal_piece *out, *in;	/* of a round */
};

/* How many numbers below @j have two bits and more. */
static int slot(int j)
{
	return j - 1 - goal_rounds(j);
}

/* Where block @j is received in the round of its bit @k. */
static struct goal_piece stop(const struct way *w, int j, int k)
{
	const struct exchange *x = &w->x;
	int still = -1;

	for (unsigned int bits = (unsigned int)j >> k; bits; bits &= bits - 1)
		still++;
	if (still % 2 == 0)
		return incoming(x, (x->rank + x->nprocs - j) % x->nprocs);
	return (struct goal_piece){
		GOAL_AT(GOAL_SCRATCHPAD, w->slots + (uint64_t)slot(j) * x->task->bytes),
		x->task->bytes,
	};
}

/*
 * A send waits for the receives of all rounds before, a receive for the sends of those before that
 * read what was received there: of round 1 at the earliest, since those of round 0 are from the
 * source.
 */
static void bruck_round(struct way *w, int k, int *sent, int *received)
{
	const struct exchange *x = &w->x;
	int distance = 1 << k, to = (x->rank + distance) % x->nprocs;
	int from = (x->rank + x->nprocs - distance) % x->nprocs;
	size_t n = 0;

	for (int j = distance; j < x->nprocs; j++) {
		int below = j & (distance - 1), last = -1;

		if (!(j & distance))
			continue;
		for (int bits = below; bits; bits /= 2)
			last++;
		/* It leaves from where it was received in the round of the bit below. */
		w->out[n] = below ? stop(w, j, last) :
				    exchange_outgoing(x, (x->rank + j) % x->nprocs);
		w->in[n++] = stop(w, j, k);
	}
	received[k] = goal_recv_list(x->g, w->in, n, from, (uint32_t)k);
	sent[k] = goal_send_list(x->g, w->out, n, to, (uint32_t)k);
	goal_after(x->g, received[k], x->saved);
	goal_after(x->g, sent[k], x->saved);
	for (int i = 0; i < k; i++)
		goal_requires(x->g, sent[k], received[i]);
	for (int i = 1; i < k; i++)
		goal_requires(x->g, received[k], sent[i]);
}

static void gen_exchange_bruck(struct goal_graph *g, const struct goal_task *task, int nprocs,
			       int rank)
{
	struct way w = { .x = { .g = g, .task = task, .nprocs = nprocs, .rank = rank } };
	size_t most = (size_t)goal_butterfly_core(nprocs);
	int sent[GOAL_ROUNDS_MOST], received[GOAL_ROUNDS_MOST], n = slot(nprocs);

	if (!exchange_begin(&w.x))
		return;
	w.out = malloc(2 * most * sizeof *w.out);
	if (!w.out) {
		goal_graph_fail(g, "out of memory for %zu blocks", most);
		return;
	}
	w.in = w.out + most;
	if (n > 0)
		w.slots = goal_scratch(g, (uint64_t)n * task->bytes);
	for (int k = 0; 1 << k < nprocs; k++)
		bruck_round(&w, k, sent, received);
	exchange_copy_own(&w.x);
	free(w.out);
}

static const char *too_many_pieces(const struct goal_task *task, int nprocs)
{
	if (nprocs > 1 << 16)
		return "with more than 65536 processes a message has too many pieces";
	return goal_joined_blocks_refuse(task, nprocs);
}

const struct goal_algorithm goal_exchange_algorithms[] = {
	{ .kind = GOAL_EXCHANGE,
	  .name = "direct-rotated",
	  .generate = gen_exchange_direct_rotated,
	  .refuses = goal_blocks_refuse,
	  .summary = "all to all, each begins behind itself" },
	{ .kind = GOAL_EXCHANGE,
	  .name = "direct",
	  .generate = gen_exchange_direct,
	  .refuses = goal_blocks_refuse,
	  .summary = "all to all, each begins with process 0" },
	{ .kind = GOAL_EXCHANGE,
	  .name = "pairwise",
	  .generate = gen_exchange_pairwise,
	  .refuses = goal_blocks_refuse,
	  .summary = "P - 1 steps, one partner in each" },
	{ .kind = GOAL_EXCHANGE,
	  .name = "bruck",
	  .generate = gen_exchange_bruck,
	  .refuses = too_many_pieces,
	  .summary = "ceil(log2 P) rounds of half the blocks" },
	{ .name = NULL },
};
