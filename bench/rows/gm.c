/* SPDX-License-Identifier: BSD-3-Clause */
/* gm.c - the cost per byte g(m) with barriers and relaxed: Fig. 4 of the paper. */

/*
 * Every process puts m bytes to every other one, in supersteps; h = (p - 1) m. The
 * time of such a superstep over h is g(m): Kim, Ha and Jhon, Relaxed barrier
 * synchronization for the BSP model (1998), section 4.2. Runs over any transport, real
 * or emulated; figure4.sh runs it with the protocol of the paper too.
 *
 *	gm [largest m [rounds]]		prints: m, then us and ns per byte, classic and relaxed
 */
#include "tools/measure/sample.h"

#include <bsp.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 9, LEAST = 8, MOST = 1 << 20, BATCH = 16 };

static char *from, *to;
static int me, nprocs;

static void gm_exchange(size_t m)
{
	for (int k = 1; k < nprocs; k++) {
		int pid = (me + k) % nprocs;

		bsp_put(pid, from, to, (bsp_size_t)(me * m), (bsp_size_t)m);
	}
	bsp_sync();
	bsp_read(to, nprocs - 1);
}

/* Seconds of one superstep. The last process to end counts: a barrier ends the batch. */
static double gm_batch(int mode, size_t m)
{
	double began, each;

	bsp_set_sync(mode);
	bsp_sync();
	began = bsp_time();
	for (int i = 0; i < BATCH; i++)
		gm_exchange(m);
	each = (bsp_time() - began) / BATCH;
	bsp_set_sync(BSP_CLASSIC);
	bsp_sync();
	return each;
}

/* In turn, so that what happens to the machine happens to both. */
static void gm_measure(size_t m, int rounds)
{
	double time[2][64], h = (double)m * (nprocs - 1), us[2];

	for (int r = 0; r < rounds; r++)
		for (int mode = BSP_CLASSIC; mode <= BSP_RELAXED; mode++)
			time[mode][r] = gm_batch(mode, m);
	for (int mode = BSP_CLASSIC; mode <= BSP_RELAXED; mode++)
		us[mode] = 1e6 * sample_median(time[mode], rounds);
	if (me == 0)
		printf("%8zu %12.3f %12.3f %12.3f %12.3f\n", m, us[BSP_CLASSIC],
		       1e3 * us[BSP_CLASSIC] / h, us[BSP_RELAXED], 1e3 * us[BSP_RELAXED] / h);
}

int main(int argc, char **argv)
{
	size_t most = argc > 1 ? strtoul(argv[1], NULL, 10) : MOST;
	int rounds = argc > 2 ? atoi(argv[2]) : ROUNDS;

	bsp_begin(bsp_nprocs());
	me = bsp_pid();
	nprocs = bsp_nprocs();
	if (nprocs < 2 || rounds < 1 || rounds > 64 || most < LEAST)
		bsp_abort("gm needs two processes, 1 to 64 rounds and sizes from %d bytes", LEAST);
	from = malloc(most);
	to = malloc(most * (size_t)nprocs);
	if (!from || !to)
		bsp_abort("gm: no memory for %d times %zu bytes", nprocs, most);
	memset(from, me, most);
	memset(to, me, most * (size_t)nprocs);
	bsp_push_reg(to, (bsp_size_t)(most * (size_t)nprocs));
	bsp_sync();
	for (size_t m = LEAST; m <= most; m *= 4)
		gm_measure(m, rounds);
	bsp_end();
	free(from);
	free(to);
	return 0;
}
