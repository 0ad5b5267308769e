/* SPDX-License-Identifier: BSD-3-Clause */
/* goalc.h - what the subcommands of goalc share. */

/*
 * Each subcommand is a file goalc_NAME.c with one function int goalc_NAME(int argc, char
 * **argv): argv[0] is its name, what follows are its own arguments, as getopt_long() likes
 * them. What it returns is the exit status. It has a line in the table of goalc.c, and a
 * section in goalc(1).
 */
#ifndef GOALC_H
#define GOALC_H

#include "goal/goal.h"
#include "goal/sim/goal_sim.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
	GOALC_GOOD = 0,
	GOALC_WRONG = 1,	/* what was read is wrong, or cannot be written */
	GOALC_MISUSED = 2,	/* the command line is */
};

int goalc_check(int argc, char **argv);
int goalc_compile(int argc, char **argv);
int goalc_dot(int argc, char **argv);
int goalc_dump(int argc, char **argv);
int goalc_gen(int argc, char **argv);
int goalc_list(int argc, char **argv);
int goalc_sim(int argc, char **argv);
int goalc_svg(int argc, char **argv);

/* A line on standard error, "goalc: ...". Return GOALC_WRONG and GOALC_MISUSED. */
__attribute__((format(printf, 1, 2)))
int goalc_fail(const char *format, ...);
__attribute__((format(printf, 1, 2)))
int goalc_misuse(const char *format, ...);

/*
 * What getopt_long() complained of with '?' or ':' (opterr is 0, the letters begin with ":");
 * GOALC_MISUSED.
 */
int goalc_bad_option(int complaint, char **argv);

/* A decimal number of at most @most and nothing else. */
bool goalc_number(const char *text, uint64_t most, uint64_t *value);

/*
 * Options of the network: letters of GOALC_NET for getopt_long(), default values, and what to
 * do with one of them: GOALC_GOOD or GOALC_MISUSED, which has been reported.
 */
#define GOALC_NET "L:o:g:G:O:S:"
extern const struct goal_net goalc_net_default;
int goalc_net_option(struct goal_net *net, int letter, const char *value);

/* Not a file: NULL or "-". */
bool goalc_is_standard(const char *file);

/*
 * Read a schedule, as text or as goalc compile wrote it; "-" is standard input. GOALC_GOOD, or
 * GOALC_WRONG and a line on standard error. goal_set_free() it.
 */
int goalc_load(const char *file, struct goal_set *set);

/*
 * Where to write: NULL and "-" are standard output. NULL, and a line on standard error, if that
 * cannot be.
 */
FILE *goalc_create(const char *file);
/* After the last byte. A file that could not be written whole is removed. */
int goalc_close(FILE *out, const char *file);
/* Instead of that, if there is nothing right to write. */
void goalc_discard(FILE *out, const char *file);

#endif
