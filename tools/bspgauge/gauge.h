/* SPDX-License-Identifier: BSD-3-Clause */
/* gauge.h - bspgauge: patterns, modules that move the messages, and reports. */

/*
 * Terms
 *   module	a way to move messages between processes: a transport of the library, sockets, ...
 *   pattern	what is done with it, over and over, and timed.
 *   script	what one process sends and receives in a pattern; the same on any module.
 *		Messages have no tags: those from one process to another are received in the
 *		order in which they were sent.
 *   series	values of a result over sizes or numbers of processes; one plot may have several.
 *   value	a series of one point without an x, as L of LogGP.
 *   result	what one pattern gave on one module, or why it was not measured.
 *   report	results with where, when and how they were measured: what a file has.
 *
 * A job is a BSP program. Facts that processes exchange besides go by supersteps, so
 * modules need no wire-up of their own. gauge_table.c has the tables; doc/gauge.md tells how to
 * add a pattern or a module.
 */
#ifndef BSP_GAUGE_H
#define BSP_GAUGE_H

#include "tools/bspgauge/module/gauge_module.h"
#include "tools/measure/measure.h"

#include <stdio.h>

enum { GAUGE_GOOD = 0, GAUGE_FAILED = 1 };

enum { GAUGE_NAME = 48, GAUGE_TEXT = 256, GAUGE_STEPS = 1024, GAUGE_SIZES = 64,
       GAUGE_OPTIONS = 8 };

/* ---- Reports: gauge_report.c ------------------------------------------------------------ */

struct gauge_point {
	double x;		/* bytes or processes */
	struct measure_value v;	/* v.why is a text of this program, or one that the report owns */
	double *raw;		/* samples as they came, or NULL */
	int nraw;
};

struct gauge_series {
	char name[GAUGE_NAME];	/* "os", or of a plot with several "binomial, 1024 bytes" */
	char plot[GAUGE_NAME];	/* its name in gauge_plots, or "" of a value */
	char unit[GAUGE_NAME];
	char skipped[GAUGE_TEXT];	/* why it has no points, or "" */
	struct gauge_point *at;
	size_t n;
};

struct gauge_result {
	char module[GAUGE_NAME], pattern[GAUGE_NAME], transport[GAUGE_NAME], network[GAUGE_TEXT];
	char skipped[GAUGE_TEXT];	/* why there is nothing; "" if there is */
	int nprocs;
	double seconds;			/* that it took */
	double taken;			/* processors that other programs took meanwhile */
	struct gauge_series *series;
	size_t n;
};

struct gauge_report {
	char file[GAUGE_TEXT];		/* it was read from, or "" */
	char host[GAUGE_TEXT], processor[GAUGE_TEXT], kernel[GAUGE_TEXT], clock[GAUGE_TEXT];
	char date[GAUGE_NAME], version[GAUGE_NAME], command[4 * GAUGE_TEXT];
	struct gauge_result *result;
	size_t n;
};

struct gauge_reports {
	struct gauge_report *at;
	size_t n;
};

/* Plots: what a series may be drawn in. */
struct gauge_plot {
	const char *name, *title, *x, *y;
	bool log_x, log_y;
	const char *what;		/* a sentence for the page */
};

extern const struct gauge_plot gauge_plots[];	/* the last has no name */
const struct gauge_plot *gauge_plot_named(const char *name);

/* Begin a report, with the machine and the time. */
void gauge_report_begin(struct gauge_report *r, int argc, char **argv);
struct gauge_result *gauge_report_add(struct gauge_report *r);
void gauge_result_free(struct gauge_result *r);
/* They end the program if there is no memory. */
struct gauge_series *gauge_series(struct gauge_result *r, const char *plot, const char *unit,
				  const char *format, ...) __attribute__((format(printf, 4, 5)));
void gauge_add(struct gauge_series *s, double x, const struct measure_value *v);
/*
 * How other programs disturbed a result, in words: "" if none did. @text has GAUGE_NAME bytes.
 */
const char *gauge_disturbed(const struct gauge_result *r, char *text);
/* There is no @name, and why. */
void gauge_skip(struct gauge_result *r, const char *name, const char *why);
void gauge_value(struct gauge_result *r, const char *name, const char *unit,
		 const struct measure_value *v);

/* gauge_read.c: add the report of a JSON file; false, and why has been printed. */
bool gauge_read(struct gauge_reports *all, const char *path);

/* gauge_out_*.c */
void gauge_out_table(FILE *out, const struct gauge_reports *all);
void gauge_out_csv(FILE *out, const struct gauge_reports *all, bool raw);
void gauge_out_json(FILE *out, const struct gauge_report *r, bool raw);
void gauge_out_html(FILE *out, const struct gauge_reports *all);
/* One plot, a figure of a page: the series of @plot of all reports, if there are any. */
struct markup;
void gauge_out_plot(struct markup *m, const struct gauge_reports *all,
		    const struct gauge_plot *plot);

/* ---- The command line: gauge_request.c ---------------------------------------------- */

struct gauge_request {
	const char *modules, *patterns;		/* lists, or NULL: all */
	uint64_t size[GAUGE_SIZES];
	int nsizes;
	double seconds;
	int samples;				/* of each value; 0: until they agree */
	uint32_t seed;				/* of random choices; 0: by the time */
	const char *json, *csv, *html;		/* files, "-" for standard output, or NULL */
	const char *nprocs;
	const char *option[GAUGE_OPTIONS];	/* of modules: "MODULE:KEY=VALUE" */
	int noptions;
	const char *interface;			/* of raw Ethernet, EDP and ESP */
	bool raw, quiet;
	bool emulates;				/* --emulate */
};

extern struct gauge_request gauge_request;

/* "bspgauge: " and the message, on standard error. */
void gauge_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* As realloc(); ends the program if there is no memory. */
void *gauge_memory(void *old, size_t bytes);

/*
 * gauge_option.c: set the option of a module; false, and what is expected instead is in
 * gauge_option_expected.
 */
bool gauge_option_read(const char *text);
extern char gauge_option_expected[4 * GAUGE_TEXT];

/* ---- Measuring: gauge_run.c ----------------------------------------------------------------- */

/* A run: one module, in the SPMD part. */
struct gauge {
	struct measure m;
	const struct gauge_module *module;
	struct gauge_job job;
	struct gauge_result *result;	/* of the pattern under way; only process 0's is kept */
	const struct gauge_request *request;
	int nsizes;			/* of request->size that the module carries */
	uint32_t seed;			/* the same on all, of the random choices of each pattern */
	uint64_t random;		/* state, the same on all */
};

struct gauge_pattern {
	const char *name, *summary;
	unsigned int needs;		/* enum gauge_can */
	int nprocs_least;
	double weight;			/* share of the time; 1 is usual */
	void (*run)(struct gauge *g);	/* collective */
};

/* gauge_table.c: the i-th, or NULL. */
const struct gauge_pattern *gauge_pattern_at(unsigned int i);
const struct gauge_pattern *gauge_pattern_named(const char *name);
/* The i-th module or NULL; of plugins, those that are there. */
const struct gauge_module *gauge_module_at(unsigned int i);
const struct gauge_module *gauge_module_named(const char *name);
/* gauge_option.c: is the option @text, of gauge_request, one of @m? */
bool gauge_option_is_of(const struct gauge_module *m, const char *text);
/* gauge_table.c: is @name in the list @list, or is the list NULL? */
bool gauge_is_in(const char *list, const char *name);
/* Why @p cannot be measured on @module, or false. */
bool gauge_refuses(const struct gauge_pattern *p, const struct gauge_module *module, int nprocs,
		   bool virtual_time, char *why, size_t len);
void gauge_list(FILE *out);

/*
 * gauge_run.c: all patterns that were asked for on one module, after bsp_init(); true on
 * process 0.
 */
bool gauge_run(const struct gauge_module *module, struct gauge_report *report);
/* gauge_many.c: one job after the other, each module in its own. */
int gauge_run_many(struct gauge_report *report);

/*
 * gauge_delay.c: o of messages of @bytes by the delay between them, in us; collective, not in
 * virtual time.
 */
struct measure_value gauge_delay_overhead(struct gauge *g, uint64_t bytes, double part);

/*
 * gauge_pattern.c: a number below @n, the same on all processes; and a random order of 0 .. n -
 * 1.
 */
unsigned int gauge_random(struct gauge *g, unsigned int n);
void gauge_shuffle(struct gauge *g, int *order, int n);
/* gauge_work.c: the least time of @rounds of so much computing (tools/measure/work.h). */
double gauge_work_us(const struct measure *m, long n, int rounds);
/* Make no call for @ns; the time that it took, which is a little more. */
double gauge_wait(const struct measure *m, double ns);
/* gauge_pattern.c: what a message of @bytes is on the way. */
double gauge_wire_bytes(const struct gauge_module *module, uint64_t bytes);
/* @v times @factor, in another unit. */
struct measure_value gauge_scaled(const struct measure_value *v, double factor);
/* With the samples of the last measure_take(), if they are to be kept. */
void gauge_add_taken(struct gauge *g, struct gauge_series *s, double x,
		     const struct measure_value *v);
/*
 * To series 0 of the result the time @us, and to series 1, if there was one, the MB/s of @bytes
 * that take so long.
 */
void gauge_add_time_and_rate(struct gauge *g, double x, const struct measure_value *us,
			     double bytes);

/* ---- Scripts: gauge_script.c -------------------------------------------------------- */

struct gauge_step {
	bool send;
	int peer;
	uint64_t bytes;
};

struct goal_request;

struct gauge_script {
	bool together;		/* all at once; else one after the other */
	int n;
	struct gauge_step step[GAUGE_STEPS];
	/* over the library: this, and a run of it; else NULL, and requests */
	struct goal_schedule *schedule;
	struct goal_request *run;
	void *request[GAUGE_STEPS];
	int nrequests;
};

/* Build it, then load it, collectively; a process that has nothing to do loads an empty one. */
struct gauge_script *gauge_script(bool together);
void gauge_script_send(struct gauge_script *s, int peer, uint64_t bytes);
void gauge_script_recv(struct gauge_script *s, int peer, uint64_t bytes);
void gauge_script_load(struct gauge *g, struct gauge_script *s);
/*
 * Begin a sample, collectively: datagrams of those before it are dropped, over modules that may
 * lose some after all processes have given them up. Then each does what it has to; false: a message
 * was lost.
 */
void gauge_script_round(struct gauge *g);
bool gauge_script_do(struct gauge *g, struct gauge_script *s);
/* Both: ns, or NAN if a message was lost. */
double gauge_script_run(struct gauge *g, struct gauge_script *s);
/* Only of modules that are non-blocking, and with @together. */
void gauge_script_start(struct gauge *g, struct gauge_script *s);
bool gauge_script_test(struct gauge *g, struct gauge_script *s);
void gauge_script_free(struct gauge_script *s);
/* The carrier for measure_plogp(), by modules of messages. */
extern const struct measure_carrier gauge_messages;

#endif
