/* SPDX-License-Identifier: BSD-3-Clause */
/* ocean_model.c - the equations of ocean: two layers of water that the wind drives. */

/*
 * Quasi-geostrophic flow in a square basin, after Holland. Stream functions psi of an upper and
 * a lower layer, time step dt, J Arakawa's Jacobian, Lap the Laplacian of five points (0 on the
 * boundary), I the integral over the basin:
 *
 *	lambda	 = - f0^2 H / (g' H1 H3)		H = H1 + H3
 *	Q_s	 = Lap psi_s + f			s = u, l; f = f0 + beta (y - width / 2)
 *	A_s	 = J(Q_s, psi_s)
 *	K	 = J(psi_u, psi_l)			the interface
 *	D_s	 = Lap Lap Lap old_s			friction; old: one step ago
 *	G_a	 = A_u - A_l + lambda K + T / H1 - nu (D_u - D_l)
 *	G_b	 = (H1 A_u + H3 A_l + T - nu (H1 D_u + H3 D_l)) / H
 *
 *	(Lap + lambda) a' = G_a,	a' = 0 on the boundary
 *	a	 = a' - (I(a') / I(c)) c,	(Lap + lambda) c = 0, c = 1 on the boundary
 *	Lap b	 = G_b,			b = 0 on the boundary
 *	psi_u	 = old_u + 2 dt (b + (H3 / H) a)	from rest: dt in place of 2 dt
 *	psi_l	 = old_l + 2 dt (b - (H1 / H) a)
 *
 * T is the curl of the wind's stress. Adding a multiple of c keeps the volume of each layer.
 *
 * supersteps of a time step			fields		ring	puts a read depends on
 *	1	Q_s, Lap old_s			4		all	8 / 5 / 3
 *	1	Lap Lap old_s			2		sides	4 / 3 / 2
 *	many	a'				ocean_solver.c
 *	2	I(a')				strips		-	cols - 1, rows - 1
 *	many	b				ocean_solver.c
 *	1	psi_s				2		all	8 / 5 / 3
 *
 * Sources: W. R. Holland, The role of mesoscale eddies in the general circulation of the ocean,
 * Journal of Physical Oceanography 8 (1978) 363-392; A. Arakawa, Computational design for long-term
 * numerical integration of the equations of fluid motion, Journal of Computational Physics 1
 * (1966) 119-143.
 */
#include "ocean.h"

#include <math.h>
#include <stdlib.h>

enum { UPPER, LOWER };

static const double pi = 3.14159265358979323846;

static const double distance = 20000;		/* of grid points, in metres */
static const double interval = 28800;		/* dt, in seconds: three steps are a day */
static const double thickness[2] = { 1000, 4000 };
static const double depth = 5000;
static const double coriolis = 8.3e-5;		/* f0, in the middle of the basin */
static const double beta = 2e-11;
static const double gravity = 0.02;		/* g', reduced */
static const double stress = 0.5e-4;		/* of the wind, in m^2/s^2 */
static const double viscosity = 4e10;		/* nu; stable: 2 dt nu (8 / distance^2)^2 < 1.5 */

static double lambda_of_layers(void)
{
	return -coriolis * coriolis * depth / (gravity * thickness[UPPER] * thickness[LOWER]);
}

/* ---- Operators: own points of their last argument ------------------------------- */

static void laplacian(const struct ocean_level *level, const double *x, double *result)
{
	size_t stride = (size_t)level->cols + 2;
	double scale = 1 / level->h2;

	for (int i = 1; i <= level->rows; i++) {
		size_t k = ocean_at(level, i, 1);

		for (size_t end = k + (size_t)level->cols; k < end; k++)
			result[k] = scale * ((x[k + stride] + x[k - stride]) +
					     (x[k + 1] + x[k - 1]) - 4 * x[k]);
	}
}

/* Arakawa's Jacobian of @a and @b at place @k, in rows of @stride; times 12 h^2. */
static double jacobian(const double *a, const double *b, size_t k, size_t stride)
{
	const double *a_east = a + k + stride, *a_west = a + k - stride;
	const double *b_east = b + k + stride, *b_west = b + k - stride;

	a += k;
	b += k;
	return (a_east[0] - a_west[0]) * (b[1] - b[-1]) - (a[1] - a[-1]) * (b_east[0] - b_west[0]) +
	       a_east[0] * (b_east[1] - b_east[-1]) - a_west[0] * (b_west[1] - b_west[-1]) -
	       a[1] * (b_east[1] - b_west[1]) + a[-1] * (b_east[-1] - b_west[-1]) +
	       a_east[1] * (b[1] - b_east[0]) - a_west[-1] * (b_west[0] - b[-1]) -
	       a_west[1] * (b[1] - b_west[0]) + a_east[-1] * (b_east[0] - b[-1]);
}

/* Sums a square of @n x @n numbers, n a power of two, quarter by quarter. */
static double sum_square(const double *x, size_t stride, int n)
{
	const double *below = x + stride * (size_t)(n / 2);

	if (n == 1)
		return *x;
	return (sum_square(x, stride, n / 2) + sum_square(x + n / 2, stride, n / 2)) +
	       (sum_square(below, stride, n / 2) + sum_square(below + n / 2, stride, n / 2));
}

/*
 * The integral of a field that is @boundary on the boundary. Each process sums the squares
 * that the points of the seam stand for; all sum these, in an order that is always the same.
 */
static double integral(struct ocean *o, const double *x, double boundary)
{
	const struct ocean_level *fine = o->fine, *seam = &o->solver.level[o->blocks->seam];
	int size = fine->points / seam->points;
	double edge = boundary * (2 * fine->points + 1);

	for (int i = 1; i <= fine->rows; i += size)
		for (int j = 1; j <= fine->cols; j += size) {
			size_t to = ocean_at(seam, (fine->row0 + i - 1) / size + 1,
					     (fine->col0 + j - 1) / size + 1);

			seam->residual[to] = sum_square(&x[ocean_at(fine, i, j)],
							(size_t)fine->cols + 2, size);
		}
	ocean_gather(o->blocks, seam, seam->residual, 0);
	return fine->h2 * (edge + sum_square(&seam->residual[ocean_at(seam, 1, 1)],
					     (size_t)seam->cols + 2, seam->points));
}

/* ---- Set-up ------------------------------------------------------------------------ */

/* At rest. The boundary keeps the vorticity that it has here. */
static void open_layer(struct ocean_layer *layer, const struct ocean_level *fine,
		       const double *rotation)
{
	layer->psi = ocean_field(fine);
	layer->old = ocean_field(fine);
	layer->vorticity = ocean_field(fine);
	layer->friction = ocean_field(fine);
	layer->rubbed = ocean_field(fine);
	for (int i = 0; i <= fine->rows + 1; i++)
		for (int j = 0; j <= fine->cols + 1; j++)
			layer->vorticity[ocean_at(fine, i, j)] = rotation[j];
}

static void open_columns(struct ocean *o, double skewness)
{
	const struct ocean_level *fine = o->fine;
	double length = fine->points + 1;

	o->wind = ocean_allocate((size_t)fine->cols + 2);
	o->rotation = ocean_allocate((size_t)fine->cols + 2);
	for (int j = 0; j <= fine->cols + 1; j++) {
		double y = (fine->col0 + j) / length;

		o->wind[j] = -2 * pi * stress / (length * distance) *
			     (sin(2 * pi * y) + skewness * sin(pi * y));
		o->rotation[j] = coriolis + beta * length * distance * (y - 0.5);
	}
}

/* Finds c: 1 all over the ring at first, of which the boundary of the basin stays. */
static void open_shape(struct ocean *o)
{
	const struct ocean_level *fine = o->fine;
	double *nothing = ocean_field(fine);

	o->shape = ocean_field(fine);
	for (int i = 0; i <= fine->rows + 1; i++)
		for (int j = 0; j <= fine->cols + 1; j++)
			if (fine->row0 + i == 0 || fine->row0 + i > fine->points ||
			    fine->col0 + j == 0 || fine->col0 + j > fine->points)
				o->shape[ocean_at(fine, i, j)] = 1;
	ocean_solve(&o->solver, o->shape, nothing, lambda_of_layers());
	o->shape_volume = integral(o, o->shape, 1);
	free(nothing);
}

void ocean_open(struct ocean *o, struct ocean_blocks *b, double tolerance, double skewness)
{
	double width = ((1 << b->finest) + 1) * distance;

	*o = (struct ocean){ .blocks = b };
	ocean_solver_open(&o->solver, b, width, tolerance);
	o->fine = &o->solver.level[b->finest];
	open_columns(o, skewness);
	for (int s = UPPER; s <= LOWER; s++)
		open_layer(&o->layer[s], o->fine, o->rotation);
	o->shear_forcing = ocean_field(o->fine);
	o->mean_forcing = ocean_field(o->fine);
	o->shear = ocean_field(o->fine);
	o->mean = ocean_field(o->fine);
	open_shape(o);
}

void ocean_close(struct ocean *o)
{
	for (int s = UPPER; s <= LOWER; s++) {
		free(o->layer[s].psi);
		free(o->layer[s].old);
		free(o->layer[s].vorticity);
		free(o->layer[s].friction);
		free(o->layer[s].rubbed);
	}
	free(o->shear_forcing);
	free(o->mean_forcing);
	free(o->shear);
	free(o->mean);
	free(o->shape);
	free(o->wind);
	free(o->rotation);
	ocean_solver_close(&o->solver);
}

/* ---- A step in time ------------------------------------------------------------------ */

/* Q and the first Laplacian of the friction. The boundary of Q is f. */
static void find_vorticity(struct ocean *o)
{
	const struct ocean_level *fine = o->fine;
	struct ocean_layer *upper = &o->layer[UPPER], *lower = &o->layer[LOWER];
	double *fields[] = { upper->vorticity, lower->vorticity, upper->friction, lower->friction };

	for (struct ocean_layer *layer = upper; layer <= lower; layer++) {
		laplacian(fine, layer->psi, layer->vorticity);
		laplacian(fine, layer->old, layer->friction);
		for (int i = 1; i <= fine->rows; i++)
			for (int j = 1; j <= fine->cols; j++)
				layer->vorticity[ocean_at(fine, i, j)] += o->rotation[j];
	}
	ocean_exchange(o->blocks, fine, fields, 4, BOTH, RING);
}

/* G_a and G_b but for the friction, and the second Laplacian of that. */
static void find_advection(struct ocean *o)
{
	const struct ocean_level *fine = o->fine;
	const struct ocean_layer *upper = &o->layer[UPPER], *lower = &o->layer[LOWER];
	double *fields[] = { upper->rubbed, lower->rubbed };
	double scale = 1 / (12 * fine->h2), lambda = lambda_of_layers();
	size_t stride = (size_t)fine->cols + 2;

	for (int i = 1; i <= fine->rows; i++)
		for (int j = 1; j <= fine->cols; j++) {
			size_t k = ocean_at(fine, i, j);
			double up = scale * jacobian(upper->vorticity, upper->psi, k, stride);
			double low = scale * jacobian(lower->vorticity, lower->psi, k, stride);
			double interface = scale * jacobian(upper->psi, lower->psi, k, stride);

			o->shear_forcing[k] = up - low + lambda * interface +
					      o->wind[j] / thickness[UPPER];
			o->mean_forcing[k] = (thickness[UPPER] * up + thickness[LOWER] * low +
					      o->wind[j]) / depth;
		}
	laplacian(fine, upper->friction, upper->rubbed);
	laplacian(fine, lower->friction, lower->rubbed);
	ocean_exchange(o->blocks, fine, fields, 2, BOTH, SIDES);
}

/* The third Laplacian, where the first was. */
static void add_friction(struct ocean *o)
{
	const struct ocean_level *fine = o->fine;
	const struct ocean_layer *upper = &o->layer[UPPER], *lower = &o->layer[LOWER];

	laplacian(fine, upper->rubbed, upper->friction);
	laplacian(fine, lower->rubbed, lower->friction);
	for (int i = 1; i <= fine->rows; i++)
		for (int j = 1; j <= fine->cols; j++) {
			size_t k = ocean_at(fine, i, j);
			double up = viscosity * upper->friction[k];
			double low = viscosity * lower->friction[k];

			o->shear_forcing[k] -= up - low;
			o->mean_forcing[k] -= (thickness[UPPER] * up +
					       thickness[LOWER] * low) / depth;
		}
}

static void rotate(struct ocean_layer *layer)
{
	double *psi = layer->old;

	layer->old = layer->psi;
	layer->psi = psi;
}

/* The new psi replaces the old one, on the boundary too; the ring's corners come from others. */
static void advance(struct ocean *o)
{
	struct ocean_layer *upper = &o->layer[UPPER], *lower = &o->layer[LOWER];
	double *fields[] = { upper->old, lower->old };
	double step = o->steps == 0 ? interval : 2 * interval;
	size_t end = ocean_at(o->fine, o->fine->rows + 2, 0);

	for (size_t k = 0; k < end; k++) {
		double shear = o->shear[k] - o->ratio * o->shape[k];

		upper->old[k] += step * (o->mean[k] + thickness[LOWER] / depth * shear);
		lower->old[k] += step * (o->mean[k] - thickness[UPPER] / depth * shear);
	}
	ocean_exchange(o->blocks, o->fine, fields, 2, BOTH, RING);
	rotate(upper);
	rotate(lower);
}

void ocean_step(struct ocean *o)
{
	find_vorticity(o);
	find_advection(o);
	add_friction(o);
	ocean_solve(&o->solver, o->shear, o->shear_forcing, lambda_of_layers());
	o->ratio = integral(o, o->shear, 0) / o->shape_volume;
	ocean_solve(&o->solver, o->mean, o->mean_forcing, 0);
	advance(o);
	o->steps++;
}

/* ---- What is printed of the result -------------------------------------------------- */

/* Kinetic energy: the edges of the grid, those of the boundary by half. */
static double energy_of(const double *psi, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		for (int j = 0; j + 1 < n; j++) {
			double along = psi[i * n + j + 1] - psi[i * n + j];
			double across = psi[(j + 1) * n + i] - psi[j * n + i];

			sum += (along * along + across * across) *
			       (i == 0 || i == n - 1 ? 0.5 : 1);
		}
	return sum / 2;
}

static double largest_of(const double *psi, size_t n)
{
	double largest = 0;

	for (size_t k = 0; k < n; k++)
		largest = fabs(psi[k]) > largest ? fabs(psi[k]) : largest;
	return largest;
}

/*
 * The volume of upper - lower, which nothing may change, relative to that of its absolute
 * values; not a number if one of psi is not.
 */
static double drift_of(double *const psi[2], int n)
{
	double sum = 0, scale = 0;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			double shear = psi[UPPER][i * n + j] - psi[LOWER][i * n + j];
			double weight = (i % (n - 1) ? 1 : 0.5) * (j % (n - 1) ? 1 : 0.5);

			sum += weight * shear;
			scale += weight * fabs(shear);
		}
	return fabs(sum) / scale;
}

/* A hash of the bits (FNV-1a). */
static unsigned long long checksum_of(const double *psi, size_t n, unsigned long long hash)
{
	const unsigned char *byte = (const unsigned char *)psi;

	for (size_t k = 0; k < n * sizeof *psi; k++)
		hash = (hash ^ byte[k]) * 0x100000001b3;
	return hash;
}

void ocean_summarize(double *const psi[2], int n, struct ocean_summary *summary)
{
	size_t points = (size_t)n * (size_t)n;

	*summary = (struct ocean_summary){ .checksum = 0xcbf29ce484222325,
					   .boundary = psi[UPPER][0], .drift = drift_of(psi, n) };
	for (int s = UPPER; s <= LOWER; s++) {
		summary->largest[s] = largest_of(psi[s], points);
		summary->energy += thickness[s] * energy_of(psi[s], n);
		summary->quarter[s] = psi[s][n / 4 * n + n / 4];
		summary->checksum = checksum_of(psi[s], points, summary->checksum);
	}
}
