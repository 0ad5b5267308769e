// SPDX-License-Identifier: BSD-3-Clause
/* prof_callers.c - call sites in functions that are called from several places. */

/*
 * Each call has the number of a caller, a row that belongs to that of its call site. Addresses
 * that turn out to be of one line are one caller; a call site with one caller is shown without.
 */

#include "prof_callers.h"

#include <stdlib.h>
#include <string.h>

static void caller_free(struct prof_row *r)
{
	free(r->site);
	free(r->name);
	free(r->computed);
	free(r->waited);
}

uint32_t prof_caller_find(struct prof *p, uint32_t row, const char *recorded)
{
	char text[RECORDING_SITE_MOST + 16];
	const uint32_t *known;
	uint32_t *number;
	struct prof_row *more, *r;

	/* Often that of the last call, or the next one. */
	for (size_t n = 0; n < 2 && n < p->ncallers; n++) {
		size_t i = (p->caller_found + n) % p->ncallers;

		if (p->callers[i].parent != row || strcmp(p->callers[i].site, recorded) != 0)
			continue;
		p->caller_found = i;
		return (uint32_t)i;
	}
	snprintf(text, sizeof(text), "%u\n%s", (unsigned int)row, recorded);
	known = prof_names_find(&p->caller_numbers, text);
	if (known)
		p->caller_found = *known;
	if (known || p->ncallers == PROF_CALLERS_MOST)
		return known ? *known : PROF_NO_CALLER;
	number = prof_names_number(&p->caller_numbers, text);
	if (!number)
		return PROF_NO_CALLER;
	more = prof_more(p->callers, p->ncallers, sizeof(*more), &p->callers_room);
	if (!more)
		return PROF_NO_CALLER;
	p->callers = more;
	r = &more[p->ncallers];
	*r = (struct prof_row){
		.kind = p->rows[row].kind, .parent = row, .site = strdup(recorded),
		.name = strdup("called from"),
		.computed = calloc((size_t)p->nprocs, sizeof(uint64_t)),
		.waited = calloc((size_t)p->nprocs, sizeof(uint64_t)),
	};
	if (!r->site || !r->name || !r->computed || !r->waited) {
		caller_free(r);
		return PROF_NO_CALLER;
	}
	*number = (uint32_t)p->ncallers++;
	return *number;
}

void prof_callers_free(struct prof *p)
{
	for (size_t i = 0; i < p->ncallers; i++)
		caller_free(&p->callers[i]);
	free(p->callers);
	prof_names_free(&p->caller_numbers);
	p->callers = NULL;
	p->ncallers = p->callers_room = 0;
}

static bool has_sibling(const struct prof *p, size_t caller)
{
	for (size_t i = 0; i < p->ncallers; i++)
		if (i != caller && p->callers[i].parent == p->callers[caller].parent)
			return true;
	return false;
}

static void name_caller(struct prof *p, size_t caller, const char *text, uint32_t *same)
{
	struct prof_row *r = &p->callers[caller];
	char *name = strdup(text);

	if (name) {
		free(r->site);
		r->site = name;
	}
	for (size_t i = 0; i < caller; i++)
		if (p->callers[i].parent == r->parent && strcmp(p->callers[i].site, r->site) == 0) {
			same[caller] = (uint32_t)i;
			return;
		}
}

/*
 * Name by lines those that may be shown; @same: for each the first of the same call site and line.
 * Most sites have one caller, often of the C library, and are not looked up.
 */
static bool name_callers(struct prof *p, uint32_t *same)
{
	struct prof_line *lines = calloc(p->ncallers, sizeof(*lines));
	size_t n = 0;

	for (size_t i = 0; i < p->ncallers; i++) {
		same[i] = (uint32_t)i;
		if (lines && has_sibling(p, i))
			lines[n++].recorded = p->callers[i].site;
	}
	if (n > 0)
		prof_lines_find(lines, n, p->rebuilt, sizeof(p->rebuilt));
	n = 0;
	for (size_t i = 0; lines && i < p->ncallers; i++)
		if (has_sibling(p, i))
			name_caller(p, i, lines[n++].text, same);
	free(lines);
	return lines != NULL;
}

static void add_call_of_caller(struct prof *p, int pid, struct prof_call *call,
			       const uint32_t *same, uint64_t last)
{
	struct prof_row *r;

	if (call->caller == PROF_NO_CALLER)
		return;
	call->caller = same[call->caller];
	r = &p->callers[call->caller];
	r->calls++;
	r->waited[pid] += call->finish - call->begin;
	r->computed[pid] += last ? prof_computed_before(call, last) : call->computed;
	if (r->kind == RECORDING_SYNC) {
		r->sent += call->n;
		r->bytes += call->bytes;
	}
}

bool prof_callers_add_up(struct prof *p)
{
	uint32_t *same = p->ncallers ? calloc(p->ncallers, sizeof(*same)) : NULL;

	if (!p->calls || !p->ncallers) {
		prof_callers_free(p);
		return true;
	}
	if (!same || !name_callers(p, same)) {
		free(same);
		return false;
	}
	for (int q = 0; q < p->nprocs; q++)
		for (size_t i = 0; i < p->calls[q].n; i++)
			add_call_of_caller(p, q, &p->calls[q].at[i], same,
				 i > 0 ? p->calls[q].at[i - 1].finish : 0);
	for (uint64_t i = 0; i < p->nsteps; i++)
		if (p->steps[i].caller != PROF_NO_CALLER)
			p->callers[same[p->steps[i].caller]].h += p->steps[i].h;
	free(same);
	return true;
}

static uint64_t caller_cost(const struct prof_row *r, int nprocs)
{
	uint64_t sum = 0;

	for (int q = 0; q < nprocs; q++)
		sum += r->waited[q];
	return sum;
}

static int sorted_nprocs;

static int by_parent_and_cost(const void *a, const void *b)
{
	const struct prof_row *x = a, *y = b;
	uint64_t of_x = caller_cost(x, sorted_nprocs), of_y = caller_cost(y, sorted_nprocs);

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	return of_x != of_y ? (of_x < of_y ? 1 : -1) : strcmp(x->site, y->site);
}

void prof_callers_sort(struct prof *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->ncallers; i++)
		if (p->callers[i].calls)
			p->callers[n++] = p->callers[i];
		else
			caller_free(&p->callers[i]);
	p->ncallers = n;
	sorted_nprocs = p->nprocs;
	if (n > 0)
		qsort(p->callers, n, sizeof(*p->callers), by_parent_and_cost);
	for (size_t i = 0; i < n; i++) {
		struct prof_row *parent = &p->rows[p->callers[i].parent];

		if (!parent->ncallers)
			parent->callers = &p->callers[i];
		parent->ncallers++;
	}
	for (size_t i = 0; i < p->nrows; i++)
		if (p->rows[i].ncallers == 1 && p->rows[i].callers->calls == p->rows[i].calls)
			p->rows[i].ncallers = 0;
}
