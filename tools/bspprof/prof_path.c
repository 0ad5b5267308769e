// SPDX-License-Identifier: BSD-3-Clause
/* prof_path.c - the critical path: which process held the run up, and before which call. */

/*
 * Backwards from the process that ended last. A wait leads to the process that sent last what it
 * waited for, at the time of sending; what lies between the sending and the end of the wait is the
 * network's and the library's. Everything else on the way is computing, of the process that is
 * reached, before the call that ends it.
 */

#include "prof.h"

#include <stdlib.h>
#include <string.h>

static int last_process(const struct prof *p)
{
	uint64_t last = 0;
	int which = -1;

	for (int q = 0; q < p->nprocs; q++) {
		const struct prof_calls *c = &p->calls[q];

		if (c->n && c->at[c->n - 1].finish >= last) {
			last = c->at[c->n - 1].finish;
			which = q;
		}
	}
	return which;
}

/* The last call of a process that begins at or before a time; c->n: none. */
static size_t call_before(const struct prof_calls *c, uint64_t time)
{
	size_t low = 0, high = c->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c->at[middle].begin <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : c->n;
}

static void add_to_path(struct prof *p, int pid, const struct prof_call *call, uint64_t ns)
{
	p->path[pid] += ns;
	p->rows[call->row].on_path += ns;
	if (call->caller != PROF_NO_CALLER)
		p->callers[call->caller].on_path += ns;
}

/* A point; without memory for it the path has none. */
static void path_point(struct prof *p, uint64_t time, int pid)
{
	struct prof_point *more = prof_more(p->points, p->npoints, sizeof(*more), &p->points_room);

	if (!more) {
		free(p->points);
		p->points = NULL;
		p->npoints = p->points_room = 0;
		return;
	}
	p->points = more;
	more[p->npoints++] = (struct prof_point){ time, pid };
}

static void follow_path(struct prof *p)
{
	int pid = p->calls ? last_process(p) : -1;
	size_t i = pid >= 0 ? p->calls[pid].n - 1 : 0;

	if (pid < 0)
		return;
	p->path_length = p->calls[pid].at[i].finish;
	path_point(p, p->path_length, pid);
	for (uint64_t limit = 1 + (uint64_t)p->nprocs * p->calls[pid].n * 4; limit > 0; limit--) {
		const struct prof_call *call = &p->calls[pid].at[i];
		uint64_t computed;

		if (call->from >= 0 && call->from != pid) {
			int from = call->from;
			size_t k = call_before(&p->calls[from], call->sent);

			path_point(p, call->finish, pid);
			path_point(p, call->sent, from);
			p->path_waits += call->finish > call->sent ? call->finish - call->sent : 0;
			if (k == p->calls[from].n)
				return;
			pid = from;
			i = k;
			call = &p->calls[pid].at[i];
		} else {
			p->path_waits += call->finish - call->begin;
		}
		computed = prof_computed_before(call, i > 0 ? p->calls[pid].at[i - 1].finish : 0);
		add_to_path(p, pid, call, computed);
		if (i == 0) {
			path_point(p, call->begin - computed, pid);
			return;
		}
		i--;
	}
}

/* The part of it that counts is as long as its pieces. */
void prof_find_path(struct prof *p)
{
	follow_path(p);
	if (!prof_is_part())
		return;
	p->path_length = p->path_waits;
	for (int q = 0; q < p->nprocs; q++)
		p->path_length += p->path[q];
}
