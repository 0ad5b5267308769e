/* SPDX-License-Identifier: BSD-3-Clause */
/* sheet.h - values of a figure: series over x, read from CSV. */
#ifndef PAPERS_SHEET_H
#define PAPERS_SHEET_H

#include <stdbool.h>
#include <stddef.h>

enum { SHEET_NAME = 96, SHEET_LINE = 512 };

struct sheet_row {
	char series[SHEET_NAME];	/* "curve" or "panel/curve" */
	double x, value;
	double low, high;		/* the value itself where the file has none */
	char unit[SHEET_NAME];
};

struct sheet {
	struct sheet_row *row;
	size_t n;
	char (*comment)[SHEET_LINE];	/* lines that began with "# ", without it */
	size_t comments;
	bool is_there;
};

/*
 * Read "series,x,value,low,high,unit" and the comments before it. A file that is not there makes
 * an empty sheet; 0, or -1 after a message with file and line on standard error.
 */
int sheet_read(struct sheet *s, const char *path);
void sheet_release(struct sheet *s);

/* The value of a series at x, or NULL. */
const struct sheet_row *sheet_find(const struct sheet *s, const char *series, double x);

/* The text behind "KEY: " in a comment, or "". */
const char *sheet_about(const struct sheet *s, const char *key);

/* Is the text a finite number, and nothing else? */
bool sheet_number(const char *text, double *value);

/* Memory for one more than @n of @size bytes; without memory the program ends. */
void *sheet_grow(void *old, size_t n, size_t size);

/* The part of a name before the '/', whose length is returned: 0 if there is none. */
size_t sheet_panel(const char *series);

#endif
