// SPDX-License-Identifier: BSD-3-Clause
/* compare_text.c - times, parts, bytes and names as people read them. */

#include "compare.h"

#include "common/emulated.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 4 };	/* that are given of a time */

/* Decimals with which @value, rounded, has DIGITS digits: 9.9996 is 10.00. */
static int decimals_of(double value)
{
	int decimals = DIGITS - 1;

	for (double bound = 10, half = 0.5e-3; decimals > 0 && value >= bound - half; bound *= 10) {
		decimals--;
		half *= 10;
	}
	return decimals;
}

struct compare_unit compare_unit_of(double largest)
{
	static const struct compare_unit units[] = {
		{ "s", 1, 0 }, { "ms", 1e-3, 0 }, { "us", 1e-6, 0 },
	};
	struct compare_unit unit;
	int i = 0;

	while (i < 2 && largest < units[i].seconds)
		i++;
	unit = units[largest > 0 ? i : 0];
	unit.decimals = decimals_of(largest / unit.seconds);
	return unit;
}

void compare_time_text(char *text, size_t len, double seconds, struct compare_unit unit)
{
	if (seconds == 0)
		snprintf(text, len, "0 %s", unit.name);
	else
		snprintf(text, len, "%.*f %s", unit.decimals, seconds / unit.seconds, unit.name);
}

void compare_part_text(char *text, size_t len, double part)
{
	double percent = round(1000 * part) / 10;

	snprintf(text, len, "%.1f %%", percent == 0 ? 0 : percent);
}

bool compare_is_seen(const struct compare_spread *saved)
{
	return saved->least == saved->most || saved->least > 0 || saved->most < 0;
}

void compare_bytes_text(char *text, size_t len, double bytes)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
	int i = 0;

	for (; i < 4 && bytes >= 1000; i++)
		bytes /= 1000;
	snprintf(text, len, "%.*f %s", i == 0 ? 0 : decimals_of(bytes), bytes, units[i]);
}

void compare_count_text(char *text, size_t len, double n, const char *one, const char *many)
{
	snprintf(text, len, "%.0f %s", n, n == 1 ? one : many);
}

/* ---- Names ----------------------------------------------------------------- */

/* Bytes of the character at @at if it is one of UTF-8 that can be shown, else 0. */
static size_t utf8_length(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t n = *at < 0x80 ? 1 : *at >= 0xf0 ? 4 : *at >= 0xe0 ? 3 : 2;
	unsigned long code = n == 1 ? *at : *at & (0x7fu >> n);
	static const unsigned long least[] = { 0, 0x20, 0xa0, 0x800, 0x10000 };

	if (*at == 0x7f || *at > 0xf4 || (*at >= 0x80 && *at < 0xc2))
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3f);
	}
	if (code < least[n] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ||
	    (code & 0xfffe) == 0xfffe)
		return 0;
	return n;
}

/* Append as much of @word as fits. */
static size_t text_append(char *text, size_t used, size_t len, const char *word)
{
	while (*word) {
		size_t n = utf8_length(word);

		if (used + (n ? n : 1) >= len)
			break;
		if (n)
			memcpy(text + used, word, n);
		else
			text[used] = '?';
		used += n ? n : 1;
		word += n ? n : 1;
	}
	text[used] = '\0';
	return used;
}

void compare_command_text(char *text, size_t len, char *const *program)
{
	const char *slash = strrchr(program[0], '/');
	size_t used = text_append(text, 0, len, slash ? slash + 1 : program[0]);

	for (int i = 1; program[i]; i++) {
		used = text_append(text, used, len, " ");
		used = text_append(text, used, len, program[i]);
	}
}

void compare_network_text(char *text, size_t len, const struct comparison *c)
{
	char network[2 * COMPARE_TEXT];

	emulated_describe(c->network, network, sizeof(network));
	if (c->network[0])
		snprintf(text, len, "emulated network %s", network);
	else
		snprintf(text, len, "transport %s", c->transport);
}
