/* SPDX-License-Identifier: BSD-3-Clause */
/* cg.c - conjugate gradients: the Laplace equation on a square, classic or relaxed. */

/*
 *	bspcc -O2 -o cg cg.c -lm
 *	bsprun -n 4 ./cg [-r] [N]	N x N points (200); -r: relaxed supersteps
 *
 * Each process has some rows of the square. A multiplication needs the row above them and that
 * below, which the neighbours put; the two dot products of an iteration are folds over all
 * processes. The right side is that of a known solution, which is compared. cg.f90 is the same
 * program in Fortran.
 */
#include <bsp_coll.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int n, rows;
static int has_upper, has_lower;
static double *above, *below;		/* rows of the neighbours; 0 at the edges of the square */

static double *vector(int count)
{
	double *v = calloc((size_t)count * n, sizeof *v);

	if (!v)
		bsp_abort("no memory for %d x %d points", count, n);
	return v;
}

static double dot(const double *a, const double *b)
{
	double sum = 0;

	for (int i = 0; i < rows * n; i++)
		sum += a[i] * b[i];
	return bsp_sumD(sum);
}

/* Each process gets the last row of the process above, and the first of the process below. */
static void exchange_rows(const double *p)
{
	int me = (int)bsp_pid(), row = n * (int)sizeof *p;

	if (has_upper)
		bsp_put(me - 1, p, below, 0, row);
	if (has_lower)
		bsp_put(me + 1, p + (rows - 1) * n, above, 0, row);
	bsp_sync();
	bsp_read(above, has_upper);	/* in relaxed supersteps: wait for these puts alone */
	bsp_read(below, has_lower);
}

/* q = A p: four times each point, less its four neighbours */
static void multiply(const double *p, double *q)
{
	exchange_rows(p);
	for (int i = 0; i < rows; i++) {
		const double *up = i > 0 ? p + (i - 1) * n : above;
		const double *down = i < rows - 1 ? p + (i + 1) * n : below, *mid = p + i * n;

		for (int j = 0; j < n; j++) {
			double left = j > 0 ? mid[j - 1] : 0, right = j < n - 1 ? mid[j + 1] : 0;

			q[i * n + j] = 4 * mid[j] - up[j] - down[j] - left - right;
		}
	}
}

/* Solves A x = r, from x = 0; the number of iterations. */
static int solve(double *x, double *r)
{
	double *p = vector(rows), *q = vector(rows), rr = dot(r, r), least = 1e-20 * rr;
	int iteration = 0;

	memcpy(p, r, (size_t)rows * n * sizeof *p);
	while (rr > least && iteration < 10 * n) {
		double last = rr, alpha;

		multiply(p, q);
		alpha = rr / dot(p, q);
		for (int i = 0; i < rows * n; i++) {
			x[i] += alpha * p[i];
			r[i] -= alpha * q[i];
		}
		rr = dot(r, r);
		for (int i = 0; i < rows * n; i++)
			p[i] = r[i] + rr / last * p[i];
		iteration++;
	}
	free(p);
	free(q);
	return iteration;
}

/* The solution that is looked for, at a point of the whole square. */
static double known(int i, int j)
{
	return 1 + (double)((7 * i + 3 * j) % 11);
}

static void run(int relaxed)
{
	int p = (int)bsp_nprocs(), me = (int)bsp_pid(), first = (int)((long)n * me / p), iterations;
	double *x, *b, error = 0, begin;

	rows = (int)((long)n * (me + 1) / p) - first;
	has_upper = me > 0;
	has_lower = me < p - 1;
	above = vector(1);
	below = vector(1);
	bsp_push_reg(above, n * (int)sizeof *above);
	bsp_push_reg(below, n * (int)sizeof *below);
	bsp_sync();
	bsp_set_sync(relaxed ? BSP_RELAXED : BSP_CLASSIC);

	x = vector(rows);
	b = vector(rows);
	for (int i = 0; i < rows * n; i++)
		x[i] = known(first + i / n, i % n);
	multiply(x, b);
	memset(x, 0, (size_t)rows * n * sizeof *x);
	begin = bsp_time();
	iterations = solve(x, b);
	begin = bsp_maxD(bsp_time() - begin);
	for (int i = 0; i < rows * n; i++)
		error = fmax(error, fabs(x[i] - known(first + i / n, i % n)));
	error = bsp_maxD(error);
	if (!(error < 1e-6))
		bsp_abort("the solution is wrong by %g", error);
	if (me == 0)
		printf("cg: %d x %d points, %d iterations, solution verified; %.3f s\n", n, n,
		       iterations, begin);
}

int main(int argc, char **argv)
{
	int relaxed = argc > 1 && strcmp(argv[1], "-r") == 0;

	n = argc > 1 + relaxed ? atoi(argv[1 + relaxed]) : 200;
	bsp_begin(bsp_nprocs());
	if (n < (int)bsp_nprocs() || n > 10000)
		bsp_abort("usage: cg [-r] [N], with N from the number of processes to 10000");
	run(relaxed);
	bsp_end();
	return 0;
}
