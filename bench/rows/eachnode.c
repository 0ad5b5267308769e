/* SPDX-License-Identifier: BSD-3-Clause */
/* eachnode.c - time of a barrier as each process sees it: least, mean and most of many. */

/*
 * The benchmark of Iwasaki and others ("Fast Barrier Synchronization on commodity PC Cluster
 * connected with Ethernet", Fig. 4): time a barrier, work for about 30 us, and so on. The barrier
 * is an empty bsp_sync by BSP_BARRIER, over any transport; an emulated one has virtual time, and
 * with cpu=0 the work takes none of it. Process 0 prints a row for each process.
 *
 *	eachnode [TIMES]	by default 100; prints CSV: process,least,mean,most in us
 */
#include "tools/measure/work.h"

#include <bsp.h>

#include <stdio.h>
#include <stdlib.h>

enum { TIMES = 100, WARM = 5, TURNS = 10000, PROCESSES_MOST = 4096 };

static const double work_ns = 30000;

struct seen {
	double least, mean, most;	/* us */
};

static struct seen all[PROCESSES_MOST];

static double barrier_us(void)
{
	double began = bsp_time();

	bsp_sync();
	return 1e6 * (bsp_time() - began);
}

static struct seen measure_barriers(int times, long turns)
{
	struct seen seen = { .least = 1e12 };

	for (int i = 0; i < times; i++) {
		double us = barrier_us();

		seen.least = us < seen.least ? us : seen.least;
		seen.most = us > seen.most ? us : seen.most;
		seen.mean += us / times;
		work_do(turns);
	}
	return seen;
}

static void print_rows(void)
{
	puts("process,least,mean,most");
	for (int q = 0; q < bsp_nprocs(); q++)
		printf("%d,%.6g,%.6g,%.6g\n", q, all[q].least, all[q].mean, all[q].most);
}

int main(int argc, char **argv)
{
	int times = argc > 1 ? atoi(argv[1]) : TIMES;
	struct seen seen;
	long turns;

	if (argc > 2 || times < 1 || bsp_nprocs() > PROCESSES_MOST) {
		fprintf(stderr, "usage: eachnode [times], for up to %d processes\n",
			PROCESSES_MOST);
		return 2;
	}
	bsp_begin(bsp_nprocs());
	turns = (long)(TURNS * work_ns / work_least_ns(TURNS, 3));
	bsp_push_reg(all, sizeof all);
	for (int i = 0; i < WARM; i++)
		bsp_sync();
	seen = measure_barriers(times, turns);
	bsp_put(0, &seen, all, bsp_pid() * (int)sizeof seen, sizeof seen);
	bsp_sync();
	if (bsp_pid() == 0)
		print_rows();
	bsp_end();
	return 0;
}
