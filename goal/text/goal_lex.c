// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_lex.c - words, numbers and comments of schedules as text, and where they stand. */

#include "goal/text/goal_text.h"

#include <limits.h>
#include <stdarg.h>

enum { QUOTED_MOST = 24 };	/* characters of the text, in a message */

static const char zero_byte[] = "a byte of value 0, which no text has";

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool lex_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

void goal_lex_begin(struct goal_lex *lex, const char *text, size_t len, struct goal_where *where)
{
	*lex = (struct goal_lex){
		.at = text, .end = text + len, .line_at = text, .line = 1, .where = where,
	};
	*where = (struct goal_where){ 0 };
}

static void lex_skip_blanks(struct goal_lex *lex)
{
	for (; lex->at < lex->end; lex->at++) {
		char c = *lex->at;

		/* A carriage return is a blank, so that lines may end in both. */
		if (c != ' ' && c != '\t' && c != '\r' && c != '\v' && c != '\f')
			return;
	}
}

static struct goal_mark lex_here(const struct goal_lex *lex)
{
	ptrdiff_t before = lex->at - lex->line_at;

	return (struct goal_mark){ lex->line, before < INT_MAX ? (int)before + 1 : INT_MAX };
}

struct goal_mark goal_lex_mark(struct goal_lex *lex)
{
	lex_skip_blanks(lex);
	return lex_here(lex);
}

/* ---- Refusing ------------------------------------------------------------------ */

bool goal_lex_refuse(struct goal_lex *lex, struct goal_mark mark, const char *format, ...)
{
	va_list args;

	if (lex->refused)
		return false;
	lex->refused = true;
	lex->where->line = mark.line;
	lex->where->column = mark.column;
	va_start(args, format);
	vsnprintf(lex->where->what, sizeof(lex->where->what), format, args);
	va_end(args);
	return false;
}

bool goal_lex_no_memory(struct goal_lex *lex)
{
	return goal_lex_refuse(lex, goal_lex_mark(lex), "not enough memory");
}

bool goal_lex_expected(struct goal_lex *lex, const char *what)
{
	struct goal_mark mark;
	int n = 0;

	lex_skip_blanks(lex);
	mark = lex_here(lex);
	if (lex->at == lex->end)
		return goal_lex_refuse(lex, mark, "expected %s, found the end of the text", what);
	if (*lex->at == '\0')
		return goal_lex_refuse(lex, mark, zero_byte);
	if (*lex->at == '\n')
		return goal_lex_refuse(lex, mark, "expected %s, found the end of the line", what);
	/* A word is quoted, or one character that is visible. */
	while (n < lex->end - lex->at && n < QUOTED_MOST && lex_is_word(lex->at[n]))
		n++;
	if (n == 0 && *lex->at > ' ' && *lex->at <= '~')
		n = 1;
	if (n == 0)
		return goal_lex_refuse(lex, mark, "expected %s, found a byte of value %d", what,
				       (unsigned char)*lex->at);
	return goal_lex_refuse(lex, mark, "expected %s, found '%.*s'", what, n, lex->at);
}

/* ---- Between statements ------------------------------------------------------------ */

static bool next_is(const struct goal_lex *lex, const char *chars)
{
	size_t len = strlen(chars);

	return (size_t)(lex->end - lex->at) >= len && memcmp(lex->at, chars, len) == 0;
}

/* Pass over one character, of a comment or between statements. */
static bool pass(struct goal_lex *lex)
{
	if (*lex->at == '\0')
		return goal_lex_refuse(lex, lex_here(lex), zero_byte);
	if (*lex->at++ == '\n') {
		lex->line_at = lex->at;
		lex->line += lex->line < INT_MAX;
	}
	return true;
}

static bool pass_block_comment(struct goal_lex *lex)
{
	struct goal_mark mark = goal_lex_mark(lex);

	lex->at += 2;
	while (lex->at < lex->end && !next_is(lex, "*/"))
		if (!pass(lex))
			return false;
	if (lex->at == lex->end)
		return goal_lex_refuse(lex, mark, "this comment is not closed: expected */");
	lex->at += 2;
	return true;
}

bool goal_lex_statement(struct goal_lex *lex)
{
	bool good = true;

	while (good) {
		lex_skip_blanks(lex);
		if (lex->at == lex->end)
			return false;
		if (*lex->at == '\n') {
			good = pass(lex);
		} else if (next_is(lex, "/*")) {
			good = pass_block_comment(lex);
		} else if (next_is(lex, "//") && !next_is(lex, "//!")) {
			while (good && lex->at < lex->end && *lex->at != '\n')
				good = pass(lex);
		} else {
			return true;
		}
	}
	return false;
}

bool goal_lex_annotation(struct goal_lex *lex)
{
	if (!next_is(lex, "//!"))
		return false;
	lex->at += 3;
	return true;
}

bool goal_lex_at_end_of_line(struct goal_lex *lex)
{
	lex_skip_blanks(lex);
	return lex->at == lex->end || *lex->at == '\n';
}

bool goal_lex_end_of_line(struct goal_lex *lex, const char *after)
{
	struct goal_mark mark;

	if (goal_lex_at_end_of_line(lex))
		return true;
	mark = goal_lex_mark(lex);
	if (*lex->at == '\0')
		return goal_lex_expected(lex, "the end of the line");
	if (next_is(lex, "//") || next_is(lex, "/*"))
		return goal_lex_refuse(lex, mark,
				       "a comment after %s: comments have lines of their own",
				       after);
	return goal_lex_refuse(lex, mark, "text after %s: expected the end of the line", after);
}

/* ---- Words and numbers --------------------------------------------------------------- */

bool goal_lex_char(struct goal_lex *lex, char c)
{
	lex_skip_blanks(lex);
	if (lex->at == lex->end || *lex->at != c)
		return false;
	lex->at++;
	return true;
}

struct goal_span goal_lex_peek(struct goal_lex *lex)
{
	struct goal_span span;

	lex_skip_blanks(lex);
	span = (struct goal_span){ lex->at, 0 };
	while (span.at + span.len < lex->end && lex_is_word(span.at[span.len]))
		span.len++;
	return span;
}

bool goal_lex_is(struct goal_span span, const char *word)
{
	return span.len == strlen(word) && memcmp(span.at, word, span.len) == 0;
}

bool goal_lex_word(struct goal_lex *lex, const char *word)
{
	struct goal_span span = goal_lex_peek(lex);

	if (!goal_lex_is(span, word))
		return false;
	lex->at += span.len;
	return true;
}

bool goal_lex_label(struct goal_lex *lex, struct goal_span *label)
{
	struct goal_span span = goal_lex_peek(lex);

	if (span.len == 0 || is_digit(*span.at) || *span.at == '_')
		return goal_lex_expected(lex, "a label");
	*label = span;
	lex->at += span.len;
	return true;
}

static bool lex_number(struct goal_lex *lex, const char *what, uint64_t most, uint64_t *value)
{
	struct goal_mark mark = goal_lex_mark(lex);
	uint64_t sum = 0;

	if (lex->at == lex->end || !is_digit(*lex->at))
		return goal_lex_expected(lex, what);
	for (; lex->at < lex->end && is_digit(*lex->at); lex->at++) {
		unsigned int digit = *lex->at - '0';

		if (sum > (UINT64_MAX - digit) / 10)
			return goal_lex_refuse(lex, mark, "%s: the number is too large", what);
		sum = sum * 10 + digit;
	}
	if (sum > most)
		return goal_lex_refuse(lex, mark, "%s: expected at most %llu", what,
				       (unsigned long long)most);
	*value = sum;
	return true;
}

bool goal_lex_number(struct goal_lex *lex, const char *what, uint64_t most, uint64_t *value)
{
	if (!lex_number(lex, what, most, value))
		return false;
	if (lex->at < lex->end && lex_is_word(*lex->at))
		return goal_lex_refuse(lex, goal_lex_mark(lex),
				       "%s: expected a blank after the number", what);
	return true;
}

bool goal_lex_bytes(struct goal_lex *lex, const char *what, uint64_t most, uint64_t *value)
{
	struct goal_mark mark = goal_lex_mark(lex);

	if (!lex_number(lex, what, most, value))
		return false;
	if (lex->at == lex->end || *lex->at != 'b')
		return goal_lex_refuse(lex, mark, "%s: expected 'b' right after the number", what);
	lex->at++;
	if (lex->at < lex->end && lex_is_word(*lex->at))
		return goal_lex_expected(lex, "a blank");
	return true;
}
