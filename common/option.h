/* SPDX-License-Identifier: BSD-3-Clause */
/* option.h - the options of a command, from a table: found, read, and refused in one way. */

/*
 * A command has a table of rows, one a name. option_read_all() reads a command line by what the
 * rows say. A command that has operands, or messages of its own, goes through its command line
 * with option_next() and hands to option_apply() the rows that say what to do themselves.
 */
#ifndef OPTION_H
#define OPTION_H

#include <stdbool.h>
#include <stdint.h>

enum { OPTION_GOOD = 0, OPTION_FAILED = 1, OPTION_MISUSED = 2 };

/* An argument follows an option with one of read, text, variable without a value, or argument. */
struct option_row {
	const char *name;		/* "-n" or "--name" */
	/* The effect of the option: one of these, or the command does it. */
	bool *flag;			/* is set */
	const char **text;		/* is the argument as it is */
	bool (*read)(const char *text);	/* reads the argument; false: it is not ... */
	const char *expected;		/* ... what this says */
	const char *variable;		/* a setting: checked, then put into the environment ... */
	const char *value;		/* ... as this, or if it is NULL as the argument */
	int (*act)(void);		/* negative: go on; else the exit status */
	/* For a command that does it. */
	int letter;			/* any number */
	bool argument;
	bool joins_number;		/* a number may follow at once: -n4 */
};

/* How the options of a command line are written. */
enum option_style {
	OPTION_WORDS,		/* a name as it is; the argument is the next word */
	OPTION_LEADING,		/* also --name=argument; the first operand ends the options */
	/*
	 * As getopt_long(): --name=argument, the first letters of a long name, -b -n4 as -bn4;
	 * what follows "--" is no option.
	 */
	OPTION_LETTERS,
};

/*
 * Ends with a row without a name. With a usage there are --help and --version as well, and
 * --list-options, which completion in a shell reads.
 */
struct option_table {
	const char *command, *usage;
	const struct option_row *rows;
	enum option_style style;
	const char *const *words;	/* the first operand may be one of these; or NULL */
};

/* ---- A command line, word by word ------------------------------------------------------------ */

struct option_scan {
	const struct option_table *table;
	int argc;
	char **argv;
	int at;				/* the next word */
	const char *letters;		/* of -bn4 those that are to come; NULL: none */
	char name[3];			/* one of them, as -b */
	bool operands_only;		/* "--" came */
	/* The option that was found. */
	const char *word;		/* as the user wrote it */
	const struct option_row *row;
	const char *argument;		/* or NULL */
};

enum option_found {
	OPTION_END,		/* operands are left in argv[at], if any; OPTION_LEADING */
	OPTION_ROW,		/* row, and its argument if it has one */
	OPTION_OPERAND,		/* word is no option; but for OPTION_LEADING */
	OPTION_HELP, OPTION_VERSION, OPTION_LISTING,
	OPTION_UNKNOWN,		/* word is none of the table, or could be several */
	OPTION_NO_ARGUMENT,	/* word needs one, and is the last */
};

/* Begin at argv[@first]. */
void option_scan(struct option_scan *s, const struct option_table *t, int argc, char **argv,
		 int first);
enum option_found option_next(struct option_scan *s);

/*
 * Do what was found: what the row says, help, or a refusal. Negative: go on; else the exit
 * status, and standard error says why.
 */
int option_apply(const struct option_scan *s, enum option_found found);

/* The whole command line, from argv[1], which has no operands; likewise. */
int option_read_all(const struct option_table *t, int argc, char **argv);

/*
 * The lines of --list-options: one for each word, and one for each option but second names with one
 * dash, as -nprocs. Where an argument follows the option, there is a tab behind it, and the words
 * that the argument may be, if they are known.
 */
void option_print_list(const struct option_table *t);

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
