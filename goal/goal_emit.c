/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */
/* goal_emit.c - from a graph to a block of bytes, and back. */
#include "goal/goal_graph.h"

#include <stdlib.h>

/*
 * Traversal order: first the operations that wait for none, in the order in which they were made;
 * then each one when the last of those that it waits for has been placed, by followers before
 * dependents, and in the order in which they were made if one releases several. In a block
 * operations are numbered by place, so to compile what was decompiled gives the same places again.
 *
 * Entries of the same kind between the same two operations are one. Everything is linear in
 * operations and edges: edges are sorted by distribution to buckets.
 */
struct emission {
	struct goal_graph *g;
	size_t nops, nedges;
	struct goal_edge *edges, *spare;	/* sorted by before, then end, then op */
	size_t *bucket;			/* 2 * nops + 1 */
	size_t *first;			/* by operation: its first edge; nops + 1 */
	uint32_t *waits;		/* by operation: how many it waits for */
	uint32_t *place;		/* by operation */
	uint32_t *order;		/* by place: the operation */
	uint64_t *offset;		/* by place; nops + 1 */
};

static const uint32_t nowhere = UINT32_MAX;

/* At least one byte, so that NULL always means that there was none. */
static void *some(size_t n, size_t size)
{
	return calloc(n ? n : 1, size);
}

/* @n elements of a list from the @first on; a list of none may be nowhere. */
static void emit_copy(void *to, const void *list, size_t first, size_t n, size_t size)
{
	if (n)
		memcpy(to, (const unsigned char *)list + first * size, n * size);
}

static bool emit_prepare(struct emission *e)
{
	e->nops = e->g->nnodes;
	e->nedges = e->g->nedges;
	e->edges = some(e->nedges, sizeof *e->edges);
	e->spare = some(e->nedges, sizeof *e->spare);
	e->bucket = some(2 * e->nops + 1, sizeof *e->bucket);
	e->first = some(e->nops + 1, sizeof *e->first);
	e->waits = some(e->nops, sizeof *e->waits);
	e->place = some(e->nops, sizeof *e->place);
	e->order = some(e->nops, sizeof *e->order);
	e->offset = some(e->nops + 1, sizeof *e->offset);
	if (e->edges && e->spare && e->bucket && e->first && e->waits && e->place && e->order &&
	    e->offset)
		return true;
	goal_graph_fail(e->g, "goal_compile: out of memory for %zu operations", e->nops);
	return false;
}

static void tidy(struct emission *e)
{
	free(e->edges);
	free(e->spare);
	free(e->bucket);
	free(e->first);
	free(e->waits);
	free(e->place);
	free(e->order);
	free(e->offset);
}

/* ---- Edges in order ------------------------------------------------------------------- */

static size_t by_op(const struct goal_edge *edge)
{
	return edge->op;
}

static size_t by_list(const struct goal_edge *edge)
{
	return 2 * (size_t)edge->before + edge->end;
}

/* From edges to spare, which then change their names; equal ones stay in order. */
static void distribute(struct emission *e, size_t keys, size_t (*key)(const struct goal_edge *))
{
	struct goal_edge *sorted = e->spare;
	size_t i;

	memset(e->bucket, 0, (keys + 1) * sizeof *e->bucket);
	for (i = 0; i < e->nedges; i++)
		e->bucket[key(&e->edges[i]) + 1]++;
	for (i = 1; i < keys; i++)
		e->bucket[i] += e->bucket[i - 1];
	for (i = 0; i < e->nedges; i++)
		sorted[e->bucket[key(&e->edges[i])]++] = e->edges[i];
	e->spare = e->edges;
	e->edges = sorted;
}

static void sort_edges(struct emission *e)
{
	distribute(e, e->nops, by_op);
	distribute(e, 2 * e->nops, by_list);
}

static void take_edges(struct emission *e)
{
	size_t i, n = 0;

	emit_copy(e->edges, e->g->edges, 0, e->nedges, sizeof *e->edges);
	sort_edges(e);
	for (i = 0; i < e->nedges; i++) {
		const struct goal_edge *last = n ? &e->edges[n - 1] : NULL, *next = &e->edges[i];

		if (!last || last->before != next->before || last->op != next->op ||
		    last->end != next->end)
			e->edges[n++] = *next;
	}
	e->nedges = n;
	for (i = 0; i < e->nedges; i++) {
		e->waits[e->edges[i].op]++;
		e->first[e->edges[i].before + 1]++;
	}
	for (i = 0; i < e->nops; i++)
		e->first[i + 1] += e->first[i];
}

/* ---- Operations in order -------------------------------------------------------------- */

/* How many could be placed: all, unless some wait for each other. */
static size_t place_all(struct emission *e)
{
	size_t i, j, n = 0;

	for (i = 0; i < e->nops; i++) {
		e->place[i] = nowhere;
		if (e->waits[i] == 0)
			e->order[n++] = (uint32_t)i;
	}
	for (i = 0; i < n; i++) {
		e->place[e->order[i]] = (uint32_t)i;
		for (j = e->first[e->order[i]]; j < e->first[e->order[i] + 1]; j++) {
			if (--e->waits[e->edges[j].op] == 0)
				e->order[n++] = e->edges[j].op;
		}
	}
	return n;
}

static void name_circle(struct emission *e)
{
	char names[120];
	uint32_t begin, op = 0;
	size_t i, len = 0;

	/*
	 * For each operation without a place one that it waits for, and that has none either,
	 * instead of the count.
	 */
	for (i = 0; i < e->nedges; i++) {
		if (e->place[e->edges[i].before] != nowhere || e->place[e->edges[i].op] != nowhere)
			continue;
		op = e->edges[i].op;
		e->waits[op] = e->edges[i].before;
	}
	/* after so many steps back from any start we are in a cycle */
	for (i = 0; i < e->nops; i++)
		op = e->waits[op];
	begin = op;
	do {
		len += (size_t)snprintf(names + len, sizeof names - len, " %u,", op);
		op = e->waits[op];
	} while (op != begin && len < sizeof names - 16);
	len += (size_t)snprintf(names + len, sizeof names - len, op == begin ? " %u" : " ...", op);
	goal_graph_fail(e->g, "goal_compile: operations wait for each other, each for the next:%s",
			names);
}

/* From here on edges name places. Operations learn their dependencies and lengths of lists. */
static void count_edges(struct emission *e)
{
	struct goal_op *op;
	size_t i;

	for (i = 0; i < e->nops; i++) {
		op = &e->g->nodes[i].op;
		op->dependencies = op->nfollowers = op->ndependents = 0;
	}
	for (i = 0; i < e->nedges; i++) {
		e->g->nodes[e->order[e->edges[i].op]].op.dependencies++;
		op = &e->g->nodes[e->order[e->edges[i].before]].op;
		if (e->edges[i].end)
			op->ndependents++;
		else
			op->nfollowers++;
	}
}

static bool arrange(struct emission *e)
{
	size_t i;

	if (place_all(e) < e->nops) {
		name_circle(e);
		return false;
	}
	for (i = 0; i < e->nedges; i++) {
		e->edges[i].before = e->place[e->edges[i].before];
		e->edges[i].op = e->place[e->edges[i].op];
	}
	sort_edges(e);
	count_edges(e);
	return true;
}

/* ---- Bytes ----------------------------------------------------------------------------- */

static bool emit_measure(struct emission *e)
{
	uint64_t at = sizeof(struct goal_header) + e->g->nbuffers * sizeof(struct goal_buffer);
	const struct goal_op *op;
	size_t i;

	for (i = 0; i < e->nops; i++) {
		op = &e->g->nodes[e->order[i]].op;
		e->offset[i] = at;
		at += sizeof *op + op->nparts * sizeof(struct goal_part) +
		      (goal_list_len(op) + 1) / 2 * 2 * sizeof(uint32_t);
	}
	e->offset[e->nops] = at;
	if (at <= GOAL_BLOCK_MOST)
		return true;
	goal_graph_fail(e->g, "goal_compile: a block of %llu bytes, of at most %u",
			(unsigned long long)at, GOAL_BLOCK_MOST);
	return false;
}

static struct goal_header header_of(const struct emission *e)
{
	const struct goal_graph *g = e->g;
	struct goal_header h = {
		.magic = GOAL_MAGIC,
		.version = GOAL_VERSION,
		.last_compatible = GOAL_LAST_COMPATIBLE,
		.bytes = (uint32_t)e->offset[e->nops],
		.nprocs = g->nprocs,
		.rank = g->rank,
		.nops = (uint32_t)e->nops,
		.nbuffers = (uint32_t)g->nbuffers,
		.scratch_bytes = g->scratch_bytes,
		.ops_at = (uint32_t)(sizeof h + g->nbuffers * sizeof *g->buffers),
		.ncalls = g->ncalls,
	};

	while (h.nindep < h.nops && g->nodes[e->order[h.nindep]].op.dependencies == 0)
		h.nindep++;
	return h;
}

static void write_op(const struct emission *e, unsigned char *block, size_t i, size_t *edge)
{
	const struct goal_node *node = &e->g->nodes[e->order[i]];
	struct goal_op *op = (void *)(block + e->offset[i]);
	struct goal_part *parts = (void *)(op + 1);
	uint32_t *list = (void *)(parts + node->op.nparts);
	size_t j, n = goal_list_len(&node->op);

	*op = node->op;
	op->index = (uint32_t)i;
	emit_copy(parts, e->g->parts, node->parts, op->nparts, sizeof *parts);
	for (j = 0; j < n; j++)
		list[j] = (uint32_t)e->offset[e->edges[(*edge)++].op];
}

static void *write_block(const struct emission *e, size_t *len)
{
	struct goal_header h = header_of(e);
	unsigned char *block = calloc(1, h.bytes);
	size_t i, edge = 0;

	if (!block) {
		goal_graph_fail(e->g, "goal_compile: out of memory for %u bytes", h.bytes);
		return NULL;
	}
	emit_copy(block, &h, 0, 1, sizeof h);
	emit_copy(block + sizeof h, e->g->buffers, 0, e->g->nbuffers, sizeof *e->g->buffers);
	for (i = 0; i < e->nops; i++)
		write_op(e, block, i, &edge);
	*len = h.bytes;
	return block;
}

void *goal_compile(struct goal_graph *g, size_t *len)
{
	struct emission e = { .g = g };
	void *block = NULL;

	if (goal_graph_error(g))
		return NULL;
	if (emit_prepare(&e)) {
		take_edges(&e);
		if (arrange(&e) && emit_measure(&e))
			block = write_block(&e, len);
	}
	tidy(&e);
	return block;
}

/* ---- And back --------------------------------------------------------------------------- */

static void take_ops(struct goal_graph *g, const struct goal_prog *prog)
{
	const struct goal_op *op = goal_first_op(prog);
	size_t i, n;
	uint32_t k;

	for (k = 0; k < prog->header->nops && !goal_graph_error(g); k++, op = goal_op_next(op)) {
		if (!goal_graph_grow(g, &g->nodes, &g->nodes_room, g->nnodes, 1,
				     sizeof *g->nodes) ||
		    !goal_graph_grow(g, &g->parts, &g->parts_room, g->nparts, op->nparts,
				     sizeof *g->parts))
			return;
		g->nodes[g->nnodes++] = (struct goal_node){ .op = *op, .parts = g->nparts };
		for (i = 0; i < op->nparts; i++)
			g->parts[g->nparts++] = goal_parts(op)[i];
		n = goal_list_len(op);
		for (i = 0; i < n; i++)
			goal_graph_link(g, goal_op_at(prog, goal_list(op)[i])->index, op->index,
					i >= op->nfollowers);
	}
}

struct goal_graph *goal_decompile(const struct goal_prog *prog)
{
	const struct goal_header *h = prog->header;
	struct goal_graph *g = goal_graph_create((int)h->nprocs, (int)h->rank);

	if (!g)
		return NULL;
	g->scratch_bytes = h->scratch_bytes;
	g->ncalls = h->ncalls;
	if (goal_graph_grow(g, &g->buffers, &g->buffers_room, 0, h->nbuffers, sizeof *g->buffers)) {
		emit_copy(g->buffers, goal_buffers(prog), 0, h->nbuffers, sizeof *g->buffers);
		g->nbuffers = h->nbuffers;
		take_ops(g, prog);
	}
	if (!goal_graph_error(g))
		return g;
	goal_graph_destroy(g);
	return NULL;
}
