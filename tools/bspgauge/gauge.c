// SPDX-License-Identifier: BSD-3-Clause
/* gauge.c - bspgauge measures networks by patterns over modules: the command. */

/*
 * With one module bspgauge is a BSP program and runs wherever others do, also when a launcher
 * or bsprun has started it. With several it is none, and starts itself once for each
 * (gauge_many.c).
 */

#include "config.h"

#include "gauge.h"

#include "bsp.h"
#include "common/option.h"
#include "common/replace.h"
#include "tools/bspgauge/module/gauge_socket.h"
#include "transport/transport.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
	"  --option M:KEY=V    an option of module M, see --list\n"
	"  --sizes A:B[:F]     messages of A bytes, of F times as many, ... up to B; by default "
	"1:1M:4\n"
	"  --samples N         take N samples of each value, by default until they agree\n"
	"  --seed N            of the random pairs and servers, by default another each time\n"
	"  --seconds S         spend about so much time in all, by default 60\n"
	"  --json FILE         write the report as JSON, for compare and other programs\n"
	"  --csv FILE          write it as comma-separated values\n"
	"  --html FILE         write a page with plots\n"
	"  --raw               keep all samples in JSON and CSV\n"
	"  --quiet             do not say what is going on, and print no table\n"
	"  --list              list the patterns and modules, and what they need and can\n"
	"  --version, --help\n";

/* ---- Options -------------------------------------------------------------------------------- */

static bool gauge_read_nprocs(const char *text)
{
	gauge_request.nprocs = text;
	return option_setting("BSP_NPROCS", text) && atoi(text) > 1;
}

static bool gauge_read_network(const char *text)
{
	gauge_request.emulates = true;
	return option_setting("BSP_EMULATE", text);
}

static bool gauge_read_seconds(const char *text)
{
	return option_seconds(text, &gauge_request.seconds);
}

/* A whole number from 1 to @most. */
static bool gauge_read_number(const char *text, unsigned long most, unsigned long *n)
{
	char *end;

	errno = 0;
	*n = strtoul(text, &end, 10);
	return text[0] >= '0' && text[0] <= '9' && *end == '\0' && !errno && *n >= 1 && *n <= most;
}

static bool gauge_read_samples(const char *text)
{
	unsigned long n;
	bool good = gauge_read_number(text, MEASURE_SAMPLES, &n);

	gauge_request.samples = good ? (int)n : 0;
	return good;
}

static bool gauge_read_seed(const char *text)
{
	unsigned long n;
	bool good = gauge_read_number(text, UINT32_MAX, &n);

	gauge_request.seed = good ? (uint32_t)n : 0;
	return good;
}

static void note_sizes(uint64_t from, uint64_t to, uint64_t factor)
{
	gauge_request.nsizes = 0;
	for (uint64_t n = from; n <= to && gauge_request.nsizes < GAUGE_SIZES; n *= factor)
		gauge_request.size[gauge_request.nsizes++] = n;
}

static bool read_sizes(const char *text)
{
	uint64_t from, to, factor = 4;
	const char *at;

	from = option_bytes(text, &at);
	if (from == 0 || *at != ':')
		return false;
	to = option_bytes(at + 1, &at);
	if (to < from)
		return false;
	if (*at == ':')
		factor = option_bytes(at + 1, &at);
	if (factor < 2 || *at)
		return false;
	note_sizes(from, to, factor);
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
	return !gauge_request.modules || option_list(text, is_module);
}

static bool read_patterns(const char *text)
{
	gauge_request.patterns = strcmp(text, "all") == 0 ? NULL : text;
	return !gauge_request.patterns || option_list(text, is_pattern);
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
	return gauge_socket_has(text);
}

static int print_list(void)
{
	gauge_list(stdout);
	return fflush(stdout) ? OPTION_FAILED : OPTION_GOOD;
}

static const struct option_row rows[] = {
	{ "-n", .read = gauge_read_nprocs, .expected = "a number from 2 to 16384" },
	{ "-np", .read = gauge_read_nprocs, .expected = "a number from 2 to 16384" },
	{ "--module", .read = read_modules,
	  .expected = "names of modules with commas between, see --list" },
	{ "--pattern", .read = read_patterns,
	  .expected = "names of patterns with commas between, see --list" },
	{ "--emulate", .read = gauge_read_network,
	  .expected = "a network, as in bsprun --emulate" },
	{ "--sizes", .read = read_sizes,
	  .expected = "FROM:TO or FROM:TO:FACTOR, as 1:1M:4, of 1 to 1024M bytes" },
	{ "--samples", .read = gauge_read_samples, .expected = "a number from 1 to 192" },
	{ "--seed", .read = gauge_read_seed, .expected = "a number from 1 to 4294967295" },
	{ "--seconds", .read = gauge_read_seconds,
	  .expected = "a number above 0, at most 1000000" },
	{ "--json", .read = read_json, .expected = "a file" },
	{ "--csv", .read = read_csv, .expected = "a file" },
	{ "--html", .read = read_html, .expected = "a file" },
	{ "--interface", .read = read_interface,
	  .expected = "an interface of this machine (ip link)" },
	{ "--option", .read = gauge_option_read, .expected = gauge_option_expected },
	{ "--raw", .flag = &gauge_request.raw },
	{ "--quiet", .flag = &gauge_request.quiet },
	{ "--list", .act = print_list },
	{ .name = NULL },
};

static const char *const words[] = { "compare", NULL };

static const struct option_table options = { "bspgauge", usage, rows, OPTION_WORDS, words };

/* ---- Writing ------------------------------------------------------------------------ */

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
	struct replacement file = { .out = stdout };
	bool standard = is_standard(path);
	int err;

	if (!path)
		return GAUGE_GOOD;
	err = standard ? 0 : replace_begin(&file, path);
	if (!err) {
		write(file.out, all);
		err = !standard ? replace_end(&file, true) :
		      fflush(stdout) || ferror(stdout) ? errno : 0;
	}
	if (!err)
		return GAUGE_GOOD;
	gauge_complain("cannot write %s: %s", path, strerror(err));
	return GAUGE_FAILED;
}

/* Write what was asked for; an exit status. */
static int gauge_write_all(const struct gauge_reports *all)
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

/* ---- The command -------------------------------------------------------------------- */

static struct {
	struct gauge_report report;
	const struct gauge_module *module;
	bool first;
} only;

static void gauge_spmd(void)
{
	only.first = gauge_run(only.module, &only.report);
}

/* The settings of a module that is the only one. False, and why it cannot run. */
static bool gauge_prepare(const struct gauge_module *module, char *why, size_t len)
{
	if (module->probe && module->probe(why, len))
		return false;
	if (module->transport)
		setenv("BSP_TRANSPORT", module->transport, 1);
	if (module->transport && strcmp(module->transport, "emu") == 0 && !getenv("BSP_EMULATE"))
		setenv("BSP_EMULATE", "gigabit", 1);
	if (module->offload)
		setenv("BSP_OFFLOAD", module->offload, 1);
	setenv("BSP_PARAMS", "none", 1);
	return true;
}

/*
 * Can what is measured be written? Better known before. Not of launched processes: the first one
 * writes, and the others may have no such folder.
 */
static bool gauge_can_write(const char *path)
{
	bool launched = getenv("PMIX_RANK") || getenv("PMI_RANK");
	int err = path && !is_standard(path) && !launched ? replace_try(path) : 0;

	if (err)
		gauge_complain("cannot write %s: %s", path, strerror(err));
	return !err;
}

/* Files, and where to write. */
static int compare(int argc, char **argv)
{
	static struct gauge_reports all;	/* not freed, so that leak checkers find it */
	enum option_found found;
	struct option_scan s;
	int status = -1;

	option_scan(&s, &options, argc, argv, 2);
	while (status < 0 && (found = option_next(&s)) != OPTION_END)
		if (found != OPTION_OPERAND)
			status = option_apply(&s, found);
		else if (!gauge_read(&all, s.word))
			status = GAUGE_FAILED;
	if (status < 0 && all.n == 0)
		status = option_misuse(&options, "no file follows", "compare");
	if (status < 0 && gauge_request.json)
		status = option_misuse(&options, "not with compare:", "--json");
	return status < 0 ? gauge_write_all(&all) : status;
}

/* Another seed each time; the command of the report has it, so that it repeats the run. */
static void gauge_choose_seed(struct gauge_report *r)
{
	size_t len = strlen(r->command);
	uint64_t now = bspt_now_ns();

	gauge_request.seed = (uint32_t)((now ^ now >> 32) * 2654435761u ^ (uint64_t)getpid() << 7);
	if (gauge_request.seed == 0)
		gauge_request.seed = 1;
	snprintf(r->command + len, sizeof(r->command) - len, " --seed %lu",
		 (unsigned long)gauge_request.seed);
}

int main(int argc, char **argv)
{
	struct gauge_reports all = { &only.report, 1 };
	char why[GAUGE_TEXT] = "";
	int status;

	if (argc > 1 && strcmp(argv[1], "compare") == 0)
		return compare(argc, argv);
	note_sizes(1, 1 << 20, 4);
	status = option_read_all(&options, argc, argv);
	if (status >= 0)
		return status;
	if (!gauge_can_write(gauge_request.json) || !gauge_can_write(gauge_request.csv) ||
	    !gauge_can_write(gauge_request.html))
		return GAUGE_FAILED;
	gauge_report_begin(&only.report, argc, argv);
	if (!gauge_request.seed)
		gauge_choose_seed(&only.report);
	only.module = gauge_request.modules ? gauge_module_named(gauge_request.modules) : NULL;
	if (!only.module) {
		status = gauge_run_many(&only.report);
		return status == GAUGE_GOOD ? gauge_write_all(&all) : status;
	}
	if (!gauge_prepare(only.module, why, sizeof(why))) {
		gauge_complain("module %s cannot run here: %s", only.module->name, why);
		return GAUGE_FAILED;
	}
	bsp_init(gauge_spmd, argc, argv);
	gauge_spmd();
	return only.first ? gauge_write_all(&all) : GAUGE_GOOD;
}
