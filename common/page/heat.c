// SPDX-License-Identifier: BSD-3-Clause
/* heat.c - a heat map: a square for each pair, darker where the value is higher. */

#include "heat.h"

#include "picture.h"

#include <math.h>

enum {
	CELL = 14,
	NAME = 48,	/* bytes of a name or a value */
	SIZE = 12,	/* of letters */
	AWAY = 6,	/* of the squares */
	HIGH = 20,	/* of a line of names */
};

static void heat_names(struct markup *m, const struct page_heat *h, double left, double top)
{
	int by_row = (int)ceil((double)SIZE * 1.4 / CELL);
	int by_column = (int)ceil((left + AWAY) / CELL);
	char text[NAME];

	svg_text(m, "soft", SVG_UP_TO, left - AWAY, top - AWAY, "%s", h->rows);
	svg_text(m, "soft", SVG_FROM, left, HIGH - AWAY, "%s", h->columns);
	for (int i = 0; i < h->n; i += by_row)
		svg_text(m, "soft", SVG_UP_TO, left - AWAY, top + i * CELL + CELL - 3, "%s",
			 h->name(h->values, i, text, sizeof(text)));
	for (int i = 0; i < h->n; i += by_column)
		svg_text(m, "soft", SVG_FROM, left + i * CELL, top - AWAY, "%s",
			 h->name(h->values, i, text, sizeof(text)));
}

static void heat_cell(struct markup *m, const struct page_heat *h, int row, int column, double left,
		      double top, double most)
{
	double value = h->value(h->values, row, column);
	char from[NAME], to[NAME], text[NAME];

	svg_rect(m, "cell", left + column * CELL, top + row * CELL, CELL, CELL);
	markup_attribute(m, "fill-opacity", "%.3f", most > 0 ? value / most : 0);
	svg_tip(m, "%s %s, %s %s: %s", h->rows, h->name(h->values, row, from, sizeof(from)),
		h->columns, h->name(h->values, column, to, sizeof(to)),
		h->value_text(value, text, sizeof(text)));
	markup_close(m);
}

void page_heat(struct markup *m, const struct page_heat *h)
{
	double left = svg_width(h->rows, SIZE), top = 2 * HIGH, most = 0, right;
	char text[NAME];

	for (int i = 0; i < h->n; i++)
		left = fmax(left, svg_width(h->name(h->values, i, text, sizeof(text)), SIZE));
	left += AWAY;
	right = fmax(left, svg_width(h->columns, SIZE) + AWAY - h->n * CELL);
	for (int row = 0; row < h->n; row++)
		for (int column = 0; column < h->n; column++)
			most = fmax(most, h->value(h->values, row, column));
	svg_begin(m, left + h->n * CELL + right, top + h->n * CELL + AWAY, h->label);
	heat_names(m, h, left, top);
	for (int row = 0; row < h->n; row++)
		for (int column = 0; column < h->n; column++)
			heat_cell(m, h, row, column, left, top, most);
	svg_end(m);
}
