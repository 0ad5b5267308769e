/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsp_sumI and its variants return what their names say, of all and of processes up to this one. */
#include "../lib/collective.h"

static const struct {
	const char *name;
	int op;
	int (*i)(int), (*i_prefix)(int);
	float (*r)(float), (*r_prefix)(float);
	double (*d)(double), (*d_prefix)(double);
} forms[] = {
	{ "sum", BSP_SUM, bsp_sumI, bsp_sumI_prefix, bsp_sumR, bsp_sumR_prefix, bsp_sumD,
	  bsp_sumD_prefix },
	{ "product", BSP_PROD, bsp_productI, bsp_productI_prefix, bsp_productR, bsp_productR_prefix,
	  bsp_productD, bsp_productD_prefix },
	{ "max", BSP_MAX, bsp_maxI, bsp_maxI_prefix, bsp_maxR, bsp_maxR_prefix, bsp_maxD,
	  bsp_maxD_prefix },
	{ "min", BSP_MIN, bsp_minI, bsp_minI_prefix, bsp_minR, bsp_minR_prefix, bsp_minD,
	  bsp_minD_prefix },
};

static double number_of(int p)
{
	return 2 + p % 3;
}

/* The fold over processes 0 to @last. */
static double fold_of(int op, int last)
{
	double all = number_of(0);

	for (int p = 1; p <= last; p++)
		all = fold_floats(op, all, number_of(p));
	return all;
}

static void folds(void)
{
	double x = number_of(me());

	for (int k = 0; k < 4; k++) {
		double all = fold_of(forms[k].op, procs() - 1), some = fold_of(forms[k].op, me());
		const char *name = forms[k].name;

		is_near(all, forms[k].i((int)x), 0, "bsp_%sI", name);
		is_near(all, (double)forms[k].r((float)x), 0, "bsp_%sR", name);
		is_near(all, forms[k].d(x), 0, "bsp_%sD", name);
		is_near(some, forms[k].i_prefix((int)x), 0, "bsp_%sI_prefix", name);
		is_near(some, (double)forms[k].r_prefix((float)x), 0, "bsp_%sR_prefix", name);
		is_near(some, forms[k].d_prefix(x), 0, "bsp_%sD_prefix", name);
	}
}

static void truth(void)
{
	int last = procs() - 1;

	is_int(1, bsp_all(7), "true on all, as any number but 0 is");
	is_int(0, bsp_all(me() != last), "false on one");
	is_int(1, bsp_any(me() == last ? 256 : 0), "true on one");
	is_int(0, bsp_any(0), "true on none");
	is_int(1, bsp_constantI(-5), "the same on all");
	is_int(last == 0, bsp_constantI(me() == last ? 5 : -5), "another on one");
	is_int(last == 0, bsp_constantI(me() == last ? -2147483647 - 1 : 2147483647),
	       "the extremes");
}

static void body(void)
{
	enter();
	folds();
	truth();
	bsp_end();
}

int main(void)
{
	for (int n = 1; n <= 7; n += job_networked() ? 3 : 1)
		lives_ok(body, n, "%d processes", n);
	return done_testing();
}
