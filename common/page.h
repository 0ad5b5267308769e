/* SPDX-License-Identifier: BSD-3-Clause */
/* page.h - the frame of the pages that the tools write: one file, no script, light and dark. */
#ifndef PAGE_H
#define PAGE_H

#include <stdio.h>

/*
 * From <html> to the heading, with the rules of style that all pages have, then @rules. @title is
 * plain text. The text that follows is inside <main>; the caller ends main, body and html.
 */
void page_front(FILE *out, const char *title, const char *rules);

#endif
