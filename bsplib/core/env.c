// SPDX-License-Identifier: BSD-3-Clause
/* env.c - the settings of a run, out of the environment. */

#include "bsplib/core/env.h"

#include "bsplib/core/error.h"

#include "common/conf.h"
#include "common/near.h"
#include "common/setting.h"
#include "transport/transport.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The value that the environment gives. A program with rights that its user has not takes no texts
 * from it: all settings that name a file, a folder, an interface or other processes are TEXTs.
 */
static const char *env_given(const struct bspi_setting *s)
{
	static char text[BSPI_SETTING_TEXT];

	return s->type == TEXT && bspt_is_privileged() ? NULL : bspi_setting_given(s, text);
}

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
		return s->standard;
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

	env->join_wait = bspi_setting_time(s, list, "join");
	env->lifeline = bspi_setting_time(s, list, "lifeline");
	env->watchdog_warn = bspi_setting_time(s, list, "warn");
	env->spin = spin_s < 0 ? -1 : 1e6 * spin_s + 0.5;
	env->yield = 1e6 * bspi_setting_time(s, list, "yield") + 0.5;
}

#define READ_COUNT(field, variable) env->field = env_number_of(variable)
#define READ_BYTES(field, variable) env->field = env_number_of(variable)
#define READ_SECONDS(field, variable) env->field = env_number_of(variable)
#define READ_TIMES(field, variable) env_read_times(env, variable)
#define READ_TEXT(field, variable) env_text_of(variable, env->field, sizeof(env->field))
#define READ_WORD READ_TEXT
#define READ_RANGE READ_TEXT

/*
 * Defined in programs that bspcc -stat has linked: they want statistics unless their user says
 * otherwise.
 */
extern const char bsp_stat_by_default[] __attribute__((weak, visibility("default")));

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
	if (bsp_stat_by_default && !getenv("BSP_STAT"))
		env->stat = 1;
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
