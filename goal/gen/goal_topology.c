// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_topology.c - trees and rounds of barriers: peers of each process. */

#include "goal/gen/goal_topology.h"

int goal_tree_arity(const char *algorithm, int arity, int nprocs)
{
	if (strcmp(algorithm, "binomial") == 0)
		return 2;
	if (strcmp(algorithm, "linear") == 0)
		return nprocs > 2 ? nprocs : 2;
	return arity;
}

/*
 * The largest k^j that divides @me; for process 0 the least that is not below the number of
 * processes.
 */
static int64_t unit(const struct goal_tree *t, int me)
{
	int64_t u = 1;

	while (u < t->nprocs && me % (u * t->arity) == 0)
		u *= t->arity;
	return u;
}

int goal_tree_children(const struct goal_tree *t, int me)
{
	int64_t most = t->arity == 1 ? 0 : unit(t, me);
	int n = 0;

	if (t->arity == 1)
		return me + 1 < t->nprocs;
	for (int64_t u = 1; u < most; u *= t->arity) {
		int64_t fit = (t->nprocs - 1 - me) / u;

		if (fit < t->arity - 1)
			return n + fit;
		n += t->arity - 1;
	}
	return n;
}

int goal_tree_child(const struct goal_tree *t, int me, int n)
{
	int64_t u = 1;

	if (t->arity == 1)
		return me + 1;
	for (; n >= t->arity - 1; n -= t->arity - 1)
		u *= t->arity;
	return me + (n + 1) * u;
}

int goal_tree_parent(const struct goal_tree *t, int me)
{
	int64_t u;

	if (t->arity == 1)
		return me - 1;
	u = unit(t, me);
	return me - me / u % t->arity * u;
}

int goal_tree_place(const struct goal_tree *t, int me)
{
	int64_t u;
	int n = 0;

	if (t->arity == 1)
		return 0;
	u = unit(t, me);
	n = me / u % t->arity - 1;
	for (; u > 1; u /= t->arity)
		n += t->arity - 1;
	return n;
}

int goal_tree_size(const struct goal_tree *t, int me)
{
	int64_t rest = t->nprocs - me;
	int64_t u = t->arity == 1 ? rest : unit(t, me);

	return u < rest ? u : rest;
}

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
