// SPDX-License-Identifier: BSD-3-Clause
/* picture.c - shapes and words of a picture, which is SVG. */

#include "picture.h"

#include "style.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { LEAST = 480 };	/* a wider picture shrinks to this before it scrolls */

static void svg_size(struct markup *m, double width, double height)
{
	markup_attribute(m, "width", "%.0f", width);
	markup_attribute(m, "height", "%.0f", height);
	markup_attribute(m, "viewBox", "0 0 %.0f %.0f", width, height);
	markup_attribute(m, "role", "img");
}

void svg_begin(struct markup *m, double width, double height, const char *label)
{
	markup_open(m, "div");
	markup_attribute(m, "class", "picture");
	markup_attribute(m, "tabindex", "0");
	markup_attribute(m, "role", "region");
	markup_attribute(m, "aria-label", "%s", label);
	markup_open(m, "svg");
	svg_size(m, width, height);
	markup_attribute(m, "style", "min-width:%.0fpx", fmin(width, LEAST));
	markup_attribute(m, "aria-label", "%s", label);
}

void svg_end(struct markup *m)
{
	markup_close(m);
	markup_close(m);
}

void svg_document(struct markup *m, FILE *out, double width, double height, const char *title)
{
	markup_begin(m, out);
	markup_open(m, "svg");
	markup_attribute(m, "xmlns", "http://www.w3.org/2000/svg");
	svg_size(m, width, height);
	markup_element(m, "title", NULL, "%s", title);
	style_write(m, NULL);
	svg_rect(m, "page", 0, 0, width, height);
	markup_close(m);
}

void svg_rect(struct markup *m, const char *class, double x, double y, double width, double height)
{
	markup_open(m, "rect");
	markup_attribute(m, "class", "%s", class);
	markup_attribute(m, "x", "%.1f", x);
	markup_attribute(m, "y", "%.1f", y);
	markup_attribute(m, "width", "%.1f", width);
	markup_attribute(m, "height", "%.1f", height);
}

void svg_line(struct markup *m, const char *class, double x1, double y1, double x2, double y2)
{
	markup_open(m, "line");
	markup_attribute(m, "class", "%s", class);
	markup_attribute(m, "x1", "%.1f", x1);
	markup_attribute(m, "y1", "%.1f", y1);
	markup_attribute(m, "x2", "%.1f", x2);
	markup_attribute(m, "y2", "%.1f", y2);
}

void svg_dot(struct markup *m, const char *class, double x, double y, double radius)
{
	markup_open(m, "circle");
	markup_attribute(m, "class", "%s", class);
	markup_attribute(m, "cx", "%.1f", x);
	markup_attribute(m, "cy", "%.1f", y);
	markup_attribute(m, "r", "%.1f", radius);
}

void svg_tip(struct markup *m, const char *format, ...)
{
	char text[1024], *line = text, *end;
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	markup_open(m, "title");
	/* The end of a line is the end of a line. */
	while ((end = strchr(line, '\n'))) {
		markup_text(m, "%.*s", (int)(end - line), line);
		putc('\n', m->out);
		line = end + 1;
	}
	markup_text(m, "%s", line);
	markup_close(m);
}

void svg_text(struct markup *m, const char *class, enum svg_anchor anchor, double x, double y,
	      const char *format, ...)
{
	static const char *const words[] = { "start", "end", "middle" };
	char text[1024];
	va_list list;

	markup_open(m, "text");
	markup_attribute(m, "class", "%s", class);
	if (anchor != SVG_FROM)
		markup_attribute(m, "text-anchor", "%s", words[anchor]);
	markup_attribute(m, "x", "%.1f", x);
	markup_attribute(m, "y", "%.1f", y);
	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	markup_text(m, "%s", text);
	markup_close(m);
}

double svg_width(const char *text, double size)
{
	double width = 0;

	/* DejaVu Sans is among the widest: digits 0.64 of its size, M and W nearly all of it. */
	for (; *text; text++)
		if ((*text & 0xc0) != 0x80)
			width += *text == ' ' ? 0.35 : *text == 'M' || *text == 'W' ? 1 : 0.68;
	return width * size;
}
