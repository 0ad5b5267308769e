// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_cycle.c - which dependency of a text closes a cycle. */

/*
 * Operations whose dependencies are all met are taken away, one after the other. Each one that is
 * left waits for another one that is left, so a walk from one to the next returns to its start:
 * that is a cycle.
 */

#include "goal/text/goal_text.h"

#include <stdlib.h>

struct peel {
	uint32_t *first;		/* of each operation: its first entry in @next, plus 1 */
	uint32_t *next;			/* of each wait: the next of the same @before, plus 1 */
	uint32_t *left;			/* of each operation: waits not met */
	uint32_t *queue;
};

static void take_away(struct peel *p, const struct goal_wait *wait, size_t nwaits, int nops)
{
	uint32_t begin = 0, end = 0;

	for (size_t i = 0; i < nwaits; i++) {
		p->next[i] = p->first[wait[i].before];
		p->first[wait[i].before] = i + 1;
		p->left[wait[i].op]++;
	}
	for (int i = 0; i < nops; i++)
		if (p->left[i] == 0)
			p->queue[end++] = i;
	for (; begin < end; begin++)
		for (uint32_t e = p->first[p->queue[begin]]; e; e = p->next[e - 1])
			if (--p->left[wait[e - 1].op] == 0)
				p->queue[end++] = wait[e - 1].op;
}

/*
 * In @queue, of each operation that is left: a wait for another that is left, plus 1; where to
 * begin, or -1.
 */
static int link_left(struct peel *p, const struct goal_wait *wait, size_t nwaits)
{
	int begin = -1;

	for (size_t i = 0; i < nwaits; i++) {
		if (!p->left[wait[i].op] || !p->left[wait[i].before])
			continue;
		p->queue[wait[i].op] = i + 1;
		begin = wait[i].op;
	}
	return begin;
}

static bool cycle_is_later(struct goal_mark a, struct goal_mark b)
{
	return a.line != b.line ? a.line > b.line : a.column > b.column;
}

/* The last wait of the cycle that is reached from @op; -1: there is none. */
static const struct goal_wait *last_of_cycle(const struct peel *p, const struct goal_wait *wait,
					     int nops, int op)
{
	const struct goal_wait *last = NULL, *e;
	int begin;

	/* After as many steps as there are operations one is surely on the cycle. */
	for (int i = 0; op >= 0 && i < nops; i++)
		op = wait[p->queue[op] - 1].before;
	begin = op;
	while (op >= 0) {
		e = &wait[p->queue[op] - 1];
		if (!last || cycle_is_later(e->mark, last->mark))
			last = e;
		op = e->before == begin ? -1 : e->before;
	}
	return last;
}

const struct goal_wait *goal_cycle(const struct goal_wait *wait, size_t nwaits, int nops)
{
	const struct goal_wait *last = NULL;
	struct peel p;

	if (nwaits == 0)
		return NULL;
	p.first = calloc(nops, sizeof(*p.first));
	p.left = calloc(nops, sizeof(*p.left));
	p.queue = calloc(nops, sizeof(*p.queue));
	p.next = calloc(nwaits, sizeof(*p.next));
	if (p.first && p.left && p.queue && p.next) {
		take_away(&p, wait, nwaits, nops);
		last = last_of_cycle(&p, wait, nops, link_left(&p, wait, nwaits));
	}
	free(p.first);
	free(p.left);
	free(p.queue);
	free(p.next);
	return last;
}
