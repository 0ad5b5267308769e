/* SPDX-License-Identifier: BSD-3-Clause */
/* lu_setup.c - process grid, memory, exact solution, forcing and start of the LU example. */

#include "lu.h"
#include <bsp.h>
#include <stdlib.h>

/* Component m of the exact solution: coefficients of 1, xi, eta, zeta, xi^2, ... zeta^4. */
static const double exact_coefficients[5][13] = {
	{ 2, 0, 0, 4, 5, 3, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3 },
	{ 1, 0, 0, 0, 1, 2, 3, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5 },
	{ 2, 2, 0, 0, 0, 2, 3, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4 },
	{ 2, 2, 0, 0, 0, 2, 3, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3 },
	{ 5, 4, 3, 2, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2 },
};

/* ---- Memory and the process grid ------------------------------------------- */

static double *allocate(size_t n, double value)
{
	double *x = aligned_alloc(64, (n * sizeof *x / 64 + 1) * 64);

	if (!x)
		bsp_abort("lu: no memory for %zu numbers", n);
	for (size_t i = 0; i < n; i++)
		x[i] = value;
	return x;
}

static int round_up(int n)
{
	return (n + LU_LANES - 1) / LU_LANES * LU_LANES;
}

/* The squarest grid of all processes, px <= py: rows, along i, are to be long. */
static void make_process_grid(struct lu *lu)
{
	int p = (int)bsp_nprocs(), s = (int)bsp_pid(), inner = lu->class->n - 2;

	for (lu->px = 1, lu->py = p; lu->px * lu->px <= p; lu->px++)
		if (p % lu->px == 0)
			lu->py = p / lu->px;
	lu->px = p / lu->py;
	if (inner / lu->py < 2)
		bsp_abort("lu: %d processes make a grid of %d x %d, but class %c has %d points in "
			  "each direction and every process needs 2: take a number of processes "
			  "whose factors are at most %d",
			  p, lu->px, lu->py, lu->class->name, inner, inner / 2);
	lu->r = s % lu->px;
	lu->c = s / lu->px;
}

/* Block @s of @p of the points 1 to @inner; returns how many it has. */
static int share(int inner, int p, int s, int *first)
{
	int rest = inner % p;

	*first = 1 + s * (inner / p) + (s < rest ? s : rest);
	return inner / p + (s < rest);
}

/*
 * More planes in a superstep are fewer messages and barriers, but a pipeline that fills
 * later. On an emulated network with a latency of 50 us (16 and 32 processes, classes W and A) 1
 * to 3 are best for a relaxed run and 8 for one with barriers; in shared memory 1 is.
 */
static void choose_planes(struct lu *lu, int planes)
{
	int inner = lu->class->n - 2, points = (inner / lu->px) * (inner / lu->py);

	if (planes == 0)
		for (planes = 1; planes < 3 && planes * points < 400; planes++)
			;
	lu->planes = planes < inner ? planes : inner;
	lu->blocks = (inner + lu->planes - 1) / lu->planes;
}

static void allocate_all(struct lu *lu)
{
	size_t rows = (size_t)(lu->class->n + 2) * (size_t)(lu->mj + 4);
	size_t field = (rows * ROWS + 1) * (size_t)lu->stride;
	size_t faces = 2 * (size_t)lu->face;

	lu->u = allocate(field, 1);
	lu->forcing = allocate(field, 0);
	lu->g = allocate(field, 0);
	lu->scale = allocate((size_t)lu->width, 0);
	lu->carry = allocate((size_t)(lu->mj * 5 * lu->stride), 0);
	lu->in[LOWER] = allocate(faces, 0);
	lu->in[UPPER] = allocate(faces, 0);
	lu->out = allocate(faces, 0);
	for (int i = 0; i < lu->mi; i++)
		lu->scale[i] = lu->dt;
}

/* Fills all of @lu but @dt and @iterations; faces can be put after the next bsp_sync(). */
void lu_open(struct lu *lu, const struct lu_class *class, int planes)
{
	int inner = class->n - 2;
	size_t bytes;

	lu->class = class;
	lu->h = 1.0 / (class->n - 1);
	lu->inv_2h = 0.5 / lu->h;
	lu->inv_h2 = 1 / (lu->h * lu->h);
	make_process_grid(lu);
	lu->mi = share(inner, lu->px, lu->r, &lu->i0);
	lu->mj = share(inner, lu->py, lu->c, &lu->j0);
	choose_planes(lu, planes);
	lu->width = round_up(lu->mi);
	lu->stride = LU_LEFT + round_up(lu->mi + 2);
	lu->face = LU_FACE * inner * (inner / lu->px + 1);
	allocate_all(lu);
	bytes = 2 * (size_t)lu->face * sizeof(double);
	bsp_push_reg(lu->in[LOWER], (bsp_size_t)bytes);
	bsp_push_reg(lu->in[UPPER], (bsp_size_t)bytes);
}

void lu_close(struct lu *lu)
{
	free(lu->u);
	free(lu->forcing);
	free(lu->g);
	free(lu->scale);
	free(lu->carry);
	free(lu->in[LOWER]);
	free(lu->in[UPPER]);
	free(lu->out);
}

/* ---- Values ------------------------------------------------------------------ */

/* U* at a point of the whole grid. */
void lu_exact(const struct lu *lu, int i, int j, int k, double value[5])
{
	double x = i * lu->h, y = j * lu->h, z = k * lu->h;

	for (int m = 0; m < 5; m++) {
		const double *c = exact_coefficients[m];

		value[m] = c[0] + x * (c[1] + x * (c[4] + x * (c[7] + x * c[10]))) +
			   y * (c[2] + y * (c[5] + y * (c[8] + y * c[11]))) +
			   z * (c[3] + z * (c[6] + z * (c[9] + z * c[12])));
	}
}

/* Interpolated from U* on the six faces of the cube, component by component. */
static void initial(const struct lu *lu, int i, int j, int k, double value[5])
{
	double xi = i * lu->h, eta = j * lu->h, zeta = k * lu->h;
	double face[6][5];
	int last = lu->class->n - 1;

	lu_exact(lu, 0, j, k, face[0]);
	lu_exact(lu, last, j, k, face[1]);
	lu_exact(lu, i, 0, k, face[2]);
	lu_exact(lu, i, last, k, face[3]);
	lu_exact(lu, i, j, 0, face[4]);
	lu_exact(lu, i, j, last, face[5]);
	for (int m = 0; m < 5; m++) {
		double p = (1 - xi) * face[0][m] + xi * face[1][m];
		double q = (1 - eta) * face[2][m] + eta * face[3][m];
		double s = (1 - zeta) * face[4][m] + zeta * face[5][m];

		value[m] = p + q + s - p * q - q * s - s * p + p * q * s;
	}
}

static int is_inside(const struct lu *lu, int s)
{
	return s > 0 && s < lu->class->n - 1;
}

static void set_point(struct lu *lu, int i, int j, int k, const double value[5])
{
	double *u = lu_row(lu, lu->u, j, k) + i;

	for (int m = 0; m < 5; m++)
		u[m * lu->stride] = value[m];
	u[INV * lu->stride] = 1 / value[RHO];
}

/* Sets U where this process has a point of the grid, also points of the boundary and neighbours. */
static void set_all(struct lu *lu, void (*at)(const struct lu *, int, int, int, double *))
{
	int n = lu->class->n;
	double value[5];

	for (int k = 0; k < n; k++)
		for (int j = -2; j < lu->mj + 2; j++)
			for (int i = -2; i < lu->mi + 2; i++) {
				int x = lu->i0 + i, y = lu->j0 + j;

				if (x < 0 || x >= n || y < 0 || y >= n)
					continue;
				at(lu, x, y, k, value);
				set_point(lu, i, j, k, value);
			}
}

static void at_start(const struct lu *lu, int i, int j, int k, double *value)
{
	if (is_inside(lu, i) && is_inside(lu, j) && is_inside(lu, k))
		initial(lu, i, j, k, value);
	else
		lu_exact(lu, i, j, k, value);
}

void lu_set_initial(struct lu *lu)
{
	set_all(lu, at_start);
}

/* The forcing makes U* a steady state. */
void lu_set_forcing(struct lu *lu)
{
	size_t stride = (size_t)lu->stride;

	set_all(lu, lu_exact);
	for (int k = 1; k < lu->class->n - 1; k++)
		for (int j = 0; j < lu->mj; j++) {
			double *row = lu_row(lu, lu->forcing, j, k);

			lu_operator(lu, j, k, row, stride);
			for (size_t m = 0; m < 5; m++)
				for (int i = 0; i < lu->width; i++)
					row[m * stride + (size_t)i] *= -1;
		}
}
