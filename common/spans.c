// SPDX-License-Identifier: BSD-3-Clause
/* spans.c - times at which something goes on, on several processes together. */

#include "spans.h"

#include <stdlib.h>

enum { SPANS_LEAST = 16 };

static bool spans_make_room(struct spans *s)
{
	size_t room = s->room ? 2 * s->room : SPANS_LEAST;
	struct span *more;

	if (s->n < s->room)
		return true;
	more = realloc(s->at, room * sizeof(*more));
	if (!more)
		return false;
	s->at = more;
	s->room = room;
	return true;
}

bool spans_add(struct spans *s, uint64_t n, uint64_t first, uint64_t last)
{
	if (n >= s->n) {
		if (!spans_make_room(s))
			return false;
		s->at[s->n++] = (struct span){ first, last };
		return true;
	}
	if (s->at[n].first > first)
		s->at[n].first = first;
	if (s->at[n].last < last)
		s->at[n].last = last;
	return true;
}

static int span_by_first(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

uint64_t spans_time(struct spans *s)
{
	uint64_t until = 0, time = 0;

	if (s->n)
		qsort(s->at, s->n, sizeof(*s->at), span_by_first);
	for (size_t i = 0; i < s->n; i++) {
		uint64_t from = s->at[i].first > until ? s->at[i].first : until;

		if (s->at[i].last <= from)
			continue;
		time += s->at[i].last - from;
		until = s->at[i].last;
	}
	return time;
}
