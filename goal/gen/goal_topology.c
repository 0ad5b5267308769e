// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_topology.c - trees and rounds of barriers: peers of each process. */

#include "goal/gen/goal_topology.h"

#include "goal/gen/goal_gen.h"

int goal_tree_arity(const char *algorithm, int arity, int nprocs)
{
	if (strcmp(algorithm, "binomial") == 0)
		return 2;
	if (strcmp(algorithm, "linear") == 0)
		return nprocs > 2 ? nprocs : 2;
	return arity;
}

/* ---- One level ------------------------------------------------------------------- */

/* A tree of processes 0 .. n - 1. */
struct level {
	int n, arity;
};

/*
 * The largest k^j that divides @me; for process 0 the least that is not below the number of
 * processes.
 */
static int64_t unit(struct level l, int me)
{
	int64_t u = 1;

	while (u < l.n && me % (u * l.arity) == 0)
		u *= l.arity;
	return u;
}

static int level_children(struct level l, int me)
{
	int64_t most = l.arity == 1 ? 0 : unit(l, me);
	int n = 0;

	if (l.arity == 1)
		return me + 1 < l.n;
	for (int64_t u = 1; u < most; u *= l.arity) {
		int64_t fit = (l.n - 1 - me) / u;

		if (fit < l.arity - 1)
			return n + fit;
		n += l.arity - 1;
	}
	return n;
}

static int level_child(struct level l, int me, int n)
{
	int64_t u = 1;

	if (l.arity == 1)
		return me + 1;
	for (; n >= l.arity - 1; n -= l.arity - 1)
		u *= l.arity;
	return me + (n + 1) * u;
}

static int level_parent(struct level l, int me)
{
	int64_t u;

	if (l.arity == 1)
		return me - 1;
	u = unit(l, me);
	return me - me / u % l.arity * u;
}

static int level_place(struct level l, int me)
{
	int64_t u;
	int n = 0;

	if (l.arity == 1)
		return 0;
	u = unit(l, me);
	n = me / u % l.arity - 1;
	for (; u > 1; u /= l.arity)
		n += l.arity - 1;
	return n;
}

static int level_size(struct level l, int me)
{
	int64_t rest = l.n - me;
	int64_t u = l.arity == 1 ? rest : unit(l, me);

	return u < rest ? u : rest;
}

/* ---- Nodes ----------------------------------------------------------------------- */

int goal_nodes(int nprocs, int node)
{
	return (nprocs - 1) / node + 1;
}

int goal_node_size(int nprocs, int node, int first)
{
	return node < nprocs - first ? node : nprocs - first;
}

/* ---- Both levels ------------------------------------------------------------------ */

/* Without nodes each process is the first of one. */
struct goal_tree goal_tree_make(int nprocs, int arity, int node, const struct goal_node_map *map)
{
	return (struct goal_tree){ nprocs, arity, node > 1 ? node : 1, map, false };
}

int goal_tree_nodes(const struct goal_tree *t)
{
	return t->map ? t->map->n : goal_nodes(t->nprocs, t->node);
}

int goal_node_in_map(const struct goal_node_map *map, int p)
{
	int low = 0, high = map->n;

	while (high - low > 1) {
		int middle = low + (high - low) / 2;

		if (map->first[middle] <= p)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int goal_tree_node(const struct goal_tree *t, int me)
{
	return t->map ? goal_node_in_map(t->map, me) : me / t->node;
}

int goal_tree_node_first(const struct goal_tree *t, int k)
{
	return t->map ? t->map->first[k] : k * t->node;
}

int goal_tree_node_size(const struct goal_tree *t, int k)
{
	int first = goal_tree_node_first(t, k);

	return t->map ? t->map->first[k + 1] - first : goal_node_size(t->nprocs, t->node, first);
}

/* The tree inside node @k. */
static struct level inside(const struct goal_tree *t, int k)
{
	return (struct level){ goal_tree_node_size(t, k), t->arity };
}

/* The level of the first processes of the nodes, by the numbers of these. */
static struct level between(const struct goal_tree *t)
{
	return (struct level){ goal_tree_nodes(t), t->arity };
}

int goal_tree_near_children(const struct goal_tree *t, int me)
{
	int k = goal_tree_node(t, me);

	return t->counted ? 0 : level_children(inside(t, k), me - goal_tree_node_first(t, k));
}

int goal_tree_children(const struct goal_tree *t, int me)
{
	int k = goal_tree_node(t, me), n = goal_tree_near_children(t, me);

	if (me != goal_tree_node_first(t, k))
		return n;
	return n + level_children(between(t), k);
}

int goal_tree_child(const struct goal_tree *t, int me, int n)
{
	int k = goal_tree_node(t, me), first = goal_tree_node_first(t, k);
	int near = goal_tree_near_children(t, me);

	if (n < near)
		return first + level_child(inside(t, k), me - first, n);
	return goal_tree_node_first(t, level_child(between(t), k, n - near));
}

int goal_tree_parent(const struct goal_tree *t, int me)
{
	int k = goal_tree_node(t, me), first = goal_tree_node_first(t, k);

	if (me != first)
		return first + level_parent(inside(t, k), me - first);
	return goal_tree_node_first(t, level_parent(between(t), k));
}

int goal_tree_place(const struct goal_tree *t, int me)
{
	int k = goal_tree_node(t, me), first = goal_tree_node_first(t, k);

	if (me != first)
		return level_place(inside(t, k), me - first);
	return goal_tree_near_children(t, goal_tree_parent(t, me)) + level_place(between(t), k);
}

int goal_tree_size(const struct goal_tree *t, int me)
{
	int k = goal_tree_node(t, me), first = goal_tree_node_first(t, k), end;

	if (me != first)
		return level_size(inside(t, k), me - first);
	end = k + level_size(between(t), k);
	return (end < goal_tree_nodes(t) ? goal_tree_node_first(t, end) : t->nprocs) - me;
}

/* ---- Rounds ------------------------------------------------------------------------ */

int goal_rounds(int nprocs)
{
	int n = 0;

	while (1ll << n < nprocs)
		n++;
	return n;
}

int goal_butterfly_core(int nprocs)
{
	int core = 1;

	while (core <= nprocs / 2)
		core *= 2;
	return core;
}
