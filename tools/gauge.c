// SPDX-License-Identifier: BSD-3-Clause
/* gauge.c - bspgauge measures networks by patterns over modules: the command. */

/*
 * With one module bspgauge is a BSP program and runs wherever others do, also when a launcher or bsprun has started
 * it. With several it is none, and starts itself once for each (gauge_many.c).
 */

#include "config.h"

#include "gauge.h"

#include "bsp.h"
#include "bsplib/setting.h"

#include <errno.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
	"usage: bspgauge [option]...\n"
	"       bspgauge compare FILE... [--html FILE] [--csv FILE]\n"
	"       bspgauge --list\n"
	"Measure what messages cost, by patterns of communication over modules that carry them.\n"
	"\n"
	"  -n N                number of processes, by default one for each processor\n"
	"  --module LIST       what moves the messages: shm, tcp, ...; by default all that can\n"
	"  --pattern LIST      what is measured: one_one, loggp, ...; by default all\n"
	"  --emulate NETWORK   what module emu emulates: its name, or L=, o=, g=, G= and cpu=\n"
	"  --interface NAME    the network interface of modules eth, edp and esp; by default lo\n"
	"  --sizes A:B[:F]     messages of A bytes, of F times as many, ... up to B; by default 1:1M:4\n"
	"  --seconds S         spend about so much time in all, by default 60\n"
	"  --json FILE         write the report as JSON, for compare and other programs\n"
	"  --csv FILE          write it as comma-separated values\n"
	"  --html FILE         write a page with plots\n"
	"  --raw               keep all samples in JSON and CSV\n"
	"  --quiet             do not say what is going on, and print no table\n"
	"  --list              list the patterns and modules, and what they need and can\n"
	"  --version, --help\n";

struct gauge_request gauge_request = { .seconds = 60, .interface = "lo" };

void gauge_complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("bspgauge: ", stderr);
	vfprintf(stderr, format, args);
	fputs("\n", stderr);
	va_end(args);
}

/* ---- Options -------------------------------------------------------------------------------- */

static int misuse(const char *what, const char *text)
{
	gauge_complain("%s '%s'; bspgauge --help lists the options", what, text);
	return GAUGE_MISUSED;
}

/* A setting of the library, which must be good. */
static bool set(const char *variable, const char *value)
{
	const struct bspi_setting *s = bspi_setting_find(variable);

	return bspi_setting_check(s, value) == 0 && setenv(variable, value, 1) == 0;
}

static bool read_nprocs(const char *text)
{
	gauge_request.nprocs = text;
	return set("BSP_NPROCS", text) && atoi(text) > 1;
}

static bool read_network(const char *text)
{
	gauge_request.emulates = true;
	return set("BSP_EMULATE", text);
}

static bool read_seconds(const char *text)
{
	char *end;

	gauge_request.seconds = strtod(text, &end);
	return end != text && !*end && gauge_request.seconds > 0 && gauge_request.seconds <= 1e6;
}

/* A number with k or M; 0: it is none. */
static uint64_t read_bytes(const char *text, const char **end)
{
	char *stop;
	unsigned long long n = *text >= '0' && *text <= '9' ? strtoull(text, &stop, 10) : 0;
	unsigned int shift;

	if (n == 0 || n > 1 << 30)
		return 0;
	shift = *stop == 'k' ? 10 : *stop == 'M' ? 20 : 0;
	*end = stop + (shift > 0);
	return n << shift <= 1 << 30 ? n << shift : 0;
}

static bool read_sizes(const char *text)
{
	uint64_t from, to, factor = 4;
	const char *at;

	from = read_bytes(text, &at);
	if (from == 0 || *at != ':')
		return false;
	to = read_bytes(at + 1, &at);
	if (to < from)
		return false;
	if (*at == ':')
		factor = read_bytes(at + 1, &at);
	if (*at || factor < 2)
		return false;
	gauge_request.nsizes = 0;
	for (uint64_t n = from; n <= to && gauge_request.nsizes < GAUGE_SIZES; n *= factor)
		gauge_request.size[gauge_request.nsizes++] = n;
	return true;
}

/* Are all names of a list known? */
static bool all_known(const char *list, bool (*is_known)(const char *name))
{
	char copy[4 * GAUGE_TEXT], *at = copy, *name;

	if (snprintf(copy, sizeof(copy), "%s", list) >= (int)sizeof(copy))
		return false;
	while ((name = strsep(&at, ",")))
		if (!is_known(name))
			return false;
	return true;
}

static bool is_module(const char *name)
{
	return gauge_module_named(name);
}

static bool is_pattern(const char *name)
{
	return gauge_pattern_named(name);
}

static bool read_modules(const char *text)
{
	gauge_request.modules = strcmp(text, "all") == 0 ? NULL : text;
	return !gauge_request.modules || all_known(text, is_module);
}

static bool read_patterns(const char *text)
{
	gauge_request.patterns = strcmp(text, "all") == 0 ? NULL : text;
	return !gauge_request.patterns || all_known(text, is_pattern);
}

static bool read_json(const char *text)
{
	gauge_request.json = text;
	return *text;
}

static bool read_csv(const char *text)
{
	gauge_request.csv = text;
	return *text;
}

static bool read_html(const char *text)
{
	gauge_request.html = text;
	return *text;
}

static bool read_interface(const char *text)
{
	gauge_request.interface = text;
	return if_nametoindex(text) != 0;
}

static const struct {
	const char *name;
	bool (*read)(const char *text);
	const char *expected;
} options[] = {
	{ "-n", read_nprocs, "a number from 2 to 256" },
	{ "-np", read_nprocs, "a number from 2 to 256" },
	{ "--module", read_modules, "names of modules with commas between, see --list" },
	{ "--pattern", read_patterns, "names of patterns with commas between, see --list" },
	{ "--emulate", read_network, "a network, as in bsprun --emulate" },
	{ "--sizes", read_sizes, "FROM:TO or FROM:TO:FACTOR, as 1:1M:4, of 1 to 1024M bytes" },
	{ "--seconds", read_seconds, "a number above 0, at most 1000000" },
	{ "--json", read_json, "a file" },
	{ "--csv", read_csv, "a file" },
	{ "--html", read_html, "a file" },
	{ "--interface", read_interface, "an interface of this machine (ip link)" },
};

enum { NOPTIONS = sizeof(options) / sizeof(options[0]) };

static bool take_flag(const char *name)
{
	if (strcmp(name, "--raw") == 0)
		gauge_request.raw = true;
	else if (strcmp(name, "--quiet") == 0)
		gauge_request.quiet = true;
	else
		return false;
	return true;
}

/* argv[*i], and what follows it. -1: go on; else the exit status. */
static int read_option(int argc, char **argv, int *i)
{
	int o = 0;

	if (take_flag(argv[*i]))
		return -1;
	while (o < NOPTIONS && strcmp(argv[*i], options[o].name) != 0)
		o++;
	if (o == NOPTIONS)
		return misuse("unknown option", argv[*i]);
	if (*i + 1 == argc)
		return misuse("nothing follows", argv[*i]);
	if (options[o].read(argv[++*i]))
		return -1;
	gauge_complain("%s '%s': expected %s", argv[*i - 1], argv[*i], options[o].expected);
	return GAUGE_MISUSED;
}

static int print_text(const char *text)
{
	fputs(text, stdout);
	return fflush(stdout) ? GAUGE_FAILED : GAUGE_GOOD;
}

static int read_options(int argc, char **argv)
{
	int status = -1;

	read_sizes("1:1M:4");
	for (int i = 1; i < argc && status < 0; i++) {
		if (strcmp(argv[i], "--help") == 0)
			return print_text(usage);
		if (strcmp(argv[i], "--version") == 0)
			return print_text("bspgauge (bsp) " PACKAGE_VERSION "\n");
		if (strcmp(argv[i], "--list") == 0) {
			gauge_list(stdout);
			return fflush(stdout) ? GAUGE_FAILED : GAUGE_GOOD;
		}
		status = read_option(argc, argv, &i);
	}
	return status;
}

/* ---- Writing ---------------------------------------------------------------------------------- */

static void write_json(FILE *out, const struct gauge_reports *all)
{
	gauge_out_json(out, &all->at[0], gauge_request.raw);
}

static void write_csv(FILE *out, const struct gauge_reports *all)
{
	gauge_out_csv(out, all, gauge_request.raw);
}

static bool is_standard(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

static int write_file(const char *path, const struct gauge_reports *all,
		      void (*write)(FILE *out, const struct gauge_reports *all))
{
	bool standard = is_standard(path);
	FILE *out;

	if (!path)
		return GAUGE_GOOD;
	out = standard ? stdout : fopen(path, "w");
	if (out)
		write(out, all);
	if (out && !ferror(out) && (standard ? fflush(out) : fclose(out)) == 0)
		return GAUGE_GOOD;
	gauge_complain("cannot write %s: %s", path, strerror(errno));
	return GAUGE_FAILED;
}

int gauge_write(const struct gauge_reports *all)
{
	const struct gauge_request *r = &gauge_request;
	int status = GAUGE_GOOD;

	if (!r->quiet && !is_standard(r->json) && !is_standard(r->csv) && !is_standard(r->html))
		gauge_out_table(stdout, all);
	status |= write_file(r->json, all, write_json);
	status |= write_file(r->csv, all, write_csv);
	status |= write_file(r->html, all, gauge_out_html);
	return status || fflush(stdout) ? GAUGE_FAILED : GAUGE_GOOD;
}

/* ---- The command --------------------------------------------------------------------------------- */

static struct {
	struct gauge_report report;
	const struct gauge_module *module;
	bool first;
} only;

static void spmd(void)
{
	only.first = gauge_run(only.module, &only.report);
}

/* The settings of a module that is the only one. False, and why it cannot run. */
static bool prepare(const struct gauge_module *module, char *why, size_t len)
{
	if (module->probe && module->probe(why, len))
		return false;
	if (module->transport)
		setenv("BSP_TRANSPORT", module->transport, 1);
	if (module->transport && strcmp(module->transport, "emu") == 0 && !getenv("BSP_EMULATE"))
		setenv("BSP_EMULATE", "gigabit", 1);
	setenv("BSP_PARAMS", "none", 1);
	return true;
}

static int run_only(int argc, char **argv)
{
	struct gauge_reports all = { &only.report, 1 };
	char why[GAUGE_TEXT] = "";

	if (!prepare(only.module, why, sizeof(why))) {
		gauge_complain("module %s cannot run here: %s", only.module->name, why);
		return GAUGE_FAILED;
	}
	bsp_init(spmd, argc, argv);
	spmd();
	return only.first ? gauge_write(&all) : GAUGE_GOOD;
}

/* Files, and where to write. */
static int compare(int argc, char **argv)
{
	struct gauge_reports all = { NULL, 0 };
	int status = -1;

	for (int i = 2; i < argc && status < 0; i++)
		if (argv[i][0] == '-')
			status = read_option(argc, argv, &i);
		else if (!gauge_read(&all, argv[i]))
			status = GAUGE_FAILED;
	if (status < 0 && all.n == 0)
		status = misuse("no file follows", "compare");
	if (status < 0 && gauge_request.json)
		status = misuse("not with compare:", "--json");
	return status < 0 ? gauge_write(&all) : status;
}

int main(int argc, char **argv)
{
	struct gauge_reports all = { &only.report, 1 };
	int status;

	if (argc > 1 && strcmp(argv[1], "compare") == 0)
		return compare(argc, argv);
	status = read_options(argc, argv);
	if (status >= 0)
		return status;
	gauge_report_begin(&only.report, argc, argv);
	only.module = gauge_request.modules ? gauge_module_named(gauge_request.modules) : NULL;
	if (only.module)
		return run_only(argc, argv);
	status = gauge_run_many(&only.report);
	return status == GAUGE_GOOD ? gauge_write(&all) : status;
}
