// SPDX-License-Identifier: BSD-3-Clause
/* bspinfo.c - what this installation is, and what it can do on this machine. */

/*
 * One report, written by one of two printers: as lines to be read, or as JSON.
 * BUILT_PREFIX, BUILT_BINDIR, BUILT_CC and BUILT_CFLAGS come from the build. An installation can
 * be moved: the prefix is the folder of this program without what BUILT_BINDIR has below
 * BUILT_PREFIX.
 */

#include "config.h"

#include "common/complain.h"
#include "common/conf.h"
#include "common/json.h"
#include "common/near.h"
#include "common/option.h"
#include "common/setting.h"
#include "tools/bsprun/launcher.h"
#include "tools/measure/measure_network.h"
#include "transport/transport.h"
#include "job/job.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	PATH_MOST = 4096,
	REASON_MOST = 600,	/* mix has those of others */
	VERSION_MOST = 8192,	/* MPI_MAX_LIBRARY_VERSION_STRING of any MPI */
	ORIGIN_MOST = 4200,	/* a file and its line */
};

static const char usage[] =
	"usage: bspinfo [option]...\n"
	"Print the version, how it was built, which transports can run here, and the\n"
	"settings in effect.\n"
	"\n"
	"  -n N                ask the transports for N processes, by default for as\n"
	"                      many as bsprun would start\n"
	"  --settings          print each setting and where its value comes from\n"
	"  --json              print it as JSON\n"
	"  --version, --help\n";

static const struct {
	unsigned int cap;
	const char *words;
} caps[] = {
	{ BSPT_CAP_COUNTING, "counted barrier" },
	{ BSPT_CAP_COUNTING_NODES, "counted barrier of nodes" },
	{ BSPT_CAP_WINDOW, "direct access to memory" },
	{ BSPT_CAP_BULK, "large transfers without copies" },
	{ BSPT_CAP_SCHEDULE, "schedules that the kernel runs" },
};

enum { NCAPS = sizeof(caps) / sizeof(caps[0]) };

/* Why the transport cannot run here, or NULL if it can. */
static const char *reason_against(const struct bspt_ops *ops, int nprocs)
{
	static char why[REASON_MOST];

	if (bspt_check(ops, why, sizeof(why)))
		return why;
	return ops->probe(nprocs, why, sizeof(why)) ? why : NULL;
}

/* Where this is installed, or was to be, if it runs from elsewhere, as where it was built. */
static const char *prefix_here(void)
{
	static char file[PATH_MOST];
	size_t shared = strlen(BUILT_PREFIX), len, rest;
	char *slash;

	if (strncmp(BUILT_BINDIR, BUILT_PREFIX, shared) != 0 || !realpath("/proc/self/exe", file))
		return BUILT_PREFIX;
	slash = strrchr(file, '/');
	*slash = '\0';
	len = (size_t)(slash - file);
	rest = strlen(BUILT_BINDIR) - shared;
	if (len <= rest || strcmp(slash - rest, &BUILT_BINDIR[shared]) != 0)
		return BUILT_PREFIX;
	file[len - rest] = '\0';
	return file;
}

/* ---- Libraries of others and launchers -------------------------------------------- */

static void write_libfabric(const void *function, char *text)
{
	uint32_t (*version)(void);

	memcpy(&version, function, sizeof(version));
	snprintf(text, VERSION_MOST, "%u.%u", version() >> 16, version() & 0xffff);
}

static void write_mpi(const void *function, char *text)
{
	int (*version)(char *to, int *len), len = 0;

	memcpy(&version, function, sizeof(version));
	version(text, &len);
}

static void write_pmix(const void *function, char *text)
{
	const char *(*version)(void);

	memcpy(&version, function, sizeof(version));
	snprintf(text, VERSION_MOST, "%s", version());
}

/* Libraries that plugins need, each with a function that says of which version it is. */
static const struct library {
	const char *name, *plugin, *function;
	void (*write)(const void *function, char *text);
} libraries[] = {
	{ "libfabric", "ofi", "fi_version", write_libfabric },
	{ "Open MPI", "mpi-openmpi", "MPI_Get_library_version", write_mpi },
	{ "MPICH", "mpi-mpich", "MPI_Get_library_version", write_mpi },
	{ "PMIx", "pmix", "PMIx_Get_version", write_pmix },
};

enum { NLIBRARIES = sizeof(libraries) / sizeof(libraries[0]) };

/* Its version, in one line; or NULL, and why it is not there. */
static const char *version_of(const struct library *l, char why[REASON_MOST])
{
	static char text[VERSION_MOST];
	void *function = bspt_plugin(l->plugin, l->function, why, REASON_MOST);

	if (!function)
		return NULL;
	text[0] = '\0';
	l->write(&function, text);
	text[strcspn(text, ",(\n")] = '\0';
	for (size_t n = strlen(text); n > 0 && text[n - 1] == ' '; n--)
		text[n - 1] = '\0';
	for (char *tab; (tab = strchr(text, '\t'));)
		*tab = ' ';
	return text;
}

/* The launcher that bsprun would take for hosts of @where; or why it would have none. */
static bool launcher_here(char *text, size_t len, const char **where)
{
	bool allocated = launcher_is_allocated();
	struct launcher l;

	*where = allocated ? "the nodes of this Slurm job" : "hosts that are named (bsprun -H)";
	if (launcher_choose(allocated, &l, text, len))
		return false;
	if (l.kind == LAUNCHER_SLURM)
		launcher_slurm(l.version, sizeof(l.version));
	snprintf(text, len, "%s%s%s%s%s", l.command, l.protocol ? " --mpi=" : "",
		 l.protocol ? l.protocol : "", l.version[0] ? ": " : "", l.version);
	return true;
}

/* ---- As lines --------------------------------------------------------------- */

/* Returns whether it can run; a reason is about the number of processes if one alone could run. */
static bool print_ability(const struct bspt_ops *ops, int nprocs, bool is_first)
{
	const char *why = reason_against(ops, nprocs);
	char reason[REASON_MOST];

	if (!why) {
		printf("can run here with %d process%s%s\n", nprocs, nprocs == 1 ? "" : "es",
		       is_first ? "; programs take it" : "");
		return true;
	}
	snprintf(reason, sizeof(reason), "%s", why);
	if (nprocs > 1 && !reason_against(ops, 1))
		printf("can run here, but not with %d processes: %s\n", nprocs, reason);
	else
		printf("cannot run here: %s\n", reason);
	return false;
}

static bool print_transport(const struct bspt_ops *ops, int nprocs, bool is_first)
{
	const char *separator = "";
	bool can;

	printf("  %-8s %s\n  %-8s ", ops->name, ops->summary, "");
	can = print_ability(ops, nprocs, is_first);
	for (int i = 0; i < NCAPS; i++) {
		if (!(ops->caps & caps[i].cap))
			continue;
		if (!*separator)
			printf("  %-8s beyond the core: ", "");
		printf("%s%s", separator, caps[i].words);
		separator = ", ";
	}
	if (*separator)
		putchar('\n');
	return can;
}

/* The parameters that BSP_EMULATE stands for. */
static void print_network(const char *given)
{
	struct measure_network n;
	char why[BSPI_NETWORK_WHY];

	if (!given[0])
		return;
	if (!measure_network_read(given, &n, why, sizeof(why))) {
		printf("  %-8s no network: %s\n", "", why);
		return;
	}
	printf("  %-8s L %.6g us, o %.6g us, g %.6g us, G %.6g ns; "
	       "computation %.6g times that here\n",
	       "", n.net.L * 1e-3, n.net.o * 1e-3, n.net.g * 1e-3, n.net.G, n.cpu);
	printf("  %-8s a byte takes %.6g us", "", (n.net.L + 2 * n.net.o) * 1e-3);
	if (n.net.G > 0)
		printf(", and many arrive at %.5g MB/s", 1e3 / n.net.G);
	putchar('\n');
}

/* A file of settings that has a fault has not been read to its end. */
static char fault_of_files[BSPI_CONF_WHY];

static void print_fault_of_files(void)
{
	if (fault_of_files[0])
		printf("  %s\n", fault_of_files);
}

static void print_settings(void)
{
	const struct bspi_setting *s;
	const char *value;
	char values[BSPI_SETTING_TEXT], origin[ORIGIN_MOST];
	bool any = false;

	puts("settings in the environment (bsprun --help-env explains them):");
	for (unsigned int i = 0; (s = bspi_setting_at(i)); i++) {
		value = getenv(s->variable);
		if (!value)
			continue;
		any = true;
		printf("  %s=%s", s->variable, value);
		bspi_setting_values(s, values, sizeof(values));
		bspi_conf_origin(s->variable, origin, sizeof(origin));
		if (bspi_setting_check(s, value))
			printf(" is wrong: expected %s", values);
		else if (strcmp(origin, "environment") != 0)
			printf("  (%s)", origin);
		putchar('\n');
		if (strcmp(s->variable, "BSP_EMULATE") == 0)
			print_network(value);
	}
	if (!any)
		puts("  none");
	print_fault_of_files();
}

static void print_strays(void)
{
	char name[BSPI_SETTING_WORD];

	for (char **at = environ; *at; at++) {
		const char *value = bspi_setting_stray(*at, name);
		const struct bspi_setting_moved *m = value ? bspi_setting_moved_find(name) : NULL;
		const struct bspi_setting *s = value ? bspi_setting_near(name) : NULL;
		char item[BSPI_SETTING_WORD];

		if (m)
			printf("  %s=%s is now a part of %s: %s=%s\n", name, value, m->variable,
			       m->variable, bspi_setting_moved_item(m, value, item, sizeof(item)));
		else if (value)
			printf("  %s=%s is no setting%s%s%s\n", name, value, s ? "; is it " : "",
			       s ? s->variable : "", s ? "?" : "");
	}
}

/* In the order in which they count, the files with what they are for; then all settings. */
static void print_origins(void)
{
	static const char *const whose[] = { "of the user", "of the site" };
	const struct bspi_setting *s;
	char text[ORIGIN_MOST];

	for (int of = 0; of < BSPI_CONF_FILES; of++)
		if (bspi_conf_path((enum bspi_conf_of)of, text, sizeof(text)))
			printf("file %s  %s%s\n", whose[of], text,
			       access(text, F_OK) == 0 ? "" : "  (not there)");
	print_fault_of_files();
	for (unsigned int i = 0; (s = bspi_setting_at(i)); i++) {
		const char *value = getenv(s->variable);

		bspi_conf_origin(s->variable, text, sizeof(text));
		printf("  %-22s %-20s %s\n", s->variable, value ? value : s->standard, text);
	}
	print_strays();
}

static void print_libraries(void)
{
	char why[REASON_MOST], launcher[LAUNCHER_WHY], slurm[LAUNCHER_WHY];
	const char *where;

	for (int i = 0; i < NLIBRARIES; i++) {
		const char *version = version_of(&libraries[i], why);

		printf("%-11s %s%s\n", libraries[i].name, version ? "" : "none: ",
		       version ? version : why);
	}
	printf("Slurm       %s%s\n", launcher_slurm(slurm, sizeof(slurm)) ? "" : "none: ", slurm);
	if (launcher_here(launcher, sizeof(launcher), &where))
		printf("launcher    %s, for %s\n", launcher, where);
	else
		printf("launcher    none: %s\n", launcher);
}

static void print_report(int processors, int nprocs)
{
	const char *named = getenv("BSP_TRANSPORT"), *emulated = getenv("BSP_EMULATE");
	bool is_chosen = (named && strcmp(named, "auto") != 0) || (emulated && *emulated);
	const struct bspt_ops *ops;

	printf("version     %s\n", PACKAGE_VERSION);
	printf("prefix      %s\n", prefix_here());
	printf("compiler    %s\n", BUILT_CC);
	printf("flags       %s\n", BUILT_CFLAGS);
	printf("processors  %d\n", processors);
	print_libraries();
	puts("transports, the preferred one first:");
	for (unsigned int i = 0; (ops = bspt_at(i)); i++)
		is_chosen |= print_transport(ops, nprocs, !is_chosen);
	print_settings();
	print_strays();
}

/* ---- As JSON ----------------------------------------------------------------- */

/* One member of an object, @before what separates it from what stands before. */
static void print_member(const char *before, const char *name, const char *value)
{
	fputs(before, stdout);
	bspi_json_write(stdout, name);
	fputs(": ", stdout);
	if (value)
		bspi_json_write(stdout, value);
	else
		fputs("null", stdout);
}

static void print_json_transport(const struct bspt_ops *ops, int nprocs)
{
	const char *why = reason_against(ops, nprocs);
	const char *separator = "";

	print_member("    { ", "name", ops->name);
	print_member(",\n      ", "summary", ops->summary);
	printf(",\n      \"nprocs\": %d,\n      \"usable\": %s", nprocs, why ? "false" : "true");
	print_member(",\n      ", "reason", why);
	fputs(",\n      \"capabilities\": [", stdout);
	for (int i = 0; i < NCAPS; i++) {
		if (!(ops->caps & caps[i].cap))
			continue;
		fputs(separator, stdout);
		bspi_json_write(stdout, caps[i].words);
		separator = ", ";
	}
	fputs("] }", stdout);
}

static void print_json_settings(void)
{
	const char *separator = "\n    ";
	const struct bspi_setting *s;

	for (unsigned int i = 0; (s = bspi_setting_at(i)); i++) {
		if (!getenv(s->variable))
			continue;
		print_member(separator, s->variable, getenv(s->variable));
		separator = ",\n    ";
	}
}

static void print_json_strays(void)
{
	const char *separator = "\n    ";
	char name[BSPI_SETTING_WORD];

	for (char **at = environ; *at; at++) {
		const char *value = bspi_setting_stray(*at, name);

		if (value) {
			print_member(separator, name, value);
			separator = ",\n    ";
		}
	}
}

static void print_json_libraries(void)
{
	char why[REASON_MOST], launcher[LAUNCHER_WHY], slurm[LAUNCHER_WHY];
	const char *where;
	bool found;

	fputs(",\n  \"libraries\": {", stdout);
	for (int i = 0; i < NLIBRARIES; i++)
		print_member(i ? ",\n    " : "\n    ", libraries[i].name,
			     version_of(&libraries[i], why));
	found = launcher_slurm(slurm, sizeof(slurm));
	print_member(",\n    ", "Slurm", found ? slurm : NULL);
	found = launcher_here(launcher, sizeof(launcher), &where);
	print_member("\n  },\n  ", "launcher", found ? launcher : NULL);
}

static void info_print_json(int processors, int nprocs)
{
	const struct bspt_ops *ops;

	print_member("{\n  ", "version", PACKAGE_VERSION);
	print_member(",\n  ", "prefix", prefix_here());
	print_member(",\n  ", "compiler", BUILT_CC);
	print_member(",\n  ", "flags", BUILT_CFLAGS);
	printf(",\n  \"processors\": %d", processors);
	print_json_libraries();
	fputs(",\n  \"transports\": [\n", stdout);
	for (unsigned int i = 0; (ops = bspt_at(i)); i++) {
		if (i > 0)
			fputs(",\n", stdout);
		print_json_transport(ops, nprocs);
	}
	fputs("\n  ],\n  \"settings\": {", stdout);
	print_json_settings();
	fputs("\n  },\n  \"unknown\": {", stdout);
	print_json_strays();
	puts("\n  }\n}");
}

/* ---- The command ------------------------------------------------------------ */

/* The request of the command line. */
static struct {
	int nprocs;		/* 0: as many as bsprun would start */
	bool json, settings;
} request;

static bool info_read_nprocs(const char *text)
{
	const struct bspi_setting *s = bspi_setting_find("BSP_NPROCS");

	request.nprocs = bspi_setting_check(s, text) == 0 ? atoi(text) : 0;
	return request.nprocs > 0;
}

/* As many as bsprun would use; a list that it would refuse counts as none. */
static int usual_processors(void)
{
	const char *bind = getenv("BSP_BIND");
	char why[512];

	if (bind && bspj_processors_restrict(bind, why, sizeof(why)) < 0)
		bspj_processors_restrict("", why, sizeof(why));
	return bspj_processors();
}

/* As many processes as bsprun would start. */
static int usual_nprocs(int processors)
{
	const struct bspi_setting *s = bspi_setting_find("BSP_NPROCS");
	const char *value = getenv(s->variable);

	if (value && bspi_setting_check(s, value) == 0 && atoi(value) > 0)
		return atoi(value);
	return processors < (int)s->most ? processors : (int)s->most;
}

static const struct option_row rows[] = {
	{ "-n", .read = info_read_nprocs, .expected = "a number from 1 to 16384" },
	{ "--json", .flag = &request.json },
	{ "--settings", .flag = &request.settings },
	{ .name = NULL },
};

static const struct option_table options = { "bspinfo", usage, rows, OPTION_WORDS, NULL };

int main(int argc, char **argv)
{
	int err = bspi_conf_load(false, fault_of_files);
	int processors = usual_processors();
	int status = option_read_all(&options, argc, argv);
	int nprocs = request.nprocs ? request.nprocs : usual_nprocs(processors);

	if (status >= 0)
		return status;
	complain_as("bspinfo");
	if (err && request.json)
		complain("%s", fault_of_files);
	if (request.settings)
		print_origins();
	else if (request.json)
		info_print_json(processors, nprocs);
	else
		print_report(processors, nprocs);
	return fflush(stdout) ? OPTION_FAILED : OPTION_GOOD;
}
