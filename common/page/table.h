/* SPDX-License-Identifier: BSD-3-Clause */
/* table.h - a table that fits its card: the first column stays, seldom needed ones are folded. */

/*
 * Columns first, then the cells of each row from the left; each row has a cell for each column, so
 * that no figure stands under the head of another. Nothing is written before page_table_end(), as
 * a column whose cells are all 0 is folded as well, and one whose cells are all empty is left out.
 * A check box unfolds the others.
 */
#ifndef PAGE_TABLE_H
#define PAGE_TABLE_H

#include "markup.h"

enum { PAGE_COLUMNS = 32 };

enum page_column {
	PAGE_FIGURES = 0,	/* on one line, to the right */
	PAGE_WORDS = 1,		/* to the left */
	PAGE_LONG = 2,		/* to the left, on as many lines as are needed */
	PAGE_DETAIL = 4,	/* folded at first */
	PAGE_KEPT = 8,		/* neither folded nor left out, whatever its cells say */
};

struct page_cell;

struct page_table {
	/* private: */
	const char *name;
	char *head[PAGE_COLUMNS];
	unsigned int kind[PAGE_COLUMNS];
	int columns;
	struct page_cell *cells;
	size_t n, room;
	bool no_memory;
};

/* @name is for a screen reader; it stays until page_table_end(). */
void page_table_begin(struct page_table *t, const char *name);

/* The next column, of kinds of enum page_column; of at most PAGE_COLUMNS. */
__attribute__((format(printf, 3, 4)))
void page_table_column(struct page_table *t, unsigned int kinds, const char *format, ...);

/* The next cell. */
__attribute__((format(printf, 2, 3)))
void page_table_cell(struct page_table *t, const char *format, ...);

/* Additions to the cell before: code in front of its text; a smaller text below it. */
void page_table_code(struct page_table *t, const char *code);
__attribute__((format(printf, 2, 3)))
void page_table_note(struct page_table *t, const char *format, ...);
/* A bar below it, of 0 to 100 percent of its column; its text @depth steps to the right. */
void page_table_meter(struct page_table *t, double percent);
void page_table_indent(struct page_table *t, int depth);
/* Its class, a literal: "saved" or "lost". */
void page_table_class(struct page_table *t, const char *class);

/* Write it, and release it. */
void page_table_end(struct page_table *t, struct markup *m);

#endif
