// SPDX-License-Identifier: BSD-3-Clause
/* table.c - a table that fits its card: the first column stays, seldom needed ones are folded. */

#include "table.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
	INDENTS_MOST = 12,
	LEFT_OUT = 16,		/* with those of enum page_column */
};

struct page_cell {
	char *text, *code, *note;	/* the others may be NULL */
	const char *class;
	double meter;			/* below 0: none */
	int depth;
};

/* NULL, and it is noted, if there is no memory. */
static char *table_vtext(struct page_table *t, const char *format, va_list list)
{
	va_list again;
	char *text;
	int n;

	va_copy(again, list);
	n = vsnprintf(NULL, 0, format, again);
	va_end(again);
	text = malloc((size_t)n + 1);
	if (text)
		vsnprintf(text, (size_t)n + 1, format, list);
	t->no_memory |= !text;
	return text;
}

void page_table_begin(struct page_table *t, const char *name)
{
	*t = (struct page_table){ .name = name };
}

void page_table_column(struct page_table *t, unsigned int kinds, const char *format, ...)
{
	va_list list;

	assert(t->columns < PAGE_COLUMNS && t->n == 0);
	va_start(list, format);
	t->head[t->columns] = table_vtext(t, format, list);
	va_end(list);
	t->kind[t->columns++] = kinds;
}

void page_table_cell(struct page_table *t, const char *format, ...)
{
	size_t room = t->room ? 2 * t->room : 64;
	struct page_cell *more;
	va_list list;

	if (t->n == t->room) {
		more = realloc(t->cells, room * sizeof(*more));
		if (!more) {
			t->no_memory = true;
			return;
		}
		t->cells = more;
		t->room = room;
	}
	t->cells[t->n] = (struct page_cell){ .meter = -1 };
	va_start(list, format);
	t->cells[t->n++].text = table_vtext(t, format, list);
	va_end(list);
}

/* The cell before; if there was no memory for it, one that is lost. */
static struct page_cell *table_last(struct page_table *t)
{
	static struct page_cell nowhere;

	return t->n > 0 ? &t->cells[t->n - 1] : &nowhere;
}

void page_table_code(struct page_table *t, const char *code)
{
	struct page_cell *cell = table_last(t);

	free(cell->code);
	cell->code = strdup(code);
}

void page_table_note(struct page_table *t, const char *format, ...)
{
	struct page_cell *cell = table_last(t);
	va_list list;

	free(cell->note);
	va_start(list, format);
	cell->note = table_vtext(t, format, list);
	va_end(list);
}

void page_table_meter(struct page_table *t, double percent)
{
	table_last(t)->meter = percent < 0 ? 0 : percent > 100 ? 100 : percent;
}

void page_table_indent(struct page_table *t, int depth)
{
	table_last(t)->depth = depth < INDENTS_MOST ? depth : INDENTS_MOST;
}

void page_table_class(struct page_table *t, const char *class)
{
	table_last(t)->class = class;
}

/* ---- Writing ------------------------------------------------------------------------------- */

/* How much a column says: the most that one of its cells does. */
enum says { SAYS_NOTHING, SAYS_ZERO, SAYS_MORE };
static enum says table_column_says(const struct page_table *t, int column)
{
	enum says most = SAYS_NOTHING;

	for (size_t i = column; i < t->n && most < SAYS_MORE; i += t->columns) {
		const char *text = t->cells[i].text;
		/* A number that is 0, whatever its unit. */
		bool zero = text[0] == '0' && !strpbrk(text, "123456789");
		enum says says = !text[0] ? SAYS_NOTHING : zero ? SAYS_ZERO : SAYS_MORE;

		most = says > most ? says : most;
	}
	return most;
}

/* Fold and leave out what says nothing; how many columns are folded then. */
static int table_fold(struct page_table *t)
{
	int folded = 0;

	for (int column = 1; column < t->columns && t->n > 0; column++) {
		enum says says = table_column_says(t, column);

		if (t->kind[column] & PAGE_KEPT)
			continue;
		if (says == SAYS_NOTHING)
			t->kind[column] |= LEFT_OUT;
		else if (says == SAYS_ZERO)
			t->kind[column] |= PAGE_DETAIL;
		if (says != SAYS_NOTHING && t->kind[column] & PAGE_DETAIL)
			folded++;
	}
	return folded;
}

static void table_write_class(struct markup *m, unsigned int kinds, const char *class)
{
	const char *parts[] = {
		kinds & PAGE_LONG ? " long" : kinds & PAGE_WORDS ? " words" : "",
		kinds & PAGE_DETAIL ? " detail" : "", class ? " " : "", class ? class : "",
	};
	char text[64];

	snprintf(text, sizeof(text), "%s%s%s%s", parts[0], parts[1], parts[2], parts[3]);
	if (text[0])
		markup_attribute(m, "class", "%s", text + 1);
}

static void table_write_head(const struct page_table *t, struct markup *m)
{
	markup_open(m, "thead");
	markup_open(m, "tr");
	for (int column = 0; column < t->columns; column++) {
		if (t->kind[column] & LEFT_OUT)
			continue;
		markup_open(m, "th");
		markup_attribute(m, "scope", "col");
		table_write_class(m, t->kind[column], NULL);
		markup_text(m, "%s", t->head[column]);
		markup_close(m);
	}
	markup_close_to(m, m->depth - 2);
}

static void table_write_cell(const struct page_cell *cell, unsigned int kinds, bool first,
			     struct markup *m)
{
	markup_open(m, first ? "th" : "td");
	if (first)
		markup_attribute(m, "scope", "row");
	table_write_class(m, kinds, cell->class);
	if (cell->depth > 0)
		markup_attribute(m, "style", "padding-left:%drem", cell->depth);
	if (cell->code) {
		markup_element(m, "code", NULL, "%s", cell->code);
		markup_text(m, " ");
	}
	markup_text(m, "%s", cell->text);
	if (cell->note)
		markup_element(m, "small", NULL, "%s", cell->note);
	if (cell->meter >= 0) {
		markup_open(m, "span");
		markup_attribute(m, "class", "meter");
		markup_attribute(m, "style", "width:%.1f%%", cell->meter);
		markup_close(m);
	}
	markup_close(m);
}

static void table_write_fold(struct markup *m, int folded)
{
	markup_open(m, "label");
	markup_open(m, "input");
	markup_attribute(m, "type", "checkbox");
	markup_attribute(m, "class", "more");
	markup_close(m);
	markup_text(m, "%d more column%s", folded, folded == 1 ? "" : "s");
	markup_close(m);
}

static void table_write(struct page_table *t, struct markup *m)
{
	int folded = table_fold(t), depth = m->depth;

	assert(t->n % t->columns == 0);
	markup_open(m, "div");
	markup_attribute(m, "class", "fold");
	if (folded)
		table_write_fold(m, folded);
	markup_open(m, "div");
	markup_attribute(m, "class", "table");
	markup_attribute(m, "tabindex", "0");
	markup_attribute(m, "role", "region");
	markup_attribute(m, "aria-label", "%s", t->name);
	markup_open(m, "table");
	table_write_head(t, m);
	markup_open(m, "tbody");
	for (size_t i = 0; i + t->columns <= t->n; i += t->columns) {
		markup_open(m, "tr");
		for (int column = 0; column < t->columns; column++)
			if (!(t->kind[column] & LEFT_OUT))
				table_write_cell(&t->cells[i + column], t->kind[column],
						 column == 0, m);
		markup_close(m);
	}
	markup_close_to(m, depth);
}

void page_table_end(struct page_table *t, struct markup *m)
{
	if (t->no_memory)
		markup_element(m, "p", "warning", "There was not enough memory for this table.");
	else
		table_write(t, m);
	for (size_t i = 0; i < t->n; i++) {
		free(t->cells[i].text);
		free(t->cells[i].code);
		free(t->cells[i].note);
	}
	for (int column = 0; column < t->columns; column++)
		free(t->head[column]);
	free(t->cells);
}
