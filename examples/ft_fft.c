/* SPDX-License-Identifier: BSD-3-Clause */
/* ft_fft.c - the share of one process in FT: initial values, evolution, transforms. */

/*
 * FFTW does the transforms of one dimension, for many lines at once:
 *
 *	in x	each line is a row, and the rows are transformed out of place: into
 *		the block that goes to another process. So nothing is packed.
 *	in y, z	a line goes through all rows, at a fixed x; all lines of a plane are
 *		done at once, in place. Inverse in y, that is where the blocks were
 *		received, so nothing is unpacked.
 *
 * Received blocks lie one behind the other in the order of the dimension that was cut
 * before: a line through all of them has a fixed stride. All dimensions are powers
 * of two, and such a stride would bring all points of a line to the same few places of
 * every cache; hence the GAP behind each row of a plane, and behind each block.
 */
#include "ft.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	GAP = 4,		/* points: a cache line */
	PAGE = 4096,		/* bytes */
	LANES = 8,		/* of the generator */
	SAMPLES = 1024,		/* points in a checksum */
};

/* ---- Set-up ---------------------------------------------------------------- */

static int larger(int a, int b)
{
	return a > b ? a : b;
}

static struct ft_exchange make_exchange(int planes, int rows, int nx)
{
	return (struct ft_exchange){
		.planes = planes, .rows = rows, .stride = (size_t)rows * nx + GAP,
	};
}

size_t ft_slab_points(const struct ft_slab *s)
{
	size_t forward = s->forward.planes * s->forward.stride;
	size_t inverse = s->inverse.planes * s->inverse.stride;

	return s->nprocs * (forward > inverse ? forward : inverse);
}

/* On a boundary of pages, and with all of the last page. */
static double complex *allocate_points(size_t n)
{
	size_t nbytes = n * sizeof(double complex);

	return aligned_alloc(PAGE, (nbytes + PAGE - 1) / PAGE * PAGE);
}

bool ft_slab_open(struct ft_slab *s, const struct ft_class *class, int nprocs, int pid)
{
	int ny_own = class->ny / nprocs, nz_own = class->nz / nprocs;

	*s = (struct ft_slab){ .class = class, .nprocs = nprocs, .pid = pid };
	s->row = class->nx + GAP;
	s->forward = make_exchange(nz_own, ny_own, class->nx);
	s->inverse = make_exchange(ny_own, nz_own, class->nx);
	s->plane = allocate_points((size_t)larger(class->ny, class->nz) * s->row);
	s->spectrum = allocate_points((size_t)ny_own * class->nz * s->row);
	s->decay_x = malloc(class->nx * sizeof *s->decay_x);
	s->decay_y = malloc(class->ny * sizeof *s->decay_y);
	s->decay_z = malloc(class->nz * sizeof *s->decay_z);
	return s->plane && s->spectrum && s->decay_x && s->decay_y && s->decay_z;
}

void ft_slab_close(struct ft_slab *s)
{
	fftw_plan plans[] = { s->forward_y, s->forward.x, s->forward_z,
			      s->inverse_z, s->inverse.x, s->inverse_y };

	for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++)
		fftw_destroy_plan(plans[i]);
	free(s->decay_z);
	free(s->decay_y);
	free(s->decay_x);
	free(s->spectrum);
	free(s->plane);
}

/* All lines across @n rows that are @stride points apart, in place. */
static fftw_plan plan_across(const struct ft_slab *s, int n, double complex *rows, size_t stride,
			     int sign)
{
	return fftw_plan_many_dft(1, &n, s->class->nx, rows, NULL, (int)stride, 1,
				  rows, NULL, (int)stride, 1, sign, FFTW_MEASURE);
}

/* The rows of a block, out of the plane. */
static fftw_plan plan_rows(const struct ft_slab *s, int rows, double complex *block, int sign)
{
	int nx = s->class->nx;

	return fftw_plan_many_dft(1, &nx, rows, s->plane, NULL, 1, s->row,
				  block, NULL, 1, nx, sign, FFTW_MEASURE);
}

void ft_slab_plan(struct ft_slab *s, double complex *blocks)
{
	int ny = s->class->ny, nz = s->class->nz, row = s->row;
	size_t inverse = s->inverse.stride;

	s->forward_y = plan_across(s, ny, s->plane, row, FFTW_FORWARD);
	s->forward.x = plan_rows(s, s->forward.rows, blocks, FFTW_FORWARD);
	s->forward_z = plan_across(s, nz, s->spectrum, row, FFTW_FORWARD);
	s->inverse_z = plan_across(s, nz, s->plane, row, FFTW_BACKWARD);
	s->inverse.x = plan_rows(s, s->inverse.rows, blocks, FFTW_BACKWARD);
	s->inverse_y = plan_across(s, ny, blocks, inverse, FFTW_BACKWARD);
}

bool ft_slab_learn(const struct ft_class *class, int nprocs)
{
	struct ft_slab s;
	double complex *blocks = NULL;
	bool done = false;

	if (ft_slab_open(&s, class, nprocs, 0))
		blocks = allocate_points(ft_slab_points(&s));
	if (blocks) {
		ft_slab_plan(&s, blocks);
		done = true;
	}
	ft_slab_close(&s);
	free(blocks);
	return done;
}

/* ---- Initial values -------------------------------------------------------- */

/*
 * x_{t+1} = a x_t mod 2^46, and the t-th random number is x_t / 2^46. 64-bit products
 * wrap around at 2^64, which leaves the low 46 bits right.
 */
static const uint64_t first_state = 314159265, multiplier = 1220703125;
static const uint64_t low_46_bits = ((uint64_t)1 << 46) - 1;

/* a^n mod 2^46: what leads @n numbers ahead. */
static uint64_t jump(uint64_t n)
{
	uint64_t power = 1;

	for (uint64_t square = multiplier; n > 0; n /= 2, square = square * square & low_46_bits)
		if (n % 2)
			power = power * square & low_46_bits;
	return power;
}

/*
 * The @n random numbers that follow @state; @n is a multiple of LANES. A number takes the
 * time of a multiplication after the one before, so each lane makes only every LANES-th.
 */
static void make_random(double *number, int n, uint64_t state)
{
	const uint64_t ahead = jump(LANES);
	const double scale = 1.0 / (double)(low_46_bits + 1);
	uint64_t x[LANES];

	for (int k = 0; k < LANES; k++)
		x[k] = state * jump(k + 1) & low_46_bits;
	for (int i = 0; i < n; i += LANES) {
		for (int k = 0; k < LANES; k++) {
			number[i + k] = (double)(int64_t)x[k] * scale;
			x[k] = x[k] * ahead & low_46_bits;
		}
	}
}

void ft_initial_plane(struct ft_slab *s, int z)
{
	const struct ft_class *c = s->class;
	uint64_t first = (uint64_t)(s->pid * s->forward.planes + z) * c->ny * c->nx * 2;
	uint64_t state = first_state * jump(first) & low_46_bits;
	const uint64_t next_row = jump(2 * (uint64_t)c->nx);

	for (int y = 0; y < c->ny; y++) {
		make_random((double *)&s->plane[(size_t)y * s->row], 2 * c->nx, state);
		state = state * next_row & low_46_bits;
	}
	if (first == 0)
		s->plane[0] += s->disturbance;
	fftw_execute(s->forward_y);
}

/* ---- Transforms ------------------------------------------------------------ */

void ft_transform_block(const struct ft_slab *s, const struct ft_exchange *e, int pid,
			double complex *block)
{
	fftw_execute_dft(e->x, &s->plane[(size_t)pid * e->rows * s->row], block);
}

static double complex *spectrum_of(const struct ft_slab *s, int y)
{
	return &s->spectrum[(size_t)y * s->class->nz * s->row];
}

void ft_spectrum_plane(struct ft_slab *s, const double complex *blocks, int y)
{
	const struct ft_class *c = s->class;
	double complex *plane = spectrum_of(s, y);
	const double complex *from = &blocks[(size_t)y * c->nx];

	for (int z = 0; z < c->nz; z++)
		memcpy(&plane[(size_t)z * s->row], &from[z * s->forward.stride],
		       c->nx * sizeof *plane);
	fftw_execute_dft(s->forward_z, plane, plane);
}

void ft_solution(const struct ft_slab *s, double complex *blocks)
{
	for (int z = 0; z < s->inverse.rows; z++) {
		double complex *rows = &blocks[(size_t)z * s->class->nx];

		fftw_execute_dft(s->inverse_y, rows, rows);
	}
}

/* ---- Evolution ------------------------------------------------------------- */

/* exp(-4 alpha pi^2 k^2 t) for the wave numbers k = 0 ... n / 2 - 1, -n / 2 ... -1. */
static void set_factors(double *factor, int n, int t)
{
	const double alpha = 1e-6, pi = acos(-1);

	for (int i = 0; i < n; i++) {
		double k = i < n / 2 ? i : i - n;

		factor[i] = exp(-4 * alpha * pi * pi * k * k * t);
	}
}

void ft_set_decay(struct ft_slab *s, int t)
{
	set_factors(s->decay_x, s->class->nx, t);
	set_factors(s->decay_y, s->class->ny, t);
	set_factors(s->decay_z, s->class->nz, t);
}

static void multiply_row(double complex *restrict to, const double complex *restrict from,
			 const double *restrict factor, double scale, int n)
{
	for (int i = 0; i < n; i++)
		to[i] = from[i] * (scale * factor[i]);
}

void ft_evolved_plane(struct ft_slab *s, int y)
{
	const double complex *from = spectrum_of(s, y);
	double decay_y = s->decay_y[s->pid * s->inverse.planes + y];

	for (int z = 0; z < s->class->nz; z++)
		multiply_row(&s->plane[(size_t)z * s->row], &from[(size_t)z * s->row], s->decay_x,
			     decay_y * s->decay_z[z], s->class->nx);
	fftw_execute(s->inverse_z);
}

/* ---- Checksum -------------------------------------------------------------- */

double complex ft_checksum(const struct ft_slab *s, const double complex *blocks)
{
	const struct ft_class *c = s->class;
	double complex sum = 0;

	for (int j = 1; j <= SAMPLES; j++) {
		int x = j % c->nx, y = 3 * j % c->ny, z = 5 * j % c->nz - s->pid * s->inverse.rows;

		if (z >= 0 && z < s->inverse.rows)
			sum += blocks[y * s->inverse.stride + (size_t)z * c->nx + x];
	}
	return sum / ft_points(c);
}
