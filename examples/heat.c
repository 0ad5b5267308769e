/* SPDX-License-Identifier: BSD-3-Clause */
/* heat.c - heat spreads on a square plate: a first program to start from, classic or relaxed. */

/*
 *	bspcc -O2 -o heat heat.c
 *	bsprun -n 4 ./heat [-r|-l] [N [STEPS]] >heat.pgm	N x N points (200), STEPS (500)
 *
 * The upper edge is hot, the others are cold. Each process has some rows of the plate, and copies
 * of the row above them and of that below, which the neighbours put in each step. With -r the
 * supersteps are relaxed: a process waits for these two puts alone. With -l each process has a list
 * of its neighbours, and bsp_sync waits for these alone. Process 0 gathers the rows, and writes
 * them as a picture: heat.pgm.
 */
#include <bsp_coll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int n, first, rows;
static float *above, *below;		/* rows of the neighbours */

static float *plate(int height, float heat)
{
	float *p = malloc((size_t)height * n * sizeof *p);

	if (!p)
		bsp_abort("no memory for %d x %d points", height, n);
	for (int i = 0; i < height * n; i++)
		p[i] = heat;
	return p;
}

static void exchange(const float *now)
{
	int me = (int)bsp_pid(), upper = me > 0, lower = me < (int)bsp_nprocs() - 1;

	if (upper)
		bsp_put(me - 1, now, below, 0, n * (int)sizeof *now);
	if (lower)
		bsp_put(me + 1, now + (rows - 1) * n, above, 0, n * (int)sizeof *now);
	bsp_sync();
	bsp_read(above, upper);		/* in relaxed supersteps: wait for these puts alone */
	bsp_read(below, lower);
}

static void step(const float *now, float *then)
{
	exchange(now);
	for (int i = 0; i < rows; i++) {
		const float *up = i > 0 ? now + (i - 1) * n : above, *mid = now + i * n;
		const float *down = i < rows - 1 ? now + (i + 1) * n : below;

		for (int j = 0; j < n; j++)
			then[i * n + j] = (up[j] + down[j] + (j > 0 ? mid[j - 1] : 0) +
					   (j < n - 1 ? mid[j + 1] : 0)) / 4;
	}
}

/* From the next superstep on bsp_sync waits for the processes above and below alone. */
static void name_neighbors(int p, int me)
{
	int pids[2], count = 0;

	if (me > 0)
		pids[count++] = me - 1;
	if (me < p - 1)
		pids[count++] = me + 1;
	bsp_set_neighbors(count, pids);
}

/* The picture is in grey: 255 is hot. */
static void draw(const float *now)
{
	int p = (int)bsp_nprocs();
	unsigned char *mine = malloc((size_t)rows * n), *all = malloc((size_t)n * n);
	size_t *sizes = malloc((size_t)p * sizeof *sizes);

	if (!mine || !all || !sizes)
		bsp_abort("no memory for a picture of %d x %d points", n, n);
	for (int i = 0; i < rows * n; i++)
		mine[i] = (unsigned char)(now[i] * 255);
	for (int q = 0; q < p; q++)
		sizes[q] = (size_t)((long)n * (q + 1) / p - (long)n * q / p) * n;
	bsp_gatherv(0, mine, sizes[bsp_pid()], all, sizes, NULL);
	if (bsp_pid() == 0) {
		printf("P5 %d %d 255\n", n, n);
		fwrite(all, 1, (size_t)n * n, stdout);
	}
}

int main(int argc, char **argv)
{
	int relaxed = argc > 1 && strcmp(argv[1], "-r") == 0;
	int listed = argc > 1 && strcmp(argv[1], "-l") == 0, at = 1 + (relaxed || listed);
	int steps = argc > at + 1 ? atoi(argv[at + 1]) : 500;

	n = argc > at ? atoi(argv[at]) : 200;
	bsp_begin(bsp_nprocs());
	long p = (long)bsp_nprocs(), me = (long)bsp_pid();
	if (n < p || n > 10000 || steps < 0)
		bsp_abort("usage: heat [-r|-l] [N [STEPS]], N from the number of processes on");
	first = (int)(n * me / p);
	rows = (int)(n * (me + 1) / p) - first;
	above = plate(1, me == 0);	/* the upper edge of all */
	below = plate(1, 0);
	bsp_push_reg(above, n * (int)sizeof *above);
	bsp_push_reg(below, n * (int)sizeof *below);
	if (listed)
		name_neighbors((int)p, (int)me);
	bsp_sync();
	bsp_set_sync(relaxed ? BSP_RELAXED : BSP_CLASSIC);

	float *now = plate(rows, 0), *then = plate(rows, 0);
	for (int i = 0; i < steps; i++) {
		step(now, then);
		float *last = now;
		now = then;
		then = last;
	}
	draw(now);
	bsp_end();
	return 0;
}
