/* SPDX-License-Identifier: BSD-3-Clause */
/* prof_html.h - what the cards of a profile's page share. */
#ifndef PROF_HTML_H
#define PROF_HTML_H

#include "prof.h"

struct markup;
struct page_table;

enum { PROF_TEXT = 64 };

/* prof_units.c */

double prof_percent(double part, double whole);
/* Three digits or more that mean something; @text has PROF_TEXT bytes and is returned. */
const char *prof_time_text(char *text, double ns);
const char *prof_bytes_text(char *text, double bytes);
void prof_time_cell(struct page_table *t, double ns);
/* A row of the matrix of @prof, which is one: "3", or of several processes "3-5". */
const char *prof_cell_name(const void *prof, int i, char *text, size_t len);

/* prof_parts.c: cards of sections, if the program has some, and of processes. */
void prof_write_sections(const struct prof *p, struct markup *m);
void prof_write_processes(const struct prof *p, struct markup *m);

/* prof_timeline.c: what each process does, and when. */
void prof_write_timeline(const struct prof *p, struct markup *m);

#endif
