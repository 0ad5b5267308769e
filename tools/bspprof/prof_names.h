/* SPDX-License-Identifier: BSD-3-Clause */
/* prof_names.h - a number for each of many texts, found by a hash. */
#ifndef PROF_NAMES_H
#define PROF_NAMES_H

#include <stddef.h>
#include <stdint.h>

#define PROF_NO_NUMBER UINT32_MAX

/* A text and its number; text NULL: the place is free. */
struct prof_name {
	char *text;
	uint32_t hash, number;
};

/* Open addressing. All zero at first. */
struct prof_names {
	struct prof_name *at;
	size_t n, room;		/* names in it; places, a power of two, or 0 */
};

/*
 * Where the number of @text stands, until the next call: PROF_NO_NUMBER, if the text is new, for
 * the user to change. NULL: there is no memory for it.
 */
uint32_t *prof_names_number(struct prof_names *t, const char *text);
/* Likewise, without a new one; NULL: the text is not there. */
const uint32_t *prof_names_find(const struct prof_names *t, const char *text);
void prof_names_free(struct prof_names *t);

#endif
