/* SPDX-License-Identifier: BSD-3-Clause */
/* A build id is found behind other notes, at both alignments, and no byte behind the notes is. */
#include "common/build.h"
#include "../lib/tap.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 256 };

static const uint64_t id = UINT64_C(0x0102030405060708);
static const unsigned char digits[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };

struct notes {
	unsigned char bytes[ROOM];
	size_t n, align;
};

/* Zeros up to the next multiple. */
static void fill_up(struct notes *to)
{
	while (to->n % to->align)
		to->bytes[to->n++] = 0;
}

static void add_note(struct notes *to, const char *name, uint32_t type, size_t nbytes)
{
	const Elf64_Nhdr head = { (uint32_t)strlen(name) + 1, (uint32_t)nbytes, type };

	fill_up(to);
	memcpy(to->bytes + to->n, &head, sizeof(head));
	memcpy(to->bytes + to->n + sizeof(head), name, head.n_namesz);
	to->n += sizeof(head) + head.n_namesz;
	fill_up(to);
	memcpy(to->bytes + to->n, digits, nbytes);
	to->n += nbytes;
}

/* The build id among notes, in a copy that ends where they do. */
static uint64_t id_of(const void *bytes, size_t n, size_t align)
{
	void *copy = malloc(n + !n);
	uint64_t found = 0;

	if (copy) {
		memcpy(copy, bytes, n);
		found = build_id_of_notes(copy, n, align);
	}
	free(copy);
	return found;
}

static void finds(size_t align)
{
	struct notes t = { .align = align };
	int early = 0, wrong = 0;

	add_note(&t, "GNU", NT_GNU_PROPERTY_TYPE_0, 12);
	add_note(&t, "Linux 6", NT_GNU_BUILD_ID, 5);
	ok(id_of(t.bytes, t.n, align) == 0, "no other note is one, at multiples of %zu", align);
	add_note(&t, "GNU", NT_GNU_BUILD_ID, 4);
	ok(id_of(t.bytes, t.n, align) == 0, "nor one that is too short");
	add_note(&t, "GNU", NT_GNU_BUILD_ID, 12);
	ok(id_of(t.bytes, t.n, align) == id, "the build id is found behind others");
	for (size_t n = 0; n < t.n; n++)
		early += id_of(t.bytes, n, align) != 0;
	ok(early == 0, "not where its end is missing");
	/* lengths of the first note, as large as they can be */
	for (size_t at = 0; at < 8; at++) {
		struct notes damaged = t;

		memset(damaged.bytes + at, 0xff, 4);
		wrong += id_of(damaged.bytes, damaged.n, align) != 0;
	}
	ok(wrong == 0, "none behind a note that is longer than all");
}

int main(void)
{
	finds(4);
	finds(8);
	return done_testing();
}
