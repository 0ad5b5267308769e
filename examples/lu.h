/* SPDX-License-Identifier: BSD-3-Clause */
/* lu.h - what the parts of the LU example share: the block of a process, and the constants. */

/*
 * A row is the line of own points of one j and one k, i running: six rows of numbers one
 * after the other, rho, m1, m2, m3, e and 1/rho in that order, LU_LEFT numbers between the
 * start of each and its first own point. So all loops over i run over numbers that lie side by
 * side. Around the own points are two layers of those of the neighbours, or of the boundary.
 * Loops run over lu->width points: the own ones, and up to a whole vector of padding,
 * which has harmless values and keeps them.
 */
#ifndef LU_H
#define LU_H

#include <stddef.h>

#define LU_LANES 8		/* points that a vector may hold */
#define LU_LEFT LU_LANES	/* numbers before the first own point of a row */
#define LU_MOST 168		/* points of the longest row, class C on one process, padded */
#define LU_FACE 15		/* numbers that a point of a face has: carry, and two layers of U */

enum { RHO, M1, M2, M3, EN, INV, ROWS };	/* INV is 1/rho; RHO to EN are the unknowns */

enum { LU_NVALUES = 11 };	/* residual norms, error norms, surface integral */

struct lu_class {
	char name;
	int n;			/* points of the grid in each direction */
	double dt;
	int iterations;
	double reference[LU_NVALUES];
};

enum lu_direction { LOWER, UPPER };	/* the two sweeps, and where their faces come from */

struct lu {
	const struct lu_class *class;
	int iterations;
	double dt, h;		/* time step, grid width */
	double inv_2h, inv_h2;	/* 1/2h and 1/h^2 */
	int px, py, r, c;	/* the process grid, and this process's place in it */
	int mi, mj;		/* own interior points in directions i and j */
	int i0, j0;		/* where they begin in the grid */
	int planes, blocks;	/* planes per superstep, and supersteps per sweep and process */
	int width, stride;	/* of the rows: points computed, numbers from one to the next */
	double *u;		/* U: the solution */
	double *forcing;	/* -L(U*) */
	double *g;		/* between the sweeps: D y */
	double *scale;		/* dt for own points, 0 in the padding */
	double *carry;		/* from the plane below or above: carry[j][component][stride] */
	double *in[2], *out;	/* faces that come, registered; faces to go */
	int face;		/* numbers in a face of all planes: where that along j begins */
};

/* Constants of the equations and of the method, with the benchmark's names. */
#define C1 1.4
#define C2 0.4
#define MU 0.1			/* c3 c4 */
#define KAPPA 0.196		/* c1 c3 c4 c5 */
#define EPS 0.25		/* fourth-difference dissipation */
#define OMEGA 1.2		/* over-relaxation */

static const double lu_dissipation[3] = { 0.75, 0.75, 1.0 };	/* d: second differences */

/* Own point 0 of row (@j, @k) of @field; @j from -2 to mj + 1, @k from -1 to n. */
static inline double *lu_row(const struct lu *lu, double *field, int j, int k)
{
	size_t row = (size_t)(k + 1) * (size_t)(lu->mj + 4) + (size_t)(j + 2);

	return field + row * ROWS * (size_t)lu->stride + LU_LEFT;
}

/* lu_setup.c */
void lu_open(struct lu *lu, const struct lu_class *class, int planes);
void lu_close(struct lu *lu);
void lu_set_forcing(struct lu *lu);
void lu_set_initial(struct lu *lu);
void lu_exact(const struct lu *lu, int i, int j, int k, double value[5]);

/* lu_operator.c */
void lu_operator(const struct lu *lu, int j, int k, double *out, size_t stride);

/* lu_sweep.c */
void lu_sweep(struct lu *lu, enum lu_direction way, int first, int nplanes);

/* lu_exchange.c */
void lu_receive(struct lu *lu, enum lu_direction way, int first, int nplanes);
void lu_send(struct lu *lu, enum lu_direction way, int first, int nplanes);

/* lu_verify.c */
const struct lu_class *lu_find_class(char name);
void lu_sum_residual(struct lu *lu, double sum[5]);
void lu_sum_error(struct lu *lu, double sum[6]);
int lu_compare(const struct lu *lu, const double value[LU_NVALUES]);

#endif
