/* SPDX-License-Identifier: BSD-3-Clause */
/* goalc.h - what the subcommands of goalc share. */

/*
 * A subcommand is a function int goalc_NAME(int argc, char **argv) in a file of its own or of
 * the others: argv[0] is its name, its own arguments follow. It reads them with goalc_options() and
 * returns the exit status. It has a line in the table of goalc.c, and a section in goalc(1).
 */
#ifndef GOALC_H
#define GOALC_H

#include "common/option.h"
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
 * Reads the options of a subcommand, in rows of option.h with a letter each, and hands each to
 * @take with its argument, or NULL, and with @args, until @take returns a status. Operands move
 * to the front, argv[1] and on; *@argc is then what is left. GOALC_GOOD, or a status that has
 * been reported.
 */
typedef int goalc_take(void *args, int letter, const char *argument);
int goalc_options(int *argc, char **argv, const struct option_row *rows, goalc_take *take,
		  void *args);
/* The only operand, "-" if there is none, in *@file. GOALC_GOOD or GOALC_MISUSED. */
int goalc_one_file(int argc, char **argv, const char **file);

/* A decimal number of at most @most and nothing else. */
bool goalc_number(const char *text, uint64_t most, uint64_t *value);
/* The same, of at least @least, for "--OPTION VALUE": GOALC_GOOD, or it has been reported. */
int goalc_whole(const char *option, const char *value, uint64_t least, uint64_t most,
		uint64_t *number);
int goalc_small(const char *option, const char *value, uint64_t least, uint64_t most, int *number);

/*
 * Options of the network: rows, default values, and what to do with one of them: GOALC_GOOD or
 * GOALC_MISUSED, which has been reported.
 */
#define GOALC_NET_OPTIONS \
	{ "-L", .argument = true, .letter = 'L' }, \
	{ "-o", .argument = true, .letter = 'o' }, \
	{ "-r", .argument = true, .letter = 'r' }, \
	{ "-g", .argument = true, .letter = 'g' }, \
	{ "-G", .argument = true, .letter = 'G' }, \
	{ "-O", .argument = true, .letter = 'O' }, \
	{ "-S", .argument = true, .letter = 'S' }, \
	{ "--inside", .argument = true, .letter = 'i' }, \
	{ "--cores", .argument = true, .letter = 'c' }, \
	{ "--node-cores", .argument = true, .letter = 'C' }, \
	{ "--turn", .argument = true, .letter = 't' }
extern const struct goal_net goalc_net_default;
int goalc_net_option(struct goal_net *net, int letter, const char *value);
/* All options have been read: is there all that one of them needs, for @command? */
int goalc_net_ready(struct goal_net *net, const char *command);

/* Not a file: NULL or "-". */
bool goalc_is_standard(const char *file);

/*
 * Read a schedule, as text or as goalc compile wrote it; "-" is standard input. GOALC_GOOD, or
 * GOALC_WRONG and a line on standard error. goal_set_free() it.
 */
int goalc_load(const char *file, struct goal_set *set);

/*
 * goal_set_optimize(), and what it has changed on standard error. GOALC_GOOD, or GOALC_WRONG, which
 * has been reported.
 */
int goalc_optimize(const char *file, struct goal_set *set);

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
