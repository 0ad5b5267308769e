// SPDX-License-Identifier: BSD-3-Clause
/* bsprun.c - run a BSP program with settings given as options. */

/*
 * bsprun starts no processes: bsp_begin() in the program does. It checks what can
 * be checked before anything runs, puts the settings into the environment, and
 * becomes the program. So the exit status is the program's, and its own are those
 * of a shell: 2 for a wrong command line, 126 for a program that cannot be run,
 * 127 for one that is not there.
 */

#include "config.h"

#include "bsplib/setting.h"
#include "transport/transport.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, EXIT_NOT_EXECUTABLE = 126, EXIT_NOT_FOUND = 127 };

static const char usage[] =
	"usage: bsprun [option]... [--] program [argument]...\n"
	"Run a BSP program.\n"
	"\n"
	"  -n N                number of processes, by default one for each processor;\n"
	"                      also -np N, -npes N\n"
	"  --transport T       what moves the data; bspinfo lists the transports\n"
	"  --bind B            core: bind each process to a core, none: do not,\n"
	"                      auto: only when there are cores enough\n"
	"  --tag-output        begin every line of output with the number of its process\n"
	"  --stat              print statistics at the end\n"
	"  --watchdog S        end the program when nothing has moved for S seconds,\n"
	"                      and say where each process is\n"
	"  -x NAME=VALUE       set an environment variable for the program\n"
	"  --show              print the command with its settings instead of running it\n"
	"  --help-env          print all settings, also those without an option\n"
	"  --version, --help\n";

/* The options that stand for a setting. */
static const struct {
	const char *name;
	const char *variable;
	const char *value;	/* NULL: the next argument */
} shorthands[] = {
	{ "-n", "BSP_NPROCS", NULL },
	{ "-np", "BSP_NPROCS", NULL },
	{ "-npes", "BSP_NPROCS", NULL },
	{ "--transport", "BSP_TRANSPORT", NULL },
	{ "--bind", "BSP_BIND", NULL },
	{ "--tag-output", "BSP_TAG_OUTPUT", "1" },
	{ "--stat", "BSP_STAT", "1" },
	{ "--watchdog", "BSP_WATCHDOG", NULL },
};

enum { NSHORTHANDS = sizeof(shorthands) / sizeof(shorthands[0]) };

/* A command line, read. */
struct command {
	bool show;
	char **program;		/* the program and its arguments, in argv */
	const char **extra;	/* names set by -x, in the order given */
	size_t nextra;
};

__attribute__((format(printf, 2, 3)))
static _Noreturn void fail(int status, const char *format, ...)
{
	va_list args;

	fputs("bsprun: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(status);
}

static _Noreturn void print_and_exit(const char *text)
{
	fputs(text, stdout);
	exit(fflush(stdout) ? 1 : 0);
}

static _Noreturn void print_settings_and_exit(void)
{
	const struct bspi_setting *s;
	char values[BSPI_SETTING_TEXT];

	puts("Settings are environment variables. Those in parentheses are options of bsprun.\n");
	for (unsigned int i = 0; (s = bspi_setting_at(i)); i++) {
		bspi_setting_values(s, values, sizeof(values));
		printf("%s\n    %s.\n    Takes %s", s->variable, s->help, values);
		if (bspi_setting_check(s, s->standard) == 0)
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

static void set_extra(struct command *command, const char *assignment)
{
	size_t len = strcspn(assignment, "=");
	char *name;

	if (assignment[len] != '=' || !is_name(assignment, len))
		fail(EXIT_USAGE, "-x %s: expected NAME=VALUE", assignment);
	name = strndup(assignment, len);
	if (!name)
		fail(1, "no memory");
	check_and_set("-x", assignment, name, assignment + len + 1);
	command->extra[command->nextra++] = name;
}

/* The shorthand that @arg is or, for a long one, begins with before a "=". */
static int find_shorthand(const char *arg, const char **value)
{
	for (int i = 0; i < NSHORTHANDS; i++) {
		size_t len = strlen(shorthands[i].name);

		if (strncmp(arg, shorthands[i].name, len) != 0)
			continue;
		*value = shorthands[i].value;
		if (arg[len] == '\0')
			return i;
		*value = arg + len + 1;
		if (arg[len] == '=' && arg[1] == '-' && !shorthands[i].value)
			return i;
	}
	return -1;
}

/* The argument of the option argv[*i], of which there must be one. */
static const char *argument_of(char **argv, int *i)
{
	const char *option = argv[*i];

	if (!argv[*i + 1])
		fail(EXIT_USAGE, "%s: its argument is missing", option);
	return argv[++*i];
}

/* One option at argv[*i]; leaves *i at the last argument it used. */
static void read_option(struct command *command, char **argv, int *i)
{
	const char *arg = argv[*i];
	const char *value;
	int found;

	if (strcmp(arg, "--help") == 0)
		print_and_exit(usage);
	if (strcmp(arg, "--version") == 0)
		print_and_exit("bsprun (bsp) " PACKAGE_VERSION "\n");
	if (strcmp(arg, "--help-env") == 0)
		print_settings_and_exit();
	if (strcmp(arg, "--show") == 0) {
		command->show = true;
		return;
	}
	if (strcmp(arg, "-x") == 0) {
		set_extra(command, argument_of(argv, i));
		return;
	}
	found = find_shorthand(arg, &value);
	if (found < 0)
		fail(EXIT_USAGE, "unknown option '%s'; bsprun --help lists them", arg);
	if (!value)
		value = argument_of(argv, i);
	check_and_set(shorthands[found].name, value, shorthands[found].variable, value);
}

static void read_command(struct command *command, int argc, char **argv)
{
	int i;

	command->extra = calloc((size_t)argc, sizeof(*command->extra));
	if (!command->extra)
		fail(1, "no memory");
	for (i = 1; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "--") == 0) {
			i++;
			break;
		}
		read_option(command, argv, &i);
	}
	if (i >= argc)
		fail(EXIT_USAGE, "which program? bsprun --help explains");
	command->program = &argv[i];
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

/*
 * Can the transport asked for carry what is asked for? The program may begin on
 * fewer processes than there are processors, so that without -n one has to do.
 */
static void check_transport(void)
{
	const char *name = getenv("BSP_TRANSPORT");
	const char *text = getenv("BSP_NPROCS");
	int nprocs = text ? atoi(text) : 1;
	const struct bspt_ops *ops;
	char why[200];

	if (!name || strcmp(name, "auto") == 0)
		return;
	ops = bspt_find(name);
	if (!ops)
		fail(EXIT_USAGE, "transport '%s' is not built in; bspinfo lists those that are",
		     name);
	if (ops->probe(nprocs > 0 ? nprocs : 1, why, sizeof(why)))
		fail(EXIT_USAGE, "transport '%s' cannot run here: %s", name, why);
}

/* 0 if @path can be run, else the status to end with; @why is set then. */
static int check_file(const char *path, const char **why)
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

	for (;;) {
		size_t len = strcspn(dir, ":");	/* an empty one is the current one */
		int status;

		snprintf(candidate, sizeof(candidate), "%.*s/%s", len ? (int)len : 1,
			 len ? dir : ".", name);
		status = check_file(candidate, &why);
		if (status == 0)
			return candidate;
		if (status == EXIT_NOT_EXECUTABLE && !refused[0]) {
			memcpy(refused, candidate, sizeof(refused));
			reason = why;
		}
		if (dir[len] == '\0')
			fail_search(name, path, refused, reason);
		dir += len + 1;
	}
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
	status = check_file(name, &why);
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

static bool set_earlier(const struct command *command, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (strcmp(command->extra[i], command->extra[j]) == 0)
			return true;
	return false;
}

static _Noreturn void show_and_exit(const struct command *command)
{
	const struct bspi_setting *s;

	for (unsigned int i = 0; (s = bspi_setting_at(i)); i++)
		if (getenv(s->variable))
			print_assignment(s->variable);
	for (size_t i = 0; i < command->nextra; i++)
		if (!bspi_setting_find(command->extra[i]) && !set_earlier(command, i))
			print_assignment(command->extra[i]);
	for (char **word = command->program; *word; word++) {
		print_word(*word);
		putchar(word[1] ? ' ' : '\n');
	}
	exit(fflush(stdout) ? 1 : 0);
}

int main(int argc, char **argv)
{
	struct command command = { .show = false };
	char *path;

	read_command(&command, argc, argv);
	check_environment();
	check_transport();
	path = find_program(command.program[0]);
	if (command.show)
		show_and_exit(&command);
	execvp(path, command.program);
	fail(EXIT_NOT_EXECUTABLE, "%s cannot be run: %s", path, strerror(errno));
}
