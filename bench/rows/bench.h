/* SPDX-License-Identifier: BSD-3-Clause */
/* bench.h - what the driver, the BSP rows and the MPI rows of the benchmark share. */

/*
 * Terms
 *   row      one piece of work that a program measures: bsprows has those in
 *	      BSP, mpibench those in MPI.
 *   figure   one line of the table: a row, its limit, its target, and the rows
 *	      in MPI that do the same work.
 *   job      one run of bsprows or mpibench, for some rows, in one round.
 *   batch    so many supersteps that the clock does not count; a row is
 *	      measured in BENCH_BATCHES of them.
 *   pair     the processes 0 and 1, between which limits are measured.
 *
 * A job prints one line for each row on standard output,
 *	row NAME STABLE FLAG LIMIT BATCHES TIME...
 * times in nanoseconds: FLAG the flag barrier, LIMIT the copy or whatever else
 * the row compares itself with (0: not measured here), TIME that of one
 * superstep, for each batch, by the clock of process 0. STABLE is 1 if FLAG was
 * the same before and after the row and no other process ran on the processors of the job.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	BENCH_BATCHES = 9,
	BENCH_ITEMS = 1000,		/* transfers in a superstep of many small ones */
	BENCH_MOST_PROCS = 1024,
	BENCH_MOST_BYTES = 8 << 20,
	BENCH_SIZES = 6,
	BENCH_LANES = 15,		/* pairs of flags: how fast one is depends on its address */
	BENCH_DOT = 1024,		/* length of the vectors of the dot product */
};

/* Flag barriers further apart than this make a row unstable. */
#define BENCH_FLAG_CHANGE 0.15

/* Two lines apart, so that fetching one does not bring the other. */
struct bench_flag {
	_Alignas(128) _Atomic uint32_t count;
};

/* The limits of the machine; times in nanoseconds. */
struct bench_limits {
	double flag;			/* each sets a flag and sees the other's */
	double turn;			/* one process gives its processor to another */
	double copy[BENCH_SIZES];	/* out of the other core's cache */
	double memcpy[BENCH_SIZES];	/* in one thread */
};

/*
 * Memory that the driver shares with every process of its jobs. Process 0
 * writes what it has decided, and the others read it after the next barrier.
 */
struct bench_area {
	struct bench_flag flag[BENCH_LANES][2];	/* written by process 0, by process 1 */
	_Alignas(128) _Atomic long supersteps;
	_Atomic long work;		/* turns of the work loop that take 1 ms */
	_Atomic int again;		/* the row is to be repeated */
	_Atomic int disturbed[BENCH_MOST_PROCS];	/* written by each process for each batch */
	_Atomic int cpu[BENCH_MOST_PROCS];	/* where bound; -1 anywhere */
	_Atomic long kib[BENCH_MOST_PROCS];	/* memory */
	struct bench_limits limits;	/* written by the pair of the driver */
	_Alignas(4096) unsigned char data[BENCH_MOST_BYTES];
};

/* ---- limits.c ------------------------------------------------------------ */

extern const size_t bench_sizes[BENCH_SIZES];

/* Processes @me = 0 and 1 call these at the same time; the result is right on 0. */
double bench_pair_flag(struct bench_area *area, int me);
double bench_pair_copy(struct bench_area *area, int me, size_t nbytes);

/* In two processes of its own, bound to @cpu[0] and @cpu[1] (-1: anywhere). */
int bench_limits_measure(struct bench_area *area, const int cpu[2], struct bench_limits *out);

/* ---- area.c -------------------------------------------------------------- */

/* @name as in the job's command line, "-" for one of one's own; NULL and errno on failure. */
struct bench_area *bench_area_open(const char *name);

/* For the driver: a new one, @name is what its jobs open. */
struct bench_area *bench_area_create(char *name, size_t len);

/* Memory of a process in KiB, its share of what is shared; 0 if the system does not tell. */
long bench_memory(long pid);

/* The processor this process is bound to, -1 if to none or several. */
int bench_cpu(void);

/* Cores that this process may use. */
int bench_cores(void);

/* ---- row.c --------------------------------------------------------------- */

struct bench_row {
	const char *name;
	void (*run)(const struct bench_row *row, long supersteps);
	void (*open)(const struct bench_row *row);	/* may be NULL, as the next two */
	void (*close)(const struct bench_row *row);
	void (*reference)(const struct bench_row *row, long supersteps);	/* is the limit */
	size_t nbytes;		/* of one transfer */
	size_t copied;		/* the limit is to copy so much; 0 none */
	long least;		/* supersteps in a batch, however long it takes; 0 one */
	int kind;		/* the program's own business */
};

struct bench_job {
	int me;
	int nprocs;
	struct bench_area *area;
	void (*barrier)(void);
	const struct bench_row *rows;	/* the last one has no name */
	bool pair;		/* the pair has a core for each and can measure limits */
	double batch_ns;
	int tries;
};

/* Measure the rows of that names, and print them on process 0. Non-zero: no such row. */
int bench_measure(struct bench_job *job, int nnames, char **names);

/* Memory and processors of all processes, printed by process 0. */
void bench_tell_memory(struct bench_job *job, long before, long supervisor);
void bench_tell_where(struct bench_job *job);

/* 1 ms of work, if bench_measure() has calibrated it. */
void bench_work(const struct bench_area *area);

/* A dot product, 2 BENCH_DOT flops. */
void bench_dot(void);

/* Offsets of BENCH_ITEMS words in an order that leaves no two neighbours together. */
int bench_scattered(int item);

#endif
