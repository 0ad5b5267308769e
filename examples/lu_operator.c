/* SPDX-License-Identifier: BSD-3-Clause */
/* lu_operator.c - the spatial operator L(U) of the LU example, one row of points at a time. */

/*
 * L(U) is a sum over the three directions a. Each is a difference along a line of
 * five points, so one function serves all: it is given the rows at distance -2 to 2, which
 * in direction i are the same row, shifted.
 *
 *	L = sum_a  -( F_a(+) - F_a(-) ) / 2h + ( W_a(+) - 2 W_a + W_a(-) ) / h^2
 *		   + d_a ( U(+) - 2 U + U(-) ) / h^2 - eps T_a
 *
 *	F_a = ( m_a, m_b v_a + [b = a] p, (e + p) v_a ),	p = c2 (e - q)
 *	W_a = ( 0, theta_b mu v_b, s + mu v_a^2 / 6 ),		theta_b = 4/3 if b = a, else 1
 *	q = m.v / 2,	s = (mu - kappa) |v|^2 / 2 + kappa E
 */
#include "lu.h"

/* Makes vectors of the loops over i also where the rest is compiled with -O2. */
#pragma GCC optimize("O3")

/* Weights of U at distance -2 to 2: second and fourth difference together. */
struct line {
	double weight[5];
	double flux;		/* 1/2h */
	double viscous;		/* 1/h^2 */
};

/* A point's part of the fluxes in direction @a. */
struct flux {
	double f[5], w[5];
};

static inline __attribute__((always_inline))
struct flux flux(const double *u, size_t stride, int i, int a)
{
	struct flux x;
	double inv = u[INV * stride + i], e = u[EN * stride + i];
	double m[3] = { u[M1 * stride + i], u[M2 * stride + i], u[M3 * stride + i] };
	double v[3] = { m[0] * inv, m[1] * inv, m[2] * inv };
	double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
	double p = C2 * (e - 0.5 * square * u[RHO * stride + i]);

	x.f[0] = m[a];
	x.w[0] = 0;
	for (int b = 0; b < 3; b++) {
		x.f[1 + b] = m[b] * v[a] + (b == a ? p : 0);
		x.w[1 + b] = (b == a ? 4.0 / 3.0 : 1.0) * MU * v[b];
	}
	x.f[4] = (e + p) * v[a];
	x.w[4] = (MU - KAPPA) / 2 * square + MU / 6 * v[a] * v[a] + KAPPA * e * inv;
	return x;
}

/* Adds the share of direction @a; the rows @u[0] to @u[4] are at distance -2 to 2. */
static inline __attribute__((always_inline))
void add_direction(const struct line *line, const double *const u[5], size_t stride, int width,
		   int a, double *restrict out, size_t ostride)
{
	const double *u0 = u[0], *u1 = u[1], *u2 = u[2], *u3 = u[3], *u4 = u[4];
	const double w0 = line->weight[0], w1 = line->weight[1], w2 = line->weight[2],
		     w3 = line->weight[3], w4 = line->weight[4];
	const double ff = line->flux, vv = line->viscous;

#pragma GCC ivdep
	for (int i = 0; i < width; i++) {
		struct flux down = flux(u1, stride, i, a), here = flux(u2, stride, i, a),
			    up = flux(u3, stride, i, a);

		for (int m = 0; m < 5; m++) {
			size_t at = m * stride + i;
			double sum = w0 * u0[at] + w1 * u1[at] + w2 * u2[at] + w3 * u3[at] +
				     w4 * u4[at];

			sum -= ff * (up.f[m] - down.f[m]);
			if (m > 0)
				sum += vv * (up.w[m] - 2 * here.w[m] + down.w[m]);
			out[m * ostride + i] = a == 2 ? sum : out[m * ostride + i] + sum;
		}
	}
}

/* The fourth difference at place @s of a line of @n points leaves out the boundary. */
static void set_line(struct line *line, const struct lu *lu, int a, int s)
{
	double d = lu_dissipation[a] * lu->inv_h2;
	int last = lu->class->n - 2;

	*line = (struct line){ { -EPS, 4 * EPS + d, -6 * EPS - 2 * d, 4 * EPS + d, -EPS },
			       lu->inv_2h, lu->inv_h2 };
	if (s == 1 || s == last)
		line->weight[2] += EPS;
	if (s == 1)
		line->weight[1] = d;
	if (s == last)
		line->weight[3] = d;
	if (s <= 2)
		line->weight[0] = 0;
	if (s >= last - 1)
		line->weight[4] = 0;
}

/* Point @s of the line is near its end, if it is ours: corrects what add_direction() gave it. */
static void mend_end(const struct lu *lu, const struct line *regular, int s, const double *u,
		     double *out, size_t stride)
{
	struct line line;
	int i = s - lu->i0;

	if (i < 0 || i >= lu->mi)
		return;
	set_line(&line, lu, 0, s);
	for (int m = 0; m < 5; m++) {
		const double *at = u + m * lu->stride + i - 2;

		for (int q = 0; q < 5; q++)
			out[(size_t)m * stride + (size_t)i] +=
				(line.weight[q] - regular->weight[q]) * at[q];
	}
}

static void add_i(const struct lu *lu, const double *u, double *out, size_t stride)
{
	const double *const rows[5] = { u - 2, u - 1, u, u + 1, u + 2 };
	int last = lu->class->n - 2;
	struct line line;

	set_line(&line, lu, 0, 3);
	add_direction(&line, rows, (size_t)lu->stride, lu->width, 0, out, stride);
	mend_end(lu, &line, 1, u, out, stride);
	mend_end(lu, &line, 2, u, out, stride);
	mend_end(lu, &line, last - 1, u, out, stride);
	mend_end(lu, &line, last, u, out, stride);
}

/* Writes L(U) for row (@j, @k) to @out, five rows of @stride. */
void lu_operator(const struct lu *lu, int j, int k, double *out, size_t stride)
{
	const double *rows[5];
	struct line line;

	for (int q = 0; q < 5; q++)
		rows[q] = lu_row(lu, lu->u, j, k + q - 2);
	set_line(&line, lu, 2, k);
	add_direction(&line, rows, (size_t)lu->stride, lu->width, 2, out, stride);
	for (int q = 0; q < 5; q++)
		rows[q] = lu_row(lu, lu->u, j + q - 2, k);
	set_line(&line, lu, 1, lu->j0 + j);
	add_direction(&line, rows, (size_t)lu->stride, lu->width, 1, out, stride);
	add_i(lu, lu_row(lu, lu->u, j, k), out, stride);
}
