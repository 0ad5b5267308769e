/* SPDX-License-Identifier: BSD-3-Clause */
/* soak.c - a random program, as a command; where it fails it prints how to repeat it. */

#include "soak.h"

#include <stdio.h>
#include <unistd.h>

extern char **environ;

static int nargs;
static char **args;

/* The number of processes is printed besides, and forced algorithms are an argument. */
static bool is_setting_of_it(const char *setting)
{
	return !strncmp(setting, "BSP_", 4) && strncmp(setting, "BSP_NPROCS=", 11) &&
	       strncmp(setting, "BSP_COLL=", 9);
}

/* The settings of this run, its program and arguments, but no more supersteps. */
static void print_command(void)
{
	int steps = soak.step < soak.steps ? soak.step + 1 : soak.steps;

	fprintf(stderr, "soak: repeat:");
	for (char **setting = environ; *setting; setting++)
		if (is_setting_of_it(*setting))
			fprintf(stderr, " %s", *setting);
	fprintf(stderr, " BSP_NPROCS=%d %s", soak.nprocs, args[0]);
	for (int i = 1; i < nargs; i++)
		if (strncmp(args[i], "steps=", 6))
			fprintf(stderr, " %s", args[i]);
	fprintf(stderr, " steps=%d\n", steps);
}

static void print_what_was_done(void)
{
	printf("soak: seed %llu, %d processes, %d supersteps, %ld relaxed (%ld with a barrier);",
	       (unsigned long long)soak.seed, soak.nprocs, soak.steps, soak.relaxed_steps,
	       soak.barriers);
	for (int k = 0; k < OP_KINDS; k++)
		printf(" %ld %s", soak.done[k], soak_kinds[k]);
	printf("; %ld unbuffered, %ld of 32 KiB or more: as in the model\n", soak.hp_done,
	       soak.large);
}

int main(int argc, char **argv)
{
	nargs = argc;
	args = argv;
	soak_failed = print_command;
	for (int i = 1; i < argc; i++)
		if (!soak_take(argv[i])) {
			fprintf(stderr, "soak: %s: the arguments are those of t/soak/soak.h\n",
				argv[i]);
			return 2;
		}
	setenv("BSP_UNREAD", "ignore", 0);	/* the plan leaves out reads at random */
	soak_begin();
	soak_supersteps();
	soak_end();
	if (soak.me == 0)
		print_what_was_done();
	return 0;
}
