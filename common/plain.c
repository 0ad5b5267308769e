// SPDX-License-Identifier: BSD-3-Clause
/* plain.c - numbers as text with a decimal point, whatever locale the program has chosen. */

#include "plain.h"

#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>

/*
 * The locale of this thread becomes that of C until plain_end(). Where there is no memory for it
 * the thread keeps its own; the C library has that of C always at hand.
 */
struct plain {
	locale_t c, before;
};

static struct plain plain_begin(void)
{
	struct plain p = { .c = newlocale(LC_ALL_MASK, "C", (locale_t)0) };

	p.before = p.c ? uselocale(p.c) : (locale_t)0;
	return p;
}

static void plain_end(struct plain p)
{
	if (!p.c)
		return;
	uselocale(p.before);
	freelocale(p.c);
}

double plain_strtod(const char *text, char **end)
{
	struct plain p = plain_begin();
	double value = strtod(text, end);

	plain_end(p);
	return value;
}

int plain_fprintf(FILE *out, const char *format, ...)
{
	struct plain p = plain_begin();
	va_list args;
	int n;

	va_start(args, format);
	n = vfprintf(out, format, args);
	va_end(args);
	plain_end(p);
	return n;
}

int plain_snprintf(char *text, size_t len, const char *format, ...)
{
	struct plain p = plain_begin();
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text, len, format, args);
	va_end(args);
	plain_end(p);
	return n;
}
