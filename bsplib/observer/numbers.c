// SPDX-License-Identifier: BSD-3-Clause
/* numbers.c - tables that find the number of a thing by its hash. */

#include "bsplib/observer/numbers.h"

#include "bsplib/core/error.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS_FIRST = 256 };	/* a power of two */

uint32_t bspi_numbers_hash_bytes(const unsigned char *bytes, size_t n)
{
	uint64_t hash = n, word;
	size_t i = 0;

	for (; i + sizeof(word) <= n; i += sizeof(word)) {
		memcpy(&word, bytes + i, sizeof(word));
		hash = bspi_numbers_hash(hash ^ word);
	}
	word = 0;
	memcpy(&word, bytes + i, n - i);
	return (uint32_t)bspi_numbers_hash(hash ^ word);
}

uint32_t *bspi_numbers_find(const struct bspi_numbers *t, uint64_t hash,
			    bool (*is_it)(uint32_t number, const void *key), const void *key)
{
	size_t i = hash & (t->room - 1);

	while (t->at[i] && !is_it(t->at[i] - 1, key))
		i = (i + 1) & (t->room - 1);
	return &t->at[i];
}

void bspi_numbers_make_room(struct bspi_numbers *t, uint64_t (*hash)(uint32_t number))
{
	struct bspi_numbers old = *t;

	if (2 * (t->n + 1) <= t->room)
		return;
	t->room = old.room ? 2 * old.room : NUMBERS_FIRST;
	t->at = calloc(t->room, sizeof(*t->at));
	if (!t->at)
		bspi_fail_memory("bsp_sync", NULL);
	for (size_t i = 0; i < old.room; i++) {
		size_t k;

		if (!old.at[i])
			continue;
		for (k = hash(old.at[i] - 1) & (t->room - 1); t->at[k];)
			k = (k + 1) & (t->room - 1);
		t->at[k] = old.at[i];
	}
	free(old.at);
}
