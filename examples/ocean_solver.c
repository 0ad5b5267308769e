/* SPDX-License-Identifier: BSD-3-Clause */
/* ocean_solver.c - elliptic equations of ocean, by red-black relaxation on many grids. */

/*
 * One V-cycle goes from the finest level to the coarsest and back. On the way down each level
 * relaxes twice, and hands its residual down as the right-hand side of an equation for the
 * correction; the coarsest, of 2 x 2 points, relaxes often. On the way up each adds the
 * correction and relaxes once.
 *
 * supersteps of a cycle, on each		points		ring	puts a read depends on
 * level above the seam
 *	4	half sweeps, down		one colour	sides	4 / 3 / 2
 *	1	residual			all		all	8 / 5 / 3
 *	1	first half sweep, up		red		sides	4 / 3 / 2
 *	1	second: finest level		black		sides	4 / 3 / 2
 *		other levels			all		all	8 / 5 / 3
 * and once, at the seam
 *	2	gather the right-hand side	strips		-	cols - 1, rows - 1
 *
 * (inside / at an edge / in a corner of the grid of processes, if it has at least two rows and two
 * columns). The coarse correction needs no exchange after it: each process adds it to its ring,
 * too, and gets there what the owners get. For this the ring of the coarse level needs corners,
 * and so does that of the residual, from which a coarse point collects 4 x 4 values.
 *
 * The test for the end costs no superstep: the largest residual of each process travels with
 * its strips, and all leave the cycle at the seam if that of the finest level was small enough.
 *
 * Every value depends on neighbours only, and a maximum on no order: the answer is the same to
 * the last bit for every number of processes.
 */
#include "ocean.h"

#include <bsp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DOWN_SWEEPS = 2, UP_SWEEPS = 1, COARSEST_SWEEPS = 8 };

/* ---- Set-up ------------------------------------------------------------------- */

/*
 * The grids are not nested. In one direction, fine point i lies between the coarse points
 * (i + 1) / 2, the near one, and the one after it (i even) or before it (i odd).
 */
static double *far_shares(int points)
{
	double *share = ocean_allocate((size_t)points + 2);

	for (int i = 0; i <= points + 1; i++) {
		int distance = i % 2 ? (points - i + 1) / 2 : i / 2;

		share[i] = (double)distance / (points + 1);
	}
	return share;
}

void ocean_solver_open(struct ocean_solver *s, struct ocean_blocks *b, double width,
		       double tolerance)
{
	*s = (struct ocean_solver){ .blocks = b, .tolerance = tolerance };
	for (int l = 1; l <= b->finest; l++) {
		struct ocean_level *level = &s->level[l];
		double h = width / ((1 << l) + 1);

		level->points = 1 << l;
		level->h2 = h * h;
		level->share = far_shares(level->points);
		ocean_blocks_place(b, l, level);
		level->residual = ocean_field(level);
		if (l == b->finest)
			continue;
		level->value = ocean_field(level);
		level->given = ocean_field(level);
	}
}

void ocean_solver_close(struct ocean_solver *s)
{
	for (int l = 1; l <= s->blocks->finest; l++) {
		free((double *)s->level[l].share);
		free(s->level[l].residual);
		if (l == s->blocks->finest)
			continue;
		free(s->level[l].value);
		free(s->level[l].given);
	}
}

/* ---- On one level --------------------------------------------------------------- */

static void relax_colour(const struct ocean_level *level, double lambda, int colour)
{
	double h2 = level->h2, scale = 1 / (4 - lambda * h2);
	size_t stride = (size_t)level->cols + 2;

	for (int i = 1; i <= level->rows; i++) {
		double *q = &level->value[ocean_at(level, i, 0)];
		const double *g = &level->given[ocean_at(level, i, 0)];
		const double *above = q - stride, *below = q + stride;

		for (int j = ocean_first(level, i, 1, colour); j <= level->cols; j += 2)
			q[j] = scale * ((below[j] + above[j]) + (q[j + 1] + q[j - 1]) - h2 * g[j]);
	}
}

/* The last half sweep brings the whole ring up to date if @part is RING. */
static void relax(struct ocean_solver *s, struct ocean_level *level, int sweeps, int part)
{
	for (int sweep = 0; sweep < sweeps; sweep++) {
		int all = part == RING && sweep == sweeps - 1;

		relax_colour(level, s->lambda, RED);
		ocean_exchange(s->blocks, level, &level->value, 1, RED, SIDES);
		relax_colour(level, s->lambda, BLACK);
		ocean_exchange(s->blocks, level, &level->value, 1, all ? BOTH : BLACK,
			       all ? RING : SIDES);
	}
}

/* Returns the largest absolute value. */
static double find_residual(const struct ocean_level *level, double lambda)
{
	size_t stride = (size_t)level->cols + 2;
	double scale = 1 / level->h2, largest = 0;

	for (int i = 1; i <= level->rows; i++) {
		const double *q = &level->value[ocean_at(level, i, 0)];
		const double *g = &level->given[ocean_at(level, i, 0)];
		const double *above = q - stride, *below = q + stride;
		double *r = &level->residual[ocean_at(level, i, 0)];

		for (int j = 1; j <= level->cols; j++) {
			double sum = (below[j] + above[j]) + (q[j + 1] + q[j - 1]) - 4 * q[j];

			r[j] = g[j] - (scale * sum + lambda * q[j]);
			largest = fabs(r[j]) > largest ? fabs(r[j]) : largest;
		}
	}
	return largest;
}

static void clear(const struct ocean_level *level)
{
	memset(level->value, 0, ocean_at(level, level->rows + 2, 0) * sizeof *level->value);
}

/* ---- Between two levels ---------------------------------------------------------- */

/* The weights of fine 2 I - 2 ... 2 I + 1 in coarse I: the shares by which they take from it. */
static void weights_of(const double *share, int coarse, double weight[4])
{
	const double *near = &share[2 * coarse - 1];

	weight[0] = near[-1];
	weight[1] = 1 - near[0];
	weight[2] = 1 - near[1];
	weight[3] = near[2];
}

static double collect_4x4(const double *from, size_t stride, const double row[4],
			  const double col[4])
{
	double sum = 0;

	for (int a = 0; a < 4; a++, from += stride)
		sum += row[a] * ((col[0] * from[0] + col[1] * from[1]) +
				 (col[2] * from[2] + col[3] * from[3]));
	return sum;
}

/* The residual of @fine becomes the right-hand side of @coarse: transposed interpolation. */
static void coarsen(const struct ocean_level *fine, const struct ocean_level *coarse)
{
	int row_end = (fine->row0 + fine->rows) / 2, col_end = (fine->col0 + fine->cols) / 2;
	double scale = fine->h2 / coarse->h2;

	for (int row = fine->row0 / 2 + 1; row <= row_end; row++) {
		int i = 2 * row - 2 - fine->row0;
		double row_weight[4], col_weight[4];

		weights_of(fine->share, row, row_weight);
		for (int col = fine->col0 / 2 + 1; col <= col_end; col++) {
			int j = 2 * col - 2 - fine->col0;
			size_t to = ocean_at(coarse, row - coarse->row0, col - coarse->col0);

			weights_of(fine->share, col, col_weight);
			coarse->given[to] = scale *
				collect_4x4(&fine->residual[ocean_at(fine, i, j)],
					    (size_t)fine->cols + 2, row_weight, col_weight);
		}
	}
}

static double between(const double *near, const double *far, int j, int j_far, double share)
{
	return (1 - share) * near[j] + share * far[j_far];
}

/* Adds the correction, in the ring also. */
static void interpolate(const struct ocean_level *coarse, const struct ocean_level *fine)
{
	for (int i = 0; i <= fine->rows + 1; i++) {
		int row = fine->row0 + i, c_row = (row + 1) / 2 - coarse->row0;
		int far_row = c_row + (row % 2 ? -1 : 1);
		const double *near = &coarse->value[ocean_at(coarse, c_row, 0)];
		const double *far = &coarse->value[ocean_at(coarse, far_row, 0)];
		double *q = &fine->value[ocean_at(fine, i, 0)], share = fine->share[row];

		for (int j = 0; j <= fine->cols + 1; j++) {
			int col = fine->col0 + j, c = (col + 1) / 2 - coarse->col0;
			int c_far = c + (col % 2 ? -1 : 1);
			double s = fine->share[col];

			q[j] += (1 - share) * between(near, near, c, c_far, s) +
				share * between(far, far, c, c_far, s);
		}
	}
}

/* ---- The cycle -------------------------------------------------------------------- */

/* Returns the largest residual of level @l here. */
static double descend(struct ocean_solver *s, int l)
{
	struct ocean_level *level = &s->level[l];
	double largest;

	relax(s, level, DOWN_SWEEPS, SIDES);
	largest = find_residual(level, s->lambda);
	ocean_exchange(s->blocks, level, &level->residual, 1, BOTH, RING);
	coarsen(level, level - 1);
	clear(level - 1);
	return largest;
}

static void ascend(struct ocean_solver *s, int l)
{
	struct ocean_level *level = &s->level[l];

	interpolate(level - 1, level);
	relax(s, level, UP_SWEEPS, l < s->blocks->finest ? RING : SIDES);
}

/* Returns what one more relaxation could change, and does not correct if that is little. */
static double cycle(struct ocean_solver *s)
{
	int finest = s->blocks->finest, seam = s->blocks->seam;
	const struct ocean_level *fine = &s->level[finest];
	double change = descend(s, finest) * fine->h2 / (4 - s->lambda * fine->h2);

	for (int l = finest - 1; l > seam; l--)
		descend(s, l);
	change = ocean_gather(s->blocks, &s->level[seam], s->level[seam].given, change);
	if (change <= s->tolerance)
		return change;
	for (int l = seam; l > 1; l--)
		descend(s, l);
	relax(s, &s->level[1], COARSEST_SWEEPS, SIDES);
	for (int l = 2; l <= finest; l++)
		ascend(s, l);
	return change;
}

void ocean_solve(struct ocean_solver *s, double *value, double *given, double lambda)
{
	double change = 0;

	s->level[s->blocks->finest].value = value;
	s->level[s->blocks->finest].given = given;
	s->lambda = lambda;
	for (int i = 0; i < OCEAN_CYCLES; i++) {
		s->cycles++;
		change = cycle(s);
		if (change <= s->tolerance)
			return;
	}
	if (s->blocks->me == 0)
		bsp_abort("ocean: the solver does not reach %g: after %d cycles a relaxation "
			  "changes %g; -a %g would do", s->tolerance, OCEAN_CYCLES, change,
			  2 * change);
}
