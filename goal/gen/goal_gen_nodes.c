// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_gen_nodes.c - collective operations in two levels: inside nodes and between them. */

/*
 * Each node has a delegate: the root, on its own node, and on others the first process. One
 * operation becomes up to three phases, which are operations of other kinds:
 *
 *			inside nodes	between delegates	inside nodes
 *	bcast				bcast			bcast
 *	reduce		reduce		reduce
 *	allreduce	reduce		allreduce		bcast
 *	gather		gather		one message each
 *	scatter				one message each	scatter
 *	allgather	gather		allgather of nodes	bcast
 *	exchange	all to delegate	exchange of nodes	all from delegate
 *
 * The task's algorithm is that between delegates; inside it is binomial, or linear for blocks.
 * Nodes have consecutive processes, so folds stay in the order of processes. goal_gen_levels.h says
 * how a phase becomes part of the graph.
 *
 * The blocks of allgather and exchange between delegates are those of whole nodes, which may have
 * different lengths. They are generated with lengths as arguments (goal_gen.h), blocks of one
 * byte, which become those of the nodes here. In an exchange a delegate keeps, for each other node,
 * a block of each pair of processes, in the order of its own processes, then of the others:
 *
 *	out  to node j, from process p of ours to q of theirs	[j][p][q]
 *	in   from node j, from process p of theirs to q of ours	[j][p][q] = [p][q]
 *
 * The second is the order of p in the job. So one message goes from each node to each other one.
 */
#include "goal/gen/goal_gen_nodes.h"

#include "goal/gen/goal_gen_levels.h"
#include "goal/gen/goal_gen_tree.h"
#include "goal/goal_graph.h"

#include <stdlib.h>

enum {
	PIECES_OF_MESSAGE = 1 << 16,
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
	p.unit = t->bytes;
	goal_levels_phase(l, &p);
	p = goal_levels_inside(l, GOAL_BCAST, all, all);
	p.task.bytes = t->bytes * (uint64_t)l->nprocs;
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
	p.unit = (uint64_t)l->size * l->task->bytes;
	goal_levels_phase(l, &p);
	goal_levels_next(l);
	exchange_spread(l, in.offset, pieces);
	free(pieces);
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
};

void goal_nodes_generate(struct goal_graph *g, const struct goal_task *task, int nprocs, int rank)
{
	int node = goal_node_in_map(task->nodes, rank);
	struct goal_levels l = {
		.g = g, .task = task, .nprocs = nprocs, .rank = rank, .node = node,
		.first_of = task->nodes->first, .first = task->nodes->first[node],
		.size = task->nodes->first[node + 1] - task->nodes->first[node],
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
	if (!generators[task->kind] || a->multicasts || task->apart ||
	    (rooted && strcmp(a->name, "linear") != 0))
		return "it does not know nodes";
	if (task->kind == GOAL_EXCHANGE && nprocs >= PIECES_OF_MESSAGE)
		return "with more than 65535 processes a message has too many pieces";
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
