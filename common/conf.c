// SPDX-License-Identifier: BSD-3-Clause
/* conf.c - settings that stand in files, of the user and of the site. */

#include "conf.h"

#include "home.h"
#include "input.h"
#include "near.h"
#include "setting.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The line of a file that set each setting, by its place in the table; 0: none did. */
static int line_of[BSPI_CONF_FILES][BSPI_SETTINGS_MOST];

/* A file that is being read. */
struct conf {
	enum bspi_conf_of of;
	char path[PATH_MAX];
	int line;
	int seen[BSPI_SETTINGS_MOST];	/* the line that has each setting, or 0 */
	char *why;
};

__attribute__((format(printf, 2, 3)))
static int conf_refuse(const struct conf *c, const char *format, ...)
{
	int n = snprintf(c->why, BSPI_CONF_WHY, "%.*s:", BSPI_CONF_WHY / 2, c->path);
	va_list args;

	if (c->line)
		n += snprintf(c->why + n, BSPI_CONF_WHY - (size_t)n, "%d:", c->line);
	n += snprintf(c->why + n, BSPI_CONF_WHY - (size_t)n, " ");

	va_start(args, format);
	vsnprintf(c->why + n, BSPI_CONF_WHY - (size_t)n, format, args);
	va_end(args);
	return -EINVAL;
}

static int conf_refuse_name(const struct conf *c, const char *name)
{
	const struct bspi_setting_moved *m = bspi_setting_moved_find(name);
	const struct bspi_setting *near = bspi_setting_near(name);

	if (m)
		return conf_refuse(c, "%s is now a part of %s: %s=%s:TIME", name, m->variable,
				   m->variable, m->name);
	if (near)
		return conf_refuse(c, "%.40s is no setting; is it %s?", name, near->variable);
	return conf_refuse(c, "%.40s is no setting; bsprun --help-env lists them", name);
}

/* The place of a setting in the table. */
static unsigned int index_of(const struct bspi_setting *s)
{
	unsigned int i = 0;

	while (bspi_setting_at(i) != s)
		i++;
	return i;
}

/* A value that is set already counts; of a list of times, those at its end. */
static int conf_set(const struct conf *c, const struct bspi_setting *s, const char *value)
{
	const char *there = getenv(s->variable);
	char list[2 * BSPI_SETTING_TEXT];

	if (there && s->type != TIMES)
		return 0;
	if (there && *there) {
		if (snprintf(list, sizeof(list), "%s,%s", value, there) >= (int)sizeof(list) ||
		    (bspi_setting_check(s, there) == 0 && bspi_setting_check(s, list)))
			return conf_refuse(c, "%s is too long with what is set besides",
					   s->variable);
		value = list;
	}
	if (setenv(s->variable, value, 1))
		return conf_refuse(c, "no memory");
	line_of[c->of][index_of(s)] = c->line;
	return 0;
}

/* One line without blanks at its ends. */
static int conf_take(struct conf *c, char *text)
{
	char *value = strchr(text, '='), values[BSPI_SETTING_TEXT];
	const struct bspi_setting *s;
	int *seen;

	if (!text[0] || text[0] == '#')
		return 0;
	if (!value)
		return conf_refuse(c, "expected NAME=VALUE, and not '%.40s'", text);
	*value++ = '\0';
	text[strcspn(text, " \t")] = '\0';
	value += strspn(value, " \t");
	s = bspi_setting_find(text);
	if (!s)
		return conf_refuse_name(c, text);
	if (bspi_setting_check(s, value)) {
		bspi_setting_values(s, values, sizeof(values));
		return conf_refuse(c, "%s is \"%.40s\", but must be %s", s->variable, value,
				   values);
	}
	seen = &c->seen[index_of(s)];
	if (*seen)
		return conf_refuse(c, "%s stands already in line %d", s->variable, *seen);
	*seen = c->line;
	return conf_set(c, s, value);
}

static int conf_read(struct conf *c, FILE *in)
{
	static const char blanks[] = " \t\r\n";
	char *line = NULL, *text;
	size_t room = 0;
	ssize_t len;
	int err = 0;

	while (!err && (len = getline(&line, &room, in)) >= 0) {
		c->line++;
		if ((size_t)len != strlen(line)) {
			err = conf_refuse(c, "a byte of value 0");
			break;
		}
		text = line + strspn(line, blanks);
		for (char *end = strchr(text, 0); end > text && strchr(blanks, end[-1]); end--)
			end[-1] = '\0';
		err = conf_take(c, text);
	}
	if (!err && ferror(in))
		err = conf_refuse(c, "cannot be read: %s", strerror(errno));
	free(line);
	return err;
}

static int conf_load(enum bspi_conf_of of, char why[BSPI_CONF_WHY])
{
	struct conf c = { .of = of, .why = why };
	FILE *in;
	int err;

	if (!bspi_conf_path(of, c.path, sizeof(c.path)))
		return 0;
	in = input_open(c.path);
	err = errno;
	/* HOME may be that of another user (sudo -E, setpriv), whose folders are closed. */
	if (!in && access(c.path, F_OK))
		return 0;
	if (!in)
		return conf_refuse(&c, "cannot be read: %s", input_reason(err));
	err = conf_read(&c, in);
	fclose(in);
	return err;
}

bool bspi_conf_path(enum bspi_conf_of of, char *path, size_t len)
{
	if (of == BSPI_CONF_USER)
		return bspi_home_file("bsp.conf", path, len);
	return (size_t)snprintf(path, len, "%s", BSPI_CONF_FILE_OF_SITE) < len;
}

int bspi_conf_load(bool privileged, char why[BSPI_CONF_WHY])
{
	static bool loaded;
	static int err;
	static char reason[BSPI_CONF_WHY];

	loaded |= getenv("BSP_BSPRUN") != NULL;
	for (int of = privileged ? BSPI_CONF_SITE : BSPI_CONF_USER;
	     !loaded && !err && of < BSPI_CONF_FILES; of++)
		err = conf_load((enum bspi_conf_of)of, reason);
	loaded = true;
	strcpy(why, reason);
	return err;
}

void bspi_conf_origin(const char *variable, char *text, size_t len)
{
	unsigned int i = index_of(bspi_setting_find(variable));
	char path[PATH_MAX];

	for (int of = 0; of < BSPI_CONF_FILES; of++)
		if (line_of[of][i] && bspi_conf_path((enum bspi_conf_of)of, path, sizeof(path))) {
			snprintf(text, len, "%s:%d", path, line_of[of][i]);
			return;
		}
	snprintf(text, len, getenv(variable) ? "environment" : "default");
}
