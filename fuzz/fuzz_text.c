/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_text.c - any bytes as text are rejected at a valid position, or survive a round trip. */
#include "goal.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Something that must hold does not: libFuzzer keeps the input. */
static void insist(bool holds)
{
	if (!holds)
		abort();
}

static FILE *into(char **text, size_t *len)
{
	FILE *out = open_memstream(text, len);

	insist(out);
	return out;
}

/* Columns are at most one behind the end of a line; there is such a line. */
static void check_where(const uint8_t *data, size_t size, const struct goal_where *where)
{
	const uint8_t *at = data, *end = data + size, *next;
	int line = 1;

	insist(where->line >= 1 && where->column >= 1 && where->what[0]);
	while (line < where->line) {
		next = memchr(at, '\n', (size_t)(end - at));
		insist(next);
		at = next + 1;
		line++;
	}
	next = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
	insist(where->column <= (next ? next : end) - at + 1);
}

static void check_block(const void *block, size_t len)
{
	size_t work_bytes = goal_check_bytes(len), at;
	void *work = malloc(work_bytes);
	struct goal_prog prog;

	insist(work);
	insist(goal_check(block, len, UINT32_MAX, work, work_bytes, &prog, &at) == 0);
	free(work);
}

static void check_same(const struct goal_set *a, const struct goal_set *b)
{
	insist(a->nprocs == b->nprocs);
	for (int i = 0; i < a->nprocs; i++)
		insist(a->len[i] == b->len[i] && memcmp(a->block[i], b->block[i], a->len[i]) == 0);
}

/* Text, read again. */
static void go_round(const struct goal_set *set)
{
	struct goal_where where;
	struct goal_set again;
	char *text;
	size_t len;
	FILE *out = into(&text, &len);

	insist(goal_dump(set, out) == 0 && fclose(out) == 0);
	insist(goal_parse(&again, text, len, &where) == 0);
	check_same(set, &again);
	goal_set_free(&again);
	free(text);
}

/* Writers: they must do no harm. */
static void show(const struct goal_set *set)
{
	char *text;
	size_t len;
	FILE *out = into(&text, &len);

	for (int i = 0; i < set->nprocs; i++) {
		struct goal_prog prog = { .header = set->block[i] };

		insist(goal_list_block(&prog, out) == 0);
	}
	insist(goal_draw_dot(set, out) == 0 && fclose(out) == 0);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct goal_where where;
	struct goal_set set;

	if (goal_parse(&set, (const char *)data, size, &where)) {
		check_where(data, size, &where);
		return 0;
	}
	for (int i = 0; i < set.nprocs; i++)
		check_block(set.block[i], set.len[i]);
	go_round(&set);
	show(&set);
	goal_set_free(&set);
	return 0;
}
