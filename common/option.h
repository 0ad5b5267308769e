/* SPDX-License-Identifier: BSD-3-Clause */
/* option.h - options of the commands that measure, from a table; refused in one way. */
#ifndef OPTION_H
#define OPTION_H

#include <stdbool.h>
#include <stdint.h>

enum { OPTION_GOOD = 0, OPTION_FAILED = 1, OPTION_MISUSED = 2 };

/* One of read, flag and act. */
struct option_row {
	const char *name;
	bool (*read)(const char *text);	/* the argument that follows; false: it is not ... */
	const char *expected;		/* ... what this says */
	bool *flag;			/* is set */
	int (*act)(void);		/* negative: go on; else the exit status */
};

/* Ends with a row without a name. --help and --version are there beside those of the table. */
struct option_table {
	const char *command, *usage;
	const struct option_row *rows;
};

/*
 * argv[*i] and its argument, if it has one, at which *i is left. Negative: go on; else the exit
 * status, and standard error says why.
 */
int option_read(const struct option_table *t, int argc, char **argv, int *i);
/* All of them; likewise. */
int option_read_all(const struct option_table *t, int argc, char **argv);
/* OPTION_MISUSED, with "command: what 'text'" and where help is. */
int option_misuse(const struct option_table *t, const char *what, const char *text);

/* ---- Arguments ------------------------------------------------------------------------------- */

/* A setting of the library, as BSP_NPROCS: into the environment, if it is good. */
bool option_setting(const char *variable, const char *value);
/* Above 0, at most 1000000. */
bool option_seconds(const char *text, double *seconds);
/* A number from 1 to 2^30, with k or M, and where it ends; 0: it is none. */
uint64_t option_bytes(const char *text, const char **end);
/* "a,b,c": are all names known? */
bool option_list(const char *list, bool (*is_known)(const char *name));

#endif
