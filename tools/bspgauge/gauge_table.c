// SPDX-License-Identifier: BSD-3-Clause
/* gauge_table.c - which patterns and modules there are, and which go together. */

#include "gauge.h"

#include "transport/transport.h"

#include <string.h>

/* ---- Modules ------------------------------------------------------------------------------- */

#define MODULE(name) extern const struct gauge_module gauge_mod_##name;
#define PLUGIN(name, needs)
#include "tools/bspgauge/module/gauge_modules.def"
#undef MODULE
#undef PLUGIN

static const struct gauge_module *const built_in[] = {
#define MODULE(name) &gauge_mod_##name,
#define PLUGIN(name, needs)
#include "tools/bspgauge/module/gauge_modules.def"
#undef MODULE
#undef PLUGIN
};

enum { BUILT_IN = sizeof(built_in) / sizeof(built_in[0]) };

/* bsp-gauge-FILE.so has an array gauge_mod_FILE_all of pointers, NULL after the last. */
static struct part {
	const char *file, *symbol, *needs;
	bool tried;
	const struct gauge_module *const *modules;
} parts[] = {
#define MODULE(name)
#define PLUGIN(name, needs) { "gauge-" #name, "gauge_mod_" #name "_all", needs, false, NULL },
#include "tools/bspgauge/module/gauge_modules.def"
#undef MODULE
#undef PLUGIN
};

enum { PARTS = sizeof(parts) / sizeof(parts[0]) };

static const struct gauge_module *const *modules_of(struct part *p)
{
	static const struct gauge_module *const none[] = { NULL };
	char why[GAUGE_TEXT];

	if (!p->tried)
		p->modules = bspt_plugin(p->file, p->symbol, why, sizeof(why));
	p->tried = true;
	return p->modules ? p->modules : none;
}

const struct gauge_module *gauge_module_at(unsigned int i)
{
	if (i < BUILT_IN)
		return built_in[i];
	i -= BUILT_IN;
	for (int k = 0; k < PARTS; k++)
		for (const struct gauge_module *const *m = modules_of(&parts[k]); *m; m++)
			if (i-- == 0)
				return *m;
	return NULL;
}

const struct gauge_module *gauge_module_named(const char *name)
{
	const struct gauge_module *m;

	for (unsigned int i = 0; (m = gauge_module_at(i)); i++)
		if (strcmp(m->name, name) == 0)
			return m;
	return NULL;
}

/* ---- Patterns -------------------------------------------------------------------------------- */

#define PATTERN(name) extern const struct gauge_pattern gauge_pat_##name;
#include "tools/bspgauge/pattern/gauge_patterns.def"
#undef PATTERN

static const struct gauge_pattern *const patterns[] = {
#define PATTERN(name) &gauge_pat_##name,
#include "tools/bspgauge/pattern/gauge_patterns.def"
#undef PATTERN
};

enum { PATTERNS = sizeof(patterns) / sizeof(patterns[0]) };

const struct gauge_pattern *gauge_pattern_at(unsigned int i)
{
	return i < PATTERNS ? patterns[i] : NULL;
}

const struct gauge_pattern *gauge_pattern_named(const char *name)
{
	for (int i = 0; i < PATTERNS; i++)
		if (strcmp(patterns[i]->name, name) == 0)
			return patterns[i];
	return NULL;
}

bool gauge_is_in(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		if (strncmp(at, name, len) == 0 && (at[len] == '\0' || at[len] == ','))
			return true;
	return !list;
}

/* ---- What goes together ------------------------------------------------------------- */

static const struct {
	unsigned int bit;
	const char *word, *why;
} abilities[] = {
	{ GAUGE_NONBLOCKING, "non-blocking", "the module has no non-blocking messages" },
	{ GAUGE_RELIABLE, "reliable", "the module may lose messages" },
	{ GAUGE_ONE_SIDED, "one-sided", "the module is not one-sided" },
	{ GAUGE_LIBRARY, "supersteps", "the module has no supersteps and collective operations" },
	{ GAUGE_REAL_TIME, "real time", "time is virtual" },
	{ GAUGE_CHANNEL, "channel semantics", "the module has no channel semantics" },
};

enum { ABILITIES = sizeof(abilities) / sizeof(abilities[0]) };

bool gauge_refuses(const struct gauge_pattern *p, const struct gauge_module *module, int nprocs,
		   bool virtual_time, char *why, size_t len)
{
	unsigned int can = module->can | (virtual_time ? 0 : GAUGE_REAL_TIME);

	for (int i = 0; i < ABILITIES; i++)
		if (p->needs & ~can & abilities[i].bit) {
			snprintf(why, len, "%s", abilities[i].why);
			return true;
		}
	if (nprocs >= p->nprocs_least)
		return false;
	snprintf(why, len, "needs %d processes", p->nprocs_least);
	return true;
}

static void list_abilities(FILE *out, unsigned int bits)
{
	const char *between = "";

	for (int i = 0; i < ABILITIES; i++)
		if (bits & abilities[i].bit) {
			fprintf(out, "%s%s", between, abilities[i].word);
			between = ", ";
		}
	putc('\n', out);
}

static void list_module(FILE *out, const struct gauge_module *m)
{
	char why[GAUGE_TEXT] = "";

	fprintf(out, "  %-10s %s\n", m->name, m->summary);
	fprintf(out, "  %-10s   can: ", "");
	list_abilities(out, m->can);
	if (m->can & GAUGE_REGISTERED)
		fprintf(out, "  %-10s   needs: registered memory\n", "");
	if (m->bytes_most)
		fprintf(out, "  %-10s   messages of up to %zu bytes\n", "", m->bytes_most);
	for (const struct gauge_option *o = m->options; o && o->key; o++)
		fprintf(out, "  %-10s   option %s=%s: %s\n", "", o->key, o->values, o->what);
	if (m->probe && m->probe(why, sizeof(why)))
		fprintf(out, "  %-10s   cannot run here: %s\n", "", why);
}

void gauge_list(FILE *out)
{
	const struct gauge_module *m;

	fputs("Patterns:\n", out);
	for (int i = 0; i < PATTERNS; i++) {
		fprintf(out, "  %-10s %s\n", patterns[i]->name, patterns[i]->summary);
		if (patterns[i]->needs) {
			fprintf(out, "  %-10s   needs: ", "");
			list_abilities(out, patterns[i]->needs);
		}
	}
	fputs("\nModules:\n", out);
	for (unsigned int i = 0; (m = gauge_module_at(i)); i++)
		list_module(out, m);
	for (int i = 0; i < PARTS; i++)
		if (!*modules_of(&parts[i]))
			fprintf(out,
				"  (more with %s, without which this was built or installed)\n",
				parts[i].needs);
}
