/* SPDX-License-Identifier: BSD-3-Clause */
/* lu_verify.c - classes of the LU example with their reference values; norms, comparison. */

/*
 * Reference values and their tolerance are those of the NAS Parallel Benchmarks, version 3.4:
 * residual norms, error norms, surface integral.
 */
#include "lu.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TOLERANCE 1e-8

static const struct lu_class classes[] = {
	{ 'S', 12, 0.5, 50, {
		1.6196343210976702e-02, 2.1976745164821318e-03, 1.5179927653399185e-03,
		1.5029584435994323e-03, 3.4264073155896461e-02,
		6.4223319957960924e-04, 8.4144342047347926e-05, 5.8588269616485186e-05,
		5.8474222595157350e-05, 1.3103347914111294e-03,
		7.8418928865937083e+00,
	} },
	{ 'W', 33, 0.0015, 300, {
		0.1236511638192e+02, 0.1317228477799e+01, 0.2550120713095e+01,
		0.2326187750252e+01, 0.2826799444189e+02,
		0.4867877144216e+00, 0.5064652880982e-01, 0.9281818101960e-01,
		0.8570126542733e-01, 0.1084277417792e+01,
		0.1161399311023e+02,
	} },
	{ 'A', 64, 2.0, 250, {
		7.7902107606689367e+02, 6.3402765259692870e+01, 1.9499249727292479e+02,
		1.7845301160418537e+02, 1.8384760349464247e+03,
		2.9964085685471943e+01, 2.8194576365003349e+00, 7.3473412698774742e+00,
		6.7139225687777051e+00, 7.0715315688392578e+01,
		2.6030925604886277e+01,
	} },
	{ 'B', 102, 2.0, 250, {
		3.5532672969982736e+03, 2.6214750795310692e+02, 8.8333721850952190e+02,
		7.7812774739425265e+02, 7.3087969592545314e+03,
		1.1401176380212709e+02, 8.1098963655421574e+00, 2.8480597317698308e+01,
		2.5905394567832939e+01, 2.6054907504857413e+02,
		4.7887162703308227e+01,
	} },
	{ 'C', 162, 2.0, 250, {
		1.03766980323537846e+04, 8.92212458801008552e+02, 2.56238814582660871e+03,
		2.19194343857831427e+03, 1.78078057261061185e+04,
		2.15986399716949279e+02, 1.55789559239863600e+01, 5.41318863077207766e+01,
		4.82262643154045421e+01, 4.55902910043250358e+02,
		6.66404553572181300e+01,
	} },
};

/* NULL if there is none of this name. */
const struct lu_class *lu_find_class(char name)
{
	for (size_t c = 0; c < sizeof classes / sizeof *classes; c++)
		if (name == classes[c].name)
			return &classes[c];
	return NULL;
}

/* ---- Sums over the own points ------------------------------------------------- */

/* Squares of R = L(U) - L(U*). */
void lu_sum_residual(struct lu *lu, double sum[5])
{
	static double row[5][LU_MOST];

	memset(sum, 0, 5 * sizeof *sum);
	for (int k = 1; k < lu->class->n - 1; k++)
		for (int j = 0; j < lu->mj; j++) {
			const double *forcing = lu_row(lu, lu->forcing, j, k);

			lu_operator(lu, j, k, row[0], LU_MOST);
			for (int m = 0; m < 5; m++)
				for (int i = 0; i < lu->mi; i++) {
					double r = row[m][i] + forcing[m * lu->stride + i];

					sum[m] += r * r;
				}
		}
}

/* Weight of place @s in the trapezoid rule from @first to @last; 0 outside. */
static double trapezoid(int s, int first, int last)
{
	return s < first || s > last ? 0 : s == first || s == last ? 0.5 : 1;
}

/*
 * Share of a point in the surface integral, over the six faces of the box of indices
 * 1 to n-2, 1 to n-3 and 2 to n-2: unsymmetrical, as the benchmark has it.
 */
static double surface_weight(int n, int i, int j, int k)
{
	double wi = trapezoid(i, 1, n - 2);
	double wj = trapezoid(j, 1, n - 3);
	double wk = trapezoid(k, 2, n - 2);

	return (wi == 0.5) * wj * wk + (wj == 0.5) * wi * wk + (wk == 0.5) * wi * wj;
}

/* c2 (e - q) */
static double phi(const double u[5])
{
	return C2 * (u[EN] - (u[M1] * u[M1] + u[M2] * u[M2] + u[M3] * u[M3]) / (2 * u[RHO]));
}

static void add_point(const struct lu *lu, int i, int j, int k, double sum[6])
{
	const double *row = lu_row(lu, lu->u, j, k);
	double exact[5], u[5];

	lu_exact(lu, lu->i0 + i, lu->j0 + j, k, exact);
	for (int m = 0; m < 5; m++) {
		u[m] = row[m * lu->stride + i];
		sum[m] += (exact[m] - u[m]) * (exact[m] - u[m]);
	}
	sum[5] += surface_weight(lu->class->n, lu->i0 + i, lu->j0 + j, k) * lu->h * lu->h * phi(u);
}

/* Squares of U* - U, and sum[5] the surface integral of phi. */
void lu_sum_error(struct lu *lu, double sum[6])
{
	memset(sum, 0, 6 * sizeof *sum);
	for (int k = 1; k < lu->class->n - 1; k++)
		for (int j = 0; j < lu->mj; j++)
			for (int i = 0; i < lu->mi; i++)
				add_point(lu, i, j, k, sum);
}

/* ---- The verdict ----------------------------------------------------------------- */

/* Not a number is not near. */
static int is_near(double value, double reference)
{
	return fabs((value - reference) / reference) <= TOLERANCE;
}

static int is_right(const char *what, int number, double value, double reference)
{
	int near = is_near(value, reference);

	printf("%s %d  %20.13e %20.13e %10.1e%s\n", what, number, value, reference,
	       fabs((value - reference) / reference), near ? "" : "  wrong");
	return near;
}

/* Prints each value, its reference and the relative difference; returns whether all are near. */
int lu_compare(const struct lu *lu, const double value[LU_NVALUES])
{
	const double *reference = lu->class->reference;
	int good = is_near(lu->dt, lu->class->dt);

	printf("\n                           value            reference difference\n");
	for (int m = 0; m < 5; m++)
		good &= is_right("residual", 1 + m, value[m], reference[m]);
	for (int m = 5; m < 10; m++)
		good &= is_right("error   ", m - 4, value[m], reference[m]);
	good &= is_right("surface ", 1, value[10], reference[10]);
	if (!is_near(lu->dt, lu->class->dt))
		printf("The time step is %g: wrong, class %c has %g\n", lu->dt, lu->class->name,
		       lu->class->dt);
	return good;
}
