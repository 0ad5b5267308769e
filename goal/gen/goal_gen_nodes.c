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
 * The task's algorithm is that between delegates; inside it is binomial, or linear for blocks. A
 * phase is generated as if its processes were all that there are, and its operations are then
 * added to the graph with the numbers these have in the job; they wait for those of the phase
 * before. Nodes have consecutive processes, so folds stay in the order of processes.
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
#include "goal/gen/goal_gen_tree.h"
#include "goal/goal_graph.h"

#include <stdlib.h>

enum {
	PHASE_TAGS = 1 << 26,		/* of a phase */
	PIECES_OF_MESSAGE = 1 << 16,
};

struct levels {
	struct goal_graph *g;
	const struct goal_task *task;
	int nprocs, rank;
	const int *first_of;		/* each node's first process; behind the last: nprocs */
	int node, first, size;		/* the node of this process, and its processes */
	int root_node;
	uint32_t tag;			/* the first one of this phase */
	int before;			/* ends when all phases before have; -1: there are none */
	int begin;			/* the first operation of the last phase */
};

/* One phase: an operation of a group of processes. */
struct phase {
	struct goal_task task;		/* its buffers are 0 and 1 */
	bool between;			/* the group: delegates; else processes of this node */
	struct goal_place base[2];	/* where these buffers are */
	/* Block k is first[k] to first[k + 1], in units of so many bytes; 0: no such blocks. */
	uint64_t unit;
};

static int delegate(const struct levels *l, int node)
{
	return node == l->root_node ? l->task->root : l->first_of[node];
}

static bool is_delegate(const struct levels *l)
{
	return delegate(l, l->node) == l->rank;
}

static uint64_t bytes_of_node(const struct levels *l, int node)
{
	return (uint64_t)(l->first_of[node + 1] - l->first_of[node]) * l->task->bytes;
}

/* ---- One phase after the other --------------------------------------------------------- */

/* An operation that ends when those of the last phase have. */
static int levels_join(struct levels *l)
{
	size_t end = l->g->nnodes, n = end - (size_t)l->begin;
	bool *awaited;
	int join;

	if (n == 0 || goal_graph_error(l->g))
		return l->before;
	awaited = calloc(n, sizeof(*awaited));
	if (!awaited) {
		goal_graph_fail(l->g, "out of memory for %zu operations", n);
		return -1;
	}
	for (size_t i = 0; i < l->g->nedges; i++)
		if (l->g->edges[i].end && l->g->edges[i].before >= (uint32_t)l->begin)
			awaited[l->g->edges[i].before - (uint32_t)l->begin] = true;
	join = goal_calc(l->g, 0);
	for (size_t i = 0; i < n; i++)
		if (!awaited[i])
			goal_requires(l->g, join, l->begin + (int)i);
	free(awaited);
	return join;
}

/* A phase begins, after all that is there. */
static void levels_next(struct levels *l)
{
	l->before = levels_join(l);
	l->begin = goal_nops(l->g);
	l->tag += PHASE_TAGS;
}

/* ---- Adding the operations of a phase ---------------------------------------------------- */

static struct goal_piece phase_piece(const struct levels *l, const struct phase *p,
				     const struct goal_part *part, uint64_t scratch)
{
	const int *first = l->first_of;
	struct goal_place base;

	if (part->buffer == GOAL_SCRATCHPAD)
		return (struct goal_piece){ GOAL_AT(GOAL_SCRATCHPAD, scratch + part->offset),
					    part->bytes };
	base = p->base[part->buffer];
	if (!p->unit)
		return (struct goal_piece){ GOAL_AT(base.buffer, base.offset + part->offset),
					    part->bytes };
	return (struct goal_piece){
		GOAL_AT(base.buffer, base.offset + (uint64_t)first[part->offset] * p->unit),
		(uint64_t)(first[part->offset + 1] - first[part->offset]) * p->unit,
	};
}

static int phase_add(struct goal_graph *g, const struct goal_op *op,
		     const struct goal_piece *pieces)
{
	uint32_t n = op->nparts;
	int peer = (int)op->peer;

	if (op->type == GOAL_SEND)
		return n ? goal_send_list(g, pieces, n, peer, op->tag) :
			   goal_send(g, op->bytes, GOAL_NOWHERE, peer, op->tag);
	if (op->type == GOAL_RECV)
		return n ? goal_recv_list(g, pieces, n, peer, op->tag) :
			   goal_recv(g, op->bytes, GOAL_NOWHERE, peer, op->tag);
	if (op->type == GOAL_CALL)
		return goal_call(g, op->tag, pieces, n, op->ndst);
	if (op->type == GOAL_CALC)
		return goal_calc(g, op->bytes);
	return goal_local_list(g, op->function, op->datatype, op->flags, pieces, op->ndst,
			       pieces + op->ndst, n - op->ndst);
}

/* With the peers, tags and pieces that they have in the job. */
static void phase_add_all(const struct levels *l, const struct phase *p,
			  const struct goal_graph *sub)
{
	uint64_t scratch = sub->scratch_bytes ? goal_scratch(l->g, sub->scratch_bytes) : 0;
	struct goal_piece *pieces = malloc((sub->nparts + 1) * sizeof(*pieces));

	if (!pieces)
		goal_graph_fail(l->g, "out of memory for %zu pieces", sub->nparts);
	for (size_t i = 0; pieces && i < sub->nnodes; i++) {
		struct goal_op op = sub->nodes[i].op;
		const struct goal_part *parts = sub->parts + sub->nodes[i].parts;

		if (op.type == GOAL_SEND || op.type == GOAL_RECV) {
			op.peer = p->between ? delegate(l, (int)op.peer) : l->first + (int)op.peer;
			op.tag += l->tag;
		}
		for (uint32_t k = 0; k < op.nparts; k++)
			pieces[k] = phase_piece(l, p, &parts[k], scratch);
		phase_add(l->g, &op, pieces);
	}
	free(pieces);
}

/* Operations that wait for none wait for the phase before. */
static void phase_link(const struct levels *l, const struct goal_graph *sub)
{
	bool *waits = calloc(sub->nnodes + 1, sizeof(*waits));

	if (!waits)
		goal_graph_fail(l->g, "out of memory for %zu operations", sub->nnodes);
	if (goal_graph_error(l->g)) {
		free(waits);
		return;
	}
	for (size_t i = 0; i < sub->nedges; i++) {
		const struct goal_edge *e = &sub->edges[i];

		waits[e->op] = true;
		goal_graph_link(l->g, (uint32_t)l->begin + e->op, (uint32_t)l->begin + e->before,
				e->end);
	}
	for (size_t i = 0; i < sub->nnodes; i++)
		if (!waits[i])
			goal_after(l->g, l->begin + (int)i, l->before);
	free(waits);
}

static void levels_phase(struct levels *l, const struct phase *p)
{
	int n = p->between ? l->task->nodes->n : l->size;
	int me = p->between ? l->node : l->rank - l->first;
	struct goal_graph *sub;

	levels_next(l);
	if (p->between && !is_delegate(l))
		return;
	sub = goal_graph_create(n, me);
	if (!sub) {
		goal_graph_fail(l->g, "out of memory for %d processes", n);
		return;
	}
	goal_buffer(sub);
	goal_buffer(sub);
	p->task.algorithm->generate(sub, &p->task, n, me);
	if (goal_graph_error(sub))
		goal_graph_fail(l->g, "%s", goal_graph_error(sub));
	phase_add_all(l, p, sub);
	phase_link(l, sub);
	goal_graph_destroy(sub);
}

/* ---- Phases ------------------------------------------------------------------------------ */

/* An operation of @kind, of the task's bytes and function. */
static struct phase phase_of(const struct levels *l, enum goal_kind kind, struct goal_place source,
			     struct goal_place target)
{
	struct phase p = { .task = *l->task, .base = { source, target } };
	bool in_place = source.buffer == target.buffer && source.offset == target.offset;

	p.task.kind = kind;
	p.task.nodes = NULL;
	p.task.segment = 0;
	p.task.root = 0;
	p.task.source = 0;
	p.task.target = !in_place;
	return p;
}

/* Inside this node. */
static struct phase phase_inside(const struct levels *l, enum goal_kind kind,
				 struct goal_place source, struct goal_place target)
{
	struct phase p = phase_of(l, kind, source, target);
	bool blocks = kind == GOAL_GATHER || kind == GOAL_SCATTER;

	p.task.algorithm = goal_algorithm_named(kind, blocks ? "linear" : "binomial");
	p.task.root = delegate(l, l->node) - l->first;
	return p;
}

static struct phase phase_between(const struct levels *l, enum goal_kind kind,
				  struct goal_place source, struct goal_place target)
{
	struct phase p = phase_of(l, kind, source, target);

	p.between = true;
	p.task.algorithm = l->task->algorithm;
	p.task.segment = l->task->segment;
	p.task.root = l->root_node;
	return p;
}

static struct goal_place scratch_of(const struct levels *l, uint64_t bytes)
{
	return GOAL_AT(GOAL_SCRATCHPAD, goal_scratch(l->g, bytes));
}

/* ---- The same to all, and folds ------------------------------------------------------------ */

static void levels_bcast(struct levels *l)
{
	struct goal_place at = GOAL_AT(l->task->target, 0);
	struct phase p = phase_between(l, GOAL_BCAST, at, at);

	levels_phase(l, &p);
	p = phase_inside(l, GOAL_BCAST, at, at);
	levels_phase(l, &p);
}

/* The result of a node is at its delegate, and goes from there to the root. */
static void levels_reduce(struct levels *l)
{
	struct goal_place source = GOAL_AT(l->task->source, 0);
	struct goal_place target = GOAL_AT(l->task->target, 0), folded = source;
	struct phase p;

	if (l->size > 1) {
		/* only the delegate writes there */
		folded = is_delegate(l) ? scratch_of(l, l->task->bytes) : target;
		p = phase_inside(l, GOAL_REDUCE, source, folded);
		levels_phase(l, &p);
	} else {
		levels_next(l);
	}
	p = phase_between(l, GOAL_REDUCE, folded, target);
	levels_phase(l, &p);
}

static void levels_allreduce(struct levels *l)
{
	struct goal_place source = GOAL_AT(l->task->source, 0);
	struct goal_place target = GOAL_AT(l->task->target, 0);
	struct phase p = phase_inside(l, GOAL_REDUCE, source, target);

	levels_phase(l, &p);
	p = phase_between(l, GOAL_ALLREDUCE, target, target);
	levels_phase(l, &p);
	p = phase_inside(l, GOAL_BCAST, target, target);
	levels_phase(l, &p);
}

/* ---- Blocks ------------------------------------------------------------------------------ */

static struct goal_place block_of(const struct levels *l, int buffer, int i)
{
	return GOAL_AT(buffer, (uint64_t)i * l->task->bytes);
}

static bool levels_in_place(const struct levels *l)
{
	return l->task->source == l->task->target;
}

static void levels_gather(struct levels *l)
{
	const struct goal_task *t = l->task;
	struct goal_place source = GOAL_AT(t->source, 0), own = source, joined = source;
	struct phase p;
	int nodes = t->nodes->n;

	if (l->rank == t->root) {
		joined = block_of(l, t->target, l->first);
		own = levels_in_place(l) ? joined : source;
	} else if (is_delegate(l) && l->size > 1) {
		joined = scratch_of(l, bytes_of_node(l, l->node));
	}
	p = phase_inside(l, GOAL_GATHER, own, joined);
	if (l->size > 1 || l->rank == t->root)
		levels_phase(l, &p);
	else
		levels_next(l);
	levels_next(l);
	if (l->rank != t->root && is_delegate(l))
		goal_after(l->g,
			   goal_send(l->g, bytes_of_node(l, l->node), joined, t->root, l->tag),
			   l->before);
	for (int k = 0; l->rank == t->root && k < nodes; k++)
		if (k != l->node)
			goal_recv(l->g, bytes_of_node(l, k),
				  block_of(l, t->target, l->first_of[k]), delegate(l, k), l->tag);
}

/* The root sends before anything else; what others get waits for its message. */
static void levels_scatter(struct levels *l)
{
	const struct goal_task *t = l->task;
	struct goal_place target = GOAL_AT(t->target, 0), joined = target;
	struct phase p;

	if (l->rank == t->root)
		joined = block_of(l, t->source, l->first);
	else if (is_delegate(l) && l->size > 1)
		joined = scratch_of(l, bytes_of_node(l, l->node));
	for (int k = 0; l->rank == t->root && k < t->nodes->n; k++)
		if (k != l->node)
			goal_send(l->g, bytes_of_node(l, k),
				  block_of(l, t->source, l->first_of[k]), delegate(l, k), l->tag);
	if (l->rank != t->root && is_delegate(l))
		goal_recv(l->g, bytes_of_node(l, l->node), joined, t->root, l->tag);
	if (l->rank == t->root && levels_in_place(l))
		target = joined;
	p = phase_inside(l, GOAL_SCATTER, joined, target);
	if (l->size > 1 || l->rank == t->root)
		levels_phase(l, &p);
}

static void levels_allgather(struct levels *l)
{
	const struct goal_task *t = l->task;
	struct goal_place all = GOAL_AT(t->target, 0), joined = block_of(l, t->target, l->first);
	struct goal_place own = levels_in_place(l) ? block_of(l, t->target, l->rank) :
						     GOAL_AT(t->source, 0);
	struct phase p = phase_inside(l, GOAL_GATHER, own, joined);

	levels_phase(l, &p);
	p = phase_between(l, GOAL_ALLGATHER, all, all);
	p.task.bytes = 1;
	p.task.apart = true;
	p.unit = t->bytes;
	levels_phase(l, &p);
	p = phase_inside(l, GOAL_BCAST, all, all);
	p.task.bytes = t->bytes * (uint64_t)l->nprocs;
	levels_phase(l, &p);
}

/* ---- Exchange ------------------------------------------------------------------------------ */

/* The blocks of the @i-th process of this node among those that go out: a piece for each node. */
static size_t pieces_out(const struct levels *l, uint64_t out, int i, struct goal_piece *pieces)
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
static size_t pieces_in(const struct levels *l, uint64_t in, int i, struct goal_piece *pieces)
{
	for (int p = 0; p < l->nprocs; p++) {
		uint64_t block = (uint64_t)p * (uint64_t)l->size + (uint64_t)i;

		pieces[p] = (struct goal_piece){
			GOAL_AT(GOAL_SCRATCHPAD, in + block * l->task->bytes), l->task->bytes,
		};
	}
	return (size_t)l->nprocs;
}

static void exchange_collect(struct levels *l, uint64_t out, struct goal_piece *pieces)
{
	struct goal_piece own = { GOAL_AT(l->task->source, 0),
				  (uint64_t)l->nprocs * l->task->bytes };

	goal_local_list(l->g, GOAL_COPY, GOAL_NONE, 0, pieces, pieces_out(l, out, 0, pieces), &own,
			1);
	for (int i = 1; i < l->size; i++)
		goal_recv_list(l->g, pieces, pieces_out(l, out, i, pieces), l->first + i, l->tag);
}

static void exchange_spread(struct levels *l, uint64_t in, struct goal_piece *pieces)
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
static void exchange_behind(struct levels *l)
{
	uint64_t bytes = (uint64_t)l->nprocs * l->task->bytes;

	goal_send(l->g, bytes, GOAL_AT(l->task->source, 0), l->first, l->tag);
	levels_next(l);
	levels_next(l);
	goal_after(l->g, goal_recv(l->g, bytes, GOAL_AT(l->task->target, 0), l->first, l->tag),
		   l->before);
}

static void levels_exchange(struct levels *l)
{
	uint64_t bytes = (uint64_t)l->size * (uint64_t)l->nprocs * l->task->bytes;
	struct goal_place out, in;
	struct goal_piece *pieces;
	struct phase p;

	if (!is_delegate(l)) {
		exchange_behind(l);
		return;
	}
	out = scratch_of(l, bytes);
	in = scratch_of(l, bytes);
	pieces = malloc((size_t)l->nprocs * sizeof(*pieces));
	if (!pieces) {
		goal_graph_fail(l->g, "out of memory for %d blocks", l->nprocs);
		return;
	}
	exchange_collect(l, out.offset, pieces);
	p = phase_between(l, GOAL_EXCHANGE, out, in);
	p.task.bytes = 1;
	p.task.apart = true;
	p.unit = (uint64_t)l->size * l->task->bytes;
	levels_phase(l, &p);
	levels_next(l);
	exchange_spread(l, in.offset, pieces);
	free(pieces);
}

/* ---- All of them --------------------------------------------------------------------------- */

static void (*const generators[GOAL_KINDS])(struct levels *l) = {
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
	struct levels l = {
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
