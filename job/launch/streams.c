// SPDX-License-Identifier: BSD-3-Clause
/* streams.c - the standard streams of C and C++ when a process is copied. */

/*
 * A copy has the text that is in the buffers, too. Pending output is written before; what
 * standard input has read ahead is for process 0 alone. The names are those of the functions and
 * objects of GNU's C++ library, weak because a program in C has none of them: a function of a class
 * is called with its object, and returns a reference or a number. The file streams of a C++
 * program cannot be found.
 */

#include "start.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <wchar.h>

#define WEAK(name) __asm__(name) __attribute__((weak))

extern char streams_cout[] WEAK("_ZSt4cout");
extern char streams_clog[] WEAK("_ZSt4clog");
extern char streams_cin[] WEAK("_ZSt3cin");
extern char streams_wcout[] WEAK("_ZSt5wcout");
extern char streams_wclog[] WEAK("_ZSt5wclog");
extern char streams_wcin[] WEAK("_ZSt4wcin");
/* std::ostream::flush(), std::istream::readsome(text, n): what can be had without waiting */
void *streams_flush(void *stream) WEAK("_ZNSo5flushEv");
ptrdiff_t streams_read(void *stream, char *text, ptrdiff_t n) WEAK("_ZNSi8readsomeEPcl");
void *streams_flush_wide(void *stream) WEAK("_ZNSt13basic_ostreamIwSt11char_traitsIwEE5flushEv");
ptrdiff_t streams_read_wide(void *stream, wchar_t *text, ptrdiff_t n)
	WEAK("_ZNSt13basic_istreamIwSt11char_traitsIwEE8readsomeEPwl");

/* An object begins with the pointer to its table; it is made if a file includes <iostream>. */
static bool is_made(const char *stream)
{
	void *table;

	if (!stream)
		return false;
	memcpy(&table, stream, sizeof(table));
	return table;
}

void bspj_streams_flush(void)
{
	if (streams_flush && is_made(streams_cout))
		streams_flush(streams_cout);
	if (streams_flush && is_made(streams_clog))
		streams_flush(streams_clog);
	if (streams_flush_wide && is_made(streams_wcout))
		streams_flush_wide(streams_wcout);
	if (streams_flush_wide && is_made(streams_wclog))
		streams_flush_wide(streams_wclog);
	fflush(NULL);		/* the C++ streams may have been written to those of C */
}

void bspj_streams_drop_input(void)
{
	char text[256];
	wchar_t wide[256];

	__fpurge(stdin);
	while (streams_read && is_made(streams_cin) && streams_read(streams_cin, text, 256) > 0)
		;
	while (streams_read_wide && is_made(streams_wcin) &&
	       streams_read_wide(streams_wcin, wide, 256) > 0)
		;
}
