// SPDX-License-Identifier: BSD-3-Clause
/* prof_gain.c - what a relaxed bsp_sync, earlier puts, or lists of neighbours would save. */

#include "prof_gain.h"
#include "prof_neighbors.h"

#include <stdlib.h>

static bool may_gain(const struct prof *p, const struct prof_row *row)
{
	bool is_last = row->kind == RECORDING_SYNC && row->name[0];

	return (row->kind == RECORDING_SYNC || row->kind == RECORDING_READ ||
		row->kind == RECORDING_EXPECT) &&
	       !is_last && row->site[0] && prof_mean(p, row->waited) >= 0.01 * (double)p->time;
}

static int by_saving(const void *a, const void *b)
{
	const struct prof_gain *x = a, *y = b;

	return (x->ps < y->ps) - (x->ps > y->ps);
}

/* 1: it is a gain, 0: it is none, -1: it cannot be simulated. */
static int find_gain(const struct prof *p, const struct prof_network *net, uint32_t row,
		     uint64_t whole, struct prof_gain *gain, char *why, size_t len)
{
	const struct prof_variant variant = {
		.form = PROF_AS_RECORDED, .site = p->rows[row].site,
	};
	uint64_t ps;

	if (prof_predict(&p->recording, &variant, net, &ps, why, len))
		return -1;
	*gain = (struct prof_gain){ .row = row, .ps = ps < whole ? whole - ps : 0 };
	gain->percent = whole ? 100 * (double)gain->ps / (double)whole : 0;
	return gain->percent >= 0.1;
}

int prof_find_gains(const struct prof *p, const struct prof_network *net,
		    struct prof_gain gains[PROF_GAINS], char *why, size_t len)
{
	const struct prof_variant as_recorded = { .form = PROF_AS_RECORDED };
	uint32_t *rows = prof_by_cost(p);
	int n = 0, is_gain = 0, tried = 0;
	uint64_t whole;

	if (prof_predict(&p->recording, &as_recorded, net, &whole, why, len))
		is_gain = -1;
	for (size_t i = 0; rows && i < p->nrows && tried < PROF_GAINS && is_gain >= 0; i++) {
		if (!may_gain(p, &p->rows[rows[i]]))
			continue;
		is_gain = find_gain(p, net, rows[i], whole, &gains[n], why, len);
		n += is_gain > 0;
		tried++;
	}
	free(rows);
	if (is_gain < 0)
		return -1;
	qsort(gains, (size_t)n, sizeof(*gains), by_saving);
	return n;
}

static bool has_lists(const struct prof *p)
{
	for (uint64_t i = 0; i < p->nsteps; i++)
		if (p->steps[i].among_neighbors)
			return true;
	return false;
}

/* The bsp_sync that costs most; p->nrows: there is none. */
static uint32_t dearest_sync(const struct prof *p)
{
	uint32_t *rows = prof_by_cost(p), row = (uint32_t)p->nrows;

	for (size_t i = 0; rows && i < p->nrows && row == p->nrows; i++)
		if (p->rows[rows[i]].kind == RECORDING_SYNC && !p->rows[rows[i]].name[0])
			row = rows[i];
	free(rows);
	return row;
}

static double percent_saved(const struct prof *p, const struct prof_network *net)
{
	const struct prof_variant as_recorded = { .form = PROF_AS_RECORDED };
	const struct prof_variant lists = { .form = PROF_NEIGHBORS };
	uint64_t whole, ps;
	char why[300];

	if (prof_predict(&p->recording, &as_recorded, net, &whole, why, sizeof(why)) ||
	    prof_predict(&p->recording, &lists, net, &ps, why, sizeof(why)) || ps >= whole)
		return 0;
	return 100 * (double)(whole - ps) / (double)whole;
}

bool prof_suggest_neighbors(const struct prof *p, const struct prof_network *net,
			    struct prof_suggestion *s)
{
	struct prof_neighbors nb;

	*s = (struct prof_suggestion){ .row = dearest_sync(p) };
	if (s->row == p->nrows || has_lists(p) || !prof_neighbors_find(&nb, &p->recording))
		return false;
	s->least = nb.least;
	s->most = nb.most;
	if (nb.most > 0 && prof_neighbors_limit(&nb))
		s->percent = percent_saved(p, net);
	prof_neighbors_free(&nb);
	return s->percent >= 1;
}

void prof_suggestion_text(const struct prof *p, const struct prof_suggestion *s,
			  char text[PROF_SUGGESTION])
{
	char others[40];

	if (s->least == s->most)
		snprintf(others, sizeof(others), "%d", s->most);
	else
		snprintf(others, sizeof(others), "%d to %d", s->least, s->most);
	snprintf(text, PROF_SUGGESTION, "bsp_sync %s: every process exchanges with the same %s "
		 "other%s; neighbours would save %.0f %%", p->rows[s->row].site, others,
		 s->most == 1 ? "" : "s", s->percent);
}

const char *prof_gain_means(const struct prof_row *row)
{
	return row->kind == RECORDING_SYNC ? "if it were relaxed" :
	       row->kind == RECORDING_READ ? "if what it reads were there before it" :
					     "if what it expects were there before it";
}
