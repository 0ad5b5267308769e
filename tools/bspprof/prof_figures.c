// SPDX-License-Identifier: BSD-3-Clause
/* prof_figures.c - figures that the forms of a profile share. */

#include "prof.h"

#include <stdlib.h>

void *prof_more(void *array, size_t n, size_t size, size_t *room)
{
	void *more;

	if (n < *room)
		return array;
	more = realloc(array, (2 * *room + 64) * size);
	if (more)
		*room = 2 * *room + 64;
	return more;
}

double prof_mean(const struct prof *p, const uint64_t *of_each)
{
	double sum = 0;

	for (int q = 0; q < p->nprocs; q++)
		sum += (double)of_each[q];
	return sum / p->recording.present;
}

double prof_least(const struct prof *p, const uint64_t *of_each)
{
	uint64_t least = UINT64_MAX;

	for (int q = 0; q < p->nprocs; q++)
		if (p->recording.parts[q].head.nprocs && least > of_each[q])
			least = of_each[q];
	return (double)least;
}

double prof_most(const struct prof *p, const uint64_t *of_each, int *which)
{
	int most = 0;

	for (int q = 1; q < p->nprocs; q++)
		if (of_each[most] < of_each[q])
			most = q;
	if (which)
		*which = most;
	return (double)of_each[most];
}

void prof_calls_text(const struct prof *p, const struct prof_row *r, char *text, size_t len)
{
	uint64_t present = (uint64_t)p->recording.present;

	if (r->calls % present == 0)
		snprintf(text, len, "%llu", (unsigned long long)(r->calls / present));
	else
		snprintf(text, len, "%.1f", (double)r->calls / (double)present);
}

const char *prof_kind_name(const struct prof_row *r)
{
	return prof_call_name(r->kind, r->name);
}

const char *prof_call_name(enum recording_kind kind, const char *name)
{
	if (name[0])
		return name;
	switch (kind) {
	case RECORDING_SYNC:
		return "bsp_sync";
	case RECORDING_READ:
		return "bsp_read";
	case RECORDING_EXPECT:
		return "bsp_expect";
	case RECORDING_DIRECT_GET:
		return "bsp_direct_get";
	default:
		return "other calls";
	}
}

static const struct prof *sorted_by;

/* Computing before it is the program's own; what costs is the wait, and then the imbalance. */
static double cost_of(const struct prof_row *r)
{
	return prof_mean(sorted_by, r->waited) +
	       1e-3 * prof_mean(sorted_by, r->computed);
}

static int by_cost(const void *a, const void *b)
{
	double x = cost_of(&sorted_by->rows[*(const uint32_t *)a]);
	double y = cost_of(&sorted_by->rows[*(const uint32_t *)b]);

	return (x < y) - (x > y);
}

uint32_t *prof_by_cost(const struct prof *p)
{
	uint32_t *rows = calloc(p->nrows + 1, sizeof(*rows));

	for (size_t i = 0; rows && i < p->nrows; i++)
		rows[i] = (uint32_t)i;
	sorted_by = p;
	if (rows)
		qsort(rows, p->nrows, sizeof(*rows), by_cost);
	return rows;
}

bool prof_is_busy(const struct prof *p)
{
	return (double)p->processor < 0.9 * (double)p->computed;
}

int prof_rounds(const struct prof *p)
{
	int n = 0;

	while (1 << n < p->nprocs)
		n++;
	return n;
}

int prof_messages(const struct prof *p, const struct prof_step *s)
{
	if (s->relaxed)
		return 0;
	return s->among_neighbors ? 1 : prof_rounds(p) * (s->met ? 2 : 1);
}

double prof_model(const struct prof *p, const struct prof_step *s)
{
	const struct recording_head *h = p->recording.first;

	return (double)s->computed_most + (double)s->h * h->G +
	       prof_messages(p, s) * (h->L + 2 * h->o);
}
