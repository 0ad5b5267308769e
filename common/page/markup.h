/* SPDX-License-Identifier: BSD-3-Clause */
/* markup.h - elements, attributes and texts, as HTML and as XML. */

/*
 * Names of elements and attributes are literals of the caller; each text and each value is escaped
 * here, so that no text can end an element or begin one. An element that is not closed cannot be
 * forgotten: markup_end() closes all. Lines end between elements, never inside of a text, so that
 * a row of a table and a shape of a picture are a line each.
 */
#ifndef MARKUP_H
#define MARKUP_H

#include <stdbool.h>
#include <stdio.h>

enum { MARKUP_DEPTH = 32 };

struct markup {
	FILE *out;
	/* private: */
	const char *open[MARKUP_DEPTH];	/* the outermost first */
	int depth;
	bool in_tag;			/* of the innermost, which may get attributes */
	bool has_contents;		/* the innermost */
};

void markup_begin(struct markup *m, FILE *out);

/* Begin an element; of at most MARKUP_DEPTH around each other. */
void markup_open(struct markup *m, const char *name);

/* An attribute of the element that was just begun. */
__attribute__((format(printf, 3, 4)))
void markup_attribute(struct markup *m, const char *name, const char *format, ...);

/* Any text; a control character is a question mark. */
__attribute__((format(printf, 2, 3)))
void markup_text(struct markup *m, const char *format, ...);

/* End the innermost element. */
void markup_close(struct markup *m);

/* A whole element, of @class unless that is NULL. */
__attribute__((format(printf, 4, 5)))
void markup_element(struct markup *m, const char *name, const char *class, const char *format, ...);

/* End all elements but the outermost @depth. */
void markup_close_to(struct markup *m, int depth);

/* End all. */
void markup_end(struct markup *m);

#endif
