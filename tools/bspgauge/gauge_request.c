// SPDX-License-Identifier: BSD-3-Clause
/* gauge_request.c - what the command line asks for, and messages to the user. */

#include "gauge.h"

#include <stdarg.h>
#include <stdlib.h>

struct gauge_request gauge_request = { .seconds = 60, .interface = "lo" };

void gauge_complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("bspgauge: ", stderr);
	vfprintf(stderr, format, args);
	fputs("\n", stderr);
	va_end(args);
}

void *gauge_memory(void *old, size_t bytes)
{
	void *at = realloc(old, bytes);

	if (at)
		return at;
	gauge_complain("no memory");
	exit(GAUGE_FAILED);
}
