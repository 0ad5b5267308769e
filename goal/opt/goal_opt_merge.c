// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_opt_merge.c - operations of one process become one; goal_optimize(). */

#include "goal/opt/goal_opt.h"

#include <stdlib.h>

static const uint32_t opt_none = UINT32_MAX;

bool goal_opt_merge_create(struct goal_opt_merge *m, const struct goal_graph *g)
{
	size_t n = g->nnodes + 1;
	uint32_t op;

	m->into = calloc(n, sizeof(*m->into));
	m->next = calloc(n, sizeof(*m->next));
	m->tail = calloc(n, sizeof(*m->tail));
	m->chained = calloc(n, sizeof(*m->chained));
	m->parts = calloc(n, sizeof(*m->parts));
	m->bytes = calloc(n, sizeof(*m->bytes));
	if (!m->into || !m->next || !m->tail || !m->chained || !m->parts || !m->bytes)
		return false;
	for (op = 0; op < g->nnodes; op++) {
		m->into[op] = m->tail[op] = op;
		m->next[op] = opt_none;
		m->parts[op] = g->nodes[op].op.nparts;
		m->bytes[op] = g->nodes[op].op.bytes;
	}
	return true;
}

void goal_opt_merge_free(struct goal_opt_merge *m)
{
	free(m->into);
	free(m->next);
	free(m->tail);
	free(m->chained);
	free(m->parts);
	free(m->bytes);
}

bool goal_opt_merge_one(struct goal_opt_merge *m, uint32_t op, uint32_t into, bool chained)
{
	if (m->parts[into] + (uint64_t)m->parts[op] > GOAL_OPT_PARTS_MOST ||
	    m->bytes[into] + m->bytes[op] > GOAL_BYTES_MOST)
		return false;
	m->parts[into] += m->parts[op];
	m->bytes[into] += m->bytes[op];
	m->next[m->tail[into]] = op;
	m->tail[into] = op;
	m->into[op] = into;
	m->chained[op] = chained;
	return true;
}

/* ---- Pieces -------------------------------------------------------------------------- */

/* The lists of a merged operation while they grow. */
struct opt_lists {
	struct goal_part dst[GOAL_OPT_PARTS_MOST], src[GOAL_OPT_PARTS_MOST];
	size_t ndst, nsrc;
};

static bool opt_touch(const struct goal_part *list, size_t n, const struct goal_part *next)
{
	return n && list[n - 1].buffer == next->buffer &&
	       list[n - 1].offset + list[n - 1].bytes == next->offset;
}

/*
 * One after the other: is it certain that they share no byte? Buffers may be the same memory, the
 * scratchpad is apart from all.
 */
static bool opt_apart(const struct goal_part *a, const struct goal_part *b)
{
	if (a->buffer != b->buffer)
		return a->buffer == GOAL_SCRATCHPAD || b->buffer == GOAL_SCRATCHPAD;
	return a->offset + a->bytes <= b->offset || b->offset + b->bytes <= a->offset;
}

static void opt_append(struct goal_part *list, size_t *n, const struct goal_part *more,
		       size_t nmore, bool join)
{
	size_t i = 0;

	if (nmore && join && opt_touch(list, *n, more)) {
		list[*n - 1].bytes += more->bytes;
		i = 1;
	}
	for (; i < nmore; i++)
		list[(*n)++] = more[i];
}

static void opt_append_op(struct opt_lists *l, const struct goal_graph *g, uint32_t op,
			  bool chained)
{
	const struct goal_node *node = &g->nodes[op];
	const struct goal_part *dst = g->parts + node->parts, *src = dst + node->op.ndst;
	size_t ndst = node->op.ndst, nsrc = node->op.nparts - ndst;
	bool join = true;

	/*
	 * Pieces of a local operation touch on both sides, and it does not matter that they are
	 * then done at once; touching on one side alone changes no piece.
	 */
	if (node->op.type == GOAL_LOCAL && ndst && nsrc && chained &&
	    opt_touch(l->dst, l->ndst, dst) && opt_touch(l->src, l->nsrc, src))
		join = opt_apart(&l->dst[l->ndst - 1], src);
	opt_append(l->dst, &l->ndst, dst, ndst, join);
	opt_append(l->src, &l->nsrc, src, nsrc, join);
}

/* ---- The new graph --------------------------------------------------------------------- */

static void opt_rewrite_op(struct goal_graph *to, const struct goal_graph *g,
			   const struct goal_opt_merge *m, uint32_t first, struct opt_lists *l)
{
	struct goal_node node = g->nodes[first];
	uint32_t op;

	l->ndst = l->nsrc = 0;
	for (op = first; op != opt_none; op = m->next[op])
		opt_append_op(l, g, op, m->chained[op]);
	node.parts = to->nparts;
	node.op.bytes = m->bytes[first];
	node.op.ndst = (uint16_t)l->ndst;
	node.op.nparts = (uint32_t)(l->ndst + l->nsrc);
	for (size_t i = 0; i < l->ndst; i++)
		to->parts[to->nparts++] = l->dst[i];
	for (size_t i = 0; i < l->nsrc; i++)
		to->parts[to->nparts++] = l->src[i];
	to->nodes[to->nnodes++] = node;
}

static void opt_rewrite_ops(struct goal_graph *to, const struct goal_graph *g,
			    const struct goal_opt_merge *m, uint32_t *number, struct opt_lists *l)
{
	uint32_t op;

	for (op = 0; op < g->nnodes; op++) {
		struct goal_node node = g->nodes[op];

		if (m->into[op] != op)
			continue;
		number[op] = (uint32_t)to->nnodes;
		if (m->next[op] != opt_none) {
			opt_rewrite_op(to, g, m, op, l);
			continue;
		}
		for (size_t i = 0; i < node.op.nparts; i++)
			to->parts[to->nparts + i] = g->parts[node.parts + i];
		node.parts = to->nparts;
		to->nparts += node.op.nparts;
		to->nodes[to->nnodes++] = node;
	}
	for (op = 0; op < g->nnodes; op++)
		number[op] = number[m->into[op]];
}

/* Edges inside a merged operation are gone. */
static void opt_rewrite_edges(struct goal_graph *g, const uint32_t *number)
{
	size_t i, n = 0;

	for (i = 0; i < g->nedges; i++) {
		struct goal_edge edge = g->edges[i];

		edge.before = number[edge.before];
		edge.op = number[edge.op];
		if (edge.before != edge.op)
			g->edges[n++] = edge;
	}
	g->nedges = n;
}

bool goal_opt_merge_apply(struct goal_graph *g, const struct goal_opt_merge *m)
{
	struct goal_graph to = { .nodes_room = g->nnodes + 1, .parts_room = g->nparts + 1 };
	uint32_t *number = calloc(g->nnodes + 1, sizeof(*number));
	struct opt_lists *lists = malloc(sizeof(*lists));
	bool good;

	to.nodes = calloc(to.nodes_room, sizeof(*to.nodes));
	to.parts = calloc(to.parts_room, sizeof(*to.parts));
	good = number && lists && to.nodes && to.parts;
	if (good) {
		opt_rewrite_ops(&to, g, m, number, lists);
		opt_rewrite_edges(g, number);
		free(g->nodes);
		free(g->parts);
		g->nodes = to.nodes;
		g->parts = to.parts;
		g->nnodes = to.nnodes;
		g->nparts = to.nparts;
		g->nodes_room = to.nodes_room;
		g->parts_room = to.parts_room;
	} else {
		free(to.nodes);
		free(to.parts);
	}
	free(number);
	free(lists);
	return good;
}

/* ---- Local operations ------------------------------------------------------------------ */

static bool opt_is_local(const struct goal_graph *g, uint32_t op)
{
	return g->nodes[op].op.type == GOAL_LOCAL && g->nodes[op].op.function != GOAL_TIMESTAMP;
}

/* The one local operation of the same kind that is next to @op in a chain; else @op. */
static uint32_t opt_link_of(const struct goal_graph *g, const struct goal_opt_edges *e, uint32_t op)
{
	const struct goal_op *a, *b;
	uint32_t before;

	if (e->first_in[op + 1] - e->first_in[op] != 1)
		return op;
	before = e->in[e->first_in[op]].before;
	if (e->first[before + 1] - e->first[before] != 1 || !opt_is_local(g, before))
		return op;
	a = &g->nodes[before].op;
	b = &g->nodes[op].op;
	return a->function == b->function && a->datatype == b->datatype && a->flags == b->flags ?
		       before : op;
}

static uint64_t opt_merge_locals(const struct goal_graph *g, const struct goal_opt_edges *e,
				 const uint32_t *twin, struct goal_opt_merge *m)
{
	uint64_t merged = 0;
	uint32_t op, link;

	for (op = 0; op < g->nnodes; op++) {
		if (!opt_is_local(g, op))
			continue;
		link = opt_link_of(g, e, op);
		if (link != op)
			merged += goal_opt_merge_one(m, op, m->into[link], true);
		else if (twin[op] != op)
			merged += goal_opt_merge_one(m, op, twin[op], false);
	}
	return merged;
}

/* One round; *@merged: how many operations are gone. */
static bool opt_locals(struct goal_graph *g, uint64_t *merged)
{
	struct goal_opt_edges e;
	struct goal_opt_merge m;
	uint32_t *twin = calloc(g->nnodes + 1, sizeof(*twin));
	bool good = goal_opt_merge_create(&m, g);

	good = goal_opt_edges_create(&e, g) && good && twin && goal_opt_twins(g, &e, twin);
	*merged = good ? opt_merge_locals(g, &e, twin, &m) : 0;
	if (*merged)
		good = goal_opt_merge_apply(g, &m);
	goal_opt_merge_free(&m);
	goal_opt_edges_free(&e);
	free(twin);
	return good;
}

bool goal_opt_alone(struct goal_graph *g, struct goal_gain *gain)
{
	uint64_t merged;
	int round;

	for (round = 0; round < GOAL_OPT_ROUNDS; round++) {
		if (!goal_opt_reduce(g, gain) || !opt_locals(g, &merged))
			return false;
		if (!merged)
			break;
		gain->locals += merged;
	}
	return true;
}

bool goal_optimize(struct goal_graph *g, struct goal_gain *gain)
{
	struct goal_gain own = { 0 };
	struct goal_graph *h, was;
	struct goal_prog prog;
	size_t len;
	void *block = goal_compile(g, &len);

	if (!block)
		return false;
	prog = (struct goal_prog){ .header = block };
	h = goal_decompile(&prog);
	free(block);
	if (!h || !goal_opt_alone(h, &own)) {
		goal_graph_destroy(h);
		return false;
	}
	was = *g;
	*g = *h;
	*h = was;
	goal_graph_destroy(h);
	if (gain)
		*gain = own;
	return true;
}
