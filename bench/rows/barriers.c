/* SPDX-License-Identifier: BSD-3-Clause */
/* barriers.c - an empty bsp_sync by each barrier, beside the first one: what a schedule costs. */

/*
 * Every barrier is a job of its own (a program begins only once), and the jobs take turns,
 * round after round, so that what happens to the machine happens to all. The ratio is the
 * median over the rounds of a barrier's time over that of the first one in the same round. Runs
 * over any transport, with the processes of BSP_NPROCS.
 *
 *	barriers [rounds [BARRIER ...]]		as in BSP_BARRIER; prints: barrier, us, ratio
 */
#include "tools/measure/sample.h"

#include <bsp.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 9, MOST_ROUNDS = 100, BATCHES = 9, MOST_BARRIERS = 16 };

static const double batch_s = 0.004;

static const char *const standard[] = { "alltoall", "counting", "dissemination", "butterfly",
					"binomial", "knomial:4", "linear", "nbx" };

static double *result;		/* seconds; shared with the jobs */

static double barriers_median(const double *v, int n)
{
	double sorted[MOST_ROUNDS];

	memcpy(sorted, v, (size_t)n * sizeof *v);
	return sample_median(sorted, n);
}

static double seconds_of(int n)
{
	double began = bsp_time();

	for (int i = 0; i < n; i++)
		bsp_sync();
	return bsp_time() - began;
}

/* So many as take batch_s on process 0, the same on all. */
static int batch_size(void)
{
	static int n = 1;
	double each;

	bsp_push_reg(&n, sizeof n);
	bsp_sync();
	each = seconds_of(200) / 200;
	if (bsp_pid() == 0)
		n = batch_s / each < 1 ? 1 : (int)(batch_s / each);
	bsp_get(0, &n, 0, &n, sizeof n);
	bsp_pop_reg(&n);
	bsp_sync();
	return n;
}

static void barriers_job(void)
{
	double each[BATCHES];
	int n;

	bsp_begin(bsp_nprocs());
	n = batch_size();
	for (int i = 0; i < BATCHES; i++)
		each[i] = seconds_of(n) / n;
	if (bsp_pid() == 0)
		*result = barriers_median(each, BATCHES);
	bsp_end();
}

/* In a child, which becomes the supervisor of the job. */
static double barriers_measure(const char *barrier)
{
	pid_t child;
	int status;

	fflush(stdout);
	setenv("BSP_BARRIER", barrier, 1);
	child = fork();
	if (child == 0) {
		barriers_job();
		exit(EXIT_SUCCESS);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
		fprintf(stderr, "barriers: the job with %s failed\n", barrier);
		exit(EXIT_FAILURE);
	}
	return *result;
}

static void barriers_print(const char *barrier, const double *seconds, const double *first,
			   int rounds)
{
	double ratio[MOST_ROUNDS];

	for (int r = 0; r < rounds; r++)
		ratio[r] = seconds[r] / first[r];
	printf("%-16s %10.3f %8.2f\n", barrier, 1e6 * barriers_median(seconds, rounds),
	       barriers_median(ratio, rounds));
}

int main(int argc, char **argv)
{
	static double seconds[MOST_BARRIERS][MOST_ROUNDS];
	int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
	int n = argc > 2 ? argc - 2 : (int)(sizeof standard / sizeof *standard);
	const char *const *barriers = argc > 2 ? (const char *const *)argv + 2 : standard;

	if (rounds < 1 || rounds > MOST_ROUNDS || n > MOST_BARRIERS) {
		fprintf(stderr,
			"usage: barriers [rounds [BARRIER ...]], up to %d rounds and %d barriers\n",
			MOST_ROUNDS, MOST_BARRIERS);
		return 2;
	}
	result = mmap(NULL, sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (result == MAP_FAILED)
		return 1;
	for (int r = 0; r < rounds; r++)
		for (int i = 0; i < n; i++)
			seconds[i][r] = barriers_measure(barriers[i]);
	printf("%-16s %10s %8s\n", "BSP_BARRIER", "us", "ratio");
	for (int i = 0; i < n; i++)
		barriers_print(barriers[i], seconds[i], seconds[0], rounds);
	return 0;
}
