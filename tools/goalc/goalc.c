// SPDX-License-Identifier: BSD-3-Clause
/* goalc.c - compile, check, draw, generate and simulate schedules: the command and its table. */

#include "config.h"

#include "goalc.h"

#include <stdlib.h>
#include <string.h>

struct command {
	const char *name;
	const char *arguments;
	const char *summary;
	int (*run)(int argc, char **argv);
};

/* In the order in which one meets them. */
static const struct command commands[] = {
	{ "compile", "[-O] [-o FILE] [FILE]", "text to binary", goalc_compile },
	{ "dump", "[-o FILE] [FILE]", "binary to text", goalc_dump },
	{ "check", "[FILE]...", "is it right, and what is in it?", goalc_check },
	{ "dot", "[--output FILE] [FILE]", "a graph, for Graphviz", goalc_dot },
	{ "svg", "[--output FILE] [-L ...] [FILE]", "a picture, rank by time", goalc_svg },
	{ "list", "[--rank R] [FILE]", "what lies where in the blocks", goalc_list },
	{ "gen", "OPERATION -P N [--algorithm A]...", "the schedules of a collective operation",
	  goalc_gen },
	{ "sim", "[FILE | OPERATION -P N...]", "how long it takes on a network of LogGPS",
	  goalc_sim },
	{ NULL, NULL, NULL, NULL },
};

static const struct command *command_named(const char *name)
{
	const struct command *c = commands;

	while (c->name && strcmp(c->name, name) != 0)
		c++;
	return c->name ? c : NULL;
}

static int print_help(void)
{
	puts("usage: goalc COMMAND [argument]...\n"
	     "Compile, check, draw, generate and simulate schedules of communication.\n");
	for (const struct command *c = commands; c->name; c++)
		printf("  %-8s %-38s %s\n", c->name, c->arguments, c->summary);
	puts("\n"
	     "goalc --COMMAND is the same. A FILE is text or binary, '-' standard input or "
	     "output.\n"
	     "The exit status is 0, 1 if what was read is wrong, 2 if the command line is.\n"
	     "\n"
	     "  --version, --help");
	return fflush(stdout) ? GOALC_WRONG : GOALC_GOOD;
}

/* For completion in a shell; goalc COMMAND --list-options has those of a command. */
static int list_commands(void)
{
	for (const struct command *c = commands; c->name; c++)
		puts(c->name);
	puts("--help\n--version");
	return fflush(stdout) ? GOALC_WRONG : GOALC_GOOD;
}

int main(int argc, char **argv)
{
	const struct command *command;
	const char *name = argc > 1 ? argv[1] : "";

	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		return print_help();
	if (strcmp(name, "--version") == 0) {
		puts("goalc (bsp) " PACKAGE_VERSION);
		return fflush(stdout) ? GOALC_WRONG : GOALC_GOOD;
	}
	if (strcmp(name, "--list-options") == 0)
		return list_commands();
	if (argc < 2)
		return goalc_misuse("expected a command; goalc --help lists them");
	command = command_named(strncmp(name, "--", 2) == 0 ? name + 2 : name);
	if (!command)
		return goalc_misuse("%s: no such command; goalc --help lists them", name);
	argv[1] = (char *)command->name;
	return command->run(argc - 1, argv + 1);
}
