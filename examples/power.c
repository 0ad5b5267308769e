/* SPDX-License-Identifier: BSD-3-Clause */
/* power.c - the largest eigenvalue of a matrix; sums overlap with the multiplication. */

/*
 * Shows bsp_allgather(), and bsp_iallreduce() with bsp_wait(): the norm of a vector is needed only
 * when the product with it is there, so it is folded meanwhile. Each process has some rows of the
 * matrix; nothing is registered.
 *
 *	bspcc -O2 -o power power.c -lm
 *	bsprun -n 4 ./power
 */
#include <bsp_coll.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 100, STEPS = 40 };		/* rows of each process */
/* Element (i, j) is min(i, j) + 1: its eigenvalues are known. */
static void multiply(const double *x, int n, int first, double *y)
{
	for (int i = 0; i < ROWS; i++) {
		y[i] = 0;
		for (int j = 0; j < n; j++)
			y[i] += (j < first + i ? j + 1 : first + i + 1) * x[j];
	}
}

int main(void)
{
	double mine[ROWS], product[ROWS], greatest = 0;

	bsp_begin(bsp_nprocs());
	int n = ROWS * (int)bsp_nprocs(), first = ROWS * (int)bsp_pid();
	double *x = calloc((size_t)n, sizeof *x);
	if (!x)
		bsp_abort("no memory for %d numbers", n);
	for (int i = 0; i < ROWS; i++)
		mine[i] = 1;

	for (int step = 0; step < STEPS; step++) {
		double square = 0, norm;
		for (int i = 0; i < ROWS; i++)
			square += mine[i] * mine[i];
		bsp_request r = bsp_iallreduce(BSP_SUM, BSP_DOUBLE, &square, &norm, 1);
		bsp_allgather(mine, x, sizeof mine);
		multiply(x, n, first, product);
		bsp_wait(&r);
		greatest = sqrt(norm);		/* that of the step before had length 1 */
		for (int i = 0; i < ROWS; i++)
			mine[i] = product[i] / greatest;
	}

	double s = sin(acos(-1.0) / (2 * (2.0 * n + 1))), exact = 1 / (4 * s * s);
	if (fabs(greatest - exact) > 1e-9 * exact)
		bsp_abort("the eigenvalue is %.12g, not %.12g", exact, greatest);
	if (bsp_pid() == 0)
		printf("greatest eigenvalue of %d rows: %.10g\n", n, greatest);
	free(x);
	bsp_end();
	return 0;
}
