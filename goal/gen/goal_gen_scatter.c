/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_gen_scatter.c - scatter, and gather, which is the same backwards. */

/*
 * Barchet-Estefanel and Mounié, "Performance Characterisation of Intra-Cluster Collective
 * Communications", Table 2. An inner process receives its own block in place and the rest, in
 * relative order, into the scratchpad: one message with two pieces, and no block is ever moved in
 * memory. In place the root's block stays where it is.
 */
#include "goal/gen/goal_gen_tree.h"

/* Ours, then those of the @n - 1 below us, from @scratch on. */
static size_t ours_and_below(struct goal_piece *pieces, struct goal_place ours, uint64_t scratch,
			     int n, uint64_t bytes)
{
	pieces[0] = (struct goal_piece){ ours, bytes };
	if (n == 1)
		return 1;
	pieces[1] =
		(struct goal_piece){ GOAL_AT(GOAL_SCRATCHPAD, scratch), (uint64_t)(n - 1) * bytes };
	return 2;
}

/* The root's own block, from its blocks or to them. */
static int scatter_copy_own(struct goal_graph *g, const struct goal_task *task)
{
	uint64_t at = (uint64_t)task->root * task->bytes;
	bool gathers = task->kind != GOAL_SCATTER;

	if (task->source == task->target)
		return -1;
	return goal_copy(g, GOAL_AT(task->target, gathers ? at : 0),
			 GOAL_AT(task->source, gathers ? 0 : at), task->bytes);
}

/* ---- Scatter ------------------------------------------------------------------ */

static void scatter_from_root(struct goal_graph *g, const struct goal_task *task, int nprocs,
			      const struct goal_shape *shape)
{
	struct goal_piece pieces[2];
	int child;

	for (int i = 0; (child = shape->child(0, i, nprocs)) >= 0; i++) {
		int to = goal_absolute(child, task->root, nprocs);
		size_t n = goal_blocks(pieces, task->source, to, shape->size(child, nprocs), nprocs,
				       task->bytes);

		goal_send_list(g, pieces, n, to, 0);
	}
	scatter_copy_own(g, task);
}

static void scatter_down(struct goal_graph *g, const struct goal_task *task, int nprocs, int rank,
			 const struct goal_shape *shape)
{
	int v = goal_relative(rank, task->root, nprocs), size = shape->size(v, nprocs), received,
	    child;
	uint64_t below, bytes = task->bytes;
	struct goal_piece pieces[2];
	size_t n;

	if (bytes == 0)
		return;
	if (v == 0) {
		scatter_from_root(g, task, nprocs, shape);
		return;
	}
	below = size > 1 ? goal_scratch(g, (uint64_t)(size - 1) * bytes) : 0;
	n = ours_and_below(pieces, GOAL_AT(task->target, 0), below, size, bytes);
	received = goal_recv_list(g, pieces, n, goal_absolute(shape->parent(v), task->root, nprocs),
				  0);
	for (int i = 0; (child = shape->child(v, i, nprocs)) >= 0; i++) {
		uint64_t at = below + (uint64_t)(child - v - 1) * bytes;
		int sent = goal_send(g, (uint64_t)shape->size(child, nprocs) * bytes,
				     GOAL_AT(GOAL_SCRATCHPAD, at),
				     goal_absolute(child, task->root, nprocs), 0);

		goal_requires(g, sent, received);
	}
}

static void gen_scatter_linear(struct goal_graph *g, const struct goal_task *task, int nprocs,
			       int rank)
{
	scatter_down(g, task, nprocs, rank, &goal_shape_linear);
}

static void gen_scatter_chain(struct goal_graph *g, const struct goal_task *task, int nprocs,
			      int rank)
{
	scatter_down(g, task, nprocs, rank, &goal_shape_chain);
}

static void gen_scatter_binomial(struct goal_graph *g, const struct goal_task *task, int nprocs,
				 int rank)
{
	scatter_down(g, task, nprocs, rank, &goal_shape_binomial);
}

/* ---- Gather -------------------------------------------------------------------- */

static int gather_at_root(struct goal_graph *g, const struct goal_task *task, int nprocs,
			  const struct goal_shape *shape, int *last)
{
	struct goal_piece pieces[2];
	int nlast = 0, child, op;

	for (int i = 0; (child = shape->child(0, i, nprocs)) >= 0; i++) {
		int from = goal_absolute(child, task->root, nprocs);
		size_t n = goal_blocks(pieces, task->target, from, shape->size(child, nprocs),
				       nprocs, task->bytes);

		op = goal_recv_list(g, pieces, n, from, 0);
		if (last)
			last[nlast++] = op;
	}
	op = scatter_copy_own(g, task);
	if (last)
		last[nlast++] = op;
	return nlast;
}

/*
 * The send to the parent comes behind the receives from the children, whose numbers are
 * consecutive.
 */
static int send_up(struct goal_graph *g, const struct goal_task *task, int nprocs, int v,
		   const struct goal_shape *shape, uint64_t below, int first)
{
	bool own_in_blocks = task->kind != GOAL_GATHER && task->source == task->target;
	uint64_t own =
		own_in_blocks ? (uint64_t)goal_absolute(v, task->root, nprocs) * task->bytes : 0;
	int parent = goal_absolute(shape->parent(v), task->root, nprocs), end = goal_nops(g), sent;
	struct goal_piece pieces[2];
	size_t n = ours_and_below(pieces, GOAL_AT(task->source, own), below, shape->size(v, nprocs),
				  task->bytes);

	sent = goal_send_list(g, pieces, n, parent, 0);
	for (int op = first; op < end; op++)
		goal_requires(g, sent, op);
	return sent;
}

int goal_gather_up(struct goal_graph *g, const struct goal_task *task, int nprocs, int rank,
		   const struct goal_shape *shape, int *last)
{
	int v = goal_relative(rank, task->root, nprocs), size = shape->size(v, nprocs), child;
	int first = goal_nops(g), sent;
	uint64_t below;

	if (task->bytes == 0)
		return 0;
	if (v == 0)
		return gather_at_root(g, task, nprocs, shape, last);
	below = size > 1 ? goal_scratch(g, (uint64_t)(size - 1) * task->bytes) : 0;
	for (int i = 0; (child = shape->child(v, i, nprocs)) >= 0; i++)
		goal_recv(g, (uint64_t)shape->size(child, nprocs) * task->bytes,
			  GOAL_AT(GOAL_SCRATCHPAD, below + (uint64_t)(child - v - 1) * task->bytes),
			  goal_absolute(child, task->root, nprocs), 0);
	sent = send_up(g, task, nprocs, v, shape, below, first);
	if (last)
		last[0] = sent;
	return last != NULL;
}

static void gen_gather_linear(struct goal_graph *g, const struct goal_task *task, int nprocs,
			      int rank)
{
	goal_gather_up(g, task, nprocs, rank, &goal_shape_linear, NULL);
}

static void gen_gather_chain(struct goal_graph *g, const struct goal_task *task, int nprocs,
			     int rank)
{
	goal_gather_up(g, task, nprocs, rank, &goal_shape_chain, NULL);
}

static void gen_gather_binomial(struct goal_graph *g, const struct goal_task *task, int nprocs,
				int rank)
{
	goal_gather_up(g, task, nprocs, rank, &goal_shape_binomial, NULL);
}

/* ---- Pipelined chains: a message is one block ----------------------------------------- */

/*
 * Blocks that go through a process, one after the other, in a few slots of the scratchpad: a
 * receive waits until the block that was in its slot has been sent on. The tag is the relative
 * number of whose block it is.
 */
enum { SLOTS = 4 };

struct passing {
	struct goal_graph *g;
	uint64_t bytes, slots;
	int from, to;
	int n;				/* blocks so far */
	int sent[SLOTS];
};

static void passing_init(struct passing *p, struct goal_graph *g, uint64_t bytes, int from, int to,
			 int n)
{
	*p = (struct passing){ .g = g, .bytes = bytes, .from = from, .to = to };
	if (n > 0)
		p->slots = goal_scratch(g, (uint64_t)(n < SLOTS ? n : SLOTS) * bytes);
}

static void scatter_pass_on(struct passing *p, uint32_t tag)
{
	int slot = p->n % SLOTS;
	struct goal_place at = GOAL_AT(GOAL_SCRATCHPAD, p->slots + (uint64_t)slot * p->bytes);
	int received = goal_recv(p->g, p->bytes, at, p->from, tag);
	int sent = goal_send(p->g, p->bytes, at, p->to, tag);

	if (p->n++ >= SLOTS)
		goal_requires(p->g, received, p->sent[slot]);
	goal_requires(p->g, sent, received);
	p->sent[slot] = sent;
}

/* The block that has the longest way comes first. */
static void gen_scatter_pipelined(struct goal_graph *g, const struct goal_task *task, int nprocs,
				  int rank)
{
	int v = goal_relative(rank, task->root, nprocs), next = (rank + 1) % nprocs;
	int previous = (rank + nprocs - 1) % nprocs;
	uint64_t bytes = task->bytes;
	struct passing p;

	if (bytes == 0)
		return;
	if (v == 0) {
		for (int b = nprocs - 1; b > 0; b--)
			goal_send(g, bytes,
				  GOAL_AT(task->source,
					  (uint64_t)goal_absolute(b, rank, nprocs) * bytes),
				  next, (uint32_t)b);
		scatter_copy_own(g, task);
		return;
	}
	passing_init(&p, g, bytes, previous, next, nprocs - 1 - v);
	for (int b = nprocs - 1; b > v; b--)
		scatter_pass_on(&p, (uint32_t)b);
	goal_recv(g, bytes, GOAL_AT(task->target, 0), previous, (uint32_t)v);
}

static void gen_gather_pipelined(struct goal_graph *g, const struct goal_task *task, int nprocs,
				 int rank)
{
	int v = goal_relative(rank, task->root, nprocs), next = (rank + 1) % nprocs;
	int previous = (rank + nprocs - 1) % nprocs;
	uint64_t bytes = task->bytes;
	struct passing p;

	if (bytes == 0)
		return;
	if (v == 0) {
		for (int b = 1; b < nprocs; b++)
			goal_recv(g, bytes,
				  GOAL_AT(task->target,
					  (uint64_t)goal_absolute(b, rank, nprocs) * bytes),
				  next, (uint32_t)b);
		scatter_copy_own(g, task);
		return;
	}
	goal_send(g, bytes, GOAL_AT(task->source, 0), previous, (uint32_t)v);
	passing_init(&p, g, bytes, next, previous, nprocs - 1 - v);
	for (int b = v + 1; b < nprocs; b++)
		scatter_pass_on(&p, (uint32_t)b);
}

const struct goal_algorithm goal_scatter_algorithms[] = {
	{ .kind = GOAL_SCATTER,
	  .name = "binomial",
	  .generate = gen_scatter_binomial,
	  .refuses = goal_joined_blocks_refuse,
	  .summary = "halves of what is left down a tree of ceil(log2 P) levels" },
	{ .kind = GOAL_SCATTER,
	  .name = "linear",
	  .generate = gen_scatter_linear,
	  .refuses = goal_blocks_refuse,
	  .summary = "the root sends to one after the other" },
	{ .kind = GOAL_SCATTER,
	  .name = "chain",
	  .generate = gen_scatter_chain,
	  .refuses = goal_joined_blocks_refuse,
	  .summary = "from each to the next all that is for those behind" },
	{ .kind = GOAL_SCATTER,
	  .name = "pipelined-chain",
	  .generate = gen_scatter_pipelined,
	  .refuses = goal_joined_blocks_refuse,
	  .summary = "the same, block by block" },
	{ .name = NULL },
};

const struct goal_algorithm goal_gather_algorithms[] = {
	{ .kind = GOAL_GATHER,
	  .name = "binomial",
	  .generate = gen_gather_binomial,
	  .refuses = goal_joined_blocks_refuse,
	  .summary = "up a tree of ceil(log2 P) levels, twice as many blocks on each" },
	{ .kind = GOAL_GATHER,
	  .name = "linear",
	  .generate = gen_gather_linear,
	  .refuses = goal_blocks_refuse,
	  .summary = "all send to the root" },
	{ .kind = GOAL_GATHER,
	  .name = "chain",
	  .generate = gen_gather_chain,
	  .refuses = goal_joined_blocks_refuse,
	  .summary = "each sends to the one before it all that comes from behind" },
	{ .kind = GOAL_GATHER,
	  .name = "pipelined-chain",
	  .generate = gen_gather_pipelined,
	  .refuses = goal_joined_blocks_refuse,
	  .summary = "the same, block by block" },
	{ .name = NULL },
};
