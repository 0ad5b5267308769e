/* SPDX-License-Identifier: BSD-3-Clause */
/* heat.h - a heat map: a square for each pair, darker where the value is higher. */
#ifndef PAGE_HEAT_H
#define PAGE_HEAT_H

#include "markup.h"

struct page_heat {
	const char *label;		/* what a screen reader says */
	const char *rows, *columns;	/* "from", "to" */
	int n;				/* of each */
	const void *values;		/* that value() knows */
	double (*value)(const void *values, int row, int column);	/* not below 0 */
	/* Texts of a value, and of the name of a row or column, in @text, which is returned. */
	const char *(*value_text)(double value, char *text, size_t len);
	const char *(*name)(const void *values, int i, char *text, size_t len);
};

/* A square has the figures as its tooltip; rows and columns have names as far as there is room. */
void page_heat(struct markup *m, const struct page_heat *h);

#endif
