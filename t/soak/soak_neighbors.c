/* SPDX-License-Identifier: BSD-3-Clause */
/* soak_neighbors.c - lists of neighbours: random graphs, which transfers of the program keep to. */

#include "soak.h"

enum { NAMES_MOST = 2 * PROCS, FORMS = 9, ALL = FORMS - 1 };

static void set_all(uint32_t *near)
{
	for (int q = 0; q < PROCS; q++)
		near[q] = UINT32_MAX;
}

void soak_neighbors_open(void)
{
	set_all(soak.near);
	set_all(soak.near_next);
}

static void join(int p, int q)
{
	soak.near_next[p] |= UINT32_C(1) << q;
	soak.near_next[q] |= UINT32_C(1) << p;
}

/* No edge, a ring, a star, a line, or each edge with some chance. */
static bool is_edge(size_t form, int p, int q)
{
	switch (form) {
	case 0:
		return false;
	case 1:
		return q == p + 1 || (p == 0 && q == soak.nprocs - 1);
	case 2:
		return p == 0;
	case 3:
		return q == p + 1;
	default:
		return pick(form - 2) == 0;
	}
}

/* A graph of a later call in the same superstep takes the place of this one. */
void soak_make_neighbors(struct op *op)
{
	size_t form = pick(FORMS);

	op->n = form == ALL;
	if (form == ALL) {
		set_all(soak.near_next);
		return;
	}
	memset(soak.near_next, 0, sizeof soak.near_next);
	for (int p = 0; p < soak.nprocs; p++)
		for (int q = p + 1; q < soak.nprocs; q++)
			if (is_edge(form, p, q))
				join(p, q);
}

/* In an order of its own, some twice, perhaps this process itself, and changed after the call. */
void soak_call_neighbors(const struct op *op)
{
	int pids[NAMES_MOST], n = 0, first = (int)pick_own((size_t)soak.nprocs);

	if (soak.near_next[0] == UINT32_MAX) {
		bsp_set_neighbors(BSP_ALL, op->n ? NULL : pids);
		return;
	}
	for (int i = 0; i < soak.nprocs; i++) {
		int q = (first + i) % soak.nprocs;

		if (soak.near_next[soak.me] >> q & 1)
			for (size_t k = pick_own(4) ? 1 : 2; k > 0; k--)
				pids[n++] = q;
	}
	if (n < NAMES_MOST && pick_own(4) == 0)
		pids[n++] = soak.me;
	bsp_set_neighbors(n, n ? pids : NULL);
	memset(pids, -1, sizeof pids);
}

int soak_within_reach(int owner, int pid)
{
	for (int i = 0; i < soak.nprocs; i++) {
		int q = (pid + i) % soak.nprocs;

		if (q == owner || soak.near[owner] >> q & 1)
			return q;
	}
	return owner;
}

void soak_settle_neighbors(void)
{
	memcpy(soak.near, soak.near_next, sizeof soak.near);
}
