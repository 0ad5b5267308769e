// SPDX-License-Identifier: BSD-3-Clause
/* bsprun.c - run a BSP program with settings given as options. */

/*
 * On one machine bsprun starts no processes: bsp_begin() in the program does. It checks what can
 * be checked before anything runs, puts the settings into the environment, and
 * becomes the program. So the exit status is the program's, and its own are those
 * of a shell: 2 for a wrong command line, 126 for a program that cannot be run,
 * 127 for one that is not there. Only to compare does it stay and run the program
 * itself, several times (compare.h), and on many hosts it runs a launcher (launch.h).
 */

#include "config.h"

#include "bsplib/model/network.h"
#include "common/complain.h"
#include "common/conf.h"
#include "common/option.h"
#include "common/setting.h"
#include "tools/compare/compare.h"
#include "launch.h"
#include "parts.h"
#include "record.h"
#include "transport/transport.h"
#include "job/job.h"

#include <ctype.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
	"usage: bsprun [option]... [--] program [argument]...\n"
	"Run a BSP program.\n"
	"\n"
	"  -n N                number of processes, by default one for each processor;\n"
	"                      also -nN, -np N, -npes N, -nprocs N, --nprocs N\n"
	"  -H, --hosts LIST    run on these hosts: HOST or HOST:N, separated by commas, where\n"
	"                      N is how many processes a host takes, by default 1; -n N\n"
	"                      is then by default as many as all take\n"
	"  --hostfile FILE     the same out of a file: one HOST, HOST:N or HOST slots=N a line\n"
	"  --oversubscribe     start more processes than the hosts take\n"
	"  --launcher NAME     start through mpirun, srun or prterun; local: through none\n"
	"  --local             only on this machine, also where a launcher would be used\n"
	"  --discover JOB      start one part of a job here; bsprun on other hosts starts the\n"
	"                      others, with the same name and -n, and they find each other\n"
	"  --part FIRST-LAST   with --discover: which processes are started here\n"
	"  --nodes N           simulate N nodes on this machine, with a network between them\n"
	"  --transport T       what moves the data; bspinfo lists the transports\n"
	"  --bind B            where each process runs; share: on its share of the cores;\n"
	"                      core, cache, numa, socket: on one of these; none: anywhere;\n"
	"                      0-3,8: on its share of these processors; auto: share, but not\n"
	"                      where other jobs are\n"
	"  --report-bindings   print where each process runs, and why\n"
	"  --sync S            program: supersteps end as bsp_set_sync says; classic:\n"
	"                      with barriers in any case\n"
	"  --emulate NETWORK   run on an emulated network, in virtual time: sp2 (computes 80\n"
	"                      times slower; sp2,cpu=1: as here), gigabit (9), rdma100, or\n"
	"                      L=, o=, g=, G= as times, and cpu=, separated by commas, or\n"
	"                      @FILE as bspgauge --json or bspprobe --json writes it\n"
	"  --replay FILE       on an emulated network, compute as long as in this recording\n"
	"  --check             run with barriers, and check that the program is well-formed\n"
	"                      for relaxed ones; with --suggest also say which n each\n"
	"                      bsp_read needs\n"
	"  --report FILE       write statistics as JSON to FILE at the end\n"
	"  --tag-output        begin every line of output with the number of its process\n"
	"  --stat              print statistics at the end\n"
	"  --watchdog S        end the program when nothing has moved for S seconds,\n"
	"                      and say where each process is\n"
	"  --profile FILE      make a page that shows where the time goes: call sites,\n"
	"                      waits, imbalance, h, who sends to whom, critical path\n"
	"  --trace FILE        make a timeline for Perfetto, as JSON; FILE.otf2: an archive\n"
	"                      for Vampir and Scalasca\n"
	"  --predict LIST      how long the run would take, classic and relaxed, on these\n"
	"                      networks, as --emulate names them, and on its own\n"
	"  --record FILE       keep the recording from which bspprof makes these\n"
	"  --only NAME         of --profile, --trace and --compare: only what is done in\n"
	"                      sections of this name (bsp_section)\n"
	"  --without NAME      all but what is done in these\n"
	"  --compare           run the program classic and relaxed in turn, and print what\n"
	"                      relaxed barriers save; with\n"
	"    --ways LIST       in these ways: org, classic, rel, eager, neighbors; by\n"
	"                      default classic,eager; saved is against the first\n"
	"    --rounds N        runs of each: by default 5, fewer if they take a minute\n"
	"    --html FILE       also as bars in a page, which is added to if it is there\n"
	"    --verbose         show what the program prints\n"
	"  -x NAME=VALUE       set an environment variable for the program\n"
	"  --show              print the command with its settings instead of running it\n"
	"  --help-env          print all settings, also those without an option\n"
	"  --version, --help\n";

/* The command line. */
static struct command {
	bool show, check, suggest, compare, verbose;
	bool silent;			/* --watchdog 0: nor does it warn */
	bool local, oversubscribe;
	const char *rounds, *html, *ways;	/* as given, or NULL */
	struct compare_choice choice;		/* of --compare: what --ways says, or the usual */
	const char *hosts, *hostfile, *launcher;
	struct record_request record;
	char **program;			/* the program and its arguments, in argv */
	char **extra;			/* names set by -x, in the order given */
	size_t nextra;
} command;

/* Letters of the options that bsprun.c reads itself. */
enum { OPTION_HELP_ENV = 1, OPTION_RESTART, OPTION_IDLE, OPTION_EXTRA };

#define NPROCS(name) { name, .variable = "BSP_NPROCS", .joins_number = true }

static const struct option_row rows[] = {
	NPROCS("-n"), NPROCS("-np"), NPROCS("-npes"), NPROCS("-nprocs"),
	NPROCS("--np"), NPROCS("--npes"), NPROCS("--nprocs"),
	{ "--discover", .variable = "BSP_DISCOVER" },
	{ "--part", .variable = "BSP_PART" },
	{ "--nodes", .variable = "BSP_NODES" },
	{ "--transport", .variable = "BSP_TRANSPORT" },
	{ "--bind", .variable = "BSP_BIND" },
	{ "--report-bindings", .variable = "BSP_REPORT_BINDINGS", .value = "1" },
	{ "--sync", .variable = "BSP_SYNC" },
	{ "--emulate", .variable = "BSP_EMULATE" },
	{ "--replay", .variable = "BSP_REPLAY" },
	{ "--report", .variable = "BSP_REPORT" },
	{ "--tag-output", .variable = "BSP_TAG_OUTPUT", .value = "1" },
	{ "-splitio", .variable = "BSP_TAG_OUTPUT", .value = "1" },
	{ "--stat", .variable = "BSP_STAT", .value = "1" },
	{ "--watchdog", .variable = "BSP_WATCHDOG" },
	{ "--show", .flag = &command.show },
	{ "--check", .flag = &command.check },
	{ "--suggest", .flag = &command.suggest },
	{ "--compare", .flag = &command.compare },
	{ "--verbose", .flag = &command.verbose },
	{ "--ways", .text = &command.ways },
	{ "--rounds", .text = &command.rounds },
	{ "--html", .text = &command.html },
	{ "--record", .text = &command.record.record },
	{ "--profile", .text = &command.record.profile },
	{ "--trace", .text = &command.record.trace },
	{ "--predict", .text = &command.record.predict },
	{ "--only", .text = &command.record.only },
	{ "--without", .text = &command.record.without },
	{ "-H", .text = &command.hosts },
	{ "--hosts", .text = &command.hosts },
	{ "--hostfile", .text = &command.hostfile },
	{ "--launcher", .text = &command.launcher },
	{ "--local", .flag = &command.local },
	{ "-local", .flag = &command.local },
	{ "--oversubscribe", .flag = &command.oversubscribe },
	{ "--help-env", .letter = OPTION_HELP_ENV },
	{ "-x", .argument = true, .letter = OPTION_EXTRA },
	/* Options of the Oxford toolset's bsprun; for the last two processes run here anyway. */
	{ "-restart", .letter = OPTION_RESTART },
	{ "-nolocal", .letter = OPTION_IDLE },
	{ "-noload", .letter = OPTION_IDLE },
	{ .name = NULL },
};

static const struct option_table options = { "bsprun", usage, rows, OPTION_LEADING, NULL };

/* The rows that the command line has. */
static bool given[sizeof(rows) / sizeof(rows[0])];

static _Noreturn void print_settings_and_exit(void)
{
	const struct bspi_setting *s;
	char values[BSPI_SETTING_TEXT];

	puts("Settings are environment variables. Those in parentheses are options of bsprun.\n");
	for (unsigned int i = 0; (s = bspi_setting_at(i)); i++) {
		bspi_setting_values(s, values, sizeof(values));
		if (s->section)
			printf("\n%s:\n\n", s->section);
		printf("%s\n    %s.\n    Takes %s", s->variable, s->help, values);
		if (s->standard[0] && bspi_setting_check(s, s->standard) == 0)
			printf("; by default %s", s->standard);
		puts(".");
	}
	exit(fflush(stdout) ? 1 : 0);
}

/* ---- Options -------------------------------------------------------------- */

/* @option and its @argument are as the user wrote them. */
static void check_and_set(const char *option, const char *argument, const char *variable,
			  const char *value)
{
	const struct bspi_setting *s = bspi_setting_find(variable);
	char values[BSPI_SETTING_TEXT];

	if (s && bspi_setting_check(s, value)) {
		bspi_setting_values(s, values, sizeof(values));
		fail(EXIT_USAGE, "%s %s: expected %s", option, argument, values);
	}
	if (setenv(variable, value, 1))
		fail(1, "%s %s: %s", option, argument, strerror(errno));
}

static bool is_name(const char *text, size_t len)
{
	if (len == 0 || isdigit((unsigned char)text[0]))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return false;
	return true;
}

/* Add an item to a list of times, where a later one counts. */
static void add_time(const char *option, const char *argument, const char *variable,
		     const char *item)
{
	const char *list = getenv(variable);
	char text[BSPI_SETTING_TEXT];

	snprintf(text, sizeof(text), "%s%s%s", list ? list : "", list ? "," : "", item);
	check_and_set(option, argument, variable, text);
}

static void note_moved(const struct bspi_setting_moved *m, const char *item)
{
	complain("%s is now a part of %s: %s=%s", m->old, m->variable, m->variable, item);
}

/* Variables of earlier versions: the program sees only those of today, and prints no notice. */
static void replace_old_settings(void)
{
	const struct bspi_setting_moved *m;
	const struct bspi_setting *s;
	char item[BSPI_SETTING_WORD], text[BSPI_SETTING_TEXT];

	for (unsigned int i = 0; (s = bspi_setting_at(i)); i++)
		if (bspi_setting_given(s, text) == text && setenv(s->variable, text, 1))
			fail(1, "no memory");
	for (unsigned int i = 0; (m = bspi_setting_moved_at(i)); i++) {
		const char *value = getenv(m->old);

		if (!value)
			continue;
		note_moved(m, bspi_setting_moved_item(m, value, item, sizeof(item)));
		if (unsetenv(m->old))
			fail(1, "no memory");
	}
}

static void set_extra(const char *assignment)
{
	const struct bspi_setting_moved *m;
	size_t len = strcspn(assignment, "=");
	const char *value = assignment + len + 1;
	char *name, item[BSPI_SETTING_WORD], list[BSPI_SETTING_TEXT + 8];

	if (assignment[len] != '=' || !is_name(assignment, len))
		fail(EXIT_USAGE, "-x %s: expected NAME=VALUE", assignment);
	name = strndup(assignment, len);
	if (!name)
		fail(1, "no memory");
	m = bspi_setting_moved_find(name);
	if (m) {
		bspi_setting_moved_item(m, value, item, sizeof(item));
		note_moved(m, item);
		add_time("-x", assignment, m->variable, item);
		free(name);
		return;
	}
	if (command.silent && strcmp(name, "BSP_WAIT") == 0) {
		snprintf(list, sizeof(list), "warn:0,%s", value);
		value = list;
	}
	check_and_set("-x", assignment, name, value);
	command.extra[command.nextra++] = name;
}

/* Without a watchdog there is no warning of it, either. */
static void silence_warning(const char *watchdog)
{
	command.silent = strtod(watchdog, NULL) == 0;
	if (command.silent)
		add_time("--watchdog", watchdog, "BSP_WAIT", "warn:0");
}

static void bsprun_apply_row(const struct option_scan *scan)
{
	const struct option_row *row = scan->row;
	const char *value = row->value ? row->value : scan->argument;

	given[row - rows] = true;
	if (row->variable)
		check_and_set(row->name, value, row->variable, value);
	else if (row->letter == OPTION_EXTRA)
		set_extra(scan->argument);
	else if (row->letter == OPTION_HELP_ENV)
		print_settings_and_exit();
	else if (row->letter == OPTION_RESTART)
		fail(EXIT_USAGE, "-restart: there are no checkpoints to go on from");
	else if (row->letter == OPTION_IDLE)
		complain("%s: an option without a meaning here; see bsprun(1)", row->name);
	else
		option_apply(scan, OPTION_ROW);
	if (row->variable && strcmp(row->variable, "BSP_WATCHDOG") == 0)
		silence_warning(value);
}

static void read_command(int argc, char **argv)
{
	enum option_found found;
	struct option_scan scan;

	command.extra = calloc((size_t)argc, sizeof(*command.extra));
	if (!command.extra)
		fail(1, "no memory");
	option_scan(&scan, &options, argc, argv, 1);
	while ((found = option_next(&scan)) != OPTION_END) {
		if (found == OPTION_ROW)
			bsprun_apply_row(&scan);
		else if (found == OPTION_NO_ARGUMENT)
			fail(EXIT_USAGE, "%s: its argument is missing", scan.word);
		else if (found == OPTION_UNKNOWN)
			fail(EXIT_USAGE, "unknown option '%s'; bsprun --help lists them",
			     scan.word);
		else
			exit(option_apply(&scan, found));
	}
	if (scan.at >= argc)
		fail(EXIT_USAGE, "which program? bsprun --help explains");
	command.program = &argv[scan.at];
}

/* ---- What can be known before anything runs -------------------------------- */

static void check_environment(void)
{
	const struct bspi_setting *s;
	const char *value;
	char values[BSPI_SETTING_TEXT];

	for (unsigned int i = 0; (s = bspi_setting_at(i)); i++) {
		value = getenv(s->variable);
		if (!value || bspi_setting_check(s, value) == 0)
			continue;
		bspi_setting_values(s, values, sizeof(values));
		fail(EXIT_USAGE, "%s=%s in the environment: expected %s", s->variable, value,
		     values);
	}
}

static void read_files_of_settings(void)
{
	char why[BSPI_CONF_WHY];

	if (bspi_conf_load(false, why))
		fail(EXIT_USAGE, "%s", why);
}

/* The program, or a script that starts it, may go elsewhere. */
static void name_absolutely(const struct bspi_setting *s, const char *value)
{
	char text[PATH_MAX];
	int file = bspi_setting_file(s, value);

	if (file < 0 || value[file] == '/')
		return;
	if (snprintf(text, sizeof(text), "%s", value) >= (int)sizeof(text) ||
	    !bspt_absolute_name(text + file, sizeof(text) - (size_t)file) ||
	    bspi_setting_check(s, text))
		fail(EXIT_USAGE, "%s=%s: with its folder the name is too long", s->variable, value);
	if (setenv(s->variable, text, 1))
		fail(1, "no memory");
}

static void name_files_absolutely(void)
{
	const struct bspi_setting *s;

	for (unsigned int i = 0; (s = bspi_setting_at(i)); i++)
		if (getenv(s->variable))
			name_absolutely(s, getenv(s->variable));
}

/* Why a transport will not do. */
struct refusal {
	const struct bspt_ops *ops;	/* NULL: none refused */
	bool accepted;			/* the network, but it cannot run here */
	char why[600];			/* mix has those of others */
};

/* How far it got: a reason of one that emulates networks tells more than of one that does not. */
static int weight(const struct refusal *r)
{
	return !r->ops ? 0 : r->accepted ? 3 : r->ops->caps & BSPT_CAP_CLOCK ? 2 : 1;
}

static bool is_usable(const struct bspt_ops *ops, const char *network, int nprocs,
		      struct refusal *r)
{
	*r = (struct refusal){ .ops = ops };
	if (bspt_check(ops, r->why, sizeof(r->why)))
		return false;
	r->accepted = ops->accepts(network, r->why, sizeof(r->why)) == 0;
	return r->accepted && ops->probe(nprocs, r->why, sizeof(r->why)) == 0;
}

static _Noreturn void fail_transport(const struct refusal *r, const char *name, const char *network)
{
	if (!r->ops)
		fail(EXIT_USAGE, "transport '%s' is not built in; bspinfo lists those that are",
		     name);
	if (r->accepted || !network[0])
		fail(EXIT_USAGE, "transport '%s' cannot run here: %s", r->ops->name, r->why);
	if (strcmp(name, "auto") == 0)
		fail(EXIT_USAGE, "network '%s': %s", network, r->why);
	fail(EXIT_USAGE, "network '%s' with transport '%s': %s", network, name, r->why);
}

/*
 * Is there a transport, the one asked for if one is, that can carry what is asked for?
 * The program may begin on fewer processes than there are processors, so that without
 * -n one has to do. A plugin is loaded by the program, which says itself if it cannot run: to load
 * it here as well would double the time in which a job starts.
 */
static void check_transport(void)
{
	const char *name = getenv("BSP_TRANSPORT") ? getenv("BSP_TRANSPORT") : "auto";
	const char *asked = getenv("BSP_EMULATE") ? getenv("BSP_EMULATE") : "";
	int nprocs = getenv("BSP_NPROCS") ? atoi(getenv("BSP_NPROCS")) : 1;
	char network[BSPI_EMULATE_MOST], why[BSPI_NETWORK_WHY];
	struct refusal refusal = { .ops = NULL }, last;
	const struct bspt_ops *ops;

	if (bspi_network_text(asked, network, sizeof(network), why, sizeof(why)) < 0)
		fail(EXIT_USAGE, "network '%s': %s", asked, why);
	if (bspt_needs_plugin(name)) {
		if (!bspt_plugin_has_stack(why, sizeof(why)))
			fail(EXIT_USAGE, "transport '%s' cannot run here: %s", name, why);
		return;
	}
	for (unsigned int i = 0; (ops = bspt_at(i)); i++) {
		if (strcmp(name, "auto") != 0 && strcmp(name, ops->name) != 0)
			continue;
		if (is_usable(ops, network, nprocs, &last))
			return;
		if (weight(&last) > weight(&refusal))
			refusal = last;
	}
	fail_transport(&refusal, name, asked);
}

/* A report that cannot be written is better known before a long run than after it. */
static void check_report(void)
{
	check_output("report", bspi_setting_nonempty("BSP_REPORT"));
}

/* ---- What goes together ----------------------------------------------------- */

static void check_ways(void)
{
	const char *barrier = getenv("BSP_BARRIER");

	compare_ways_usual(&command.choice);
	if (!command.ways)
		return;
	if (!compare_ways_read(&command.choice, command.ways))
		fail(EXIT_USAGE, "--ways %s: expected two or more of org, classic, rel, eager and "
		     "neighbors, each once, separated by commas", command.ways);
	if (bspi_setting_nonempty("BSP_EAGER"))
		fail(EXIT_USAGE, "--ways sets BSP_EAGER itself");
	if (bspi_setting_nonempty("BSP_NEIGHBORS"))
		fail(EXIT_USAGE, "--ways sets BSP_NEIGHBORS itself");
	if (barrier && strcmp(barrier, "twophase") == 0)
		fail(EXIT_USAGE, "--ways: BSP_BARRIER=twophase is the way org");
}

static void check_comparison(void)
{
	const char *check = getenv("BSP_CHECK");

	if (command.check || (check && atoi(check) > 0))
		fail(EXIT_USAGE, "--compare measures and --check checks: one at a time");
	for (size_t i = 0; rows[i].name; i++)
		if (given[i] && rows[i].variable && (strcmp(rows[i].variable, "BSP_SYNC") == 0 ||
						     strcmp(rows[i].variable, "BSP_REPORT") == 0))
			fail(EXIT_USAGE, "--compare sets %s itself", rows[i].name);
	check_ways();
	if (command.html && !command.html[0])
		fail(EXIT_USAGE, "--html: the name of the file is empty");
}

static int bsprun_rounds_of(void)
{
	const char *text = command.rounds;
	size_t len = text ? strspn(text, "0123456789") : 0;
	int rounds = text && len > 0 && len <= 4 && !text[len] ? atoi(text) : 0;

	if (text && (rounds < 1 || rounds > COMPARE_ROUNDS_MOST))
		fail(EXIT_USAGE, "--rounds %s: expected a number from 1 to %d", text,
		     COMPARE_ROUNDS_MOST);
	return rounds;
}

/* The part of a run that counts; of --compare the library looks at it. */
static void check_section(void)
{
	const struct record_request *r = &command.record;
	const char *option = r->only ? "--only" : "--without";
	const char *name = r->only ? r->only : r->without;
	bool is_only, is_without;

	if (name && !*name)
		fail(EXIT_USAGE, "%s: the name of the section is empty", option);
	if (name && !command.compare && !record_may_choose(r))
		fail(EXIT_USAGE, "%s goes with --profile, --trace or --compare%s", option,
		     r->trace ? "; an OTF2 archive has the whole run" : "");
	if (name && command.compare)
		check_and_set(option, name, r->only ? "BSP_ONLY" : "BSP_WITHOUT", name);
	is_only = r->only || bspi_setting_nonempty("BSP_ONLY");
	is_without = r->without || bspi_setting_nonempty("BSP_WITHOUT");
	if (is_only && is_without)
		fail(EXIT_USAGE, "one of --only and --without (BSP_ONLY, BSP_WITHOUT), not both");
	if (command.html && (is_only || is_without))
		fail(EXIT_USAGE, "a page of --html compares whole runs, not sections");
}

/* Do the options make sense together? Sets what --check stands for. */
static void check_options(void)
{
	if (command.suggest && !command.check)
		fail(EXIT_USAGE, "--suggest goes with --check");
	if (!command.compare && (command.ways || command.rounds || command.html || command.verbose))
		fail(EXIT_USAGE, "%s goes with --compare",
		     command.ways ? "--ways" : command.rounds ? "--rounds" :
		     command.html ? "--html" : "--verbose");
	if (command.compare && record_is_wanted(&command.record))
		fail(EXIT_USAGE, "--compare measures, and a recording costs time: one at a time");
	check_section();
	if (command.compare)
		check_comparison();
	command.record.shown = command.show;
	if (record_is_wanted(&command.record))
		record_prepare(&command.record);
	bsprun_rounds_of();
	parts_check(&(struct parts_request){
		.hosts = command.hosts || command.hostfile, .launcher = command.launcher,
		.compare = command.compare,
	});
	if (command.check)
		check_and_set("--check", "", "BSP_CHECK", command.suggest ? "2" : "1");
}

/* ---- The program ------------------------------------------------------------- */

/* 0 if @path can be run, else the status to end with; @why is set then. */
static int bsprun_check_file(const char *path, const char **why)
{
	struct stat st;

	*why = NULL;
	if (stat(path, &st)) {
		*why = strerror(errno);
		return errno == ENOENT || errno == ENOTDIR ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
	}
	if (S_ISDIR(st.st_mode))
		*why = "it is a directory";
	else if (!S_ISREG(st.st_mode))
		*why = "it is not a file";
	else if (access(path, X_OK))
		*why = "it is not executable";
	return *why ? EXIT_NOT_EXECUTABLE : 0;
}

/* No file on the search path can be run; @refused is one that is there, or empty. */
static _Noreturn void fail_search(const char *name, const char *path, const char *refused,
				  const char *reason)
{
	if (refused[0])
		fail(EXIT_NOT_EXECUTABLE, "%s cannot be run: %s", refused, reason);
	if (access(name, F_OK) == 0)
		fail(EXIT_NOT_FOUND, "%s is not on the search path; did you mean ./%s?", name,
		     name);
	fail(EXIT_NOT_FOUND, "%s is not on the search path %s", name, path);
}

/* The file that @name means on the search path, as execvp() looks for it. */
static char *search(const char *name)
{
	static char candidate[PATH_MAX], refused[PATH_MAX];
	const char *path = getenv("PATH") ? getenv("PATH") : "/bin:/usr/bin";
	const char *why, *reason = NULL;
	const char *dir = path;

	while (dir) {
		int status;

		dir = launch_candidate(dir, name, candidate);
		status = bsprun_check_file(candidate, &why);
		if (status == 0)
			return candidate;
		if (status == EXIT_NOT_EXECUTABLE && !refused[0]) {
			memcpy(refused, candidate, sizeof(refused));
			reason = why;
		}
	}
	fail_search(name, path, refused, reason);
}

/* The file to run; ends the run if it cannot be. */
static char *find_program(char *name)
{
	const char *why;
	int status;

	if (name[0] == '\0')
		fail(EXIT_NOT_FOUND, "the name of the program is empty");
	if (!strchr(name, '/'))
		return search(name);
	status = bsprun_check_file(name, &why);
	if (status == EXIT_NOT_FOUND)
		fail(status, "%s is not there: %s", name, why);
	if (status)
		fail(status, "%s cannot be run: %s", name, why);
	return name;
}

/* ---- Showing it ------------------------------------------------------------ */

/* As a shell reads it; with a "=" in quotes it is never taken for a setting. */
static void print_word(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./:,+@%-";

	if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
		fputs(word, stdout);
		return;
	}
	putchar('\'');
	for (; *word; word++)
		fputs(*word == '\'' ? "'\\''" : (char[]){ *word, '\0' }, stdout);
	putchar('\'');
}

static void print_assignment(const char *name)
{
	printf("%s=", name);
	print_word(getenv(name));
	putchar(' ');
}

static bool set_earlier(size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (strcmp(command.extra[i], command.extra[j]) == 0)
			return true;
	return false;
}

static void show(char **words)
{
	const struct bspi_setting *s;

	for (unsigned int i = 0; (s = bspi_setting_at(i)); i++)
		if (getenv(s->variable))
			print_assignment(s->variable);
	for (size_t i = 0; i < command.nextra; i++)
		if (!bspi_setting_find(command.extra[i]) && !set_earlier(i))
			print_assignment(command.extra[i]);
	for (char **word = words; *word; word++) {
		print_word(*word);
		putchar(word[1] ? ' ' : '\n');
	}
}

/* NULL: there is none. */
static void show_setting(const char *variable, const char *value)
{
	if (value ? setenv(variable, value, 1) : unsetenv(variable))
		fail(1, "no memory");
}

static _Noreturn void show_and_exit(char **words)
{
	const struct compare_choice *choice = &command.choice;
	const char *barrier = getenv("BSP_BARRIER"), *neighbors = getenv("BSP_NEIGHBORS");

	if (!command.compare)
		show(words);
	for (int i = 0; command.compare && i < choice->n; i++) {
		show_setting("BSP_SYNC", choice->way[i]->sync);
		show_setting("BSP_BARRIER", choice->way[i]->barrier ?
					    choice->way[i]->barrier : barrier);
		show_setting("BSP_NEIGHBORS", choice->way[i]->neighbors ?
					      choice->way[i]->neighbors : neighbors);
		if (command.ways)
			show_setting("BSP_EAGER", choice->way[i]->eager);
		show(words);
	}
	exit(fflush(stdout) ? 1 : 0);
}

static int compare_program(const char *path)
{
	struct compare_request request = {
		.program = command.program, .path = path, .choice = command.choice,
		.ways = command.ways, .rounds = bsprun_rounds_of(), .page = command.html,
		.verbose = command.verbose,
	};

	for (size_t i = 0; i < command.nextra; i++)
		free(command.extra[i]);
	free(command.extra);
	return compare(&request);
}

static struct launch_request request_of(void)
{
	const char *tag_output = getenv("BSP_TAG_OUTPUT");

	return (struct launch_request){
		.hosts = command.hosts, .hostfile = command.hostfile,
		.launcher = command.launcher, .local = command.local || parts_are_here(),
		.oversubscribe = command.oversubscribe,
		.tag_output = tag_output && atoi(tag_output) > 0,
		.extra = command.extra, .nextra = command.nextra,
		.program = command.program,
	};
}

/* So that the library may tell the user of a program that never began. */
static void sign(const char *how)
{
	if (setenv("BSP_BSPRUN", how, true))
		fail(1, "no memory");
}

static _Noreturn void run_launched(struct launch *launch)
{
	int status;

	if (command.compare)
		fail(EXIT_USAGE,
		     "--compare runs on one machine; leave out the hosts, or use --local");
	if (command.show)
		show_and_exit(launch->word);
	launch_check(launch);
	name_files_absolutely();
	sign("launcher");
	status = launch_run(launch);
	launch_free(launch);
	if (record_is_wanted(&command.record))
		status = record_finish(&command.record, status);
	exit(status);
}

static _Noreturn void run_here(void)
{
	char *path, pid[16];

	check_transport();
	check_report();
	path = find_program(command.program[0]);
	if (command.show)
		show_and_exit(command.program);
	name_files_absolutely();
	if (command.compare)
		exit(compare_program(path));
	if (record_is_wanted(&command.record))
		exit(record_finish(&command.record, launch_program(command.program, path)));
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	sign(pid);
	execvp(path, command.program);
	fail(EXIT_NOT_EXECUTABLE, "%s cannot be run: %s", path, errno != ENOENT ? strerror(errno) :
	     "its interpreter (#! in its first line) or loader is not there");
}

int main(int argc, char **argv)
{
	struct launch_request request;
	struct launch launch;

	complain_as("bsprun");
	bspj_keep_stdfds();
	replace_old_settings();
	read_command(argc, argv);
	read_files_of_settings();
	check_environment();
	check_options();
	request = request_of();
	launch_prepare(&launch, &request);
	if (launch.word)
		run_launched(&launch);
	run_here();
}
