/* SPDX-License-Identifier: BSD-3-Clause */
/* table.h - the driver's figures, what was measured for them, and how it is shown. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "bench/rows/bench.h"

#include <stdio.h>

enum {
	TABLE_FIGURES = 48,	/* at most */
	TABLE_PARTS = 8,	/* numbers of processes in one run */
	TABLE_ROUNDS = 128,
	TABLE_SIDES = 3,	/* BSP, MPI, MPI done in another way */
};

/* How a time is shown. */
enum unit {
	UNIT_US,	/* of a superstep */
	UNIT_NS_EACH,	/* of a superstep, for each of its BENCH_ITEMS transfers */
	UNIT_PERCENT,	/* by which a superstep exceeds its limit */
	UNIT_MS,
	UNIT_KIB,	/* not a time */
};

/* The least that the machine needs for the same. */
enum limit {
	LIMIT_NONE,
	LIMIT_FLAG,	/* a flag barrier; a turn of each process of a core, if there are several */
	LIMIT_COPY,	/* one copy of the bytes that a process sends */
	LIMIT_TOTAL,	/* the same, in a total exchange */
	LIMIT_OWN,	/* the row measures it: reference in bench.h; start of a program */
};

enum yardstick {
	BY_NOTHING,
	BY_LIMIT,	/* value times the limit */
	BY_FLAG,	/* value nanoseconds where the flag barrier takes TARGET_FLAG */
	BY_PERCENT,	/* value percent more than the limit */
	BY_PROCESSES,	/* value KiB with two processes, TARGET_KIB_MORE for each further one */
	BY_TIME,	/* value nanoseconds, on any machine */
	BY_MPI,		/* no slower than the same work in MPI */
};

/* The flag barrier of the machine on which the targets were set, nanoseconds. */
#define TARGET_FLAG 78.0
#define TARGET_KIB_MORE 64.0

struct target {
	enum yardstick by;
	double value;
	bool beats_mpi;		/* and is faster than MPI */
};

struct figure {
	const char *row;	/* of bsprows; NULL: there is only MPI's */
	const char *text;
	const char *mpi[TABLE_SIDES - 1];
	enum unit unit;
	enum limit limit;
	size_t nbytes;		/* for LIMIT_COPY and LIMIT_TOTAL */
	struct target alone;	/* two processes, a core for each */
	struct target shared;	/* two processes for each core */
	struct target crowd;	/* any more */
	bool in_crowd;		/* measured with more processes than cores */
};

extern const struct figure table_figures[];

/* One row in one round. */
struct sample {
	bool valid;
	bool stable;
	double flag;
	double limit;		/* as the job printed it; 0 if it did not */
	int n;
	double time[BENCH_BATCHES];
	struct bench_limits machine;	/* around the job */
};

/* All that was measured with one number of processes. */
struct part {
	int nprocs;
	int ncores;
	struct sample sample[TABLE_FIGURES][TABLE_SIDES][TABLE_ROUNDS];
};

struct run {
	int nparts;
	int nrounds;
	struct part part[TABLE_PARTS];
	struct bench_limits limits[TABLE_ROUNDS];
	const char *mpi_note;	/* why there is no MPI; NULL if there is */
	const char *command;
	int cpu[2];		/* where the pair was bound */
};

/* One line of the table, in its unit. */
struct summary {
	bool valid;
	bool stable;
	double median, q1, q3;
	double limit, ratio;	/* 0: none */
	double target, target_ratio;	/* 0: none */
	int met;		/* 1, 0; -1: no target */
	double mpi;		/* 0: none */
	const char *mpi_row;
	double flag;		/* nanoseconds */
	int rounds, stable_rounds;
};

/* The classical parameters, from several rows; 0: not measured. */
struct parameters {
	double flops_per_ns;	/* r */
	double l_ns;
	double g1_ns;		/* per word, in single words */
	double g_ns;		/* per word, in blocks */
	double n_half;		/* words */
};

/* ---- summary.c ----------------------------------------------------------- */

struct summary table_summary(const struct run *run, const struct part *part, int figure);
struct parameters table_parameters(const struct run *run, const struct part *part);
struct bench_limits table_limits(const struct run *run, double quantile);
const char *table_unit(enum unit unit);
bool table_is_crowded(const struct part *part);

/* ---- report.c ------------------------------------------------------------ */

void report_text(const struct run *run, FILE *out);
void report_csv(const struct run *run, FILE *out);
void report_markdown(const struct run *run, FILE *out);

#endif
