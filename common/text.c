// SPDX-License-Identifier: BSD-3-Clause
/* text.c - which bytes are characters. */

#include "text.h"

#include <stdint.h>

/* The least number that a character of so many bytes stands for; a smaller one has fewer bytes. */
static const uint32_t text_least[] = { 0, 0, 0x80, 0x800, 0x10000 };

static size_t length_by_first(unsigned char first)
{
	return first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 :
	       first < 0xf8 ? 4 : 0;
}

size_t text_character(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t len = length_by_first(at[0]);
	uint32_t number;

	if (at[0] == '\0' || len <= 1)
		return at[0] == '\0' ? 0 : len;
	number = at[0] & (0x7fu >> len);
	for (size_t i = 1; i < len; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		number = number << 6 | (at[i] & 0x3f);
	}
	if (number < text_least[len] || number > 0x10ffff ||
	    (number >= 0xd800 && number <= 0xdfff))
		return 0;
	return len;
}

/* C0 and DEL, and C1, which are the numbers 0x80 to 0x9f. */
static int is_control(const char *at)
{
	unsigned char first = (unsigned char)at[0];

	return first < 0x20 || first == 0x7f || (first == 0xc2 && (unsigned char)at[1] < 0xa0);
}

void text_make_printable(char *text)
{
	while (*text) {
		size_t len = text_character(text);
		int wrong = !len || is_control(text);

		len = len ? len : 1;
		for (size_t i = 0; wrong && i < len; i++)
			text[i] = '?';
		text += len;
	}
}
