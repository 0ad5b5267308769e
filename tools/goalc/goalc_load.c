// SPDX-License-Identifier: BSD-3-Clause
/* goalc_load.c - read schedules, as text or binary, and report what is wrong. */

#include "goalc.h"

#include "common/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *input_name(const char *file)
{
	return goalc_is_standard(file) ? "standard input" : file;
}

/* No text begins as these do. */
static bool begins_with(const char *bytes, size_t len, uint32_t magic)
{
	return len >= sizeof(magic) && memcmp(bytes, &magic, sizeof(magic)) == 0;
}

/* Neither text nor blocks: endless ones, like /dev/zero, are not read to their end. */
static bool is_wrong(const char *bytes, size_t len, size_t read)
{
	return !begins_with(bytes, len, GOAL_SET_MAGIC) && memchr(bytes + len - read, '\0', read);
}

/*
 * All that is left of a file, or as much as shows that it is wrong; malloc()ed, @len bytes and
 * a 0. NULL: errno says why.
 */
static char *goalc_load_read_all(FILE *in, size_t *len)
{
	size_t room = 1 << 16, n;
	char *text = malloc(room), *more;

	*len = 0;
	while (text && (n = fread(text + *len, 1, room - 1 - *len, in)) > 0) {
		*len += n;
		if (is_wrong(text, *len, n))
			break;
		if (*len < room - 1)
			continue;
		room *= 2;
		more = realloc(text, room);
		if (!more)
			free(text);
		text = more;
	}
	if (text && ferror(in)) {
		free(text);
		return NULL;
	}
	if (text)
		text[*len] = '\0';
	return text;
}

static int load_binary(const char *file, char *bytes, size_t len, struct goal_set *set)
{
	struct goal_where where = { 0 };
	FILE *in = fmemopen(bytes, len, "rb");
	int wrong;

	if (!in)
		return goalc_fail("%s: %s", input_name(file), strerror(errno));
	wrong = goal_set_read(set, in, &where);
	fclose(in);
	if (!wrong)
		return GOALC_GOOD;
	return goalc_fail("%s: at byte %llu: %s", input_name(file), (unsigned long long)where.at,
			  where.what);
}

static int load_text(const char *file, const char *text, size_t len, struct goal_set *set)
{
	struct goal_where where = { 0 };

	if (goal_parse(set, text, len, &where) == 0)
		return GOALC_GOOD;
	fflush(stdout);
	fprintf(stderr, "%s:%d:%d: %s\n", input_name(file), where.line, where.column, where.what);
	return GOALC_WRONG;
}

int goalc_load(const char *file, struct goal_set *set)
{
	FILE *in = goalc_is_standard(file) ? stdin : input_open_any(file);
	size_t len = 0;
	char *bytes;
	int status;

	if (!in)
		return goalc_fail("%s: %s", file, input_reason(errno));
	bytes = goalc_load_read_all(in, &len);
	if (!bytes)
		status = goalc_fail("%s: %s", input_name(file), strerror(errno));
	else if (begins_with(bytes, len, GOAL_SET_MAGIC))
		status = load_binary(file, bytes, len, set);
	else if (begins_with(bytes, len, GOAL_MAGIC))
		status = goalc_fail("%s: the block of one process: expected those of all in a file",
				    input_name(file));
	else
		status = load_text(file, bytes, len, set);
	free(bytes);
	if (in != stdin)
		fclose(in);
	return status;
}
