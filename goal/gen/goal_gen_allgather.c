/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_gen_allgather.c - the block of each process to all processes. */

/*
 * All receives are into place, in any order of the blocks: a message of several blocks is a list
 * of at most two pieces, where it goes beyond the last process. There is no scratchpad but in
 * gather-bcast. First sends are from the source, so no send waits for the copy of the own block;
 * in place there is none.
 */
#include "goal/gen/goal_gen_tree.h"
#include "goal/goal_graph.h"

#include <stdlib.h>

struct allgather {
	struct goal_graph *g;
	const struct goal_task *task;
	int nprocs, rank;
	int own;			/* the copy of our own block, or -1 */
	struct goal_piece *pieces;	/* room for those of a message */
};

static struct goal_place block(const struct allgather *a, int i)
{
	return GOAL_AT(a->task->target, (uint64_t)i * a->task->bytes);
}

/* Our own block, where it is from the start. */
static struct goal_place own_block(const struct allgather *a)
{
	bool in_place = a->task->source == a->task->target;

	return in_place ? block(a, a->rank) : GOAL_AT(a->task->source, 0);
}

/* The pieces of blocks @first .. @first + @n - 1. */
static size_t allgather_blocks(const struct allgather *a, int first, int n)
{
	const struct goal_task *t = a->task;

	if (!t->apart)
		return goal_blocks(a->pieces, t->target, first, n, a->nprocs, t->bytes);
	for (int i = 0; i < n; i++)
		a->pieces[i] = (struct goal_piece){ block(a, (first + i) % a->nprocs), t->bytes };
	return (size_t)n;
}

static int allgather_receive(const struct allgather *a, int first, int n, int from, uint32_t tag)
{
	return goal_recv_list(a->g, a->pieces, allgather_blocks(a, first, n), from, tag);
}

/*
 * The first send is of our own block, from where it is, and the copy comes behind it; the others
 * are from the target. @last: of the receive and of the send of the round before. When that send
 * has started all earlier receives have ended.
 */
struct round {
	int received, sent;
};

static int send_blocks(struct allgather *a, int first, int n, int to, uint32_t tag,
		       const struct round *last)
{
	int op;

	if (tag == 0) {
		op = goal_send(a->g, a->task->bytes, own_block(a), to, 0);
		a->own = goal_copy(a->g, block(a, a->rank), own_block(a), a->task->bytes);
		return op;
	}
	op = goal_send_list(a->g, a->pieces, allgather_blocks(a, first, n), to, tag);
	goal_requires(a->g, op, last->received);
	goal_irequires(a->g, op, last->sent);
	if (tag == 1)
		goal_after(a->g, op, a->own);
	return op;
}

/* Returns whether there are other processes; then allgather_end() follows. */
static bool allgather_begin(struct allgather *a)
{
	if (a->task->bytes == 0)
		return false;
	if (a->nprocs == 1) {
		goal_copy(a->g, block(a, 0), own_block(a), a->task->bytes);
		return false;
	}
	a->pieces = malloc((a->task->apart ? (size_t)a->nprocs : 2) * sizeof(*a->pieces));
	if (!a->pieces)
		goal_graph_fail(a->g, "out of memory for %d blocks", a->nprocs);
	return a->pieces;
}

static void allgather_end(struct allgather *a)
{
	free(a->pieces);
}

/* In round k block rank - k goes right. */
static void gen_allgather_ring(struct goal_graph *g, const struct goal_task *task, int nprocs,
			       int rank)
{
	struct allgather a = { g, task, nprocs, rank, -1, NULL };
	int right = (rank + 1) % nprocs, left = (rank + nprocs - 1) % nprocs, received = -1;
	bool any = allgather_begin(&a);

	for (int k = 0; any && k < nprocs - 1; k++) {
		int out = (rank - k + nprocs) % nprocs;
		int sent = goal_send(g, task->bytes, k ? block(&a, out) : own_block(&a), right,
				     (uint32_t)k);

		goal_after(g, sent, received);
		received = allgather_receive(&a, (out + nprocs - 1) % nprocs, 1, left, (uint32_t)k);
	}
	if (any)
		goal_copy(g, block(&a, rank), own_block(&a), task->bytes);
	allgather_end(&a);
}

/*
 * Before round k we have blocks rank .. rank + 2^k - 1 modulo nprocs (Bruck and others, 1997,
 * section 5, where they are rotated in memory at the end).
 */
static void gen_allgather_bruck(struct goal_graph *g, const struct goal_task *task, int nprocs,
				int rank)
{
	struct allgather a = { g, task, nprocs, rank, -1, NULL };
	struct round last = { -1, -1 };
	bool any = allgather_begin(&a);
	uint32_t tag = 0;

	for (int have = 1; any && have < nprocs; have *= 2, tag++) {
		int n = have < nprocs - have ? have : nprocs - have;
		int from = (rank + have) % nprocs, to = (rank - have + nprocs) % nprocs;
		int sent = send_blocks(&a, rank, n, to, tag, &last);

		last.received = allgather_receive(&a, from, n, from, tag);
		last.sent = sent;
	}
	allgather_end(&a);
}

/* In round k groups of 2^k neighbours exchange all they have. */
static void gen_allgather_recursive_doubling(struct goal_graph *g, const struct goal_task *task,
					     int nprocs, int rank)
{
	struct allgather a = { g, task, nprocs, rank, -1, NULL };
	struct round last = { -1, -1 };
	bool any = allgather_begin(&a);
	uint32_t tag = 0;

	for (int size = 1; any && size < nprocs; size *= 2, tag++) {
		int mine = rank & ~(size - 1), other = rank ^ size;
		int sent = send_blocks(&a, mine, size, other, tag, &last);

		last.received = allgather_receive(&a, mine ^ size, size, other, tag);
		last.sent = sent;
	}
	allgather_end(&a);
}

static const char *allgather_list_refuses(const struct goal_task *task, int nprocs)
{
	if (task->apart && nprocs > 1 << 16)
		return "with more than 65536 processes a message has too many pieces";
	return goal_blocks_refuse(task, nprocs);
}

static const char *not_power_of_two(const struct goal_task *task, int nprocs)
{
	if (goal_butterfly_core(nprocs) != nprocs)
		return "the number of processes is no power of two";
	return allgather_list_refuses(task, nprocs);
}

/* Up one binomial tree and down the same. */
static void gen_allgather_gather_bcast(struct goal_graph *g, const struct goal_task *task,
				       int nprocs, int rank)
{
	int last[GOAL_ROUNDS_MOST + 1];
	struct goal_task up = *task;
	struct goal_spread down = { .shape = &goal_shape_binomial,
				    .at = GOAL_AT(task->target, 0),
				    .cut = goal_cut(task->bytes * (uint64_t)nprocs, 0, 1),
				    .tag = 1 };

	up.root = 0;
	down.nafter = goal_gather_up(g, &up, nprocs, rank, &goal_shape_binomial, last);
	down.after = last;
	if (nprocs > 1)
		goal_spread(g, &down, nprocs, rank);
}

/* One message from each process. */
static void gen_allgather_multicast(struct goal_graph *g, const struct goal_task *task, int nprocs,
				    int rank)
{
	struct allgather a = { g, task, nprocs, rank, -1, NULL };
	bool any = allgather_begin(&a);

	if (!any)
		return;
	goal_multicast(g, task->bytes, own_block(&a), 0);
	goal_copy(g, block(&a, rank), own_block(&a), task->bytes);
	for (int k = 1; k < nprocs; k++) {
		int from = (rank + nprocs - k) % nprocs;

		allgather_receive(&a, from, 1, from, 0);
	}
	allgather_end(&a);
}

const struct goal_algorithm goal_allgather_algorithms[] = {
	{ .kind = GOAL_ALLGATHER,
	  .name = "bruck",
	  .generate = gen_allgather_bruck,
	  .refuses = allgather_list_refuses,
	  .summary = "dissemination: ceil(log2 P) rounds, twice as many blocks in each" },
	{ .kind = GOAL_ALLGATHER,
	  .name = "ring",
	  .generate = gen_allgather_ring,
	  .refuses = goal_blocks_refuse,
	  .summary = "P - 1 rounds, block by block to the next" },
	{ .kind = GOAL_ALLGATHER,
	  .name = "recursive-doubling",
	  .generate = gen_allgather_recursive_doubling,
	  .refuses = not_power_of_two,
	  .summary = "groups exchange all they have; powers of two" },
	{ .kind = GOAL_ALLGATHER,
	  .name = "gather-bcast",
	  .generate = gen_allgather_gather_bcast,
	  .refuses = goal_joined_blocks_refuse,
	  .summary = "to one and back, along binomial trees" },
	{ .kind = GOAL_ALLGATHER,
	  .name = "multicast",
	  .generate = gen_allgather_multicast,
	  .multicasts = true,
	  .refuses = goal_blocks_refuse,
	  .summary = "each sends its block to all at once" },
	{ .name = NULL },
};
