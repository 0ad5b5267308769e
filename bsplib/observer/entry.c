// SPDX-License-Identifier: BSD-3-Clause
/* entry.c - bsprun --check: puts and gets that are remembered, and where they came from. */

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/list.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/observer/check.h"
#include "bsplib/transfer/target.h"

#include <stdlib.h>

enum { LISTED = 8 };	/* sources in a message */

struct bspi_entry bspi_entry_of(int from, const struct bspi_rec *rec)
{
	return (struct bspi_entry){
		.site = bspi_site_of(rec), .offset = bspi_offset_of(rec),
		.nbytes = rec->nbytes, .count = 1, .step = bspi.step, .from = from,
		.hp = bspi_is_hp(rec),
	};
}

void bspi_entries_add(struct bspi_entries *e, const struct bspi_entry *entry)
{
	e->at = bspi_grow(e->at, e->n, sizeof(*e->at), &e->room);
	e->at[e->n++] = *entry;
}

void bspi_entries_drop(struct bspi_entries *e)
{
	free(e->at);
	*e = (struct bspi_entries){ .n = 0 };
}

int bspi_by_source(const void *a, const void *b)
{
	const struct bspi_entry *x = a, *y = b;

	if (x->step != y->step)
		return bspi_before(x->step, y->step) ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->site > y->site) - (x->site < y->site);
}

bool bspi_ranges_overlap(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes)
{
	return a_bytes && b_bytes && a < b + b_bytes && b < a + a_bytes;
}

/* ---- Lists ----------------------------------------------------------------------- */

static void append_call(struct bspi_list *l, const struct bspi_entry *e, uint64_t count)
{
	bspi_list_append(l, "%sprocess %d, superstep %u, ", l->len ? "; " : ": ", e->from, e->step);
	if (count > 1)
		bspi_list_append(l, "%llu x ", (unsigned long long)count);
	bspi_list_append(l, "%.200s", bspi_site_text(bspi_site_unpack(e->site)));
}

static void append_messages(struct bspi_list *l, const struct bspi_entry *e, uint64_t count)
{
	bspi_list_append(l, "%s%llu from process %d, superstep %u", l->len ? "; " : ": ",
			 (unsigned long long)count, e->from, e->step);
}

/* How many of @n entries have the source of the first, and what they count. */
static size_t same_source(const struct bspi_entry *e, size_t n, uint64_t *count)
{
	size_t i;

	*count = 0;
	for (i = 0; i < n && bspi_by_source(e, &e[i]) == 0; i++)
		*count += e[i].count;
	return i;
}

static void entry_list(struct bspi_list *l, struct bspi_entries *e, uint64_t total,
		 void (*add)(struct bspi_list *l, const struct bspi_entry *e, uint64_t count))
{
	uint64_t count;
	int shown = 0;

	*l = (struct bspi_list){ .len = 0 };
	if (e->n)
		qsort(e->at, e->n, sizeof(*e->at), bspi_by_source);
	for (size_t i = 0; i < e->n && shown < LISTED; shown++) {
		const struct bspi_entry *first = &e->at[i];

		i += same_source(first, e->n - i, &count);
		add(l, first, count);
		total -= count;
	}
	if (total)
		bspi_list_append(l, "; and %llu more", (unsigned long long)total);
}

void bspi_entries_list_calls(struct bspi_list *l, struct bspi_entries *e, uint64_t total)
{
	entry_list(l, e, total, append_call);
}

void bspi_entries_list_messages(struct bspi_list *l, struct bspi_entries *e)
{
	entry_list(l, e, e->n, append_messages);
}
