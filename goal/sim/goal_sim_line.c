// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_sim_line.c - events that wait for the same processor and network of a process. */

#include "goal/sim/goal_sim_line.h"

#include <stdlib.h>

bool goal_line_add(struct goal_line *l, const struct goal_event *event)
{
	uint32_t i = l->n, most = l->most ? 2 * l->most : 2;
	struct goal_event *more;

	if (l->n == l->most) {
		more = realloc(l->event, most * sizeof(*more));
		if (!more)
			return false;
		l->event = more;
		l->most = most;
	}
	for (; i && l->event[(i - 1) / 2].order > event->order; i = (i - 1) / 2)
		l->event[i] = l->event[(i - 1) / 2];
	l->event[i] = *event;
	l->n++;
	return true;
}

/* The place below @i with the lower order; @l->n or more: there is none. */
static uint32_t lower(const struct goal_line *l, uint32_t i)
{
	uint32_t child = 2 * i + 1;

	if (child + 1 < l->n && l->event[child + 1].order < l->event[child].order)
		child++;
	return child;
}

struct goal_event goal_line_take(struct goal_line *l)
{
	struct goal_event first = l->event[0];
	struct goal_event last = l->event[--l->n];
	uint32_t i = 0;

	for (uint32_t child = lower(l, i); child < l->n && l->event[child].order < last.order;
	     child = lower(l, i)) {
		l->event[i] = l->event[child];
		i = child;
	}
	l->event[i] = last;
	return first;
}
