/* SPDX-License-Identifier: BSD-3-Clause */
/* row.c - how a job measures a row, the same for BSP and MPI. */

/*
 * All processes run the same supersteps. Process 0 holds the clock; since every
 * superstep ends with a synchronisation its time is that of the slowest. What it
 * decides, how many supersteps and whether to repeat, it writes into the area
 * before a barrier, and the others read it after.
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_REPEATED = 2 * BENCH_BATCHES };

/* What one attempt at a row gave, on process 0. */
struct attempt {
	double time[BENCH_BATCHES];
	double reference[BENCH_BATCHES];
	double flag[2]; /* before, after */
	double copy[2];
	int disturbed; /* batches */
};

typedef void bench_run(const struct bench_row *row, long supersteps);

static volatile double sink;

int bench_scattered(int item)
{
	return item * 389 % BENCH_ITEMS;
}

/* A chain of dependent operations: the time does not depend on the memory. */
static void row_turn(long turns)
{
	double x = sink; /* which the compiler does not know */

	for (long i = 0; i < turns; i++)
		x = x * 0.999 + 0.001;
	sink = x;
}

void bench_work(const struct bench_area *area)
{
	row_turn(atomic_load_explicit(&area->work, memory_order_relaxed));
}

void bench_dot(void)
{
	static double a[BENCH_DOT], b[BENCH_DOT];
	double sum = 0;

	/* Or else the compiler sees that nobody writes to them. */
	__asm__ volatile("" : : "r"(a), "r"(b) : "memory");
	for (int i = 0; i < BENCH_DOT; i++)
		sum += a[i] * b[i];
	sink = sum;
}

/* The least time is that in which nobody else had the processor. */
static void calibrate_work(struct bench_job *job)
{
	enum { TURNS = 100000 };
	double time[BENCH_BATCHES];

	job->barrier();
	for (int i = 0; job->me == 0 && i < BENCH_BATCHES; i++) {
		uint64_t start = bench_now();

		row_turn(TURNS);
		time[i] = (double)(bench_now() - start) / TURNS;
	}
	if (job->me == 0)
		job->area->work = (long)(1e6 / bench_quantile(time, BENCH_BATCHES, 0));
	job->barrier();
}

static double row_own_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/*
 * Nanoseconds for one superstep. Processes with a core each never leave it in so short a
 * time, so who was without it was disturbed by another program.
 */
static double row_batch(struct bench_job *job, const struct bench_row *row, bench_run *run, long n)
{
	job->barrier();
	double own = row_own_time();
	uint64_t start = bench_now();

	run(row, n);
	double took = (double)(bench_now() - start);

	own = row_own_time() - own;
	job->area->disturbed[job->me] = job->pair && took - own > BENCH_DISTURBANCE * took;
	return took / (double)n;
}

/* All processes see the same: nobody writes again before all have come to the next batch. */
static bool was_disturbed(struct bench_job *job)
{
	int n = 0;

	job->barrier();
	for (int i = 0; i < job->nprocs; i++)
		n += job->area->disturbed[i];
	return n > 0;
}

/* Few supersteps become more until a batch is long enough; warms up by the way. */
static long count_supersteps(struct bench_job *job, const struct bench_row *row)
{
	long n = 1;

	for (;;) {
		double took = row_batch(job, row, row->run, n) * (double)n;
		double factor =
			fmax(job->batch_ns / (took > 1 ? took : 1), (double)row->least / (double)n);

		if (job->me == 0)
			job->area->supersteps =
				factor < 1.5 ? 0 : (long)ceil((double)n * fmin(factor, 8));
		job->barrier();
		if (job->area->supersteps == 0)
			return n;
		n = job->area->supersteps;
	}
}

static void row_measure_limits(struct bench_job *job, const struct bench_row *row,
			       struct attempt *found, int when)
{
	job->barrier();
	if (job->pair && job->me < 2) {
		found->flag[when] = bench_pair_flag(job->area, job->me);
		if (row->copied > 0)
			found->copy[when] = bench_pair_copy(job->area, job->me, row->copied);
	}
	job->barrier();
}

/* Disturbed batches are repeated, but not for ever. */
static void take_batches(struct bench_job *job, const struct bench_row *row, long n,
			 struct attempt *found)
{
	int left = MOST_REPEATED;

	found->disturbed = 0;
	for (int i = 0; i < BENCH_BATCHES; i++) {
		found->time[i] = row_batch(job, row, row->run, n);
		bool disturbed = was_disturbed(job);

		if (row->reference != NULL) {
			found->reference[i] = row_batch(job, row, row->reference, n);
			disturbed |= was_disturbed(job);
		}
		if (disturbed && left-- > 0)
			i--;
		else
			found->disturbed += disturbed;
	}
}

static void attempt(struct bench_job *job, const struct bench_row *row, struct attempt *found)
{
	if (row->open != NULL)
		row->open(row);
	long n = count_supersteps(job, row);

	row_measure_limits(job, row, found, 0);
	row_batch(job, row, row->run, n);
	take_batches(job, row, n, found);
	row_measure_limits(job, row, found, 1);
	if (row->close != NULL)
		row->close(row);
}

static bool is_stable(const struct attempt *a)
{
	return a->disturbed == 0 && fabs(a->flag[0] - a->flag[1]) <=
					    BENCH_FLAG_CHANGE * fmin(a->flag[0], a->flag[1]);
}

static void row_print(const struct bench_row *row, struct attempt *found)
{
	double limit = (found->copy[0] + found->copy[1]) / 2;

	if (row->reference != NULL)
		limit = bench_quantile(found->reference, BENCH_BATCHES, 0.5);
	printf("row %s %d %.6g %.6g %d", row->name, is_stable(found),
	       (found->flag[0] + found->flag[1]) / 2, limit, BENCH_BATCHES);
	for (int i = 0; i < BENCH_BATCHES; i++)
		printf(" %.6g", found->time[i]);
	printf("\n");
	fflush(stdout);
}

static void row_measure(struct bench_job *job, const struct bench_row *row)
{
	struct attempt found = { .flag = { 0 } };
	int left = job->tries;

	do {
		attempt(job, row, &found);
		left--;
		if (job->me == 0)
			job->area->again = left > 0 && !is_stable(&found);
		job->barrier();
	} while (job->area->again);
	if (job->me == 0)
		row_print(row, &found);
}

static const struct bench_row *row_find(const struct bench_job *job, const char *name)
{
	for (const struct bench_row *row = job->rows; row->name != NULL; row++)
		if (strcmp(row->name, name) == 0)
			return row;
	return NULL;
}

int bench_measure(struct bench_job *job, int nnames, char **names)
{
	calibrate_work(job);
	for (int i = 0; i < nnames; i++) {
		const struct bench_row *row = row_find(job, names[i]);

		if (row == NULL) {
			fprintf(stderr, "bench: there is no row \"%s\"\n", names[i]);
			return 1;
		}
		row_measure(job, row);
	}
	return 0;
}

/*
 * Pages that processes share count in parts for each of them; so it is the sum
 * that has grown by what the library takes.
 */
void bench_tell_memory(struct bench_job *job, long before, long supervisor)
{
	long sum = supervisor;

	for (int i = 0; i < 10; i++)
		job->barrier();
	job->area->kib[job->me] = bench_memory((long)getpid()) - before;
	job->barrier();
	for (int i = 0; i < job->nprocs; i++)
		sum += job->area->kib[i];
	if (job->me == 0)
		printf("row memory 1 0 0 1 %.1f\n", (double)sum / job->nprocs);
	fflush(stdout);
	job->barrier();
}

void bench_tell_where(struct bench_job *job)
{
	job->area->cpu[job->me] = bench_cpu();
	job->barrier();
	if (job->me == 0)
		printf("row where 1 0 0 2 %d %d\n", job->area->cpu[0],
		       job->nprocs > 1 ? job->area->cpu[1] : -1);
	fflush(stdout);
	job->barrier();
}
