/* SPDX-License-Identifier: BSD-3-Clause */
/* A text that ends too early is refused at its end or before it; only the last newline may be
 * missing. */
#include "../lib/schedules.h"
#include "../lib/texts.h"

/* From memory of exactly that size, so that a sanitizer sees every byte too far. */
static int parse(struct goal_set *set, const char *text, size_t len, struct goal_where *where)
{
	char *copy = some(len);
	int error;

	memcpy(copy, text, len);
	error = goal_parse(set, copy, len, where);
	free(copy);
	return error;
}

static int lines_of(const char *text, size_t len)
{
	int lines = 1;

	for (size_t i = 0; i < len; i++)
		lines += text[i] == '\n';
	return lines;
}

static void check(const char *text, const char *name)
{
	size_t len = strlen(text), accepted = 0, misplaced = 0;
	struct goal_where where;
	struct goal_set set;

	for (size_t n = 0; n <= len; n++) {
		if (parse(&set, text, n, &where) == 0) {
			accepted++;
			goal_set_free(&set);
			if (n < len - 1)
				diag("%s: accepted after %zu bytes", name, n);
		} else if (where.line < 1 || where.line > lines_of(text, n) || !where.what[0]) {
			misplaced++;
		}
	}
	is_int(2, accepted, "%s: accepted only with and without its last newline", name);
	is_int(0, misplaced, "%s: each error is in the text, and has words", name);
}

int main(void)
{
	check(plain_text, "LogGOPSim's words");
	check(annotated_text, "annotations");
	return done_testing();
}
