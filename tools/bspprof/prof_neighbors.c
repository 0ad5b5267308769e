// SPDX-License-Identifier: BSD-3-Clause
/* prof_neighbors.c - with which others each process of a recorded run exchanges anything. */

#include "prof_neighbors.h"

#include <stdlib.h>

/* Pairs of processes, each in both directions: the first in the upper half. */
struct pairs {
	uint64_t *at;
	size_t n, room;
	bool no_memory;
};

static uint64_t pair_of(uint32_t from, uint32_t to)
{
	return (uint64_t)from << 32 | to;
}

static int by_pair(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Each once, so that what is repeated takes no memory. */
static void pairs_sort(struct pairs *p)
{
	size_t n = 0;

	if (p->n)
		qsort(p->at, p->n, sizeof(*p->at), by_pair);
	for (size_t i = 0; i < p->n; i++)
		if (!n || p->at[n - 1] != p->at[i])
			p->at[n++] = p->at[i];
	p->n = n;
}

/* For one more, in both directions. */
static bool pairs_make_room(struct pairs *p)
{
	uint64_t *more;

	if (p->n + 2 <= p->room)
		return true;
	pairs_sort(p);
	if (p->room && p->n + 2 <= p->room / 2)
		return true;
	more = realloc(p->at, (2 * p->room + 64) * sizeof(*more));
	if (!more) {
		p->no_memory = true;
		return false;
	}
	p->at = more;
	p->room = 2 * p->room + 64;
	return true;
}

/* A traffic that repeats is in the stream once. */
static void pairs_add_part(struct pairs *p, const struct recording_part *part)
{
	struct recording_cursor cursor;
	struct recording_event e;
	uint32_t me = part->head.me;

	recording_begin(&cursor, part);
	while (recording_next(&cursor, &e))
		;
	for (size_t k = 0; k < cursor.ntraffic; k++) {
		size_t n;
		const struct recording_transfer *t = recording_traffic(&cursor, (uint32_t)k, &n);

		for (size_t i = 0; i < n; i++) {
			if (t[i].pid == me || t[i].pid == RECORDING_NO_PROCESS)
				continue;
			if (!pairs_make_room(p))
				break;
			p->at[p->n++] = pair_of(me, t[i].pid);
			p->at[p->n++] = pair_of(t[i].pid, me);
		}
	}
	recording_end(&cursor);
}

static bool neighbors_make(struct prof_neighbors *nb, const struct pairs *p)
{
	size_t at = 0;

	nb->first = calloc((size_t)nb->nprocs + 1, sizeof(*nb->first));
	nb->pids = malloc((p->n + 1) * sizeof(*nb->pids));
	if (!nb->first || !nb->pids)
		return false;
	nb->least = nb->nprocs;
	for (int q = 0; q < nb->nprocs; q++) {
		int n;

		for (; at < p->n && (int)(p->at[at] >> 32) == q; at++)
			nb->pids[at] = (int)(uint32_t)p->at[at];
		nb->first[q + 1] = at;
		n = (int)(at - nb->first[q]);
		nb->least = n < nb->least ? n : nb->least;
		nb->most = n > nb->most ? n : nb->most;
	}
	return true;
}

bool prof_neighbors_find(struct prof_neighbors *nb, const struct recording *r)
{
	struct pairs pairs = { .at = NULL };
	bool made;

	*nb = (struct prof_neighbors){ .nprocs = r->nprocs };
	for (int q = 0; q < r->nprocs && !pairs.no_memory; q++)
		if (r->parts[q].head.nprocs)
			pairs_add_part(&pairs, &r->parts[q]);
	pairs_sort(&pairs);
	made = !pairs.no_memory && neighbors_make(nb, &pairs);
	free(pairs.at);
	if (!made)
		prof_neighbors_free(nb);
	return made;
}

void prof_neighbors_free(struct prof_neighbors *nb)
{
	free(nb->first);
	free(nb->pids);
	*nb = (struct prof_neighbors){ .nprocs = 0 };
}
