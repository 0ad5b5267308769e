// SPDX-License-Identifier: BSD-3-Clause
/* setting.c - the table of settings, and which values each may have. */

#include "setting.h"

#include "plain.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A section is a member of the row that follows, so each row ends by the begin of the next. */
static const struct bspi_setting settings[] = { {
#define SECTION(title) .section = title,
#define SETTING(field, name, kind, lowest, highest, choice, usual, text) \
	.variable = name, .type = kind, .least = lowest, .most = highest, .words = choice, \
	.standard = usual, .help = text }, {
#include "env.def"
#undef SETTING
} };

enum { NSETTINGS = sizeof(settings) / sizeof(settings[0]) - 1 };

_Static_assert((int)NSETTINGS < (int)BSPI_SETTINGS_MOST, "room for all settings");

const struct bspi_setting *bspi_setting_at(unsigned int i)
{
	return i < NSETTINGS ? &settings[i] : NULL;
}

const struct bspi_setting *bspi_setting_find(const char *variable)
{
	for (unsigned int i = 0; i < NSETTINGS; i++)
		if (strcmp(settings[i].variable, variable) == 0)
			return &settings[i];
	return NULL;
}

static bool may_be_auto(const struct bspi_setting *s)
{
	return strcmp(s->standard, "auto") == 0;
}

void bspi_setting_values(const struct bspi_setting *s, char *text, size_t len)
{
	static const char *const kinds[] = {
		[COUNT] = "a number", [BYTES] = "a number of bytes (or with k, M or G)",
		[SECONDS] = "a time in seconds (or with ms or us)",
	};
	const char *or_auto = may_be_auto(s) ? "auto, or " : "";

	if (s->type == WORD) {
		snprintf(text, len, "one of %s", s->words);
	} else if (s->type == TIMES) {
		snprintf(text, len, "a list of NAME:TIME, where NAME is one of %s, and TIME in "
			 "seconds (or with ms or us) from %llu to %llu", s->words, s->least,
			 s->most);
	} else if (s->type == RANGE) {
		snprintf(text, len, "LOW-HIGH, two numbers from %llu to %llu", s->least, s->most);
	} else if (s->type == TEXT) {
		snprintf(text, len, "a text of at most %llu bytes", s->most);
	} else if (s->most == 0) {
		snprintf(text, len, "%s%s", or_auto, kinds[s->type]);
	} else {
		snprintf(text, len, "%s%s from %llu to %llu", or_auto, kinds[s->type],
			 s->least, s->most);
	}
}

enum { ITEM_MOST = 64, LIST_MOST = 500, NUMBERS_MOST = 255 };

/* Numbers and ranges: "0-3,8". */
static bool is_list_of_numbers(const char *value)
{
	static const char digits[] = "0123456789";
	bool good = strlen(value) <= NUMBERS_MOST;

	while (good) {
		size_t n = strspn(value, digits);
		size_t m = value[n] == '-' ? strspn(value + n + 1, digits) : n;

		good = n > 0 && n < 10 && m > 0 && m < 10;
		value += n + (value[n] == '-' ? m + 1 : 0);
		if (!good || *value != ',')
			break;
		value++;
	}
	return good && !*value;
}

/* Is @value the word of @n bytes? A K in it is a number from 1 to 9999; LIST is numbers. */
static bool is_word(const char *word, size_t n, const char *value)
{
	const char *hole = memchr(word, 'K', n);
	size_t before = hole ? (size_t)(hole - word) : n, after = n - before, digits;

	if (n == strlen("LIST") && strncmp(word, "LIST", n) == 0)
		return is_list_of_numbers(value);
	if (strncmp(word, value, before) != 0)
		return false;
	value += before;
	if (!hole)
		return !*value;
	digits = strspn(value, "0123456789");
	if (digits == 0 || digits > 4 || value[0] == '0')
		return false;
	return strlen(value + digits) == after - 1 &&
	       memcmp(hole + 1, value + digits, after - 1) == 0;
}

static bool is_one_of(const char *words, const char *value)
{
	while (*words) {
		size_t n = strcspn(words, "|");

		if (is_word(words, n, value))
			return true;
		words += n + (words[n] == '|');
	}
	return false;
}

/* The factor of a unit, in the unit of its type; 0 if there is no such unit. */
static double setting_scale_of(enum bspi_setting_type type, const char *unit)
{
	static const struct {
		enum bspi_setting_type type;
		const char *unit;
		double scale;
	} scales[] = {
		{ COUNT, "", 1 },
		{ BYTES, "", 1 }, { BYTES, "k", 0x1p10 },
		{ BYTES, "M", 0x1p20 }, { BYTES, "G", 0x1p30 },
		{ SECONDS, "", 1 }, { SECONDS, "s", 1 },
		{ SECONDS, "ms", 1e-3 }, { SECONDS, "us", 1e-6 },
	};

	if (type == TIMES)
		type = SECONDS;
	for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); i++)
		if (scales[i].type == type && strcmp(scales[i].unit, unit) == 0)
			return scales[i].scale;
	return 0;
}

/* A number with its unit; negative if it is none. */
static double setting_parse(const struct bspi_setting *s, const char *value)
{
	bool whole = s->type == COUNT || s->type == BYTES;
	size_t len = strspn(value, whole ? "0123456789" : "0123456789.");
	double number, scale = setting_scale_of(s->type, value + len);
	char *end;

	if (len == 0 || scale == 0)
		return -1;
	number = plain_strtod(value, &end);
	return end == value + len ? number * scale : -1;
}

static bool is_in_range(const struct bspi_setting *s, const char *value)
{
	double number = setting_parse(s, value);

	if (number < 0)
		return false;
	return s->most == 0 ? number < 0x1p63 : number >= s->least && number <= s->most;
}

double bspi_setting_number(const struct bspi_setting *s, const char *value)
{
	return may_be_auto(s) && strcmp(value, "auto") == 0 ? -1 : setting_parse(s, value);
}

/*
 * Two numbers, of which the first is not the greater; or nothing. Without zeros before them, which
 * readers have no room for.
 */
static bool is_range(const struct bspi_setting *s, const char *value)
{
	static const char digits[] = "0123456789";
	size_t n = strspn(value, digits), m = value[n] == '-' ? strspn(value + n + 1, digits) : 0;
	unsigned long long low, high;

	if (!*value)
		return true;
	if (!n || !m || value[n + 1 + m] || value[0] == '0' || value[n + 1] == '0')
		return false;
	low = strtoull(value, NULL, 10);
	high = strtoull(value + n + 1, NULL, 10);
	return s->least <= low && low <= high && high <= s->most;
}

/* ---- Lists of times --------------------------------------------------------- */

/* The last value of that name in a list; does it have one that is short enough? */
static bool times_find(const char *list, const char *name, char value[ITEM_MOST])
{
	size_t len = strlen(name);
	bool found = false;

	for (const char *at = list; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, name, len) != 0 || at[len] != ':')
			continue;
		found = strcspn(at + len + 1, ",") < ITEM_MOST;
		if (found)
			sprintf(value, "%.*s", (int)strcspn(at + len + 1, ","), at + len + 1);
	}
	return found;
}

double bspi_setting_time(const struct bspi_setting *s, const char *list, const char *name)
{
	char value[ITEM_MOST];

	if (!times_find(list, name, value) && !times_find(s->standard, name, value))
		return -1;
	return strcmp(value, "auto") == 0 ? -1 : setting_parse(s, value);
}

/* Is "name:value" of @len bytes an item of the list? */
static bool is_time(const struct bspi_setting *s, const char *item, size_t len)
{
	char text[ITEM_MOST], standard[ITEM_MOST], *value;

	if (len >= sizeof(text))
		return false;
	sprintf(text, "%.*s", (int)len, item);
	value = strchr(text, ':');
	if (!value)
		return false;
	*value++ = '\0';
	if (!is_one_of(s->words, text))
		return false;
	return is_in_range(s, value) ||
	       (strcmp(value, "auto") == 0 && times_find(s->standard, text, standard) &&
		strcmp(standard, "auto") == 0);
}

static bool are_times(const struct bspi_setting *s, const char *list)
{
	if (strlen(list) > LIST_MOST)
		return false;
	for (;;) {
		size_t len = strcspn(list, ",");

		if (!is_time(s, list, len))
			return false;
		if (!list[len])
			return true;
		list += len + 1;
	}
}

/* ---- Names of earlier versions ------------------------------------------------ */

static const struct bspi_setting_moved moved[] = {
	{ "BSP_JOIN_WAIT", "BSP_WAIT", "join", "" },
	{ "BSP_DISCOVER_WAIT", "BSP_WAIT", "join", "" },
	{ "BSP_LIFELINE", "BSP_WAIT", "lifeline", "" },
	{ "BSP_WATCHDOG_WARN", "BSP_WAIT", "warn", "" },
	{ "BSP_SPIN", "BSP_WAIT", "spin", "us" },
	{ "BSP_YIELD", "BSP_WAIT", "yield", "us" },
};

const struct bspi_setting_moved *bspi_setting_moved_at(unsigned int i)
{
	return i < sizeof(moved) / sizeof(moved[0]) ? &moved[i] : NULL;
}

const struct bspi_setting_moved *bspi_setting_moved_find(const char *old)
{
	const struct bspi_setting_moved *m;

	for (unsigned int i = 0; (m = bspi_setting_moved_at(i)); i++)
		if (strcmp(m->old, old) == 0)
			return m;
	return NULL;
}

const char *bspi_setting_moved_item(const struct bspi_setting_moved *m, const char *value,
				    char *text, size_t len)
{
	bool bare = value[0] && strspn(value, "0123456789.") == strlen(value);

	snprintf(text, len, "%s:%.40s%s", m->name, value, bare ? m->unit : "");
	return text;
}

const char *bspi_setting_nonempty(const char *variable)
{
	const char *value = getenv(variable);

	return value && value[0] ? value : NULL;
}

const char *bspi_setting_given(const struct bspi_setting *s, char text[BSPI_SETTING_TEXT])
{
	const char *value = getenv(s->variable), *old;
	const struct bspi_setting_moved *m;
	char item[ITEM_MOST];
	size_t len = 0;

	if (s->type != TIMES)
		return value;
	for (unsigned int i = 0; (m = bspi_setting_moved_at(i)); i++) {
		old = strcmp(m->variable, s->variable) == 0 ? getenv(m->old) : NULL;
		if (old)
			len += snprintf(text + len, BSPI_SETTING_TEXT - len, "%s%s", len ? "," : "",
					bspi_setting_moved_item(m, old, item, sizeof(item)));
	}
	if (len && value)
		snprintf(text + len, BSPI_SETTING_TEXT - len, ",%s", value);
	return len ? text : value;
}

/* Words of earlier versions; a number or a release may follow them, as in kary:3+multicast. */
static const struct {
	const char *variable, *old, *word;
} renamed[] = {
	{ "BSP_BARRIER", "flat", "alltoall" },
	{ "BSP_BARRIER", "tally", "counting" },
	{ "BSP_BARRIER", "spread", "dissemination" },
	{ "BSP_BARRIER", "binary", "binomial" },
	{ "BSP_BARRIER", "kary", "knomial" },
	{ "BSP_BARRIER", "concurrent", "linear" },
};

const char *bspi_setting_current(const struct bspi_setting *s, const char *value, char *text,
				 size_t len)
{
	size_t n = strcspn(value, ":+");

	for (size_t i = 0; i < sizeof(renamed) / sizeof(renamed[0]); i++)
		if (strcmp(renamed[i].variable, s->variable) == 0 && strlen(renamed[i].old) == n &&
		    strncmp(renamed[i].old, value, n) == 0) {
			snprintf(text, len, "%s%s", renamed[i].word, value + n);
			return text;
		}
	return value;
}

int bspi_setting_check(const struct bspi_setting *s, const char *value)
{
	char current[BSPI_SETTING_WORD];
	bool is_auto = may_be_auto(s) && strcmp(value, "auto") == 0;

	if (s->type == TEXT)
		return strlen(value) <= s->most ? 0 : -EINVAL;
	if (s->type == TIMES)
		return are_times(s, value) ? 0 : -EINVAL;
	if (s->type == RANGE)
		return is_range(s, value) ? 0 : -EINVAL;
	if (s->type == WORD)
		return is_one_of(s->words, bspi_setting_current(s, value, current,
								sizeof(current))) ?
			0 : -EINVAL;
	return is_auto || is_in_range(s, value) ? 0 : -EINVAL;
}

int bspi_setting_file(const struct bspi_setting *s, const char *value)
{
	static const char *const files[] = {
		"BSP_PLUGINS", "BSP_REPORT", "BSP_RECORD", "BSP_REPLAY", "BSP_PARAMS",
	};

	if (strcmp(s->variable, "BSP_EMULATE") == 0)
		return value[0] == '@' ? 1 : -1;
	if (strcmp(s->variable, "BSP_PARAMS") == 0 && strcmp(value, "none") == 0)
		return -1;
	for (size_t i = 0; value[0] && i < sizeof(files) / sizeof(files[0]); i++)
		if (strcmp(s->variable, files[i]) == 0)
			return 0;
	return -1;
}
