/* SPDX-License-Identifier: BSD-3-Clause */
/* ocean.h - the parts of ocean: blocks of the basin, the elliptic solver, the model. */

/*
 * Terms. The basin is a square of 2^k x 2^k inner points and their boundary. Level l of the
 * solver covers the same basin with 2^l x 2^l inner points, k is the finest. On the levels
 * above the seam each process has a block of the points; the seam and all coarser levels are
 * so small that every process has all of them, and computes the same there.
 *
 * A field is an array of the own points of a level with a ring of one point around them.
 * The ring holds copies of the neighbours' edges, or the boundary of the basin.
 *
 *	i, j	places in a field: own points are 1 ... rows, 1 ... cols, the ring is 0 and
 *		rows + 1, 0 and cols + 1
 *		(row0 + i, col0 + j) is the point in the basin; the first is x, the second y
 */
#ifndef OCEAN_H
#define OCEAN_H

#include <stddef.h>

enum { RED, BLACK, BOTH };	/* points whose row0 + i + col0 + j is even, odd, any */
enum { SIDES, RING };		/* the four sides of the ring, or its corners too */

enum {
	OCEAN_MIN_LEVEL = 2,
	OCEAN_MAX_LEVEL = 13,
	OCEAN_DIRECTIONS = 9,	/* 3 (di + 1) + dj + 1 for di, dj = -1, 0, 1: the sides are odd */
	OCEAN_FIELDS = 4,	/* in one exchange at most */
	OCEAN_CYCLES = 100,	/* of the solver at most */
};

struct ocean_level {
	int points;		/* inner ones of the basin, in each direction */
	int whole;		/* every process has all of them */
	int row0, col0;
	int rows, cols;		/* own points */
	double h2;		/* square of the distance of points */
	const double *share;	/* of the far coarse point, for each fine row or column */
	double *value, *given;	/* of the equation; the finest level has those of the caller */
	double *residual;
};

/* ---- ocean_blocks.c: distribution, and all communication -------------------- */

/* The processes stand in a grid of their own; process (row, col) is row * cols + col. */
struct ocean_blocks {
	int nprocs, me;
	int rows, cols;
	int row, col;			/* of this process */
	int finest, seam;		/* levels */
	int neighbour[OCEAN_DIRECTIONS];/* process in each direction, or -1 */
	int count[2];			/* of neighbours at SIDES and in the whole RING */
	int edge, strip;		/* longest, in numbers, with all fields of an exchange */
	double *edges;			/* registered: from each direction */
	double *strips[2];		/* registered: from each process of my column, of my row */
	double *buffer;			/* data to be put are packed here */
	long supersteps;
};

void ocean_blocks_divide(struct ocean_blocks *b, int finest, int nprocs, int me);
void ocean_blocks_open(struct ocean_blocks *b);
void ocean_blocks_close(struct ocean_blocks *b);

/* Sets where the points of level @l are, of which @level has the number. */
void ocean_blocks_place(const struct ocean_blocks *b, int l, struct ocean_level *level);

/* One superstep: @fields get from the neighbours the points of @colour in @part of the ring. */
void ocean_exchange(struct ocean_blocks *b, const struct ocean_level *level,
		    double *const fields[], int nfields, int colour, int part);

/*
 * Two supersteps: @field of the seam, of which each process has its block, is made whole
 * everywhere. Returns the largest of all processes' @number, which must not be negative.
 */
double ocean_gather(struct ocean_blocks *b, const struct ocean_level *seam, double *field,
		    double number);

/* Two supersteps, with barriers: on process 0, @whole gets the whole basin. */
void ocean_collect(struct ocean_blocks *b, const struct ocean_level *level, const double *field,
		   double *whole);

double *ocean_allocate(size_t n);

static inline size_t ocean_at(const struct ocean_level *level, int i, int j)
{
	return (size_t)i * (size_t)(level->cols + 2) + (size_t)j;
}

/* The first place of @colour in row @i from @j on; the next one is two places on. */
static inline int ocean_first(const struct ocean_level *level, int i, int j, int colour)
{
	return j + ((level->row0 + i + level->col0 + j + colour) & 1);
}

static inline double *ocean_field(const struct ocean_level *level)
{
	return ocean_allocate((size_t)(level->rows + 2) * (size_t)(level->cols + 2));
}

/* ---- ocean_solver.c: red-black multigrid ------------------------------------ */

struct ocean_solver {
	struct ocean_blocks *blocks;
	struct ocean_level level[OCEAN_MAX_LEVEL + 1];	/* from 1 on */
	double tolerance;	/* of the largest change of a point in one more relaxation */
	double lambda;
	long cycles;		/* so far */
};

void ocean_solver_open(struct ocean_solver *s, struct ocean_blocks *b, double width,
		       double tolerance);
void ocean_solver_close(struct ocean_solver *s);

/* (Laplacian + lambda) value = given, from what @value has; its boundary stays. */
void ocean_solve(struct ocean_solver *s, double *value, double *given, double lambda);

/* ---- ocean_model.c: the equations and a step in time ------------------------- */

struct ocean_layer {
	double *psi, *old;		/* stream function, now and one step ago */
	double *vorticity;		/* absolute: with the rotation of the Earth */
	double *friction, *rubbed;	/* Laplacians of old and of these */
};

struct ocean {
	struct ocean_blocks *blocks;
	struct ocean_solver solver;
	const struct ocean_level *fine;
	struct ocean_layer layer[2];	/* upper, lower */
	double *shear_forcing, *mean_forcing;
	double *shear, *mean;		/* tendencies of upper - lower, and of the mean by depth */
	double *shape;			/* of a change that the boundary makes */
	double *wind, *rotation;	/* of each column: curl of the stress, f */
	double shape_volume;
	double ratio;			/* volume of shear to that of the shape */
	int steps;			/* taken */
};

struct ocean_summary {
	double largest[2];	/* |psi| of the upper and of the lower layer */
	double energy;
	double quarter[2];	/* psi at a quarter of the basin, in both directions */
	double boundary;	/* psi of the upper layer there */
	double drift;		/* volume of upper - lower, relative to that of |upper - lower| */
	unsigned long long checksum;
};

void ocean_open(struct ocean *o, struct ocean_blocks *b, double tolerance, double skewness);
void ocean_close(struct ocean *o);
void ocean_step(struct ocean *o);

/* Sums over a basin with n x n points, boundary included, as ocean_collect() has it. */
void ocean_summarize(double *const psi[2], int n, struct ocean_summary *summary);

#endif
