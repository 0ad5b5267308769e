// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_opt_twins.c - operations that wait for the same, and for which the same waits. */

#include "goal/opt/goal_opt.h"

#include <stdlib.h>

/* By this twins are found; equal ones are compared. */
struct opt_name {
	uint64_t hash;
	uint32_t op;
};

static int opt_name_order(const void *a, const void *b)
{
	const struct opt_name *left = a, *right = b;

	if (left->hash != right->hash)
		return left->hash < right->hash ? -1 : 1;
	return left->op < right->op ? -1 : 1;
}

/* Each bit of @h and of @x counts. */
static uint64_t opt_mix(uint64_t h, uint64_t x)
{
	h = (h ^ x) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 29;
}

static bool opt_may_have_twins(const struct goal_op *op)
{
	return op->type == GOAL_SEND || op->type == GOAL_RECV ||
	       (op->type == GOAL_LOCAL && op->function != GOAL_TIMESTAMP);
}

static uint64_t opt_hash(const struct goal_graph *g, const struct goal_opt_edges *e, uint32_t op)
{
	const struct goal_op *o = &g->nodes[op].op;
	uint64_t h = opt_mix(o->type, (uint64_t)o->peer << 8 | o->function);
	size_t i;

	h = opt_mix(h, (uint64_t)o->datatype << 24 | (uint64_t)o->flags << 16 |
			       (uint64_t)o->cpu << 8 | o->nic);
	for (i = e->first_in[op]; i < e->first_in[op + 1]; i++)
		h = opt_mix(h, 2 * (uint64_t)e->in[i].before + e->in[i].end);
	h = opt_mix(h, UINT64_MAX);
	for (i = e->first[op]; i < e->first[op + 1]; i++)
		h = opt_mix(h, 2 * (uint64_t)g->edges[i].op + g->edges[i].end);
	return h;
}

static bool opt_same_kind(const struct goal_op *a, const struct goal_op *b)
{
	return a->type == b->type && a->function == b->function && a->datatype == b->datatype &&
	       a->flags == b->flags && a->cpu == b->cpu && a->nic == b->nic && a->peer == b->peer;
}

static bool opt_same_edges(const struct goal_graph *g, const struct goal_opt_edges *e, uint32_t a,
			   uint32_t b)
{
	size_t i, in = e->first_in[a + 1] - e->first_in[a], out = e->first[a + 1] - e->first[a];
	const struct goal_edge *ina = e->in + e->first_in[a], *inb = e->in + e->first_in[b];
	const struct goal_edge *outa = g->edges + e->first[a], *outb = g->edges + e->first[b];

	if (e->first_in[b + 1] - e->first_in[b] != in || e->first[b + 1] - e->first[b] != out)
		return false;
	for (i = 0; i < in; i++)
		if (ina[i].before != inb[i].before || ina[i].end != inb[i].end)
			return false;
	for (i = 0; i < out; i++)
		if (outa[i].op != outb[i].op || outa[i].end != outb[i].end)
			return false;
	return true;
}

bool goal_opt_twins(struct goal_graph *g, const struct goal_opt_edges *e, uint32_t *twin)
{
	struct opt_name *name = calloc(g->nnodes + 1, sizeof(*name));
	size_t i, n = 0, first = 0;
	uint32_t op;

	if (!name)
		return false;
	for (op = 0; op < g->nnodes; op++) {
		twin[op] = op;
		if (opt_may_have_twins(&g->nodes[op].op))
			name[n++] = (struct opt_name){ opt_hash(g, e, op), op };
	}
	if (n)
		qsort(name, n, sizeof(*name), opt_name_order);
	for (i = 1; i < n; i++) {
		uint32_t a = name[first].op, b = name[i].op;

		if (name[i].hash != name[first].hash)
			first = i;
		else if (opt_same_kind(&g->nodes[a].op, &g->nodes[b].op) &&
			 opt_same_edges(g, e, a, b))
			twin[b] = a;
	}
	free(name);
	return true;
}
