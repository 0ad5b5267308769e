// SPDX-License-Identifier: BSD-3-Clause
/* prof_names.c - a number for each of many texts, found by a hash. */

#include "prof_names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_FIRST = 256 };	/* a power of two */

/* FNV-1a, folded. */
static uint32_t hash_name(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return (uint32_t)(hash ^ hash >> 32);
}

/* The place of @text, or a free one, of which there always is one. */
static struct prof_name *name_place(const struct prof_names *t, const char *text, uint32_t hash)
{
	size_t i = hash & (t->room - 1);

	while (t->at[i].text && (t->at[i].hash != hash || strcmp(t->at[i].text, text) != 0))
		i = (i + 1) & (t->room - 1);
	return &t->at[i];
}

/* Half of the places stay free. */
static bool names_make_room(struct prof_names *t)
{
	struct prof_names more = { .n = t->n, .room = t->room ? 2 * t->room : NAMES_FIRST };

	if (2 * (t->n + 1) <= t->room)
		return true;
	more.at = calloc(more.room, sizeof(*more.at));
	if (!more.at)
		return false;
	for (size_t i = 0; i < t->room; i++)
		if (t->at[i].text)
			*name_place(&more, t->at[i].text, t->at[i].hash) = t->at[i];
	free(t->at);
	*t = more;
	return true;
}

const uint32_t *prof_names_find(const struct prof_names *t, const char *text)
{
	const struct prof_name *name = t->n ? name_place(t, text, hash_name(text)) : NULL;

	return name && name->text ? &name->number : NULL;
}

uint32_t *prof_names_number(struct prof_names *t, const char *text)
{
	uint32_t hash = hash_name(text);
	struct prof_name *name;

	if (!names_make_room(t))
		return NULL;
	name = name_place(t, text, hash);
	if (!name->text) {
		name->text = strdup(text);
		if (!name->text)
			return NULL;
		name->hash = hash;
		name->number = PROF_NO_NUMBER;
		t->n++;
	}
	return &name->number;
}

void prof_names_free(struct prof_names *t)
{
	for (size_t i = 0; i < t->room; i++)
		free(t->at[i].text);
	free(t->at);
	*t = (struct prof_names){ .at = NULL };
}
