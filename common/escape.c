// SPDX-License-Identifier: BSD-3-Clause
/* escape.c - any text in a page of HTML or a picture. */

#include "escape.h"

void html_escape(FILE *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			putc((unsigned char)*text < 0x20 ? '?' : *text, out);
		}
}
