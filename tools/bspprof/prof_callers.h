/* SPDX-License-Identifier: BSD-3-Clause */
/* prof_callers.h - call sites in functions that are called from several places. */
#ifndef PROF_CALLERS_H
#define PROF_CALLERS_H

#include "prof.h"

enum { PROF_CALLERS_MOST = 1000 };	/* of all call sites; others are left out */

/* The number of a caller of the function with @row, as recorded; PROF_NO_CALLER: no more. */
uint32_t prof_caller_find(struct prof *p, uint32_t row, const char *recorded);

/*
 * When all calls are loaded: name the callers by lines, and add up what is between two of their
 * calls. When the critical path is known as well: sort them, by what they cost. False: no memory.
 */
bool prof_callers_add_up(struct prof *p);
void prof_callers_sort(struct prof *p);
void prof_callers_free(struct prof *p);

/* prof_lines.c */

enum { PROF_LINE = 300 };

/* A caller as recorded, and room for what it is: "main() heat.c:76". */
struct prof_line {
	const char *recorded;
	char text[PROF_LINE];
};

/*
 * Names all of them, by addr2line and the objects that are there now; where that is not to be had,
 * by object and address: "heat+0x11f3". So it is where the object was built again since the run;
 * the names of such objects are added to the list in @rebuilt.
 */
void prof_lines_find(struct prof_line *lines, size_t n, char *rebuilt, size_t len);

#endif
