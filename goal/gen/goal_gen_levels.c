// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_gen_levels.c - phases of a collective operation in two levels, one after the other. */

#include "goal/gen/goal_gen_levels.h"

#include "goal/gen/goal_gen_tree.h"
#include "goal/goal_graph.h"

#include <assert.h>
#include <stdlib.h>

enum {
	PHASE_TAGS = 1 << 26,		/* of a phase */
};

int goal_levels_delegate(const struct goal_levels *l, int node)
{
	if (l->task->kind == GOAL_SCAN)
		return l->first_of[node + 1] - 1;
	return node == l->root_node ? l->task->root : l->first_of[node];
}

bool goal_levels_is_delegate(const struct goal_levels *l)
{
	return goal_levels_delegate(l, l->node) == l->rank;
}

/* ---- One phase after the other --------------------------------------------------------- */

/* An operation that ends when those of the last phase have. */
static int levels_join(struct goal_levels *l)
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

void goal_levels_next(struct goal_levels *l)
{
	l->before = levels_join(l);
	l->begin = goal_nops(l->g);
	l->tag += PHASE_TAGS;
}

/* ---- Adding the operations of a phase ---------------------------------------------------- */

size_t goal_levels_units(const struct goal_levels *l, struct goal_place at, uint64_t n,
			 uint64_t unit, struct goal_piece *pieces)
{
	size_t count = l->task->apart ? n : 1;
	uint64_t bytes = l->task->apart ? unit : n * unit;

	for (size_t i = 0; i < count; i++)
		pieces[i] = (struct goal_piece){ GOAL_AT(at.buffer, at.offset + i * bytes), bytes };
	return count;
}

/* The scratchpad of a phase, in that of the task. */
struct levels_scratch {
	uint64_t at;
	uint64_t *unit;			/* where its units begin, if it has blocks, in ours */
};

uint64_t goal_levels_blocks_of_unit(const struct goal_levels *l, const struct goal_algorithm *a,
				    uint64_t u, int *first)
{
	int node = a->scratch_block(l->task->nodes->n, l->node, u);

	*first = node < 0 ? 0 : l->first_of[node];
	return node < 0 ? 0 : (uint64_t)(l->first_of[node + 1] - *first);
}

static struct levels_scratch phase_scratch(const struct goal_levels *l, const struct goal_phase *p,
					   const struct goal_graph *sub)
{
	uint64_t n = p->blocks ? sub->scratch_bytes / p->task.bytes : 0;
	struct levels_scratch s = { .unit = calloc(n + 1, sizeof(*s.unit)) };
	int first;

	if (!s.unit) {
		goal_graph_fail(l->g, "out of memory for %llu blocks", (unsigned long long)n);
		return s;
	}
	for (uint64_t u = 0; u < n; u++)
		s.unit[u + 1] = s.unit[u] +
				goal_levels_blocks_of_unit(l, p->task.algorithm, u, &first);
	if (sub->scratch_bytes)
		s.at = goal_scratch(l->g, p->blocks ? s.unit[n] * p->unit : sub->scratch_bytes);
	return s;
}

/* Returns how many pieces the part becomes. */
static size_t phase_pieces(const struct goal_levels *l, const struct goal_phase *p,
			   const struct goal_part *part, const struct levels_scratch *scratch,
			   struct goal_piece *pieces)
{
	bool kept = part->buffer == GOAL_SCRATCHPAD;
	struct goal_place at = kept ? GOAL_AT(GOAL_SCRATCHPAD, scratch->at) : p->base[part->buffer];
	uint64_t k = part->offset / p->task.bytes, first = 0, n;

	if (!p->blocks) {
		pieces[0] = (struct goal_piece){ GOAL_AT(at.buffer, at.offset + part->offset),
						 part->bytes };
		return 1;
	}
	assert(part->bytes == p->task.bytes);
	if (kept) {
		first = scratch->unit[k];
		n = scratch->unit[k + 1] - first;
	} else if (p->own_target && part->buffer == 1) {
		n = (uint64_t)l->size;
	} else {
		first = (uint64_t)p->blocks[k];
		n = (uint64_t)p->blocks[k + 1] - first;
	}
	at.offset += first * p->unit;
	return goal_levels_units(l, at, n, p->unit, pieces);
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

/*
 * With the peers, tags and pieces that they have in the job. A list of pieces has each block once,
 * and an operation two lists.
 */
static void phase_add_all(const struct goal_levels *l, const struct goal_phase *p,
			  const struct goal_graph *sub)
{
	struct levels_scratch scratch = phase_scratch(l, p, sub);
	struct goal_piece *pieces =
		malloc((sub->nparts + 2 * (size_t)l->nprocs) * sizeof(*pieces));

	if (!pieces)
		goal_graph_fail(l->g, "out of memory for %zu pieces", sub->nparts);
	for (size_t i = 0; pieces && scratch.unit && i < sub->nnodes; i++) {
		struct goal_op op = sub->nodes[i].op;
		const struct goal_part *parts = sub->parts + sub->nodes[i].parts;
		size_t n = 0, ndst = 0;

		if (op.type == GOAL_SEND || op.type == GOAL_RECV) {
			op.peer = p->between ? goal_levels_delegate(l, (int)op.peer) :
					       l->first + (int)op.peer;
			op.tag += l->tag;
		}
		for (uint32_t k = 0; k < op.nparts; k++) {
			n += phase_pieces(l, p, &parts[k], &scratch, &pieces[n]);
			ndst = k < op.ndst ? n : ndst;
		}
		op.nparts = n;
		op.ndst = ndst;
		phase_add(l->g, &op, pieces);
	}
	free(pieces);
	free(scratch.unit);
}

/* Operations that wait for none wait for the phase before. */
static void phase_link(const struct goal_levels *l, const struct goal_graph *sub)
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

void goal_levels_phase(struct goal_levels *l, const struct goal_phase *p)
{
	int n = p->between ? l->task->nodes->n : l->size;
	int me = p->between ? l->node : l->rank - l->first;
	struct goal_graph *sub;

	goal_levels_next(l);
	if (p->between && !goal_levels_is_delegate(l))
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
static struct goal_phase phase_of(const struct goal_levels *l, enum goal_kind kind,
				  struct goal_place source, struct goal_place target)
{
	struct goal_phase p = { .task = *l->task, .base = { source, target } };
	bool in_place = source.buffer == target.buffer && source.offset == target.offset;

	p.task.kind = kind;
	p.task.nodes = NULL;
	p.task.segment = 0;
	p.task.root = 0;
	p.task.source = 0;
	p.task.target = !in_place;
	return p;
}

struct goal_phase goal_levels_inside(const struct goal_levels *l, enum goal_kind kind,
				     struct goal_place source, struct goal_place target)
{
	struct goal_phase p = phase_of(l, kind, source, target);
	bool blocks = kind == GOAL_GATHER || kind == GOAL_SCATTER;
	const char *folds = kind == GOAL_SCAN ? "recursive-doubling" : "binomial";

	p.task.algorithm = goal_algorithm_named(kind, blocks ? "linear" : folds);
	p.task.root = goal_levels_delegate(l, l->node) - l->first;
	return p;
}

struct goal_phase goal_levels_between(const struct goal_levels *l, enum goal_kind kind,
				      struct goal_place source, struct goal_place target)
{
	struct goal_phase p = phase_of(l, kind, source, target);

	p.between = true;
	p.task.algorithm = l->task->algorithm;
	p.task.segment = l->task->segment;
	p.task.root = l->root_node;
	return p;
}

struct goal_place goal_levels_scratch(const struct goal_levels *l, uint64_t bytes)
{
	return GOAL_AT(GOAL_SCRATCHPAD, goal_scratch(l->g, bytes));
}
