// SPDX-License-Identifier: BSD-3-Clause
/* level1_api.c - Oxford's short forms: one number of each process, folded or sorted. */

#include "bsplib/collective/coll.h"

#include "bsplib/core/state.h"

/* @n numbers at @x of each process, folded in their place. */
static void level1_fold(const char *call, const char *site, enum goal_kind kind, int op, int type,
			void *x, size_t n)
{
	struct bspi_coll c = {
		.call = call, .site = site, .kind = kind, .typed = true, .op = op, .type = type,
		.src = x, .dst = x, .count = n,
	};

	bspi_enter();
	bspi_coll_do(&c);
	bspi_leave();
}

/* ---- Truth --------------------------------------------------------------------------- */

int bsp_all_at(const char *site, int x)
{
	x = x != 0;
	level1_fold("bsp_all", site, GOAL_ALLREDUCE, BSP_AND, BSP_INT, &x, 1);
	return x;
}

int (bsp_all)(int x)
{
	return bsp_all_at(NULL, x);
}

int bsp_any_at(const char *site, int x)
{
	x = x != 0;
	level1_fold("bsp_any", site, GOAL_ALLREDUCE, BSP_OR, BSP_INT, &x, 1);
	return x;
}

int (bsp_any)(int x)
{
	return bsp_any_at(NULL, x);
}

/* ~x is the greater the less x is, so the greatest of both tell greatest and least. */
int bsp_constantI_at(const char *site, int x)
{
	int most[2] = { x, ~x };

	level1_fold("bsp_constantI", site, GOAL_ALLREDUCE, BSP_MAX, BSP_INT, most, 2);
	return most[0] == ~most[1];
}

int (bsp_constantI)(int x)
{
	return bsp_constantI_at(NULL, x);
}

/* ---- int ------------------------------------------------------------------------------- */

int bsp_numberI_at(const char *site, const char *call, int op, int x)
{
	level1_fold(call, site, GOAL_ALLREDUCE, op, BSP_INT, &x, 1);
	return x;
}

int (bsp_sumI)(int x)
{
	return bsp_numberI_at(NULL, "bsp_sumI", BSP_SUM, x);
}

int (bsp_productI)(int x)
{
	return bsp_numberI_at(NULL, "bsp_productI", BSP_PROD, x);
}

int (bsp_maxI)(int x)
{
	return bsp_numberI_at(NULL, "bsp_maxI", BSP_MAX, x);
}

int (bsp_minI)(int x)
{
	return bsp_numberI_at(NULL, "bsp_minI", BSP_MIN, x);
}

int bsp_numberI_prefix_at(const char *site, const char *call, int op, int x)
{
	level1_fold(call, site, GOAL_SCAN, op, BSP_INT, &x, 1);
	return x;
}

int (bsp_sumI_prefix)(int x)
{
	return bsp_numberI_prefix_at(NULL, "bsp_sumI_prefix", BSP_SUM, x);
}

int (bsp_productI_prefix)(int x)
{
	return bsp_numberI_prefix_at(NULL, "bsp_productI_prefix", BSP_PROD, x);
}

int (bsp_maxI_prefix)(int x)
{
	return bsp_numberI_prefix_at(NULL, "bsp_maxI_prefix", BSP_MAX, x);
}

int (bsp_minI_prefix)(int x)
{
	return bsp_numberI_prefix_at(NULL, "bsp_minI_prefix", BSP_MIN, x);
}

/* ---- float ----------------------------------------------------------------------------- */

float bsp_numberR_at(const char *site, const char *call, int op, float x)
{
	level1_fold(call, site, GOAL_ALLREDUCE, op, BSP_FLOAT, &x, 1);
	return x;
}

float (bsp_sumR)(float x)
{
	return bsp_numberR_at(NULL, "bsp_sumR", BSP_SUM, x);
}

float (bsp_productR)(float x)
{
	return bsp_numberR_at(NULL, "bsp_productR", BSP_PROD, x);
}

float (bsp_maxR)(float x)
{
	return bsp_numberR_at(NULL, "bsp_maxR", BSP_MAX, x);
}

float (bsp_minR)(float x)
{
	return bsp_numberR_at(NULL, "bsp_minR", BSP_MIN, x);
}

float bsp_numberR_prefix_at(const char *site, const char *call, int op, float x)
{
	level1_fold(call, site, GOAL_SCAN, op, BSP_FLOAT, &x, 1);
	return x;
}

float (bsp_sumR_prefix)(float x)
{
	return bsp_numberR_prefix_at(NULL, "bsp_sumR_prefix", BSP_SUM, x);
}

float (bsp_productR_prefix)(float x)
{
	return bsp_numberR_prefix_at(NULL, "bsp_productR_prefix", BSP_PROD, x);
}

float (bsp_maxR_prefix)(float x)
{
	return bsp_numberR_prefix_at(NULL, "bsp_maxR_prefix", BSP_MAX, x);
}

float (bsp_minR_prefix)(float x)
{
	return bsp_numberR_prefix_at(NULL, "bsp_minR_prefix", BSP_MIN, x);
}

/* ---- double ---------------------------------------------------------------------------- */

double bsp_numberD_at(const char *site, const char *call, int op, double x)
{
	level1_fold(call, site, GOAL_ALLREDUCE, op, BSP_DOUBLE, &x, 1);
	return x;
}

double (bsp_sumD)(double x)
{
	return bsp_numberD_at(NULL, "bsp_sumD", BSP_SUM, x);
}

double (bsp_productD)(double x)
{
	return bsp_numberD_at(NULL, "bsp_productD", BSP_PROD, x);
}

double (bsp_maxD)(double x)
{
	return bsp_numberD_at(NULL, "bsp_maxD", BSP_MAX, x);
}

double (bsp_minD)(double x)
{
	return bsp_numberD_at(NULL, "bsp_minD", BSP_MIN, x);
}

double bsp_numberD_prefix_at(const char *site, const char *call, int op, double x)
{
	level1_fold(call, site, GOAL_SCAN, op, BSP_DOUBLE, &x, 1);
	return x;
}

double (bsp_sumD_prefix)(double x)
{
	return bsp_numberD_prefix_at(NULL, "bsp_sumD_prefix", BSP_SUM, x);
}

double (bsp_productD_prefix)(double x)
{
	return bsp_numberD_prefix_at(NULL, "bsp_productD_prefix", BSP_PROD, x);
}

double (bsp_maxD_prefix)(double x)
{
	return bsp_numberD_prefix_at(NULL, "bsp_maxD_prefix", BSP_MAX, x);
}

double (bsp_minD_prefix)(double x)
{
	return bsp_numberD_prefix_at(NULL, "bsp_minD_prefix", BSP_MIN, x);
}

/* ---- Sorted ----------------------------------------------------------------------------- */

void bsp_sort_at(const char *site, bspi_less_fn *less, const void *src, void *dst,
		 size_t nbytes)
{
	bspi_coll_sort("bsp_sort", site, less, src, dst, nbytes);
}

void (bsp_sort)(bspi_less_fn *less, const void *src, void *dst, size_t nbytes)
{
	bsp_sort_at(NULL, less, src, dst, nbytes);
}

static int is_less_int(void *left, void *right, int *nbytes)
{
	(void)nbytes;
	return *(int *)left < *(int *)right;
}

/* NaN comes last. */
static int is_less_float(void *left, void *right, int *nbytes)
{
	float a = *(float *)left, b = *(float *)right;

	(void)nbytes;
	return a < b || (a == a && b != b);
}

static int is_less_double(void *left, void *right, int *nbytes)
{
	double a = *(double *)left, b = *(double *)right;

	(void)nbytes;
	return a < b || (a == a && b != b);
}

static int is_less_char(void *left, void *right, int *nbytes)
{
	(void)nbytes;
	return *(char *)left < *(char *)right;
}

int bsp_sortI_at(const char *site, int x)
{
	bspi_coll_sort("bsp_sortI", site, is_less_int, &x, &x, sizeof(x));
	return x;
}

int (bsp_sortI)(int x)
{
	return bsp_sortI_at(NULL, x);
}

float bsp_sortR_at(const char *site, float x)
{
	bspi_coll_sort("bsp_sortR", site, is_less_float, &x, &x, sizeof(x));
	return x;
}

float (bsp_sortR)(float x)
{
	return bsp_sortR_at(NULL, x);
}

double bsp_sortD_at(const char *site, double x)
{
	bspi_coll_sort("bsp_sortD", site, is_less_double, &x, &x, sizeof(x));
	return x;
}

double (bsp_sortD)(double x)
{
	return bsp_sortD_at(NULL, x);
}

char bsp_sortC_at(const char *site, char x)
{
	bspi_coll_sort("bsp_sortC", site, is_less_char, &x, &x, sizeof(x));
	return x;
}

char (bsp_sortC)(char x)
{
	return bsp_sortC_at(NULL, x);
}
