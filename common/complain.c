// SPDX-License-Identifier: BSD-3-Clause
/* complain.c - error messages of a command. */

#include "complain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MESSAGE_MOST = 4096 };

static const char *complaining = "";

/*
 * One write, and not by stdio: stderr has no buffer, for which the C library takes 8 KiB of a
 * stack that may be short.
 */
static void complain_va(const char *format, va_list args)
{
	static char text[MESSAGE_MOST];
	int n = snprintf(text, sizeof(text), "%s: ", complaining);

	n += vsnprintf(text + n, sizeof(text) - (size_t)n - 1, format, args);
	if (n > (int)sizeof(text) - 2)
		n = (int)sizeof(text) - 2;
	text[n++] = '\n';
	if (write(STDERR_FILENO, text, (size_t)n) < 0)
		return;			/* standard error is closed */
}

void complain_as(const char *program)
{
	complaining = program;
}

void complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	complain_va(format, args);
	va_end(args);
}

_Noreturn void fail(int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	complain_va(format, args);
	va_end(args);
	exit(status);
}
