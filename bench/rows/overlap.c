/* SPDX-License-Identifier: BSD-3-Clause */
/* overlap.c - how much of a broadcast is hidden behind computing. */

/*
 * A broadcast along a binomial tree is started, the program computes for twice the time that
 * the broadcast takes alone, then waits for it. Hidden is the share 1 - (both - computing) /
 * alone, as a median over the turns; what slows the computing down counts against it. Each
 * BSP_PROGRESS is a job of its own.
 *
 *	overlap [rounds]	prints: bytes, us alone, percent hidden with calls and with thread
 */
#include "tools/measure/sample.h"
#include "tools/measure/work.h"

#include <bsp_goal.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 25, MOST_ROUNDS = 200, SIZES = 5, WORK_TURNS = 100000 };

static const size_t sizes[SIZES] = { 1 << 10, 16 << 10, 256 << 10, 1 << 20, 8 << 20 };
static const char *const progress[] = { "calls", "thread" };

/* The figures of one size. */
struct figure {
	double alone_s, hidden;
};

static struct figure (*result)[SIZES];	/* by BSP_PROGRESS; shared with the jobs */
static int rounds = ROUNDS;

/* ---- The broadcast ------------------------------------------------------------- */

static struct goal_schedule *overlap_load(size_t nbytes)
{
	struct goal_graph *g = goal_graph_create(bsp_nprocs(), bsp_pid());
	int area = goal_buffer(g), me = bsp_pid(), n = bsp_nprocs(), got = -1, bit = 1;
	struct goal_schedule *s;
	size_t len;
	void *block;

	while (bit < n && !(me & bit))
		bit *= 2;
	if (me)
		got = goal_recv(g, nbytes, GOAL_AT(area, 0), me - bit, 0);
	while (bit /= 2) {
		int sent = me + bit < n ? goal_send(g, nbytes, GOAL_AT(area, 0), me + bit, 0) : -1;

		if (got >= 0 && sent >= 0)
			goal_requires(g, sent, got);
	}
	block = goal_compile(g, &len);
	if (!block)
		bsp_abort("overlap: %s", goal_graph_error(g));
	s = goal_load(block, len);
	free(block);
	goal_graph_destroy(g);
	return s;
}

/* ---- What is measured ------------------------------------------------------------ */

/* How much computing takes @seconds. */
static long work_for(double seconds)
{
	return (long)(WORK_TURNS * 1e9 * seconds / work_least_ns(WORK_TURNS, 5));
}

/* From a barrier to the end of the last process, which the next barrier shows. */
static double seconds_of_both(struct goal_schedule *s, void *area, long work)
{
	double began;
	struct goal_request *f;

	bsp_sync();
	began = bsp_time();
	f = goal_start(s, &area);
	work_do(work);
	goal_wait(f);
	bsp_sync();
	return bsp_time() - began;
}

static double seconds_of_work(long work)
{
	double began;

	bsp_sync();
	began = bsp_time();
	work_do(work);
	bsp_sync();
	return bsp_time() - began;
}

/* The amount of process 0, for all. */
static long overlap_agree(long work)
{
	static long agreed;

	bsp_push_reg(&agreed, sizeof agreed);
	bsp_sync();
	for (int q = 0; bsp_pid() == 0 && q < bsp_nprocs(); q++)
		bsp_put(q, &work, &agreed, 0, sizeof work);
	bsp_pop_reg(&agreed);
	bsp_sync();
	return agreed;
}

static struct figure overlap_measure(size_t nbytes)
{
	double alone[MOST_ROUNDS], hidden[MOST_ROUNDS], alone_s;
	struct goal_schedule *s = overlap_load(nbytes);
	char *area = malloc(nbytes);
	long work;

	if (!area)
		bsp_abort("overlap: no memory");
	memset(area, 1, nbytes);
	for (int r = 0; r < rounds; r++)
		alone[r] = seconds_of_both(s, area, 0);
	alone_s = sample_median(alone, rounds);
	work = overlap_agree(work_for(2 * alone_s));
	for (int r = 0; r < rounds; r++)
		hidden[r] = 1 - (seconds_of_both(s, area, work) - seconds_of_work(work)) / alone_s;
	goal_unload(s);
	free(area);
	return (struct figure){ alone_s, sample_median(hidden, rounds) };
}

static void overlap_job(struct figure *figures)
{
	bsp_begin(bsp_nprocs());
	for (int i = 0; i < SIZES; i++) {
		struct figure f = overlap_measure(sizes[i]);

		if (bsp_pid() == 0)
			figures[i] = f;
	}
	bsp_end();
}

/* In a child, which becomes the supervisor of the job. */
static void overlap_run_job(int i)
{
	pid_t child;
	int status;

	setenv("BSP_PROGRESS", progress[i], 1);
	child = fork();
	if (child == 0) {
		overlap_job(result[i]);
		exit(EXIT_SUCCESS);
	}
	if (child > 0 && waitpid(child, &status, 0) == child && status == 0)
		return;
	fprintf(stderr, "overlap: the job with BSP_PROGRESS=%s failed\n", progress[i]);
	exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		rounds = atoi(argv[1]);
	if (rounds < 1 || rounds > MOST_ROUNDS) {
		fprintf(stderr, "usage: overlap [rounds], up to %d\n", MOST_ROUNDS);
		return 2;
	}
	result = mmap(NULL, 2 * sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (result == MAP_FAILED)
		return 1;
	overlap_run_job(0);
	overlap_run_job(1);
	printf("%10s %12s %12s %12s\n", "bytes", "us alone", "calls %", "thread %");
	for (int i = 0; i < SIZES; i++)
		printf("%10zu %12.1f %12.0f %12.0f\n", sizes[i], 1e6 * result[0][i].alone_s,
		       100 * result[0][i].hidden, 100 * result[1][i].hidden);
	return 0;
}
