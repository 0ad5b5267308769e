/* SPDX-License-Identifier: BSD-3-Clause */
/* picture.h - shapes and words of a picture, which is SVG: in a page, or a file of its own. */

/*
 * Lengths are pixels. A shape stays open, so that it can have attributes of its own and a tooltip,
 * until markup_close(). Classes are those of the one style sheet of all pages, style.c.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include "markup.h"

/*
 * A picture in a page. It shrinks a little where its card is narrower, then it scrolls in a frame;
 * @label says for a screen reader what it is. It ends with svg_end().
 */
void svg_begin(struct markup *m, double width, double height, const char *label);
void svg_end(struct markup *m);

/* A picture that is a file; markup_end() ends it. */
void svg_document(struct markup *m, FILE *out, double width, double height, const char *title);

void svg_rect(struct markup *m, const char *class, double x, double y, double width, double height);
void svg_line(struct markup *m, const char *class, double x1, double y1, double x2, double y2);
void svg_dot(struct markup *m, const char *class, double x, double y, double radius);

/* The words that appear when the pointer rests on the shape, on one line or several. */
__attribute__((format(printf, 2, 3)))
void svg_tip(struct markup *m, const char *format, ...);

/* Words, whole: they begin at @x, or end there, or have their middle there. */
enum svg_anchor { SVG_FROM, SVG_UP_TO, SVG_AROUND };
__attribute__((format(printf, 6, 7)))
void svg_text(struct markup *m, const char *class, enum svg_anchor anchor, double x, double y,
	      const char *format, ...);

/* Not less than the width of @text in letters of @size, whichever font the browser takes. */
double svg_width(const char *text, double size);

#endif
