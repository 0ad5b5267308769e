/* SPDX-License-Identifier: BSD-3-Clause */
/* row.c - how a job measures a row, the same for BSP and MPI. */

/*
 * All processes run the same supersteps. Process 0 holds the clock; since every
 * superstep ends with a synchronisation its time is that of the slowest. It decides
 * how many supersteps there are and whether to repeat, and writes this into the
 * area before a barrier; the others read it after.
 */
#include "bench.h"

#include "tools/measure/batch.h"
#include "tools/measure/sample.h"
#include "tools/measure/work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_REPEATED = 2 * BENCH_BATCHES };

/* The result of one attempt at a row, on process 0. */
struct attempt {
	double time[BENCH_BATCHES];
	double reference[BENCH_BATCHES];
	double flag[2]; /* before, after */
	double copy[2];
	int disturbed; /* batches */
};

typedef void bench_run(const struct bench_row *row, long supersteps);

int bench_scattered(int item)
{
	return item * 389 % BENCH_ITEMS;
}

void bench_work(const struct bench_area *area)
{
	work_do(atomic_load_explicit(&area->work, memory_order_relaxed));
}

void bench_dot(void)
{
	static double a[BENCH_DOT], b[BENCH_DOT];
	double sum = 0;

	/* Or else the compiler sees that no process writes to them. */
	__asm__ volatile("" : : "r"(a), "r"(b) : "memory");
	for (int i = 0; i < BENCH_DOT; i++)
		sum += a[i] * b[i];
	__asm__ volatile("" : : "r"(&sum) : "memory");
}

/* How many turns take 1 ms. */
static void calibrate_work(struct bench_job *job)
{
	enum { TURNS = 100000 };

	job->barrier();
	if (job->me == 0)
		job->area->work = (long)(1e6 * TURNS / work_least_ns(TURNS, BENCH_BATCHES));
	job->barrier();
}

/* Nanoseconds for one superstep. */
static double row_batch(struct bench_job *job, const struct bench_row *row, bench_run *run, long n)
{
	struct batch batch;
	bool disturbed;
	double took;

	job->barrier();
	batch_begin(&batch);
	run(row, n);
	took = batch_end(&batch, &disturbed);
	job->area->disturbed[job->me] = job->pair && disturbed;
	return took / (double)n;
}

/* All processes see the same: no process writes again before all have come to the next batch. */
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

		if (job->me == 0)
			job->area->supersteps = batch_grow(n, took, job->batch_ns, row->least);
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

/* Disturbed batches are repeated, but not for ever, and not in a quick run, which tries once. */
static void take_batches(struct bench_job *job, const struct bench_row *row, long n,
			 struct attempt *found)
{
	int left = job->tries > 1 ? MOST_REPEATED : 0;

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
		limit = sample_quantile(found->reference, BENCH_BATCHES, 0.5);
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
