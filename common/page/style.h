/* SPDX-License-Identifier: BSD-3-Clause */
/* style.h - the one style sheet of all pages and pictures. */

/*
 * Colours follow the reader's choice of light or dark; data-theme="light" or "dark" at the
 * outermost element is stronger. On paper all is light, and nothing scrolls.
 */
#ifndef STYLE_H
#define STYLE_H

#include "markup.h"

enum {
	STYLE_COLOURS = 10,	/* of curves: classes c0 to c9 */
	STYLE_TOGGLES = 40,	/* things of a figure that a legend hides: classes t0 and so on */
};

/* The element style, with its contents, and @more behind them, unless that is NULL. */
void style_write(struct markup *m, const char *more);

#endif
