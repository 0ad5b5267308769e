// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_opt_edges.c - the edges of a graph in both directions, and which of them are redundant. */

#include "goal/opt/goal_opt.h"

#include <stdlib.h>

/* ---- In both directions ------------------------------------------------------------- */

static int opt_edge_order(const void *a, const void *b)
{
	const struct goal_edge *left = a, *right = b;

	if (left->before != right->before)
		return left->before < right->before ? -1 : 1;
	if (left->op != right->op)
		return left->op < right->op ? -1 : 1;
	return (int)left->end - (int)right->end;
}

static void opt_edges_turn(struct goal_opt_edges *e, const struct goal_graph *g)
{
	size_t i;

	for (i = 0; i < g->nedges; i++) {
		e->first[g->edges[i].before + 1]++;
		e->first_in[g->edges[i].op + 1]++;
	}
	for (i = 0; i < g->nnodes; i++) {
		e->first[i + 1] += e->first[i];
		e->first_in[i + 1] += e->first_in[i];
	}
	for (i = 0; i < g->nedges; i++)
		e->in[e->first_in[g->edges[i].op]++] = g->edges[i];
	for (i = g->nnodes; i > 0; i--)
		e->first_in[i] = e->first_in[i - 1];
	e->first_in[0] = 0;
}

bool goal_opt_edges_create(struct goal_opt_edges *e, struct goal_graph *g)
{
	size_t i, n = 0;

	if (g->nedges)
		qsort(g->edges, g->nedges, sizeof(*g->edges), opt_edge_order);
	for (i = 0; i < g->nedges; i++)
		if (n == 0 || opt_edge_order(&g->edges[n - 1], &g->edges[i]))
			g->edges[n++] = g->edges[i];
	g->nedges = n;
	e->first = calloc(g->nnodes + 1, sizeof(*e->first));
	e->first_in = calloc(g->nnodes + 1, sizeof(*e->first_in));
	e->in = calloc(g->nedges + 1, sizeof(*e->in));
	if (!e->first || !e->first_in || !e->in)
		return false;
	opt_edges_turn(e, g);
	return true;
}

void goal_opt_edges_free(struct goal_opt_edges *e)
{
	free(e->first);
	free(e->first_in);
	free(e->in);
}

/* ---- Paths --------------------------------------------------------------------------- */

/* A search from one operation: the starts that a path of other edges reaches. */
struct opt_search {
	const struct goal_graph *g;
	struct goal_opt_edges e;
	uint32_t *seen;			/* by operation: the number of the search that reached it */
	uint32_t *queue;		/* of those whose edges are still to be followed */
	unsigned char *redundant;	/* by edge */
	uint32_t number;
	uint32_t last;			/* nothing behind it is looked for */
	size_t nqueue;
	uint64_t left;			/* edges that may still be followed, in all */
	struct goal_gain *gain;
};

/* Behind the start of an operation are the starts of all that wait for its start or its end. */
static void opt_search_follow(struct opt_search *s)
{
	uint64_t most = s->left < GOAL_OPT_FOLLOW_ONE ? s->left : GOAL_OPT_FOLLOW_ONE, left = most;
	size_t i, at;

	for (at = 0; at < s->nqueue; at++) {
		uint32_t op = s->queue[at];

		for (i = s->e.first[op]; i < s->e.first[op + 1]; i++) {
			uint32_t next = s->g->edges[i].op;

			if (left == 0) {
				s->gain->cut++;
				goto out;
			}
			left--;
			if (next > s->last || s->seen[next] == s->number)
				continue;
			s->seen[next] = s->number;
			s->queue[s->nqueue++] = next;
		}
	}
out:
	s->gain->followed += most - left;
	s->left -= most - left;
}

/*
 * From the end of @op, or from its start: then the end is behind it, and what waits for the end is
 * reached by that.
 */
static void opt_search_from(struct opt_search *s, uint32_t op, bool end)
{
	const struct goal_edge *edge = s->g->edges;
	size_t i, first = s->e.first[op], behind = s->e.first[op + 1];

	s->number++;
	s->nqueue = 0;
	s->last = edge[behind - 1].op;
	for (i = first; i < behind; i++)
		if (edge[i].end || !end)
			s->queue[s->nqueue++] = edge[i].op;
	if (!end)
		for (i = first; i < behind; i++)
			if (edge[i].end)
				s->seen[edge[i].op] = s->number;
	opt_search_follow(s);
	for (i = first; i < behind; i++)
		if (edge[i].end == end && s->seen[edge[i].op] == s->number)
			s->redundant[i] = 1;
}

static void opt_search_one(struct opt_search *s, uint32_t op)
{
	const struct goal_edge *edge = s->g->edges;
	size_t i, first = s->e.first[op], behind = s->e.first[op + 1], ends = 0;

	if (behind - first < 2)
		return;
	for (i = first; i < behind; i++)
		ends += edge[i].end;
	if (ends > 1)
		opt_search_from(s, op, true);
	if (ends < behind - first)
		opt_search_from(s, op, false);
}

bool goal_opt_reduce(struct goal_graph *g, struct goal_gain *gain)
{
	struct opt_search s = { .g = g, .gain = gain };
	size_t i, n = 0;
	bool good;

	s.left = GOAL_OPT_FOLLOW_LEAST + (uint64_t)GOAL_OPT_FOLLOW * (g->nnodes + g->nedges);
	s.seen = calloc(g->nnodes + 1, sizeof(*s.seen));
	/* An operation may be queued for each of its edges from one other, and once as reached. */
	s.queue = calloc(3 * g->nnodes + 1, sizeof(*s.queue));
	s.redundant = calloc(g->nedges + 1, sizeof(*s.redundant));
	good = goal_opt_edges_create(&s.e, g) && s.seen && s.queue && s.redundant;
	for (uint32_t op = 0; good && op < g->nnodes; op++)
		opt_search_one(&s, op);
	for (i = 0; good && i < g->nedges; i++)
		if (!s.redundant[i])
			g->edges[n++] = g->edges[i];
	if (good) {
		gain->edges += g->nedges - n;
		g->nedges = n;
	}
	goal_opt_edges_free(&s.e);
	free(s.seen);
	free(s.queue);
	free(s.redundant);
	return good;
}
