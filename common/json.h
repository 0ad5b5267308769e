/* SPDX-License-Identifier: BSD-3-Clause */
/* json.h - read JSON text piece by piece, strictly; write strings. */

/*
 * The caller says what comes next and gets it. After the first mistake nothing is
 * read any more: every call returns at once, loops end, and json->wrong says what was
 * expected at json->at. So one look at the end is enough.
 *
 *	bspi_json_open(&json, '{');
 *	while (bspi_json_more(&json, '}')) {
 *		bspi_json_key(&json, key, sizeof(key));
 *		...
 *	}
 *	bspi_json_end(&json);
 */
#ifndef BSPI_JSON_H
#define BSPI_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct json {
	const char *text, *at, *end;
	const char *wrong;	/* NULL: nothing so far */
	bool first;		/* the next member is the first of its object or array */
};

void bspi_json_begin(struct json *json, const char *text, size_t len);

/* From here on nothing is right any more, because of @wrong. */
void bspi_json_refuse(struct json *json, const char *wrong);

/* The beginning of an object or array, by its bracket. */
void bspi_json_open(struct json *json, char bracket);

/* Does another member follow? If not, the bracket @close has been read. */
bool bspi_json_more(struct json *json, char close);

/* A string; @text is always terminated. One that does not fit is a mistake. */
void bspi_json_string(struct json *json, char *text, size_t len);

/* The name of a member and its colon. */
void bspi_json_key(struct json *json, char *key, size_t len);

double bspi_json_number(struct json *json);

/* Skip a value. */
void bspi_json_skip(struct json *json);

/* There is nothing more. */
void bspi_json_end(struct json *json);

/* A number in a structure, by the name of its member. */
struct json_field {
	const char *key;
	size_t offset;		/* of the double */
	bool whole;		/* a count */
	bool is_signed;		/* may be negative */
	bool optional;		/* may be missing, and then stays as it was */
};

enum { JSON_FIELDS = 16 };

/*
 * An object that has each of at most JSON_FIELDS @fields that are not optional, none of them
 * twice, and perhaps others that are of no interest, into *@into.
 */
void bspi_json_fields(struct json *json, const struct json_field *fields, int nfields, void *into);

/*
 * @text as a string, with its quotes; what is not UTF-8 becomes U+FFFD. It may stand in a script or
 * a comment of a page.
 */
void bspi_json_write(FILE *out, const char *text);

#endif
