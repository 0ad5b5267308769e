// SPDX-License-Identifier: BSD-3-Clause
/* prof_loss.c - what waits were for: a late process, bytes, latency, or none of these. */

#include "prof_loss.h"

/* Moves up to @ns from what is left of a wait. */
static uint64_t take_part(uint64_t *left, double ns)
{
	uint64_t part = 0;

	if (ns > 0)
		part = ns < (double)*left ? (uint64_t)ns : *left;
	*left -= part;
	return part;
}

void prof_loss_add(struct prof *p, const struct prof_wait *w)
{
	const struct recording_head *h = p->recording.first;
	uint64_t left = w->waited, late = 0;

	if (w->by >= 0) {
		late = take_part(&left, (double)w->late);
		p->loss.late += late;
		p->loss.late_by[w->by] += late;
	}
	p->loss.bytes += take_part(&left, (double)w->bytes * h->G);
	p->loss.latency += take_part(&left, w->messages * (h->L + 2 * h->o));
	p->loss.beyond += left;
}

static bool are_same_calls(const struct prof_collectives *a, const struct prof_collectives *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->at[i].row != b->at[i].row)
			return false;
	return true;
}

static bool is_present(const struct prof *p, int q)
{
	return p->recording.parts[q].head.nprocs;
}

/* The first process that is there, or -1 if they did not all make the same calls. */
static int first_of_same(const struct prof *p, const struct prof_collectives *of)
{
	int first = -1;

	for (int q = 0; q < p->nprocs; q++) {
		if (!is_present(p, q))
			continue;
		if (first < 0)
			first = q;
		if (!are_same_calls(&of[first], &of[q]))
			return -1;
	}
	return first;
}

/* The process that made the @i-th call last. */
static int last_to_call(const struct prof *p, const struct prof_collectives *of, size_t i)
{
	int last = -1;

	for (int q = 0; q < p->nprocs; q++)
		if (is_present(p, q) &&
		    (last < 0 || of[q].at[i].begin >= of[last].at[i].begin))
			last = q;
	return last;
}

static void lose_call(struct prof *p, const struct prof_collectives *of, int q, size_t i, int last)
{
	const struct prof_collective *call = &of[q].at[i];
	struct prof_wait wait = { .waited = call->waited, .by = -1 };

	if (last >= 0 && last != q) {
		wait.by = last;
		wait.late = of[last].at[i].begin - call->begin;
	}
	if (last >= 0)
		wait.messages = prof_rounds(p);
	prof_loss_add(p, &wait);
}

void prof_loss_collectives(struct prof *p, struct prof_collectives *of)
{
	int same = first_of_same(p, of);

	for (size_t i = 0; same >= 0 && i < of[same].n; i++) {
		int last = last_to_call(p, of, i);

		for (int q = 0; q < p->nprocs; q++)
			if (is_present(p, q))
				lose_call(p, of, q, i, last);
	}
	for (int q = 0; q < p->nprocs; q++) {
		for (size_t i = 0; same < 0 && i < of[q].n; i++)
			lose_call(p, of, q, i, -1);
		of[q].n = 0;
	}
}
