// SPDX-License-Identifier: BSD-3-Clause
/* option.c - the options of a command, from a table. */

#include "config.h"

#include "option.h"

#include "plain.h"
#include "setting.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_LIST_MOST = 1024, BYTES_MOST = 1 << 30 };

/* ---- A command line, word by word ------------------------------------------------------------ */

static bool takes_argument(const struct option_row *row)
{
	return row->read || row->text || row->argument || (row->variable && !row->value);
}

static bool is_long(const char *word)
{
	return strncmp(word, "--", 2) == 0;
}

/* The row that the first @len letters of a long name mean, or NULL; there may be no other. */
static const struct option_row *find_long(const struct option_table *t, const char *name,
					  size_t len)
{
	const struct option_row *found = NULL;
	bool several = false;

	for (const struct option_row *row = t->rows; row->name; row++) {
		if (!is_long(row->name) || strncmp(row->name, name, len) != 0)
			continue;
		if (row->name[len] == '\0')
			return row;
		/* Two names of one option: it does not matter which of them is meant. */
		if (found && (!row->letter || row->letter != found->letter ||
			      takes_argument(row) != takes_argument(found)))
			several = true;
		found = row;
	}
	return several ? NULL : found;
}

/* The row named @word, and in @argument what follows the name in it, or NULL. */
static const struct option_row *find_word(const struct option_table *t, const char *word,
					  const char **argument)
{
	for (const struct option_row *row = t->rows; row->name; row++) {
		size_t len = strlen(row->name);

		*argument = NULL;
		if (strncmp(word, row->name, len) != 0)
			continue;
		if (word[len] == '\0')
			return row;
		*argument = word + len + (word[len] == '=');
		if (word[len] == '=' && t->style == OPTION_LEADING && is_long(word) &&
		    takes_argument(row))
			return row;
		if (row->joins_number && isdigit((unsigned char)word[len]))
			return row;
	}
	return NULL;
}

/* The argument of the row found is the next word, unless it has stood in the same. */
static enum option_found end_row(struct option_scan *s)
{
	if (!takes_argument(s->row) || s->argument)
		return OPTION_ROW;
	if (s->at >= s->argc)
		return OPTION_NO_ARGUMENT;
	s->argument = s->argv[s->at++];
	return OPTION_ROW;
}

/* The next of s->letters. */
static enum option_found next_letter(struct option_scan *s)
{
	snprintf(s->name, sizeof(s->name), "-%c", *s->letters++);
	s->word = s->name;
	s->row = s->table->rows;
	while (s->row->name && strcmp(s->row->name, s->name) != 0)
		s->row++;
	if (!s->row->name)
		return OPTION_UNKNOWN;
	if (takes_argument(s->row) && *s->letters) {
		s->argument = s->letters;
		s->letters = NULL;
	}
	return end_row(s);
}

static enum option_found next_long(struct option_scan *s)
{
	size_t len = strcspn(s->word, "=");

	s->row = find_long(s->table, s->word, len);
	if (!s->row || (s->word[len] && !takes_argument(s->row)))
		return OPTION_UNKNOWN;
	if (s->word[len])
		s->argument = s->word + len + 1;
	return end_row(s);
}

void option_scan(struct option_scan *s, const struct option_table *t, int argc, char **argv,
		 int first)
{
	*s = (struct option_scan){ .table = t, .argc = argc, .argv = argv, .at = first };
}

enum option_found option_next(struct option_scan *s)
{
	const struct option_table *t = s->table;

	s->argument = NULL;
	if (s->letters && *s->letters)
		return next_letter(s);
	if (s->at >= s->argc)
		return OPTION_END;
	s->word = s->argv[s->at];
	if (s->word[0] != '-' && t->style == OPTION_LEADING)
		return OPTION_END;
	s->at++;
	if (s->operands_only || s->word[0] != '-' ||
	    (s->word[1] == '\0' && t->style == OPTION_LETTERS))
		return OPTION_OPERAND;
	if (strcmp(s->word, "--") == 0 && t->style != OPTION_WORDS) {
		s->operands_only = true;
		return t->style == OPTION_LEADING ? OPTION_END : option_next(s);
	}
	if (t->usage && strcmp(s->word, "--help") == 0)
		return OPTION_HELP;
	if (t->usage && strcmp(s->word, "--version") == 0)
		return OPTION_VERSION;
	if (t->usage && strcmp(s->word, "--list-options") == 0)
		return OPTION_LISTING;
	if (t->style == OPTION_LETTERS && is_long(s->word))
		return next_long(s);
	if (t->style == OPTION_LETTERS) {
		s->letters = s->word + 1;
		return next_letter(s);
	}
	s->row = find_word(t, s->word, &s->argument);
	return s->row ? end_row(s) : OPTION_UNKNOWN;
}

/* ---- What options do ------------------------------------------------------------------------- */

int option_misuse(const struct option_table *t, const char *what, const char *text)
{
	fprintf(stderr, "%s: %s '%s'; %s --help lists the options\n", t->command, what, text,
		t->command);
	return OPTION_MISUSED;
}

static int refuse_argument(const struct option_scan *s, const char *expected)
{
	fprintf(stderr, "%s: %s '%s': expected %s\n", s->table->command, s->row->name, s->argument,
		expected);
	return OPTION_MISUSED;
}

static int apply_row(const struct option_scan *s)
{
	const struct option_row *row = s->row;

	if (row->act)
		return row->act();
	if (row->flag)
		*row->flag = true;
	if (row->text)
		*row->text = s->argument;
	if (row->read && !row->read(s->argument))
		return refuse_argument(s, row->expected);
	if (row->variable && !option_setting(row->variable, row->value ? row->value : s->argument))
		return refuse_argument(s, row->expected);
	return -1;
}

int option_apply(const struct option_scan *s, enum option_found found)
{
	const struct option_table *t = s->table;

	switch (found) {
	case OPTION_ROW:
		return apply_row(s);
	case OPTION_HELP:
		fputs(t->usage, stdout);
		return fflush(stdout) ? OPTION_FAILED : OPTION_GOOD;
	case OPTION_VERSION:
		printf("%s (bsp) " PACKAGE_VERSION "\n", t->command);
		return fflush(stdout) ? OPTION_FAILED : OPTION_GOOD;
	case OPTION_LISTING:
		option_print_list(t);
		return fflush(stdout) ? OPTION_FAILED : OPTION_GOOD;
	case OPTION_NO_ARGUMENT:
		return option_misuse(t, "nothing follows", s->word);
	default:
		return option_misuse(t, "unknown option", s->word);
	}
}

int option_read_all(const struct option_table *t, int argc, char **argv)
{
	enum option_found found;
	struct option_scan s;
	int status = -1;

	option_scan(&s, t, argc, argv, 1);
	while (status < 0 && (found = option_next(&s)) != OPTION_END)
		status = option_apply(&s, found);
	return status;
}

/* ---- What a shell completes ------------------------------------------------------------------ */

/* In @words of a setting capital letters stand for something: a number, a list. */
static void print_words(const char *words)
{
	const char *separator = "\t";

	while (*words) {
		int len = (int)strcspn(words, "|");
		int plain = (int)strcspn(words, "|ABCDEFGHIJKLMNOPQRSTUVWXYZ");

		if (plain == len) {
			printf("%s%.*s", separator, len, words);
			separator = " ";
		}
		words += len + (words[len] == '|');
	}
	if (*separator == '\t')
		fputs(separator, stdout);
}

static void list_row(const struct option_row *row)
{
	const struct bspi_setting *s = row->variable ? bspi_setting_find(row->variable) : NULL;

	if (!is_long(row->name) && strlen(row->name) > 2)
		return;
	fputs(row->name, stdout);
	if (takes_argument(row))
		print_words(s && s->type == WORD ? s->words : "");
	putchar('\n');
}

void option_print_list(const struct option_table *t)
{
	for (const char *const *word = t->words; word && *word; word++)
		puts(*word);
	for (const struct option_row *row = t->rows; row->name; row++)
		list_row(row);
	if (t->usage)
		puts("--help\n--version");
}

/* ---- Arguments ------------------------------------------------------------------------------- */

bool option_setting(const char *variable, const char *value)
{
	const struct bspi_setting *s = bspi_setting_find(variable);

	return bspi_setting_check(s, value) == 0 && setenv(variable, value, 1) == 0;
}

bool option_seconds(const char *text, double *seconds)
{
	char *end;

	*seconds = plain_strtod(text, &end);
	return end != text && !*end && *seconds > 0 && *seconds <= 1e6;
}

uint64_t option_bytes(const char *text, const char **end)
{
	char *stop = NULL;
	unsigned long long n = *text >= '0' && *text <= '9' ? strtoull(text, &stop, 10) : 0;
	unsigned int shift;

	if (n == 0 || n > BYTES_MOST)
		return 0;
	shift = *stop == 'k' ? 10 : *stop == 'M' ? 20 : 0;
	*end = stop + (shift > 0);
	return n << shift <= BYTES_MOST ? n << shift : 0;
}

bool option_list(const char *list, bool (*is_known)(const char *name))
{
	char copy[OPTION_LIST_MOST], *at = copy, *name;

	if (snprintf(copy, sizeof(copy), "%s", list) >= (int)sizeof(copy))
		return false;
	while ((name = strsep(&at, ",")))
		if (!is_known(name))
			return false;
	return true;
}
