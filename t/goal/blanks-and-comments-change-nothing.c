/* SPDX-License-Identifier: BSD-3-Clause */
/* Blanks around statements, empty lines, comments and carriage returns give the same blocks. */
#include "../lib/schedules.h"
#include "../lib/texts.h"

static struct goal_set wanted;

static bool same(const struct goal_set *a, const struct goal_set *b)
{
	for (int i = 0; i < a->nprocs && a->nprocs == b->nprocs; i++)
		if (a->len[i] != b->len[i] || memcmp(a->block[i], b->block[i], a->len[i]) != 0)
			return false;
	return a->nprocs == b->nprocs;
}

/* Each newline of the text, and each of its lines, gets something around it. */
static char *changed(const char *text, const char *before, const char *newline)
{
	char *result, *at;

	result = at = some(strlen(text) * (strlen(before) + strlen(newline) + 1) + 1);
	at = stpcpy(at, before);
	for (; *text; text++) {
		if (*text != '\n') {
			*at++ = *text;
			continue;
		}
		at = stpcpy(at, newline);
		if (text[1])
			at = stpcpy(at, before);
	}
	*at = '\0';
	return result;
}

static void check(const char *text, const char *before, const char *newline, const char *name)
{
	char *other = changed(text, before, newline);
	struct goal_where where = { .what = "" };
	struct goal_set set;

	if (goal_parse(&set, other, strlen(other), &where)) {
		ok(false, "%s: %d:%d: %s", name, where.line, where.column, where.what);
	} else {
		ok(same(&wanted, &set), "%s", name);
		goal_set_free(&set);
	}
	free(other);
}

static void check_text(const char *text)
{
	struct goal_where where;

	if (goal_parse(&wanted, text, strlen(text), &where))
		bail("%d:%d: %s", where.line, where.column, where.what);
	check(text, "", "\r\n", "carriage returns");
	check(text, " \t", "\n", "blanks before statements");
	check(text, "", " \t\n", "blanks behind them");
	check(text, "", "\n\n \n", "empty lines");
	check(text, "// a comment\n", "\n", "comments");
	check(text, "/* a long\n comment */\n", "\n", "long comments");
	check(text, "/* one */ /***/", "\n", "comments on the same line");
	goal_set_free(&wanted);
}

int main(void)
{
	check_text(plain_text);
	check_text(annotated_text);
	return done_testing();
}
