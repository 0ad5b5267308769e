// SPDX-License-Identifier: BSD-3-Clause
/* gauge_option.c - options of modules: --option MODULE:KEY=VALUE. */

#include "gauge.h"

#include <string.h>

char gauge_option_expected[4 * GAUGE_TEXT] = "MODULE:KEY=VALUE, see --list";

/* Name the options of @m, or if it is NULL of each module that has some, as expected. */
static void option_expect(const struct gauge_module *m)
{
	const struct gauge_module *at;
	char *text = gauge_option_expected;
	size_t len, room = sizeof(gauge_option_expected);

	text[0] = '\0';
	for (unsigned int i = 0; (at = gauge_module_at(i)); i++)
		for (const struct gauge_option *o = at->options; o && o->key && (!m || m == at);
		     o++) {
			len = strlen(text);
			snprintf(text + len, room - len, "%s%s:%s=%s", len ? ", " : "", at->name,
				 o->key, o->values);
		}
	if (!text[0])
		snprintf(text, room, "none, as module %s has no options", m ? m->name : "");
}

/* Is @value one of "a|b|c"? A word in capitals stands for any, if it is good. */
static bool option_accepts(const struct gauge_option *o, const char *value)
{
	size_t len = strlen(value);

	if (o->is_good)
		return *value && o->is_good(value);
	for (const char *at = o->values; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
		if (strncmp(at, value, len) == 0 && (at[len] == '\0' || at[len] == '|'))
			return len > 0 && !strchr(value, '|');
	return false;
}

bool gauge_option_is_of(const struct gauge_module *m, const char *text)
{
	size_t len = strlen(m->name);

	return strncmp(text, m->name, len) == 0 && text[len] == ':';
}

static bool option_set(const struct gauge_module *m, const char *assignment)
{
	for (struct gauge_option *o = m->options; o && o->key; o++) {
		size_t len = strlen(o->key);

		if (strncmp(assignment, o->key, len) != 0 || assignment[len] != '=' ||
		    !option_accepts(o, assignment + len + 1))
			continue;
		o->value = assignment + len + 1;
		return true;
	}
	return false;
}

bool gauge_option_read(const char *text)
{
	const struct gauge_module *m;
	struct gauge_request *r = &gauge_request;
	unsigned int i = 0;

	while ((m = gauge_module_at(i)) && !gauge_option_is_of(m, text))
		i++;
	if (!m || !option_set(m, text + strlen(m->name) + 1)) {
		option_expect(m);
		return false;
	}
	if (r->noptions == GAUGE_OPTIONS) {
		snprintf(gauge_option_expected, sizeof(gauge_option_expected),
			 "at most %d options of modules", GAUGE_OPTIONS);
		return false;
	}
	r->option[r->noptions++] = text;
	return true;
}
