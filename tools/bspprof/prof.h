/* SPDX-License-Identifier: BSD-3-Clause */
/* prof.h - bspprof: a recording as figures, and the forms in which they are shown. */

/*
 * Times are nanoseconds. Times of different processes are on one axis that begins with the first
 * bsp_begin. "Computed" is from the end of a call to the beginning of the next one, "waited" is in
 * it. h is that of the BSP model: the most bytes that a process sends or receives.
 */
#ifndef PROF_H
#define PROF_H

#include "prof_names.h"

#include "common/recording.h"
#include "common/spans.h"

enum {
	PROF_CELLS = 64,		/* rows and columns of the matrix, at most */
	PROF_CALLS_MOST = 20 << 20,	/* kept for the critical path and timelines */
};

/* A call site: all calls of one kind at one line. */
struct prof_row {
	enum recording_kind kind;
	char *site, *name;
	uint64_t calls;
	uint64_t *computed, *waited;	/* of each process */
	/* of supersteps that end here: transfers, and their bytes */
	uint64_t sent, bytes;
	uint64_t h;			/* sum of h over these supersteps */
	uint64_t on_path;		/* of the critical path: computing before this call */
	/* Callers of the function with this site, if it has several: rows with a parent. */
	const struct prof_row *callers;
	size_t ncallers;
	uint32_t parent;
};

#define PROF_NO_CALLER UINT32_MAX
enum { PROF_CALLERS_SHOWN = 16 };	/* of a call site */

/* A section of the program. */
struct prof_section {
	char *name;
	bool is_chosen;			/* by prof_choice */
	struct spans spans;	/* as many as the most that a process has */
	uint64_t *begun;		/* times, of each process */
	uint32_t *depth;		/* of each: how often it is open in itself */
	uint64_t time;			/* in spans */
	uint64_t *computed, *waited;	/* in it, of each process */
};

struct prof_step {
	uint64_t begin, finish;		/* the last process, of the superstep before and of this */
	uint64_t computed_most, computed_sum, waited_sum;
	uint64_t h, h_messages;		/* most of a process, in or out */
	uint32_t row;			/* of the bsp_sync of the first process that has one */
	uint32_t caller;		/* of that one, or PROF_NO_CALLER */
	uint32_t signature;		/* equal: the same call sites in the same order */
	bool relaxed;
	bool among_neighbors, met;	/* of bsp_set_neighbors; all processes met before its end */
};

/* A call on one process, for the critical path. */
struct prof_call {
	uint64_t begin, finish;
	uint64_t computed;		/* before it, of what counts */
	uint64_t sent;			/* when what it waited for was sent */
	int32_t from;			/* by that process; -1: it did not wait */
	uint32_t row;
	/* superstep; transfers that it ends, or puts and messages that it waits for; their bytes */
	uint32_t step, n;
	uint64_t bytes;
	uint32_t caller;		/* of the function with it, or PROF_NO_CALLER */
	bool sent_something;		/* in a barrier: that process sent what @what says ... */
	uint8_t what;			/* ... or this is what it waits for: enum recording_what */
};

struct prof_calls {
	struct prof_call *at;
	size_t n, room;
};

/* A schedule that the kernel ran beside a process. */
struct prof_run {
	uint64_t begin, finish;
	uint32_t name;
};

struct prof_runs {
	struct prof_run *at;
	size_t n, room;
};

enum { PROF_OPERATION_NAME = 12 };	/* bytes, with its end */

/* An operation of such a schedule. */
struct prof_operation {
	uint64_t begin, finish, bytes;
	int32_t peer;			/* -1: none */
	char name[PROF_OPERATION_NAME];
};

struct prof_operations {
	struct prof_operation *at;
	size_t n, room;
};

/* The critical path is on a process at a time. */
struct prof_point {
	uint64_t time;
	int pid;
};

/* Times of some supersteps, ns. */
struct prof_cost {
	uint64_t steps, time, waited;
	double model;			/* what they would by prof_model() */
};

/* A superstep, or several that repeat: a row of the tree. */
struct prof_node {
	uint32_t signature;		/* of a leaf */
	uint64_t times;			/* that it repeats, one after the other */
	struct prof_cost cost;		/* of all of these */
	struct prof_node *inside;	/* NULL: a leaf */
	size_t ninside;
};

/* The waits of all processes by their reasons, ns. */
struct prof_loss {
	uint64_t late;			/* a process that came later */
	uint64_t bytes, latency;	/* as the transport's own estimates have them */
	uint64_t beyond;		/* the library, the operating system; not known */
	uint64_t *late_by;		/* of late, for each process */
};

struct prof {
	struct recording recording;
	int nprocs;
	uint64_t nsteps;		/* recorded one by one */
	uint64_t summed;		/* and those that are sums only */
	uint64_t time;			/* of the run, or what counts of it */
	uint64_t length;		/* from the first beginning to the last end of a process */
	uint64_t computed, waited, collective, credit;	/* of all processes */
	uint64_t processor;		/* time that they had a processor for what they computed */
	struct prof_loss loss;		/* of the calls that are recorded one by one */
	uint64_t sent, bytes;
	struct prof_row *rows;
	size_t nrows, rows_room;
	struct prof_row *callers;	/* sorted by their parents */
	size_t ncallers, callers_room, caller_found;
	struct prof_names caller_numbers;	/* by row and text, while it is loaded */
	char rebuilt[200];		/* objects with callers, built again since the run; or "" */
	struct prof_step *steps;
	size_t steps_room;
	struct prof_section *sections;
	size_t nsections, sections_room;
	struct spans counted;	/* times that count */
	char **signatures;		/* the call sites, as text */
	size_t nsignatures, signatures_room;
	struct prof_calls *calls;	/* of each process; NULL: there are too many */
	struct prof_runs *runs;		/* of each process, in the order of their beginnings */
	size_t nruns;			/* of all */
	struct prof_operations *operations;	/* of each process, likewise */
	size_t noperations;
	char **run_names;		/* "goal_start prog.c:12" */
	size_t nrun_names, run_names_room;
	uint64_t *path;			/* of each process: ns of the critical path */
	uint64_t path_waits, path_length;	/* of it, on the way between processes; all */
	struct prof_point *points;	/* where it changes processes, the last first */
	size_t npoints, points_room;
	int per_cell, cells;		/* processes in a row of the matrix, rows */
	uint64_t *matrix;		/* bytes from, to */
	struct prof_node tree;
	char damage[200];		/* what of the recording could not be read, or "" */
};

/* 0, or -1 and in @why the reason. */
int prof_load(struct prof *p, const char *path, char *why, size_t len);
void prof_free(struct prof *p);

/* For prof_load(): room for one more element of @size; NULL: there is no memory for it. */
void *prof_more(void *array, size_t n, size_t size, size_t *room);
/* The kernel ran something beside a process: OFFLOADED or OPERATION; false: no memory. */
bool prof_beside_add(struct prof *p, int pid, const struct recording_event *e, uint64_t offset);
/* By their beginnings. */
void prof_beside_sort(struct prof *p, int pid);
void prof_beside_free(struct prof *p);
/* Follow the waits back from the end; find what repeats. */
void prof_find_path(struct prof *p);
bool prof_grow_tree(struct prof *p);
void prof_tree_free(struct prof_node *node);

/*
 * Only calls in the section of one name count, or only those outside of it: in call sites,
 * supersteps and timelines. Both NULL: all of the run does.
 */
struct prof_choice {
	const char *only, *without;
};

extern struct prof_choice prof_choice;

/* Supersteps in the picture of the page, of those that count. */
extern struct prof_steps {
	uint64_t first, last;
} prof_steps;
/* From "FIRST:LAST"; false: it is not that. */
bool prof_steps_read(const char *text);

bool prof_is_part(void);
/* Computing on the way to a call; @last: the end of the one before that counts. */
static inline uint64_t prof_computed_before(const struct prof_call *c, uint64_t last)
{
	return prof_is_part() || c->begin < last ? c->computed : c->begin - last;
}

/* Over the processes that the recording has. */
double prof_mean(const struct prof *p, const uint64_t *of_each);
double prof_least(const struct prof *p, const uint64_t *of_each);
double prof_most(const struct prof *p, const uint64_t *of_each, int *which);
/* Calls of a process: "20", or "0.5" if not all make as many. */
void prof_calls_text(const struct prof *p, const struct prof_row *r, char *text, size_t len);
const char *prof_kind_name(const struct prof_row *r);
/* Likewise, of a call that has this name, or "", in its record. */
const char *prof_call_name(enum recording_kind kind, const char *name);
/* Rows by what they cost, the dearest first: an array of their numbers, to be freed. */
uint32_t *prof_by_cost(const struct prof *p);
/* Had the processes a processor for less than nine tenths of what they computed? */
bool prof_is_busy(const struct prof *p);
/* Rounds of a barrier by dissemination. */
int prof_rounds(const struct prof *p);
/* Messages one after the other in the end of a superstep, by the model. */
int prof_messages(const struct prof *p, const struct prof_step *s);
/* The time of a superstep by the BSP model: W + g h + L; bspprof(1). */
double prof_model(const struct prof *p, const struct prof_step *s);

enum { PROF_NETWORK = 400 };	/* bytes of emulated_describe() */
enum { PROF_WHY = 1400 };	/* bytes for the reason of a failure */

/*
 * @recording as "table", "html", "trace", "goal" or "predict" into @file, which appears whole or
 * not at all; NULL: to standard output. A trace whose file prof_is_archive() is an archive. 0, or
 * -1 and in @why what is wrong with which file.
 */
int prof_write(const char *form, const char *recording, const char *file, char *why, size_t len);
/* Does its name end in ".otf2"? */
bool prof_is_archive(const char *file);
/* Can it be written here? 0, or -1 and in @why what is missing; before a program runs for it. */
int prof_archive_try(const char *file, char *why, size_t len);
/* Are they networks? 0, or -1 and in @why which is none; before a program runs for them. */
int prof_networks_check(const char *networks, char *why, size_t len);
/* The networks on which "predict" predicts, beside the run's own: a list, or NULL. */
extern const char *prof_networks;

/* Written to @out, whose errors the caller looks for. */
void prof_write_table(const struct prof *p, FILE *out);
void prof_write_html(const struct prof *p, FILE *out);
void prof_write_trace(const struct prof *p, FILE *out);	/* which has its calls */
/*
 * Rows of the tree, by @row with @arg, PROF_TREE_ROWS at most; returns how many are left out.
 */
enum { PROF_TREE_ROWS = 1000 };
typedef void prof_tree_row(const struct prof *p, const struct prof_node *n, int depth, void *arg);
/* 0, or -1 and in @why what is wrong with which file. */
int prof_write_archive(const char *recording, const char *file, char *why, size_t len);
/* 0, or -1 and in @why the reason. */
int prof_write_goal(const struct recording *r, FILE *out, char *why, size_t len);
int prof_write_prediction(const struct prof *p, const char *networks, FILE *out, char *why,
			  size_t len);
uint64_t prof_write_tree(const struct prof *p, prof_tree_row *row, void *arg);

#endif
