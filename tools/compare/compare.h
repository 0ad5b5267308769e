/* SPDX-License-Identifier: BSD-3-Clause */
/* compare.h - bsprun --compare: what its files share. */

/*
 * A program is run in two or more ways in turn, by default classic and relaxed, for some rounds.
 * compare_ways.c has the ways, which are settings of one library. Each run writes a
 * report (BSP_REPORT), of which compare_report.c makes figures. compare.c makes a
 * comparison of all figures and prints it as a table; compare_page.c keeps
 * comparisons in a page, which compare_html.c writes and compare_bars.c illustrates.
 *
 * Functions that can fail say why on the standard error, with complain(), and return
 * a status for bsprun to end with; 0 is success.
 */
#ifndef BSP_COMPARE_H
#define BSP_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct markup;

enum {
	COMPARE_TEXT = 512,		/* bytes of a text in a comparison */
	COMPARE_ROUNDS_MOST = 1000,
	COMPARE_FOLDER = 900,		/* bytes of the path of a temporary folder */
};

/* ---- compare_ways.c: the ways to run a program ------------------------------- */

enum { COMPARE_WAYS_MOST = 5 };

struct compare_way {
	const char *name;	/* in --ways, tables and pages */
	const char *setting;	/* the one of these that matters, as messages have it */
	const char *sync;	/* BSP_SYNC */
	const char *barrier, *eager;	/* BSP_BARRIER, BSP_EAGER; NULL: as the user has set it */
	const char *neighbors;	/* BSP_NEIGHBORS, likewise */
	const char *reports;	/* what its reports say of its supersteps */
	const char *about;	/* for people */
};

/* All of them, without a name after the last. */
extern const struct compare_way compare_ways[];
const struct compare_way *compare_way_named(const char *name, size_t len);

/* The ways that are compared, the first with each other one. */
struct compare_choice {
	int n;
	const struct compare_way *way[COMPARE_WAYS_MOST];
};

/* Classic, and relaxed as the settings of the user say. */
void compare_ways_usual(struct compare_choice *choice);
/* The ways of these names, separated by commas. False: another name, one twice, or only one. */
bool compare_ways_read(struct compare_choice *choice, const char *list);

/* One run. Times in seconds, of a process: the mean of all but where it says otherwise. */
struct compare_figures {
	double communication;	/* sync + read + collective */
	double largest;		/* communication of the process that has the most */
	double sync;		/* in bsp_sync and bsp_end */
	double read;		/* in bsp_read, bsp_expect and bsp_direct_get */
	double collective;	/* in collective operations and schedules */
	double compute;
	double total;		/* of the run */
	double supersteps;
	double puts, gets, messages, bytes;	/* of all processes */
};

/* Several rounds. */
struct compare_spread {
	double median, least, most;
};

/* A comparison and its result. */
struct comparison {
	char command[COMPARE_TEXT];
	char transport[COMPARE_TEXT];
	char network[COMPARE_TEXT];	/* that was emulated, or "" */
	char host[COMPARE_TEXT], processor[COMPARE_TEXT];	/* of bsprun; "" of older pages */
	double nprocs, rounds;
	char ways[COMPARE_TEXT];	/* as --ways has them, or "": the usual ones */
	struct compare_choice choice;	/* that is these */
	/* by way: the run whose communication time is the median, and what that time was in all */
	struct compare_figures runs[COMPARE_WAYS_MOST];
	struct compare_spread spread[COMPARE_WAYS_MOST];
	/* the part of the time of the first way that each other one saves, in pairs of runs */
	struct compare_spread saved[COMPARE_WAYS_MOST], saved_total[COMPARE_WAYS_MOST];
};

/* The request of the user. */
struct compare_request {
	char **program;		/* with its arguments */
	const char *path;	/* its file */
	struct compare_choice choice;
	const char *ways;	/* the choice as --ways has it; NULL: the usual ones */
	int rounds;		/* 0: as many as there is time for */
	const char *page;	/* file, or NULL */
	bool verbose;		/* let the program's output through */
};

/* compare.c: the whole of it. */
int compare(const struct compare_request *request);

/* ---- compare_child.c: one run ---------------------------------------------- */

/* From here on signals wait until compare_child_run() looks. */
int compare_child_begin(void);

struct compare_child {
	const char *path;
	char **program;
	const struct compare_way *way;
	const char *report;	/* BSP_REPORT */
	const char *record;	/* BSP_RECORD, or NULL */
	bool verbose;
	void (*tick)(void *arg);	/* called several times a second */
	void (*clear)(void *arg);	/* called before anything is printed */
	void *arg;
};

/*
 * Run it to its end. 0, or the status it ended with, 128 + n for signal n; what it said
 * last has been printed then. A signal that bsprun was sent has been passed on and is *@sig,
 * else that is 0; nothing of the program is left then.
 */
int compare_child_run(const struct compare_child *child, int *sig);

/* Signals do again what they did, first @sig, unless it is 0. So this may not return. */
void compare_child_end(int sig);

/* ---- compare_folder.c: a temporary folder ---------------------------------- */

/*
 * Make one in TMPDIR, with a process that removes it and all files in it however bsprun ends, also
 * by SIGKILL. Its path is in @folder, COMPARE_FOLDER bytes. 0, or 1 and why has been printed.
 */
int compare_folder_make(char *folder);

/* Remove it, if there is one; it is gone when this returns. */
void compare_folder_remove(void);

/* ---- compare_report.c: what a run says of itself --------------------------- */

struct compare_report {
	char transport[COMPARE_TEXT];
	char network[COMPARE_TEXT];
	char sync[COMPARE_TEXT];
	double nprocs;
	char section[COMPARE_TEXT];	/* that is to count, or not to, or "" */
	bool has_section;		/* it occurs */
	char sections[COMPARE_TEXT];	/* those that occur, for people */
	struct compare_figures figures;
};

/* Read the report in @file, of a run in @way. */
int compare_report_read(const char *file, const struct compare_way *way,
			struct compare_report *report);

/* All of a file, to be freed; *@len bytes. NULL and errno on failure. */
char *compare_file_read(const char *file, size_t *len);

/* ---- compare_text.c: numbers and names for people -------------------------- */

/* In which unit times up to a largest one are given, with how many decimals. */
struct compare_unit {
	const char *name;
	double seconds;
	int decimals;
};

struct compare_unit compare_unit_of(double largest);

/* "12.34 ms"; at least @len = 40 bytes. */
void compare_time_text(char *text, size_t len, double seconds, struct compare_unit unit);

/* "61.5 %" */
void compare_part_text(char *text, size_t len, double part);
/* No round says the opposite: 0 does not lie between the least and the most that is saved. */
bool compare_is_seen(const struct compare_spread *saved);

/* "1234", "12.3 MB" */
void compare_bytes_text(char *text, size_t len, double bytes);

/* "32 processes" */
void compare_count_text(char *text, size_t len, double n, const char *one, const char *many);

/* Name and arguments in one line, which is UTF-8 whatever they are. */
void compare_command_text(char *text, size_t len, char *const *program);

/* "emulated network NAME" or "transport NAME". */
void compare_network_text(char *text, size_t len, const struct comparison *c);

/* ---- compare_page.c: the page ---------------------------------------------- */

/* Can a comparison be added to the page @file? It need not be there, but must be no other file. */
int compare_page_check(const char *file);

/* Write @c into the page @file, in place of an older one of the same. */
int compare_page_add(const char *file, const struct comparison *c);

/* ---- compare_html.c: what people see of it --------------------------------- */

struct compare_page {
	struct comparison *all;
	size_t n;	/* at least 1 when it is written */
};

/*
 * A page in @m, but for the comments and page_end(). 0, or a negative errno and nothing has been
 * written.
 */
int compare_html_write(struct markup *m, FILE *out, const struct compare_page *page);

/* Do they belong in one section? */
bool compare_is_alike(const struct comparison *a, const struct comparison *b);

/* ---- compare_bars.c: its bars ---------------------------------------------- */

enum compare_bars {
	COMPARE_BARS_SHARE,	/* communication, each pair as wide as can be */
	COMPARE_BARS_COMMUNICATION,
	COMPARE_BARS_TOTAL,	/* and computation */
};

/* A figure of @n comparisons, each a group of bars. */
void compare_bars_draw(struct markup *m, enum compare_bars what, const struct comparison *const *c,
		       size_t n, const char *caption);

#endif
