// SPDX-License-Identifier: BSD-3-Clause
/* env.c - the settings of a run, out of the environment. */

#include "bsplib/core/env.h"

#include "bsplib/core/error.h"

#include "common/conf.h"
#include "common/near.h"
#include "common/setting.h"
#include "job/job.h"
#include "transport/transport.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Settings of process 0 that count for all, a line for each; "": those of the environment do. */
static char env_common[BSPJ_COMMON];

static const char *const common[] = {
	"BSP_TRANSPORT", "BSP_FAR", "BSP_SYNC", "BSP_NEIGHBORS", "BSP_EAGER", "BSP_CREDIT",
	"BSP_CHECK", "BSP_UNREAD", "BSP_ONLY", "BSP_WITHOUT", "BSP_BARRIER", "BSP_OFFLOAD",
	"BSP_PROGRESS", "BSP_COLL", "BSP_SHARE", "BSP_STAT", "BSP_REPORT", "BSP_SHUFFLE",
};

enum { COMMON = sizeof(common) / sizeof(common[0]) };

/* The value that process 0 has given; NULL: none. */
static const char *env_of_process_0(const char *variable)
{
	static char value[BSPI_SETTING_TEXT + BSPJ_COMMON];
	size_t len = strlen(variable);

	for (const char *line = env_common; line && *line;) {
		if (strncmp(line, variable, len) == 0 && line[len] == '=') {
			snprintf(value, sizeof(value), "%.*s", (int)strcspn(line + len + 1, "\n"),
				 line + len + 1);
			return value;
		}
		line = strchr(line, '\n');
		line += line != NULL;
	}
	return NULL;
}

/*
 * The value that the environment gives. A program with rights that its user has not takes no texts
 * from it: all settings that name a file, a folder, an interface or other processes are TEXTs.
 */
static const char *env_given(const struct bspi_setting *s)
{
	static char text[BSPI_SETTING_TEXT];
	const char *value = env_of_process_0(s->variable);

	if (value)
		return value;
	return s->type == TEXT && bspt_is_privileged() ? NULL : bspi_setting_given(s, text);
}

/*
 * Defined in programs that bspcc -stat has linked: they want statistics unless their user says
 * otherwise.
 */
extern const char bsp_stat_by_default[] __attribute__((weak, visibility("default")));

/*
 * The value of a setting: that of the environment, checked and by its current name, or the
 * default. Valid until the next call.
 */
static const char *env_value_of(const char *variable)
{
	const struct bspi_setting *s = bspi_setting_find(variable);
	const char *value = env_given(s);
	static char current[BSPI_SETTING_WORD];
	char values[BSPI_SETTING_TEXT];

	if (!value)
		return bsp_stat_by_default && strcmp(variable, "BSP_STAT") == 0 ? "1" : s->standard;
	if (bspi_setting_check(s, value) == 0)
		return bspi_setting_current(s, value, current, sizeof(current));
	bspi_setting_values(s, values, sizeof(values));
	bspi_fail("bsp_begin", NULL, "%s is \"%.40s\", but must be %s", variable, value, values);
}

static double env_number_of(const char *variable)
{
	return bspi_setting_number(bspi_setting_find(variable), env_value_of(variable));
}

/* The program may have changed its folder. A text without room stays as it is. */
static void env_text_of(const char *variable, char *value, size_t room)
{
	int file;

	snprintf(value, room, "%s", env_value_of(variable));
	file = bspi_setting_file(bspi_setting_find(variable), value);
	if (file >= 0)
		bspt_absolute_name(value + file, room - (size_t)file);
}

static void env_read_times(struct bspi_env *env, const char *variable)
{
	const struct bspi_setting *s = bspi_setting_find(variable);
	const char *list = env_value_of(variable);
	double spin_s = bspi_setting_time(s, list, "spin");
	double yield_s = bspi_setting_time(s, list, "yield");

	env->join_wait = bspi_setting_time(s, list, "join");
	env->lifeline = bspi_setting_time(s, list, "lifeline");
	env->watchdog_warn = bspi_setting_time(s, list, "warn");
	env->spin = spin_s < 0 ? -1 : 1e6 * spin_s + 0.5;
	env->yield = yield_s < 0 ? -1 : 1e6 * yield_s + 0.5;
}

#define READ_COUNT(field, variable) env->field = env_number_of(variable)
#define READ_BYTES(field, variable) env->field = env_number_of(variable)
#define READ_SECONDS(field, variable) env->field = env_number_of(variable)
#define READ_TIMES(field, variable) env_read_times(env, variable)
#define READ_TEXT(field, variable) env_text_of(variable, env->field, sizeof(env->field))
#define READ_WORD READ_TEXT
#define READ_RANGE READ_TEXT

void bspi_env_read(struct bspi_env *env)
{
	char why[BSPI_CONF_WHY];

	if (bspi_conf_load(bspt_is_privileged(), why))
		bspi_fail("bsp_begin", NULL, "%s", why);
#define SETTING(field, variable, type, least, most, words, standard, help) \
	READ_##type(field, variable);
#include "common/env.def"
#undef SETTING
	if (!env->interface[0] && !strchr(env->networks, '/') &&
	    strlen(env->networks) < sizeof(env->interface))
		strcpy(env->interface, env->networks);
}

void bspi_env_write_common(char *text, size_t room)
{
	size_t len = 0;

	text[0] = '\0';
	for (int i = 0; i < COMMON && len < room; i++) {
		/* process 0 writes the report; the others count if it has a name, which is long */
		int most = strcmp(common[i], "BSP_REPORT") == 0 ? 1 : BSPJ_COMMON;

		len += (size_t)snprintf(text + len, room - len, "%s=%.*s\n", common[i], most,
					env_value_of(common[i]));
	}
}

bool bspi_env_take_common(struct bspi_env *env, const char *text)
{
	char mine[BSPJ_COMMON];

	bspi_env_write_common(mine, sizeof(mine));
	if (!*text || strcmp(mine, text) == 0)
		return false;
	snprintf(env_common, sizeof(env_common), "%s", text);
	bspi_env_read(env);
	return true;
}

void bspi_env_warn_renamed(const char *variable, const char *old, const char *current)
{
	bspi_warn("bsp_begin", "%s: %s is now called %s", variable, old, current);
}

void bspi_env_announce_unread(void)
{
	const struct bspi_setting *s;

	for (unsigned int i = 0; (s = bspi_setting_at(i)); i++)
		if (getenv(s->variable) && !env_given(s))
			bspi_warn("bsp_begin",
				  "%s is not read: the program has rights of another user (setuid, "
				  "setgid, capabilities)", s->variable);
}

void bspi_env_announce_near(void)
{
	char name[BSPI_SETTING_WORD];

	/* clearenv() of the program leaves no list at all */
	for (char **at = environ; at && *at; at++) {
		const struct bspi_setting *s = bspi_setting_stray(*at, name) ?
			bspi_setting_near(name) : NULL;

		if (s && !bspi_setting_moved_find(name))
			bspi_warn("bsp_begin", "%s is no setting; is it %s?", name, s->variable);
	}
}

void bspi_env_announce_renamed(void)
{
	const struct bspi_setting_moved *m;
	const struct bspi_setting *s;
	char text[BSPI_SETTING_WORD];

	for (unsigned int i = 0; (m = bspi_setting_moved_at(i)); i++)
		if (getenv(m->old))
			bspi_warn("bsp_begin", "%s is now a part of %s: %s=%s", m->old, m->variable,
				  m->variable, bspi_setting_moved_item(m, getenv(m->old), text,
								       sizeof(text)));
	for (unsigned int i = 0; (s = bspi_setting_at(i)); i++) {
		const char *value = getenv(s->variable);
		const char *current = value ?
			bspi_setting_current(s, value, text, sizeof(text)) : NULL;

		if (current != value)
			bspi_env_warn_renamed(s->variable, value, current);
	}
}
