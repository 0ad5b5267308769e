// SPDX-License-Identifier: BSD-3-Clause
/* prof_gain.c - which bsp_sync would gain from being relaxed, which read from earlier puts. */

#include "prof_gain.h"

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

const char *prof_gain_means(const struct prof_row *row)
{
	return row->kind == RECORDING_SYNC ? "if it were relaxed" :
	       row->kind == RECORDING_READ ? "if what it reads were there before it" :
					     "if what it expects were there before it";
}
