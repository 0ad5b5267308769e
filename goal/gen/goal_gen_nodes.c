// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_gen_nodes.c - collective operations in two levels: inside nodes and between them. */

/*
 * Each node has a delegate: the root, on its own node, and on others the first process; in a scan
 * the last one. One operation becomes up to three phases, which are operations of other kinds:
 *
 *			inside nodes	between delegates	inside nodes
 *	bcast				bcast			bcast
 *	reduce		reduce		reduce
 *	allreduce	reduce		allreduce		bcast
 *	gather		gather		one message each
 *	scatter				one message each	scatter
 *	allgather	gather		allgather of nodes	bcast
 *	exchange	all to delegate	exchange of nodes	all from delegate
 *	scan		scan		exclusive scan		bcast, fold
 *	reduce-scatter	reduce		reduce-scatter of nodes	scatter
 *
 * The task's algorithm is that between delegates; inside it is binomial, or linear for blocks, or
 * recursive doubling for a scan. Nodes have consecutive processes, so folds stay in the order of
 * processes. goal_gen_levels.h says how a phase becomes part of the graph.
 *
 * The blocks of allgather, exchange and reduce-scatter between delegates are those of whole nodes,
 * which may have different lengths. They are generated with lengths as arguments (goal_gen.h),
 * blocks of one byte or element, which become those of the nodes here: one piece, or, where the
 * lengths of the task are arguments themselves, a piece for each process of the node.
 *
 * The scratchpad of a reduce-scatter has vectors, of the blocks of all, and behind them what the
 * algorithm between delegates keeps there: goal_nodes_scratch_blocks() knows this order.
 *
 * In an exchange a delegate keeps, for each other node, a block of each pair of processes, in the
 * order of its own processes, then of the others:
 *
 *	out  to node j, from process p of ours to q of theirs	[j][p][q]
 *	in   from node j, from process p of theirs to q of ours	[j][p][q] = [p][q]
 *
 * The second is the order of p in the job. So one message goes from each node to each other one.
 */
#include "goal/gen/goal_gen_nodes.h"

#include "goal/gen/goal_gen_fold.h"
#include "goal/gen/goal_gen_levels.h"
#include "goal/goal_graph.h"

#include <stdlib.h>

enum {
	PIECES_OF_MESSAGE = 1 << 16,
	ALIGNED_UNITS = 16,		/* so many begin on a multiple of 16, whatever a unit has */
};

static uint64_t bytes_of_node(const struct goal_levels *l, int node)
{
	return (uint64_t)(l->first_of[node + 1] - l->first_of[node]) * l->task->bytes;
}

/* ---- The same to all, and folds ------------------------------------------------------------ */

static void levels_bcast(struct goal_levels *l)
{
	struct goal_place at = GOAL_AT(l->task->target, 0);
	struct goal_phase p = goal_levels_between(l, GOAL_BCAST, at, at);

	goal_levels_phase(l, &p);
	p = goal_levels_inside(l, GOAL_BCAST, at, at);
	goal_levels_phase(l, &p);
}

/* The result of a node is at its delegate, and goes from there to the root. */
static void levels_reduce(struct goal_levels *l)
{
	struct goal_place source = GOAL_AT(l->task->source, 0);
	struct goal_place target = GOAL_AT(l->task->target, 0), folded = source;
	struct goal_phase p;

	if (l->size > 1) {
		/* only the delegate writes there */
		if (goal_levels_is_delegate(l))
			folded = goal_levels_scratch(l, l->task->bytes);
		else
			folded = target;
		p = goal_levels_inside(l, GOAL_REDUCE, source, folded);
		goal_levels_phase(l, &p);
	} else {
		goal_levels_next(l);
	}
	p = goal_levels_between(l, GOAL_REDUCE, folded, target);
	goal_levels_phase(l, &p);
}

static void levels_allreduce(struct goal_levels *l)
{
	struct goal_place source = GOAL_AT(l->task->source, 0);
	struct goal_place target = GOAL_AT(l->task->target, 0);
	struct goal_phase p = goal_levels_inside(l, GOAL_REDUCE, source, target);

	goal_levels_phase(l, &p);
	p = goal_levels_between(l, GOAL_ALLREDUCE, target, target);
	goal_levels_phase(l, &p);
	p = goal_levels_inside(l, GOAL_BCAST, target, target);
	goal_levels_phase(l, &p);
}

/* ---- Scan ---------------------------------------------------------------------------------- */

/* @before, the fold of all nodes before, op the target becomes the target. */
static void scan_fold_before(struct goal_levels *l, struct goal_place before)
{
	const struct goal_task *t = l->task;
	struct goal_place target = GOAL_AT(t->target, 0), folded = before;
	struct goal_piece pieces[3] = { { target, t->bytes }, { before, t->bytes },
					{ target, t->bytes } };
	int fold;

	if (t->call >= 0) {
		folded = goal_levels_scratch(l, t->bytes);
		pieces[0].at = folded;
		fold = goal_call(l->g, (uint32_t)t->call, pieces, 3, 1);
	} else {
		fold = goal_local(l->g, t->function, t->datatype, t->bytes, before, target);
	}
	goal_after(l->g, fold, l->before);
	goal_requires(l->g, goal_copy(l->g, target, folded, t->bytes), fold);
}

/* The last process of a node has the fold of the node, which nodes behind it need. */
static void levels_scan(struct goal_levels *l)
{
	struct goal_place source = GOAL_AT(l->task->source, 0);
	struct goal_place target = GOAL_AT(l->task->target, 0), before = target;
	struct goal_phase p = goal_levels_inside(l, GOAL_SCAN, source, target);

	goal_levels_phase(l, &p);
	if (l->node > 0)
		before = goal_levels_scratch(l, l->task->bytes);
	p = goal_levels_between(l, GOAL_SCAN, target, before);
	p.task.exclusive = true;
	goal_levels_phase(l, &p);
	if (l->node == 0)
		return;
	p = goal_levels_inside(l, GOAL_BCAST, before, before);
	goal_levels_phase(l, &p);
	goal_levels_next(l);
	scan_fold_before(l, before);
}

/* ---- Blocks ------------------------------------------------------------------------------ */

static struct goal_place block_of(const struct goal_levels *l, int buffer, int i)
{
	return GOAL_AT(buffer, (uint64_t)i * l->task->bytes);
}

static bool levels_in_place(const struct goal_levels *l)
{
	return l->task->source == l->task->target;
}

static void levels_gather(struct goal_levels *l)
{
	const struct goal_task *t = l->task;
	struct goal_place source = GOAL_AT(t->source, 0), own = source, joined = source;
	struct goal_phase p;
	int nodes = t->nodes->n;

	if (l->rank == t->root) {
		joined = block_of(l, t->target, l->first);
		own = levels_in_place(l) ? joined : source;
	} else if (goal_levels_is_delegate(l) && l->size > 1) {
		joined = goal_levels_scratch(l, bytes_of_node(l, l->node));
	}
	p = goal_levels_inside(l, GOAL_GATHER, own, joined);
	if (l->size > 1 || l->rank == t->root)
		goal_levels_phase(l, &p);
	else
		goal_levels_next(l);
	goal_levels_next(l);
	if (l->rank != t->root && goal_levels_is_delegate(l))
		goal_after(l->g,
			   goal_send(l->g, bytes_of_node(l, l->node), joined, t->root, l->tag),
			   l->before);
	for (int k = 0; l->rank == t->root && k < nodes; k++)
		if (k != l->node)
			goal_recv(l->g, bytes_of_node(l, k),
				  block_of(l, t->target, l->first_of[k]),
				  goal_levels_delegate(l, k), l->tag);
}

/* The root sends before anything else; what others get waits for its message. */
static void levels_scatter(struct goal_levels *l)
{
	const struct goal_task *t = l->task;
	struct goal_place target = GOAL_AT(t->target, 0), joined = target;
	struct goal_phase p;

	if (l->rank == t->root)
		joined = block_of(l, t->source, l->first);
	else if (goal_levels_is_delegate(l) && l->size > 1)
		joined = goal_levels_scratch(l, bytes_of_node(l, l->node));
	for (int k = 0; l->rank == t->root && k < t->nodes->n; k++)
		if (k != l->node)
			goal_send(l->g, bytes_of_node(l, k),
				  block_of(l, t->source, l->first_of[k]),
				  goal_levels_delegate(l, k), l->tag);
	if (l->rank != t->root && goal_levels_is_delegate(l))
		goal_recv(l->g, bytes_of_node(l, l->node), joined, t->root, l->tag);
	if (l->rank == t->root && levels_in_place(l))
		target = joined;
	p = goal_levels_inside(l, GOAL_SCATTER, joined, target);
	if (l->size > 1 || l->rank == t->root)
		goal_levels_phase(l, &p);
}

static void levels_allgather(struct goal_levels *l)
{
	const struct goal_task *t = l->task;
	struct goal_place all = GOAL_AT(t->target, 0), joined = block_of(l, t->target, l->first);
	struct goal_place own = levels_in_place(l) ? block_of(l, t->target, l->rank) :
						     GOAL_AT(t->source, 0);
	struct goal_phase p = goal_levels_inside(l, GOAL_GATHER, own, joined);

	goal_levels_phase(l, &p);
	p = goal_levels_between(l, GOAL_ALLGATHER, all, all);
	p.task.bytes = 1;
	p.task.apart = true;
	p.blocks = l->first_of;
	p.unit = t->bytes;
	goal_levels_phase(l, &p);
	p = goal_levels_inside(l, GOAL_BCAST, all, all);
	p.task.bytes = 1;
	p.blocks = l->whole;
	p.unit = t->bytes;
	goal_levels_phase(l, &p);
}

/* ---- Exchange ------------------------------------------------------------------------------ */

/* The blocks of the @i-th process of this node among those that go out: a piece for each node. */
static size_t pieces_out(const struct goal_levels *l, uint64_t out, int i,
			 struct goal_piece *pieces)
{
	const int *first = l->first_of;

	for (int k = 0; k < l->task->nodes->n; k++) {
		uint64_t block = (uint64_t)first[k] * (uint64_t)l->size +
				 (uint64_t)i * (uint64_t)(first[k + 1] - first[k]);

		pieces[k] = (struct goal_piece){
			GOAL_AT(GOAL_SCRATCHPAD, out + block * l->task->bytes), bytes_of_node(l, k),
		};
	}
	return (size_t)l->task->nodes->n;
}

/* And among those that have come in: one for each process of the job. */
static size_t pieces_in(const struct goal_levels *l, uint64_t in, int i, struct goal_piece *pieces)
{
	for (int p = 0; p < l->nprocs; p++) {
		uint64_t block = (uint64_t)p * (uint64_t)l->size + (uint64_t)i;

		pieces[p] = (struct goal_piece){
			GOAL_AT(GOAL_SCRATCHPAD, in + block * l->task->bytes), l->task->bytes,
		};
	}
	return (size_t)l->nprocs;
}

static void exchange_collect(struct goal_levels *l, uint64_t out, struct goal_piece *pieces)
{
	struct goal_piece own = { GOAL_AT(l->task->source, 0),
				  (uint64_t)l->nprocs * l->task->bytes };

	goal_local_list(l->g, GOAL_COPY, GOAL_NONE, 0, pieces, pieces_out(l, out, 0, pieces), &own,
			1);
	for (int i = 1; i < l->size; i++)
		goal_recv_list(l->g, pieces, pieces_out(l, out, i, pieces), l->first + i, l->tag);
}

static void exchange_spread(struct goal_levels *l, uint64_t in, struct goal_piece *pieces)
{
	struct goal_piece own = { GOAL_AT(l->task->target, 0),
				  (uint64_t)l->nprocs * l->task->bytes };

	goal_after(l->g,
		   goal_local_list(l->g, GOAL_COPY, GOAL_NONE, 0, &own, 1, pieces,
				   pieces_in(l, in, 0, pieces)),
		   l->before);
	for (int i = 1; i < l->size; i++)
		goal_after(l->g,
			   goal_send_list(l->g, pieces, pieces_in(l, in, i, pieces), l->first + i,
					  l->tag),
			   l->before);
}

/* A process that is no delegate: all to it, and all from it. */
static void exchange_behind(struct goal_levels *l)
{
	uint64_t bytes = (uint64_t)l->nprocs * l->task->bytes;

	goal_send(l->g, bytes, GOAL_AT(l->task->source, 0), l->first, l->tag);
	goal_levels_next(l);
	goal_levels_next(l);
	goal_after(l->g, goal_recv(l->g, bytes, GOAL_AT(l->task->target, 0), l->first, l->tag),
		   l->before);
}

static void levels_exchange(struct goal_levels *l)
{
	uint64_t bytes = (uint64_t)l->size * (uint64_t)l->nprocs * l->task->bytes;
	struct goal_place out, in;
	struct goal_piece *pieces;
	struct goal_phase p;

	if (!goal_levels_is_delegate(l)) {
		exchange_behind(l);
		return;
	}
	out = goal_levels_scratch(l, bytes);
	in = goal_levels_scratch(l, bytes);
	pieces = malloc((size_t)l->nprocs * sizeof(*pieces));
	if (!pieces) {
		goal_graph_fail(l->g, "out of memory for %d blocks", l->nprocs);
		return;
	}
	exchange_collect(l, out.offset, pieces);
	p = goal_levels_between(l, GOAL_EXCHANGE, out, in);
	p.task.bytes = 1;
	p.task.apart = true;
	p.blocks = l->first_of;
	p.unit = (uint64_t)l->size * l->task->bytes;
	goal_levels_phase(l, &p);
	goal_levels_next(l);
	exchange_spread(l, in.offset, pieces);
	free(pieces);
}

/* ---- Reduce-scatter ------------------------------------------------------------------------ */

/* Units of a vector, which has the block of process i in its unit i. */
static uint64_t vector_units(const struct goal_task *t, int nprocs)
{
	uint64_t n = (uint64_t)nprocs;

	return t->apart ? (n + ALIGNED_UNITS - 1) / ALIGNED_UNITS * ALIGNED_UNITS : n;
}

/*
 * Vectors of the @i-th process of a node: one for each process that it receives from, and before
 * these the one that they are folded into.
 */
static uint64_t vectors_of(int i, int size)
{
	uint64_t n = 0;

	for (int d = 1; d < size && !(i & d); d *= 2)
		n += i + d < size;
	return n ? n + 1 : 0;
}

static int vector_local(struct goal_levels *l, bool folds, struct goal_place to,
			struct goal_place from, struct goal_piece *pieces)
{
	const struct goal_task *t = l->task;
	uint64_t all = (uint64_t)l->nprocs;
	size_t n = goal_levels_units(l, to, all, t->bytes, pieces);

	goal_levels_units(l, from, all, t->bytes, pieces + n);
	return goal_local_list(l->g, folds ? t->function : GOAL_COPY,
			       folds ? t->datatype : GOAL_NONE, 0, pieces, n, pieces + n, n);
}

/*
 * Vectors of the node, up a binomial tree to its first process. Returns where the fold of this
 * process and those below it is: in its own source, where there are none.
 */
static struct goal_place vectors_reduce(struct goal_levels *l, struct goal_piece *pieces)
{
	const struct goal_task *t = l->task;
	int i = l->rank - l->first, ready = -1;
	uint64_t bytes = vector_units(t, l->nprocs) * t->bytes, all = (uint64_t)l->nprocs;
	uint64_t vectors = vectors_of(i, l->size);
	struct goal_place folded = GOAL_AT(t->source, 0), at = folded;

	if (vectors) {
		at = goal_levels_scratch(l, vectors * bytes);
		ready = vector_local(l, false, at, folded, pieces);
		folded = at;
	}
	for (int d = 1; d < l->size; d *= 2) {
		int received, fold;
		size_t n;

		if (i & d) {
			n = goal_levels_units(l, folded, all, t->bytes, pieces);
			goal_after(l->g, goal_send_list(l->g, pieces, n, l->rank - d, l->tag),
				   ready);
			break;
		}
		if (i + d >= l->size)
			continue;
		at.offset += bytes;
		n = goal_levels_units(l, at, all, t->bytes, pieces);
		received = goal_recv_list(l->g, pieces, n, l->rank + d, l->tag);
		fold = vector_local(l, true, folded, at, pieces);
		goal_requires(l->g, fold, received);
		goal_requires(l->g, fold, ready);
		ready = fold;
	}
	return folded;
}

/*
 * The result of a node comes to its blocks in the delegate's first vector of those received, whose
 * bytes are of no use any more.
 */
static void levels_reduce_scatter(struct goal_levels *l)
{
	const struct goal_task *t = l->task;
	struct goal_place target = GOAL_AT(t->target, 0), joined = target, folded;
	struct goal_piece *pieces = malloc(2 * (size_t)l->nprocs * sizeof(*pieces));
	struct goal_phase p;

	if (!pieces) {
		goal_graph_fail(l->g, "out of memory for %d blocks", l->nprocs);
		return;
	}
	folded = vectors_reduce(l, pieces);
	free(pieces);
	if (l->size > 1)
		joined = GOAL_AT(GOAL_SCRATCHPAD,
				 folded.offset + (vector_units(t, l->nprocs) +
						  (uint64_t)l->first) * t->bytes);
	p = goal_levels_between(l, GOAL_REDUCE_SCATTER, folded, joined);
	p.task.bytes = goal_fold_element(t);
	p.task.apart = true;
	p.blocks = l->first_of;
	p.unit = t->bytes;
	p.own_target = true;
	goal_levels_phase(l, &p);
	p = goal_levels_inside(l, GOAL_SCATTER, joined, target);
	if (l->size > 1)
		goal_levels_phase(l, &p);
}

void goal_nodes_scratch_blocks(const struct goal_task *task, int nprocs, int rank, int *blocks,
			       size_t n)
{
	int node = goal_node_in_map(task->nodes, rank), first;
	struct goal_levels l = { .task = task, .node = node, .first_of = task->nodes->first };
	size_t units = vector_units(task, nprocs), i = 0;
	size_t vectors = units * vectors_of(rank - l.first_of[node],
					    l.first_of[node + 1] - l.first_of[node]);

	for (; i < n && i < vectors; i++)
		blocks[i] = i % units < (size_t)nprocs ? (int)(i % units) : -1;
	for (uint64_t u = 0; i < n; u++) {
		uint64_t more = goal_levels_blocks_of_unit(&l, task->algorithm, u, &first);

		for (uint64_t k = 0; k < more && i < n; k++)
			blocks[i++] = first + (int)k;
	}
}

/* ---- All of them --------------------------------------------------------------------------- */

static void (*const generators[GOAL_KINDS])(struct goal_levels *l) = {
	[GOAL_BCAST] = levels_bcast,
	[GOAL_SCATTER] = levels_scatter,
	[GOAL_GATHER] = levels_gather,
	[GOAL_ALLGATHER] = levels_allgather,
	[GOAL_EXCHANGE] = levels_exchange,
	[GOAL_REDUCE] = levels_reduce,
	[GOAL_ALLREDUCE] = levels_allreduce,
	[GOAL_SCAN] = levels_scan,
	[GOAL_REDUCE_SCATTER] = levels_reduce_scatter,
};

void goal_nodes_generate(struct goal_graph *g, const struct goal_task *task, int nprocs, int rank)
{
	int node = goal_node_in_map(task->nodes, rank);
	struct goal_levels l = {
		.g = g, .task = task, .nprocs = nprocs, .rank = rank, .node = node,
		.first_of = task->nodes->first, .first = task->nodes->first[node],
		.size = task->nodes->first[node + 1] - task->nodes->first[node],
		.whole = { 0, nprocs },
		.root_node = goal_node_in_map(task->nodes, task->root), .before = -1,
	};

	if (task->bytes > 0)
		generators[task->kind](&l);
}

static bool is_map(const struct goal_node_map *nodes, int nprocs)
{
	for (int k = 0; k < nodes->n; k++)
		if (nodes->first[k + 1] <= nodes->first[k])
			return false;
	return nodes->n > 0 && nodes->first[0] == 0 && nodes->first[nodes->n] == nprocs;
}

/* May lengths be arguments? All processes have them, and those of all blocks. */
static bool takes_lengths(enum goal_kind kind)
{
	return kind == GOAL_ALLGATHER || kind == GOAL_REDUCE_SCATTER;
}

/* Pieces of an operation, and of two lists where it folds one into the other. */
static bool too_many_pieces_of_nodes(const struct goal_task *task, int nprocs)
{
	int lists = task->apart ? (task->kind == GOAL_REDUCE_SCATTER ? 2 : 1) :
				  task->kind == GOAL_EXCHANGE;

	return lists && nprocs >= PIECES_OF_MESSAGE / lists;
}

const char *goal_nodes_refuse(const struct goal_task *task, int nprocs)
{
	const struct goal_algorithm *a = task->algorithm;
	bool blocks = task->kind == GOAL_ALLGATHER || task->kind == GOAL_EXCHANGE;
	bool rooted = task->kind == GOAL_GATHER || task->kind == GOAL_SCATTER;
	struct goal_task between = *task;

	if (!is_map(task->nodes, nprocs))
		return "its nodes have not all processes, in order";
	if (task->kind == GOAL_BARRIER)
		return a->has_nodes ? NULL : "it does not know nodes";
	if (!generators[task->kind] || a->multicasts ||
	    (task->apart && !takes_lengths(task->kind)) ||
	    (rooted && strcmp(a->name, "linear") != 0))
		return "it does not know nodes";
	if (too_many_pieces_of_nodes(task, nprocs))
		return "with so many processes a message has more than 65535 pieces";
	if (task->bytes > GOAL_SCRATCH_MOST / 2 / (uint64_t)nprocs / (uint64_t)nprocs)
		return "the blocks of all together have more than 2^39 bytes";
	between.nodes = NULL;
	if (blocks) {
		between.bytes = 1;
		between.apart = true;
		between.source = 0;
		between.target = task->kind == GOAL_EXCHANGE;
	}
	return a->refuses ? a->refuses(&between, task->nodes->n) : NULL;
}
