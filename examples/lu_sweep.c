/* SPDX-License-Identifier: BSD-3-Clause */
/* lu_sweep.c - the lower and the upper sweep of the LU example over planes of points. */

/*
 * With the time step and omega in them, the two sweeps solve for y and then z
 *
 *	D y = dt R - sum_a P_a(-) y(-a)		i, j, k ascending	P_a = omega B-_a
 *	D z = D y  - sum_a P_a(+) z(+a)		descending		P_a = omega B+_a
 *
 * so both are one: at each point
 *
 *	g = t - x,   y = D^-1 g,   the carry P_a y goes to the next point in direction a
 *
 * where t is the right-hand side less the carries from directions j and k, and x is the
 * carry from direction i. Every matrix of a point is made from U at this point alone.
 * All of it runs over whole rows at a time but x, for which the points of a row form
 * a chain, the only serial part:
 *
 *	x_i = N_i (t_i - x_{i-1}),   N = P_1 D^-1
 *
 * The lower sweep leaves D y, the upper needs nothing else of it, and adds z to U.
 *
 * Products with P_a are differentials of the fluxes of lu_operator.c: of dv_b = (y_b - v_b y_rho)
 * / rho and so on. N is made of the matrices themselves.
 */
#include "lu.h"
#include <string.h>

/*
 * Makes vectors of the loops over i also where the rest is compiled with -O2; and a product
 * with an entry that is always 0 is none.
 */
#pragma GCC optimize("O3", "finite-math-only", "no-signed-zeros")

/* The entries of P_1 and N that are not zero: row, column. */
static const unsigned char nonzero[5][5] = {
	{ 1, 1, 0, 0, 0 },
	{ 1, 1, 1, 1, 1 },
	{ 1, 1, 1, 0, 0 },
	{ 1, 1, 0, 1, 0 },
	{ 1, 1, 1, 1, 1 },
};

/* Coefficients of P_a and D: convective, viscous, second-difference. */
struct factors {
	double convect;			/* - or + omega dt / 2h */
	double viscous;			/* omega dt / h^2 */
	double dissipate[3];		/* omega dt d_a / h^2 */
	double delta;			/* 1 + 2 dt sum d_a / h^2: the constant part of D */
	double d_m, d_me, d_e;		/* D: viscous part of the momenta, of e by m, of e by e */
};

/* A row on its way through the sweep. */
static _Alignas(64) struct {
	double t[5][LU_MOST], g[5][LU_MOST], z[5][LU_MOST], carry[5][LU_MOST];
	double n[5][5][LU_MOST];
	double inv_m[LU_MOST], inv_e[LU_MOST];	/* 1 / the diagonal of D */
} row;

static void set_factors(struct factors *f, const struct lu *lu, enum lu_direction way)
{
	double twice = 2 * lu->dt * lu->inv_h2, d = 0;

	f->convect = (way == LOWER ? -1 : 1) * OMEGA * lu->dt * lu->inv_2h;
	f->viscous = OMEGA * lu->dt * lu->inv_h2;
	for (int a = 0; a < 3; a++) {
		f->dissipate[a] = f->viscous * lu_dissipation[a];
		d += lu_dissipation[a];
	}
	f->delta = 1 + twice * d;
	f->d_m = twice * (10.0 / 3.0) * MU;
	f->d_e = twice * 3 * KAPPA;
	f->d_me = f->d_m - f->d_e;
}

/* ---- The chain along a row ------------------------------------------------ */

/* Parts of the matrices of a point; and D, which is lower triangular. */
struct matrices {
	double inv, v[3], en, square;			/* 1/rho, v, E, |v|^2 */
	double m_rho[3], e_rho, e_m[3];			/* D below the diagonal */
	double inv_delta, inv_m, inv_e;			/* 1 / the diagonal of D */
};

static inline __attribute__((always_inline)) void
set_matrices(struct matrices *x, const struct factors *f, const double *u, size_t stride, int i)
{
	double inv = u[INV * stride + i], dm = f->delta + f->d_m * inv,
	       de = f->delta + f->d_e * inv;
	double both = 1 / (dm * de);

	x->inv = inv;
	x->en = u[EN * stride + i] * inv;
	x->square = 0;
	for (int b = 0; b < 3; b++) {
		x->v[b] = u[(size_t)(M1 + b) * stride + i] * inv;
		x->square += x->v[b] * x->v[b];
		x->m_rho[b] = -f->d_m * inv * x->v[b];
		x->e_m[b] = f->d_me * inv * x->v[b];
	}
	x->e_rho = -(f->d_me * x->square + f->d_e * x->en) * inv;
	x->inv_delta = 1 / f->delta;
	x->inv_m = both * de;
	x->inv_e = both * dm;
}

/* Row @m of P_1 = omega B_1: of the Jacobians A_1 and N_1 of the fluxes in direction i. */
static inline __attribute__((always_inline))
void set_p_row(double p[5], const struct factors *f, const struct matrices *x, int m)
{
	const double a = f->convect, k = f->viscous * x->inv, d = f->dissipate[0];
	const double *v = x->v, square = x->square;
	const int b = m - 1;

	p[0] = p[4] = 0;
	for (int c = 0; c < 3; c++) {
		double theta = c == 0 ? 4.0 / 3.0 : 1;

		if (m == 0)
			p[1 + c] = c == 0 ? a : 0;
		else if (m < 4)
			p[1 + c] = a * ((b == c ? v[0] : 0) + (c == 0 ? v[b] : 0) -
					(b == 0 ? C2 * v[c] : 0)) -
				   (b == c ? k * theta * MU + d : 0);
		else
			p[1 + c] = a * ((c == 0 ? C1 * x->en - C2 / 2 * square : 0) -
					C2 * v[0] * v[c]) - k * (theta * MU - KAPPA) * v[c];
	}
	if (m == 0) {
		p[0] = -d;
	} else if (m < 4) {
		p[0] = a * ((b == 0 ? C2 / 2 * square : 0) - v[0] * v[b]) +
		       k * (b == 0 ? 4.0 / 3.0 : 1) * MU * v[b];
		p[4] = b == 0 ? a * C2 : 0;
	} else {
		p[0] = a * v[0] * (C2 * square - C1 * x->en) +
		       k * ((MU - KAPPA) * square + MU / 3 * v[0] * v[0] + KAPPA * x->en);
		p[4] = a * C1 * v[0] - k * KAPPA - d;
	}
}

/* Row @m of N, n D = p; zeros stay zeros. */
static inline __attribute__((always_inline))
void divide_by_d(double n[5], const double p[5], const struct matrices *x)
{
	n[4] = p[4] * x->inv_e;
	n[0] = p[0] - n[4] * x->e_rho;
	for (int b = 0; b < 3; b++) {
		n[1 + b] = (p[1 + b] - n[4] * x->e_m[b]) * x->inv_m;
		n[0] -= n[1 + b] * x->m_rho[b];
	}
	n[0] *= x->inv_delta;
}

static inline __attribute__((always_inline))
void set_n_row(const struct factors *f, const struct matrices *x, int m, int i)
{
	double p[5], n[5];

	set_p_row(p, f, x, m);
	divide_by_d(n, p, x);
	for (int c = 0; c < 5; c++)
		if (nonzero[m][c])
			row.n[m][c][i] = n[c];
}

/* Fills row.inv_m, row.inv_e and row.n from U. */
static void make_chain(const struct factors *f, const double *u, size_t stride, int width)
{
#pragma GCC ivdep
	for (int i = 0; i < width; i++) {
		struct matrices x;

		set_matrices(&x, f, u, stride, i);
		row.inv_m[i] = x.inv_m;
		row.inv_e[i] = x.inv_e;
		set_n_row(f, &x, RHO, i);
		set_n_row(f, &x, M1, i);
		set_n_row(f, &x, M2, i);
		set_n_row(f, &x, M3, i);
		set_n_row(f, &x, EN, i);
	}
}

/* x <- N_i g, g = t_i - x, from one end of the row to the other; leaves g. */
static void run_chain(int i, int step, int count, double *g, size_t stride, double x[5])
{
	double x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3], x4 = x[4];

	for (; count-- > 0; i += step) {
		double g0 = row.t[0][i] - x0, g1 = row.t[1][i] - x1, g2 = row.t[2][i] - x2,
		       g3 = row.t[3][i] - x3, g4 = row.t[4][i] - x4;

		g[i] = g0;
		g[stride + i] = g1;
		g[2 * stride + i] = g2;
		g[3 * stride + i] = g3;
		g[4 * stride + i] = g4;
		x0 = row.n[RHO][RHO][i] * g0 + row.n[RHO][M1][i] * g1;
		x1 = (row.n[M1][RHO][i] * g0 + row.n[M1][M1][i] * g1 + row.n[M1][EN][i] * g4) +
		     (row.n[M1][M2][i] * g2 + row.n[M1][M3][i] * g3);
		x2 = row.n[M2][RHO][i] * g0 + row.n[M2][M1][i] * g1 + row.n[M2][M2][i] * g2;
		x3 = row.n[M3][RHO][i] * g0 + row.n[M3][M1][i] * g1 + row.n[M3][M3][i] * g3;
		x4 = (row.n[EN][RHO][i] * g0 + row.n[EN][M1][i] * g1 + row.n[EN][EN][i] * g4) +
		     (row.n[EN][M2][i] * g2 + row.n[EN][M3][i] * g3);
	}
	x[0] = x0;
	x[1] = x1;
	x[2] = x2;
	x[3] = x3;
	x[4] = x4;
}

/* ---- Whole rows ------------------------------------------------------------ */

/* U at a point, and how it changes with a small change y of U there. */
struct change {
	double m[3], v[3], ep;		/* ep: e + p */
	double y[5], dv[3], dp, ds;	/* p and s as in lu_operator.c */
};

/* Writes P_a y = omega B_a y, made of A_a y and N_a y. */
static inline __attribute__((always_inline))
void product(const struct factors *f, const struct change *c, int a, double *out, size_t stride)
{
	const double con = f->convect, vis = f->viscous, dis = f->dissipate[a];
	const double *y = c->y;

	out[0] = con * y[1 + a] - dis * y[0];
	for (int b = 0; b < 3; b++)
		out[(size_t)(1 + b) * stride] =
			con * (c->v[a] * y[1 + b] + c->m[b] * c->dv[a] + (b == a ? c->dp : 0)) -
			vis * ((b == a ? 4.0 / 3.0 : 1.0) * MU) * c->dv[b] - dis * y[1 + b];
	out[4 * stride] = con * (c->v[a] * (y[4] + c->dp) + c->ep * c->dv[a]) -
			  vis * (c->ds + MU / 3 * c->v[a] * c->dv[a]) - dis * y[4];
}

/* row.z = D^-1 g; row.carry and @carry: the carries of it to the next row and the next plane. */
static void solve_row(const struct factors *f, const double *restrict u, size_t stride, int width,
		      const double *restrict g, size_t gstride, double *restrict carry)
{
	const double inv_delta = 1 / f->delta;

#pragma GCC ivdep
	for (int i = 0; i < width; i++) {
		double inv = u[INV * stride + i], e = u[EN * stride + i], en = e * inv;
		double idm = row.inv_m[i], y0 = g[i] * inv_delta;
		double square = 0, vy = 0, vdv = 0;
		struct change c;

		c.y[0] = y0;
		for (int b = 0; b < 3; b++) {
			c.m[b] = u[(size_t)(M1 + b) * stride + i];
			c.v[b] = c.m[b] * inv;
			c.y[1 + b] = idm * (g[(size_t)(1 + b) * gstride + i] +
					    f->d_m * inv * c.v[b] * y0);
			c.dv[b] = (c.y[1 + b] - c.v[b] * y0) * inv;
			square += c.v[b] * c.v[b];
			vy += c.v[b] * c.y[1 + b];
			vdv += c.v[b] * c.dv[b];
		}
		c.y[4] = row.inv_e[i] *
			 (g[4 * gstride + i] - f->d_me * vdv + f->d_e * inv * en * y0);
		c.dp = C2 * (c.y[4] - vy + 0.5 * square * y0);
		c.ds = (MU - KAPPA) * vdv + KAPPA * (c.y[4] - en * y0) * inv;
		c.ep = e + C2 * (e - 0.5 * square * u[i]);
		product(f, &c, 1, &row.carry[0][i], LU_MOST);
		product(f, &c, 2, &carry[i], stride);
		for (int m = 0; m < 5; m++)
			row.z[m][i] = c.y[m];
	}
}

/* row.t = dt R - carries, R = L(U) - L(U*). */
static void begin_lower(struct lu *lu, int j, int k, const double *restrict carry)
{
	const double *restrict forcing = lu_row(lu, lu->forcing, j, k);
	const double *restrict scale = lu->scale;
	size_t stride = (size_t)lu->stride;

	lu_operator(lu, j, k, row.t[0], LU_MOST);
	for (size_t c = 0; c < 5; c++)
		for (int i = 0; i < lu->width; i++)
			row.t[c][i] = (row.t[c][i] + forcing[c * stride + i]) * scale[i] -
				      (row.carry[c][i] + carry[c * stride + i]);
}

static void begin_upper(struct lu *lu, int j, int k, const double *restrict carry)
{
	const double *restrict g = lu_row(lu, lu->g, j, k);
	size_t stride = (size_t)lu->stride;

	for (size_t c = 0; c < 5; c++)
		for (int i = 0; i < lu->width; i++)
			row.t[c][i] = g[c * stride + i] -
				      (row.carry[c][i] + carry[c * stride + i]);
}

/* U <- U + z / (omega (2 - omega)) */
static void update_row(double *restrict u, size_t stride, int width)
{
	const double factor = 1 / (OMEGA * (2 - OMEGA));

	for (size_t c = 0; c < 5; c++)
		for (int i = 0; i < width; i++)
			u[c * stride + i] += factor * row.z[c][i];
	for (int i = 0; i < width; i++)
		u[INV * stride + i] = 1 / u[i];
}

/* @x: the carry along the row, as it comes in and as it goes out. */
static void lower_row(struct lu *lu, const struct factors *f, int j, int k, double x[5])
{
	size_t stride = (size_t)lu->stride;
	double *carry = lu->carry + (size_t)j * 5 * stride;
	double *u = lu_row(lu, lu->u, j, k), *g = lu_row(lu, lu->g, j, k);

	make_chain(f, u, stride, lu->width);
	begin_lower(lu, j, k, carry);
	run_chain(0, 1, lu->mi, g, stride, x);
	solve_row(f, u, stride, lu->width, g, stride, carry);
}

static void upper_row(struct lu *lu, const struct factors *f, int j, int k, double x[5])
{
	size_t stride = (size_t)lu->stride;
	double *carry = lu->carry + (size_t)j * 5 * stride;
	double *u = lu_row(lu, lu->u, j, k);

	make_chain(f, u, stride, lu->width);
	begin_upper(lu, j, k, carry);
	run_chain(lu->mi - 1, -1, lu->mi, row.g[0], LU_MOST, x);
	solve_row(f, u, stride, lu->width, row.g[0], LU_MOST, carry);
	update_row(u, stride, lu->width);
}

/* ---- Planes ----------------------------------------------------------------- */

/* Where plane @p of a face has its carry: from or to the row before or behind, along i or j. */
static double *i_face(const struct lu *lu, double *faces, int p, int j)
{
	return faces + (size_t)(p * lu->mj + j) * LU_FACE;
}

static double *j_face(const struct lu *lu, double *faces, int p)
{
	return faces + lu->face + (size_t)p * LU_FACE * (size_t)lu->mi;
}

static void begin_plane(const struct lu *lu, enum lu_direction way, int p)
{
	const double *face = j_face(lu, lu->in[way], p);

	for (int c = 0; c < 5; c++)
		memcpy(row.carry[c], face + (size_t)(c * lu->mi), (size_t)lu->mi * sizeof *face);
}

static void end_plane(const struct lu *lu, int p)
{
	double *face = j_face(lu, lu->out, p);

	for (int c = 0; c < 5; c++)
		memcpy(face + (size_t)(c * lu->mi), row.carry[c], (size_t)lu->mi * sizeof *face);
}

/*
 * Sweeps @nplanes planes from @first on, up or down. The carries come out of the
 * faces received (zeros where the boundary is) and go into the faces to send.
 */
void lu_sweep(struct lu *lu, enum lu_direction way, int first, int nplanes)
{
	struct factors f;
	double x[5];

	set_factors(&f, lu, way);
	if (way == LOWER ? first == 1 : first + nplanes == lu->class->n - 1)
		memset(lu->carry, 0, (size_t)(lu->mj * 5 * lu->stride) * sizeof *lu->carry);
	for (int s = 0; s < nplanes; s++) {
		int p = way == LOWER ? s : nplanes - 1 - s;

		begin_plane(lu, way, p);
		for (int q = 0; q < lu->mj; q++) {
			int j = way == LOWER ? q : lu->mj - 1 - q;

			memcpy(x, i_face(lu, lu->in[way], p, j), sizeof x);
			if (way == LOWER)
				lower_row(lu, &f, j, first + p, x);
			else
				upper_row(lu, &f, j, first + p, x);
			memcpy(i_face(lu, lu->out, p, j), x, sizeof x);
		}
		end_plane(lu, p);
	}
}
