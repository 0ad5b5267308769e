// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_label.c - which operation a label of the text names. */

/*
 * A hash table with open addressing, at most half full. Labels are untrusted input, so where a
 * label goes depends on a number that differs from run to run; nothing that is written does.
 */

#include "goal/text/goal_text.h"

#include <stdlib.h>
#include <time.h>

enum { SLOTS_FIRST = 64 };	/* a power of two, as all sizes */

struct goal_label {
	struct goal_span name;		/* in the text; at NULL: the slot is free */
	int op;
};

void goal_labels_free(struct goal_labels *labels)
{
	free(labels->slot);
	*labels = (struct goal_labels){ 0 };
}

/* The slot of a name, or the free one where it would be. */
static struct goal_label *label_slot_of(const struct goal_labels *labels, struct goal_span name)
{
	uint64_t hash = labels->seed;
	struct goal_label *slot;

	for (size_t i = 0; i < name.len; i++) {
		hash = (hash ^ (unsigned char)name.at[i]) * 0xd6e8feb86659fd93u;
		hash ^= hash >> 32;
	}
	for (;; hash++) {
		slot = &labels->slot[hash & (labels->nslots - 1)];
		if (!slot->name.at)
			return slot;
		if (slot->name.len == name.len && memcmp(slot->name.at, name.at, name.len) == 0)
			return slot;
	}
}

int goal_labels_find(const struct goal_labels *labels, struct goal_span name)
{
	const struct goal_label *slot;

	if (labels->n == 0)
		return -1;
	slot = label_slot_of(labels, name);
	return slot->name.at ? slot->op : -1;
}

static bool label_grow(struct goal_labels *labels)
{
	struct goal_labels larger = { .n = labels->n, .seed = labels->seed };
	struct timespec now;

	larger.nslots = labels->nslots ? labels->nslots * 2 : SLOTS_FIRST;
	larger.slot = calloc(larger.nslots, sizeof(*larger.slot));
	if (!larger.slot)
		return false;
	if (!labels->nslots) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		larger.seed = (uint64_t)(uintptr_t)larger.slot * 0x9e3779b97f4a7c15u ^
			      (uint64_t)now.tv_nsec << 20 ^ (uint64_t)now.tv_sec;
	}
	for (size_t i = 0; i < labels->nslots; i++)
		if (labels->slot[i].name.at)
			*label_slot_of(&larger, labels->slot[i].name) = labels->slot[i];
	free(labels->slot);
	*labels = larger;
	return true;
}

bool goal_labels_add(struct goal_labels *labels, struct goal_span name, int op)
{
	if (labels->n * 2 >= labels->nslots && !label_grow(labels))
		return false;
	*label_slot_of(labels, name) = (struct goal_label){ name, op };
	labels->n++;
	return true;
}
