// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_sim_match.c - receives that wait for messages, and messages that wait for receives. */

#include "goal/sim/goal_sim_match.h"

#include <stdlib.h>

enum { FEW = 64 };

#define NONE UINT32_MAX
#define MATCHED UINT32_MAX		/* as op: no operation has this number */

/* Matches with the same hash of source and tag, in the order in which they came. */
struct goal_match_slot {
	uint32_t head, tail;
};

/*
 * Messages by their source alone, and by their tag alone, for receives from any source or with any
 * tag. Made when the first such receive looks through many. A message that is gone leaves its chain
 * when a search comes by.
 */
enum { BY_SOURCE, BY_TAG, PARTS };

struct goal_match_part {
	struct goal_match_slot *slots;	/* as many as of the index */
	uint32_t *next;			/* of each match */
};

static void free_parts(struct goal_matches *m)
{
	for (int by = 0; m->part && by < PARTS; by++) {
		free(m->part[by].slots);
		free(m->part[by].next);
	}
	free(m->part);
	m->part = NULL;
}

void goal_matches_free(struct goal_matches *m)
{
	free_parts(m);
	free(m->match);
	free(m->slots);
	*m = (struct goal_matches){ .match = NULL };
}

static bool has_any(const struct goal_waiting *match)
{
	return match->source == GOAL_ANY || match->tag == GOAL_ANY;
}

/* ---- The index ---------------------------------------------------------------- */

static uint32_t hash(const struct goal_matches *m, uint32_t source, uint32_t tag)
{
	uint64_t mixed = ((uint64_t)source << 32 | tag) * 0x9e3779b97f4a7c15ull;

	return (uint32_t)(mixed >> 32) & (m->nslots - 1);
}

static struct goal_match_slot *new_slots(uint32_t n)
{
	struct goal_match_slot *slots = malloc(n * sizeof(*slots));

	for (uint32_t i = 0; slots && i < n; i++)
		slots[i] = (struct goal_match_slot){ NONE, NONE };
	return slots;
}

static void link_match(struct goal_matches *m, uint32_t i)
{
	struct goal_match_slot *slot = &m->slots[hash(m, m->match[i].source, m->match[i].tag)];

	m->match[i].next = NONE;
	if (slot->head == NONE)
		slot->head = i;
	else
		m->match[slot->tail].next = i;
	slot->tail = i;
}

static void unlink_match(struct goal_matches *m, uint32_t i)
{
	struct goal_match_slot *slot = &m->slots[hash(m, m->match[i].source, m->match[i].tag)];
	uint32_t before = NONE;

	for (uint32_t j = slot->head; j != i; j = m->match[j].next)
		before = j;
	if (before == NONE)
		slot->head = m->match[i].next;
	else
		m->match[before].next = m->match[i].next;
	if (slot->tail == i)
		slot->tail = before;
}

/* As many slots as there is room for matches, for all that are there. */
static bool index_all(struct goal_matches *m)
{
	uint32_t nslots = FEW;

	while (nslots < m->most)
		nslots *= 2;
	free_parts(m);
	free(m->slots);
	m->slots = new_slots(nslots);
	m->nslots = m->slots ? nslots : 0;
	if (!m->slots)
		return false;
	for (uint32_t i = m->first; i < m->last; i++)
		if (m->match[i].op != MATCHED)
			link_match(m, i);
	return true;
}

static struct goal_match_slot *slot_in_part(const struct goal_matches *m, int by, uint32_t source,
					    uint32_t tag)
{
	uint32_t i = by == BY_SOURCE ? hash(m, source, GOAL_ANY) : hash(m, GOAL_ANY, tag);

	return &m->part[by].slots[i];
}

static void link_in_part(struct goal_matches *m, int by, uint32_t i)
{
	struct goal_match_slot *slot = slot_in_part(m, by, m->match[i].source, m->match[i].tag);

	m->part[by].next[i] = NONE;
	if (slot->head == NONE)
		slot->head = i;
	else
		m->part[by].next[slot->tail] = i;
	slot->tail = i;
}

static bool make_parts(struct goal_matches *m)
{
	bool good;

	m->part = calloc(PARTS, sizeof(*m->part));
	good = m->part;
	for (int by = 0; good && by < PARTS; by++) {
		m->part[by].slots = new_slots(m->nslots);
		m->part[by].next = malloc(m->most * sizeof(*m->part[by].next));
		good = m->part[by].slots && m->part[by].next;
		for (uint32_t i = m->first; good && i < m->last; i++)
			if (m->match[i].op != MATCHED)
				link_in_part(m, by, i);
	}
	if (!good)
		free_parts(m);
	return good;
}

/* ---- Room -------------------------------------------------------------------- */

static bool matches_grow(struct goal_matches *m, uint32_t n)
{
	struct goal_waiting *match = realloc(m->match, n * sizeof(*match));

	if (!match)
		return false;
	m->match = match;
	m->most = n;
	return true;
}

bool goal_matches_reserve(struct goal_matches *m, uint32_t n)
{
	if (n <= m->most)
		return true;
	return matches_grow(m, n) && (n <= FEW || index_all(m));
}

bool goal_matches_add(struct goal_matches *m, const struct goal_waiting *match)
{
	uint32_t n = 0;

	if (m->last == m->most) {
		for (uint32_t i = m->first; i < m->last; i++)
			if (m->match[i].op != MATCHED)
				m->match[n++] = m->match[i];
		m->first = 0;
		m->last = n;
		if (m->n >= m->most / 2 && !matches_grow(m, m->most < 4 ? 4 : 2 * m->most))
			return false;
		if (m->most > FEW && !index_all(m))
			return false;
	}
	m->match[m->last] = *match;
	m->last++;
	m->n++;
	m->nany += has_any(match);
	if (m->nslots)
		link_match(m, m->last - 1);
	for (int by = 0; m->part && by < PARTS; by++)
		link_in_part(m, by, m->last - 1);
	return true;
}

/* ---- Finding -------------------------------------------------------------------- */

static bool sim_match_fits(const struct goal_waiting *receive, uint32_t source, uint32_t tag)
{
	return (receive->source == source || receive->source == GOAL_ANY) &&
	       (receive->tag == tag || receive->tag == GOAL_ANY);
}

/* Exactly this source and tag. */
static uint32_t find_in_slot(const struct goal_matches *m, uint32_t source, uint32_t tag)
{
	uint32_t i = m->slots[hash(m, source, tag)].head;

	while (i != NONE && (m->match[i].source != source || m->match[i].tag != tag))
		i = m->match[i].next;
	return i;
}

static uint32_t find_receive(const struct goal_matches *m, uint32_t source, uint32_t tag)
{
	uint32_t i, found;

	if (!m->nslots) {
		for (i = m->first; i < m->last; i++)
			if (m->match[i].op != MATCHED && sim_match_fits(&m->match[i], source, tag))
				return i;
		return NONE;
	}
	found = find_in_slot(m, source, tag);
	if (!m->nany)
		return found;
	i = find_in_slot(m, GOAL_ANY, tag);
	found = i < found ? i : found;
	i = find_in_slot(m, source, GOAL_ANY);
	found = i < found ? i : found;
	i = find_in_slot(m, GOAL_ANY, GOAL_ANY);
	return i < found ? i : found;
}

static uint32_t find_in_part(struct goal_matches *m, int by, const struct goal_waiting *receive)
{
	struct goal_match_slot *slot = slot_in_part(m, by, receive->source, receive->tag);
	uint32_t *next = m->part[by].next, before = NONE;

	for (uint32_t i = slot->head; i != NONE; i = next[i]) {
		if (m->match[i].op != MATCHED) {
			if (sim_match_fits(receive, m->match[i].source, m->match[i].tag))
				return i;
			before = i;
			continue;
		}
		if (before == NONE)
			slot->head = next[i];
		else
			next[before] = next[i];
		if (slot->tail == i)
			slot->tail = before;
	}
	return NONE;
}

static uint32_t find_message(struct goal_matches *m, uint32_t source, uint32_t tag)
{
	const struct goal_waiting receive = { .source = source, .tag = tag };

	if (m->nslots && !has_any(&receive))
		return find_in_slot(m, source, tag);
	if (source == GOAL_ANY && tag == GOAL_ANY)
		return m->first;
	if (m->nslots && (m->part || make_parts(m)))
		return find_in_part(m, source == GOAL_ANY ? BY_TAG : BY_SOURCE, &receive);
	for (uint32_t i = m->first; i < m->last; i++)
		if (m->match[i].op != MATCHED &&
		    sim_match_fits(&receive, m->match[i].source, m->match[i].tag))
			return i;
	return NONE;
}

static bool sim_match_take(struct goal_matches *m, uint32_t i, struct goal_waiting *taken)
{
	if (i == NONE)
		return false;
	*taken = m->match[i];
	m->n--;
	m->nany -= has_any(taken);
	if (m->nslots)
		unlink_match(m, i);
	m->match[i].op = MATCHED;
	while (m->first < m->last && m->match[m->first].op == MATCHED)
		m->first++;
	if (m->first == m->last && !m->part)	/* whose chains still have what is gone */
		m->first = m->last = 0;
	return true;
}

bool goal_matches_take_receive(struct goal_matches *m, uint32_t source, uint32_t tag,
			       struct goal_waiting *taken)
{
	return m->n && sim_match_take(m, find_receive(m, source, tag), taken);
}

bool goal_matches_take_message(struct goal_matches *m, uint32_t source, uint32_t tag,
			       struct goal_waiting *taken)
{
	return m->n && sim_match_take(m, find_message(m, source, tag), taken);
}

const struct goal_waiting *goal_matches_first(const struct goal_matches *m)
{
	return m->n ? &m->match[m->first] : NULL;
}
