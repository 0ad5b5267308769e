// SPDX-License-Identifier: BSD-3-Clause
/* json.c - read JSON text piece by piece, strictly; write strings. */

#include "json.h"

#include "plain.h"
#include "text.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	NUMBER_MOST = 64,	/* characters of a number */
	KEY_MOST = 64,
	DEPTH_MOST = 16,	/* of what is skipped */
};

void bspi_json_begin(struct json *json, const char *text, size_t len)
{
	*json = (struct json){ .text = text, .at = text, .end = text + len };
}

void bspi_json_refuse(struct json *json, const char *wrong)
{
	if (!json->wrong)
		json->wrong = wrong;
}

/* The next character that is not blank; '\0' at the end or after a mistake. */
static char json_next(struct json *json)
{
	if (json->wrong)
		return '\0';
	while (json->at < json->end && memchr(" \t\r\n", *json->at, 4))
		json->at++;
	return json->at < json->end ? *json->at : '\0';
}

static bool json_take(struct json *json, char c, const char *wrong)
{
	if (json_next(json) == c && c != '\0') {
		json->at++;
		return true;
	}
	bspi_json_refuse(json, wrong);
	return false;
}

void bspi_json_open(struct json *json, char bracket)
{
	if (json_take(json, bracket, bracket == '{' ? "expected an object" : "expected an array"))
		json->first = true;
}

bool bspi_json_more(struct json *json, char close)
{
	char c = json_next(json);

	if (json->wrong)
		return false;
	if (c == close) {
		json->at++;
		json->first = false;
		return false;
	}
	if (!json->first && !json_take(json, ',', "expected a comma or the closing bracket"))
		return false;
	json->first = false;
	return true;
}

/* ---- Strings --------------------------------------------------------------- */

/* Four hexadecimal digits; negative if they are none. */
static long take_hex(struct json *json)
{
	char digits[5] = "";

	if (json->end - json->at < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		if (!isxdigit((unsigned char)json->at[i]))
			return -1;
		digits[i] = json->at[i];
	}
	json->at += 4;
	return strtol(digits, NULL, 16);
}

/* A code point as UTF-8; its length. */
static size_t encode(long code, char *out)
{
	if (code < 0x80) {
		out[0] = code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = 0xc0 | code >> 6;
		out[1] = 0x80 | (code & 0x3f);
		return 2;
	}
	if (code < 0x10000) {
		out[0] = 0xe0 | code >> 12;
		out[1] = 0x80 | (code >> 6 & 0x3f);
		out[2] = 0x80 | (code & 0x3f);
		return 3;
	}
	out[0] = 0xf0 | code >> 18;
	out[1] = 0x80 | (code >> 12 & 0x3f);
	out[2] = 0x80 | (code >> 6 & 0x3f);
	out[3] = 0x80 | (code & 0x3f);
	return 4;
}

/*
 * The number behind a \u: a code point, of two halves if it is a large one; negative if it is
 * wrong.
 */
static long take_code(struct json *json)
{
	long code = take_hex(json), low;

	if (code < 0xd800 || code > 0xdfff)
		return code == 0 ? -1 : code;
	if (code > 0xdbff || json->end - json->at < 6 || memcmp(json->at, "\\u", 2) != 0)
		return -1;
	json->at += 2;
	low = take_hex(json);
	if (low < 0xdc00 || low > 0xdfff)
		return -1;
	return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
}

/* The character that an escape stands for, its backslash read; the length, or 0 if it is wrong. */
static size_t take_escape(struct json *json, char *out)
{
	static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	const char *found;
	char c;
	long code;

	if (json->at == json->end)
		return 0;
	c = *json->at++;
	if (c == 'u') {
		code = take_code(json);
		return code < 0 ? 0 : encode(code, out);
	}
	found = c ? strchr(letters, c) : NULL;
	if (!found)
		return 0;
	out[0] = meant[found - letters];
	return 1;
}

/* The next character of a string, not its quote; the length, or 0 if it is wrong. */
static size_t take_character(struct json *json, char *out)
{
	unsigned char c = *json->at++;

	if (c == '\\')
		return take_escape(json, out);
	out[0] = c;
	return c < 0x20 ? 0 : 1;
}

void bspi_json_string(struct json *json, char *text, size_t len)
{
	char out[4];
	size_t used = 0, n;

	text[0] = '\0';
	if (!json_take(json, '"', "expected a string"))
		return;
	while (json->at < json->end && *json->at != '"') {
		n = take_character(json, out);
		if (n == 0)
			bspi_json_refuse(json, "a character that cannot be in a string");
		if (used + n >= len)
			bspi_json_refuse(json, "a string that is too long");
		if (json->wrong)
			return;
		memcpy(text + used, out, n);
		used += n;
		text[used] = '\0';
	}
	if (json->at == json->end)
		bspi_json_refuse(json, "a string that does not end");
	else
		json->at++;
}

void bspi_json_key(struct json *json, char *key, size_t len)
{
	bspi_json_string(json, key, len);
	json_take(json, ':', "expected a colon");
}

/* ---- Numbers --------------------------------------------------------------- */

static size_t digits(const char *at)
{
	return strspn(at, "0123456789");
}

/* Is all of @number a number as JSON has it? */
static bool is_number(const char *number)
{
	const char *at = number + (*number == '-');
	size_t n = digits(at);

	if (n == 0 || (n > 1 && *at == '0'))
		return false;
	at += n;
	if (*at == '.') {
		n = digits(++at);
		if (n == 0)
			return false;
		at += n;
	}
	if (*at == 'e' || *at == 'E') {
		at++;
		at += *at == '+' || *at == '-';
		n = digits(at);
		if (n == 0)
			return false;
		at += n;
	}
	return *at == '\0';
}

double bspi_json_number(struct json *json)
{
	char number[NUMBER_MOST] = "";
	size_t len = 0;
	double value;

	json_next(json);
	if (json->wrong)
		return 0;
	while (json->at + len < json->end && len < sizeof(number) - 1 && json->at[len] &&
	       strchr("+-.0123456789eE", json->at[len])) {
		number[len] = json->at[len];
		len++;
	}
	value = is_number(number) ? plain_strtod(number, NULL) : HUGE_VAL;
	if (!isfinite(value)) {
		bspi_json_refuse(json, "expected a number");
		return 0;
	}
	json->at += len;
	return value;
}

/* ---- Whole values ---------------------------------------------------------- */

static void skip_word(struct json *json)
{
	static const char *const words[] = { "true", "false", "null" };

	for (int i = 0; i < 3; i++) {
		size_t len = strlen(words[i]);

		if ((size_t)(json->end - json->at) < len || memcmp(json->at, words[i], len) != 0)
			continue;
		json->at += len;
		return;
	}
	bspi_json_refuse(json, "expected a value");
}

static void skip_string(struct json *json)
{
	char out[4];

	json->at++;
	while (json->at < json->end && *json->at != '"') {
		if (take_character(json, out) == 0) {
			bspi_json_refuse(json, "a character that cannot be in a string");
			return;
		}
	}
	json_take(json, '"', "a string that does not end");
}

static void skip_value(struct json *json, int depth);

static void skip_members(struct json *json, char open, char close, int depth)
{
	bspi_json_open(json, open);
	while (bspi_json_more(json, close)) {
		if (open == '{') {
			if (json_next(json) != '"')
				bspi_json_refuse(json, "expected a string");
			else
				skip_string(json);
			json_take(json, ':', "expected a colon");
		}
		skip_value(json, depth + 1);
	}
}

static void skip_value(struct json *json, int depth)
{
	char c = json_next(json);

	if (json->wrong)
		return;
	if (depth > DEPTH_MOST)
		bspi_json_refuse(json, "brackets too deep");
	else if (c == '{')
		skip_members(json, '{', '}', depth);
	else if (c == '[')
		skip_members(json, '[', ']', depth);
	else if (c == '"')
		skip_string(json);
	else if (c == '-' || isdigit((unsigned char)c))
		bspi_json_number(json);
	else
		skip_word(json);
}

void bspi_json_skip(struct json *json)
{
	skip_value(json, 0);
}

void bspi_json_end(struct json *json)
{
	json_next(json);
	if (json->at < json->end)
		bspi_json_refuse(json, "expected nothing more");
}

/* ---- Structures ------------------------------------------------------------ */

void bspi_json_fields(struct json *json, const struct json_field *fields, int nfields, void *into)
{
	bool seen[JSON_FIELDS] = { false };
	char key[KEY_MOST];
	double value;
	int i;

	bspi_json_open(json, '{');
	while (bspi_json_more(json, '}')) {
		bspi_json_key(json, key, sizeof(key));
		for (i = 0; i < nfields && strcmp(key, fields[i].key) != 0; i++)
			;
		if (i == nfields) {
			bspi_json_skip(json);
			continue;
		}
		if (seen[i])
			bspi_json_refuse(json, "a member that was there before");
		seen[i] = true;
		value = bspi_json_number(json);
		if (value < 0 && !fields[i].is_signed)
			bspi_json_refuse(json, "a negative number");
		if (fields[i].whole && (value != floor(value) || value > 0x1p53))
			bspi_json_refuse(json, "not a count");
		*(double *)((char *)into + fields[i].offset) = value;
	}
	for (i = 0; i < nfields; i++)
		if (!seen[i] && !fields[i].optional)
			bspi_json_refuse(json, "a member is missing in the object before");
}

void bspi_json_write(FILE *out, const char *text)
{
	const unsigned char *begin = (const unsigned char *)text;

	putc('"', out);
	for (const unsigned char *c = begin; *c;) {
		size_t len = text_character((const char *)c);
		bool behind_hyphen = c > begin && c[-1] == '-';

		/*
		 * A character that would end a script or a comment, or begin another thing in it,
		 * is written by its number.
		 */
		if (!len)
			fputs("\\ufffd", out);		/* what stands for no character */
		else if (*c < 0x20 || strchr("<>&", *c) || (*c == '-' && behind_hyphen))
			fprintf(out, "\\u%04x", *c);
		else
			fprintf(out, strchr("\"\\", *c) ? "\\%.*s" : "%.*s", (int)len, c);
		c += len ? len : 1;
	}
	putc('"', out);
}
