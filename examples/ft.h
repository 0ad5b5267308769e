/* SPDX-License-Identifier: BSD-3-Clause */
/* ft.h - what the files of FT share. */

/*
 *	ft.c		the supersteps, and the report
 *	ft_setup.c	what comes before: options, buffers, plans
 *	ft_class.c	sizes, reference checksums and rates of the classes
 *	ft_fft.c	the share of one process: initial values, evolution, transforms
 *
 * The last two know nothing of other processes.
 */
#ifndef FT_H
#define FT_H

#include <complex.h>	/* before fftw3.h, which then uses C's complex numbers */
#include <fftw3.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* ---- ft_class.c ------------------------------------------------------------ */

struct ft_class {
	char name;
	int nx, ny, nz;
	int niter;
	const double (*reference)[2];	/* checksum after each iteration: real, imaginary */
};

/* NULL: there is none of this name. */
const struct ft_class *ft_class_find(char name);

static inline double ft_points(const struct ft_class *c)
{
	return (double)c->nx * c->ny * c->nz;
}

/* Nominal operations, in millions. */
double ft_mop(const struct ft_class *c);

/* Largest relative error of @checksum[0 .. niter - 1]; not a number if one is not. */
double ft_error(const struct ft_class *c, const double complex *checksum);

/* May it be so large? */
bool ft_verified(double error);

/* ---- ft_fft.c -------------------------------------------------------------- */

/*
 * The box is cut into slabs, in two ways: before the forward and after the inverse
 * transform a process has planes of fixed z, in between planes of fixed y. A
 * transposition leads from one to the other. A plane is a row of points in x for each
 * of y, or of z. It is cut into blocks: the rows that go to one process.
 */
struct ft_exchange {
	int planes;		/* of each process */
	int rows;		/* in a block */
	size_t stride;		/* points from the block of a plane to that of the next */
	int per_put;		/* planes whose blocks go in one put: ft_setup.c sets it */
	int per_step;		/* planes in a superstep, a multiple of that: likewise */
	fftw_plan x;		/* transforms the rows of a block, out of the plane */
};

/* The share of one process. */
struct ft_slab {
	const struct ft_class *class;
	int nprocs, pid;
	int row;			/* points from a row of a plane to the next */
	struct ft_exchange forward;	/* from planes of fixed z: a block has rows of y */
	struct ft_exchange inverse;	/* from planes of fixed y: a block has rows of z */
	fftw_plan forward_y, forward_z, inverse_z, inverse_y;
	double complex *plane;		/* what is being worked on: max(ny, nz) rows */
	double complex *spectrum;	/* planes of fixed y: the transformed initial values */
	double *decay_x, *decay_y, *decay_z;	/* the factors of the present iteration */
	double disturbance;		/* added to the first initial value */
};

/* False: no memory. */
bool ft_slab_open(struct ft_slab *s, const struct ft_class *class, int nprocs, int pid);
void ft_slab_close(struct ft_slab *s);

/* Points that a process receives in a transposition, its own with them. */
size_t ft_slab_points(const struct ft_slab *s);

/* Plan all transforms, for blocks received in @blocks; overwrites all arrays. */
void ft_slab_plan(struct ft_slab *s, double complex *blocks);

/* Make all plans once and forget them: FFTW then makes them faster. False: no memory. */
bool ft_slab_learn(const struct ft_class *class, int nprocs);

/* plane = the @z-th own plane of the initial values, transformed in y. */
void ft_initial_plane(struct ft_slab *s, int z);

/* The block of the plane that goes to process @pid, transformed in x. */
void ft_transform_block(const struct ft_slab *s, const struct ft_exchange *e, int pid,
			double complex *block);

/* The @y-th own plane of the spectrum is transformed in z from the blocks received. */
void ft_spectrum_plane(struct ft_slab *s, const double complex *blocks, int y);

/* Set the factors for iteration @t. */
void ft_set_decay(struct ft_slab *s, int t);

/* plane = the @y-th own plane of the spectrum, evolved, transformed back in z. */
void ft_evolved_plane(struct ft_slab *s, int y);

/* The blocks received become the solution: transform them back in y, in place. */
void ft_solution(const struct ft_slab *s, double complex *blocks);

/* This process's part of the sum. */
double complex ft_checksum(const struct ft_slab *s, const double complex *blocks);

/* Puts to each process in a transposition. */
static inline int ft_puts(const struct ft_exchange *e)
{
	return (e->planes + e->per_put - 1) / e->per_put;
}

/* ---- ft_setup.c ------------------------------------------------------------ */

struct ft_options {
	char class;
	int plain;
	int ordered;		/* put to 0, 1, 2, ..., not to the next first */
	int puts;		/* to each process in a transposition; 0: by size */
	int steps;		/* supersteps of a transposition, at most */
	int cold;		/* no warm-up */
	double disturbance;
};

struct ft {
	struct ft_options options;
	const struct ft_class *class;
	struct ft_slab slab;
	double complex *receive[2];	/* registered: of even and odd supersteps, or iterations */
	double complex *send;		/* blocks for all others */
	size_t points;			/* in a receive buffer */
	double complex *checksum;	/* own parts, of each iteration */
	double complex *checksums;	/* registered: on process 0, those of all */
	time_t spoke;			/* last sign of progress */
};

/*
 * To be called by process 0 before bsp_begin(): it tries out plans, and no process
 * has to wait for it.
 */
void ft_learn(const struct ft_options *options);

/* Make everything but plans. Takes supersteps, as the next. @options: those of process 0 count. */
void ft_open(struct ft *ft, const struct ft_options *options);

/* Make the plans, with what process 0 has learned. */
void ft_plan(struct ft *ft);
void ft_close(struct ft *ft);

#endif
