/* SPDX-License-Identifier: BSD-3-Clause */
/* The table by which bspprof finds call sites gives each text its number, however many they are. */
#include "../../tools/bspprof/prof_names.c"
#include "../lib/tap.h"

#include <stdio.h>

enum { TEXTS = 50000 };

/* Texts that differ in few digits, and their beginnings; each once. */
static void make_text(char *text, size_t len, uint32_t i)
{
	snprintf(text, len, "%.*s%05u", (int)(i % 7), "sync a.c:", i / 2);
}

static bool each_has_its_number(struct prof_names *t)
{
	char text[40];

	for (uint32_t i = 0; i < TEXTS; i++) {
		uint32_t *number;

		make_text(text, sizeof(text), i);
		number = prof_names_number(t, text);
		if (!number || *number != PROF_NO_NUMBER)
			return false;
		*number = i;
	}
	for (uint32_t i = 0; i < TEXTS; i++) {
		const uint32_t *found;

		make_text(text, sizeof(text), i);
		found = prof_names_find(t, text);
		if (!found || *found != i || *prof_names_number(t, text) != i)
			return false;
	}
	return true;
}

int main(void)
{
	struct prof_names t = { .at = NULL };

	ok(!prof_names_find(&t, "a"), "an empty table has nothing");
	ok(each_has_its_number(&t), "each of %d texts keeps its number", TEXTS);
	is_int(TEXTS, (long)t.n, "none is there twice");
	ok(!prof_names_find(&t, "sync a.c:1"), "and what was not added is not found");
	ok(2 * t.n <= t.room && t.room <= 8 * t.n, "half of the places are free, not many more");
	prof_names_free(&t);
	ok(!t.at && !prof_names_find(&t, "00001"), "freed, it is empty");
	return done_testing();
}
