/* SPDX-License-Identifier: BSD-3-Clause */
/* stencil.c - heat spreads on a square: a stencil on a mesh of processes of two dimensions. */

/*
 *	bspcc -O2 -o stencil stencil.c -lm
 *	bsprun -n 4 ./stencil [N [STEPS]]	N x N points on each process (64), STEPS steps (100)
 *
 * The processes are a mesh, as nearly square as their number allows, which is closed in both
 * directions. A step needs the edges of the four neighbours, and nothing of the others. Where a
 * row or column of the mesh has two processes or one, the neighbours on both sides are the same
 * one. Blocks of the same pair match in their order, so what comes first is what that one sent
 * first: the edge on its first side, which lies at our second one. Heat is neither made nor lost,
 * which is checked; how it has spread is printed as the sum of the squares of all points.
 */
#include <bsp_coll.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NORTH, SOUTH, WEST, EAST, SIDES };

static int n;				/* points of a side */
static int pids[SIDES], arrives[SIDES];	/* neighbours; the side at which the block of each lies */
static double *now, *then, *out, *in;

static double *at(double *field, int i, int j)
{
	return &field[i * (n + 2) + j];
}

static void make_mesh(int p, int me)
{
	int height = (int)sqrt(p), width, row, column;

	while (p % height)
		height--;
	width = p / height;
	row = me / width;
	column = me % width;
	pids[NORTH] = (row + height - 1) % height * width + column;
	pids[SOUTH] = (row + 1) % height * width + column;
	pids[WEST] = row * width + (column + width - 1) % width;
	pids[EAST] = row * width + (column + 1) % width;
	for (int k = 0; k < SIDES; k++)
		arrives[k] = pids[k] == pids[k ^ 1] ? k ^ 1 : k;
}

/* The i-th point of a side: of our edge, or with @beyond of the neighbour's next to it. */
static double *point(double *field, int where, int i, int beyond)
{
	switch (where) {
	case NORTH: return at(field, beyond ? 0 : 1, i + 1);
	case SOUTH: return at(field, beyond ? n + 1 : n, i + 1);
	case WEST: return at(field, i + 1, beyond ? 0 : 1);
	default: return at(field, i + 1, beyond ? n + 1 : n);
	}
}

static void exchange_edges(double *field)
{
	for (int k = 0; k < SIDES; k++)
		for (int i = 0; i < n; i++)
			out[k * n + i] = *point(field, k, i, 0);
	bsp_neighbor_exchange(SIDES, pids, out, in, n * sizeof *out);
	for (int k = 0; k < SIDES; k++)
		for (int i = 0; i < n; i++)
			*point(field, arrives[k], i, 1) = in[k * n + i];
}

static void step(void)
{
	double *last = now;

	exchange_edges(now);
	for (int i = 1; i <= n; i++)
		for (int j = 1; j <= n; j++)
			*at(then, i, j) = *at(now, i, j) / 2 +
					  (*at(now, i - 1, j) + *at(now, i + 1, j) +
					   *at(now, i, j - 1) + *at(now, i, j + 1)) / 8;
	now = then;
	then = last;
}

/* The sum of all points of all processes, or of their squares. */
static double heat(int squared)
{
	double sum = 0;

	for (int i = 1; i <= n; i++)
		for (int j = 1; j <= n; j++)
			sum += *at(now, i, j) * (squared ? *at(now, i, j) : 1);
	return bsp_sumD(sum);
}

static double *field(size_t points)
{
	double *f = calloc(points, sizeof *f);

	if (!f)
		bsp_abort("no memory for %zu points", points);
	return f;
}

int main(int argc, char **argv)
{
	int steps = argc > 2 ? atoi(argv[2]) : 100;
	double before, after, squares;

	n = argc > 1 ? atoi(argv[1]) : 64;
	if (n < 1 || n > 10000 || steps < 0) {
		fprintf(stderr, "usage: stencil [N [STEPS]]\n");
		return 2;
	}
	bsp_begin(bsp_nprocs());
	make_mesh((int)bsp_nprocs(), (int)bsp_pid());
	now = field((size_t)(n + 2) * (n + 2));
	then = field((size_t)(n + 2) * (n + 2));
	out = field((size_t)SIDES * n);
	in = field((size_t)SIDES * n);
	if (bsp_pid() == 0)
		*at(now, 1, 1) = 1 << 20;
	before = heat(0);
	for (int i = 0; i < steps; i++)
		step();
	after = heat(0);
	squares = heat(1);
	if (bsp_pid() == 0)
		printf("heat: %.6f before, %.6f after %d steps; squares: %.9g\n", before, after,
		       steps, squares);
	if (fabs(after - before) > 1e-6 * before)
		bsp_abort("heat was made or lost");
	bsp_end();
	return 0;
}
