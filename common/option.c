// SPDX-License-Identifier: BSD-3-Clause
/* option.c - options of the commands that measure. */

#include "config.h"

#include "option.h"

#include "setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST = 1024, BYTES_MOST = 1 << 30 };

int option_misuse(const struct option_table *t, const char *what, const char *text)
{
	fprintf(stderr, "%s: %s '%s'; %s --help lists the options\n", t->command, what, text,
		t->command);
	return OPTION_MISUSED;
}

static int said(void)
{
	return fflush(stdout) ? OPTION_FAILED : OPTION_GOOD;
}

static int read_argument(const struct option_table *t, const struct option_row *row, int argc,
			 char **argv, int *i)
{
	if (*i + 1 == argc)
		return option_misuse(t, "nothing follows", row->name);
	if (row->read(argv[++*i]))
		return -1;
	fprintf(stderr, "%s: %s '%s': expected %s\n", t->command, row->name, argv[*i],
		row->expected);
	return OPTION_MISUSED;
}

static int option_take(const struct option_table *t, const struct option_row *row, int argc,
		       char **argv, int *i)
{
	if (row->read)
		return read_argument(t, row, argc, argv, i);
	if (row->act)
		return row->act();
	*row->flag = true;
	return -1;
}

int option_read(const struct option_table *t, int argc, char **argv, int *i)
{
	if (strcmp(argv[*i], "--help") == 0) {
		fputs(t->usage, stdout);
		return said();
	}
	if (strcmp(argv[*i], "--version") == 0) {
		printf("%s (bsp) " PACKAGE_VERSION "\n", t->command);
		return said();
	}
	for (const struct option_row *row = t->rows; row->name; row++)
		if (strcmp(argv[*i], row->name) == 0)
			return option_take(t, row, argc, argv, i);
	return option_misuse(t, "unknown option", argv[*i]);
}

int option_read_all(const struct option_table *t, int argc, char **argv)
{
	int status = -1;

	for (int i = 1; i < argc && status < 0; i++)
		status = option_read(t, argc, argv, &i);
	return status;
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

	*seconds = strtod(text, &end);
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
	char copy[LIST], *at = copy, *name;

	if (snprintf(copy, sizeof(copy), "%s", list) >= (int)sizeof(copy))
		return false;
	while ((name = strsep(&at, ",")))
		if (!is_known(name))
			return false;
	return true;
}
