/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsp_sortI and its variants: process i gets the i-th of the values of all. */
#include "../lib/spmd.h"

#include <bsp_coll.h>

#include <limits.h>
#include <math.h>

/* The same on all processes for the same @i and @round. */
static uint32_t draw(uint32_t i, uint32_t round)
{
	uint32_t x = i * 2654435761u + round * 2246822519u + 77;

	x ^= x >> 15;
	x *= 2654435761u;
	return x ^ x >> 13;
}

static double values[64];

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The element that this process must get. */
static double expected(double (*value)(uint32_t i, uint32_t round), uint32_t round)
{
	size_t n = (size_t)bsp_nprocs();

	for (size_t i = 0; i < n; i++)
		values[i] = value((uint32_t)i, round);
	qsort(values, n, sizeof *values, compare);
	return values[bsp_pid()];
}

static double an_int(uint32_t i, uint32_t round)
{
	return round == 0 ? INT_MIN + (int)i : (int)draw(i, round);
}

static double a_float(uint32_t i, uint32_t round)
{
	return (float)((int)draw(i, round) / 1e6);
}

static double a_double(uint32_t i, uint32_t round)
{
	return round == 0 && i == 0 ? HUGE_VAL : (int)draw(i, round) / 1e3;
}

static double a_char(uint32_t i, uint32_t round)
{
	return (char)(draw(i, round) % 5);
}

static void numbers(void)
{
	int bad = 0;

	enter();
	for (uint32_t round = 0; round < 20; round++) {
		uint32_t me = (uint32_t)bsp_pid();

		bad += bsp_sortI((int)an_int(me, round)) != (int)expected(an_int, round);
		bad += bsp_sortR((float)a_float(me, round)) != (float)expected(a_float, round);
		bad += bsp_sortD(a_double(me, round)) < expected(a_double, round);
		bad += bsp_sortD(a_double(me, round)) > expected(a_double, round);
		bad += bsp_sortC((char)a_char(me, round)) != (char)expected(a_char, round);
		if (round % 5 == 0)
			bsp_sync();
	}
	is_int(0, bad, "each has the value of its number");
	bsp_end();
}

static void not_numbers(void)
{
	double x;

	enter();
	x = bsp_sortD(bsp_pid() == 0 ? NAN : -(double)bsp_pid());
	if (bsp_pid() == bsp_nprocs() - 1)
		ok(isnan(x), "what is no number comes last");
	else
		ok(x <= -1, "numbers come before it");
	bsp_end();
}

struct item {
	int key, from;
	char rest[20];
};

static int by_key(void *left, void *right, int *nbytes)
{
	const struct item *a = left, *b = right;
	int less = *nbytes == sizeof *a && a->key < b->key;

	*nbytes = -1;
	return less;
}

static int always(void *left, void *right, int *nbytes)
{
	(void)left;
	(void)right;
	(void)nbytes;
	return 1;
}

static void items(void)
{
	struct item x = { 0 }, y;
	int p, me;

	enter();
	p = (int)bsp_nprocs();
	me = (int)bsp_pid();
	x = (struct item){ .key = (p - me) / 2, .from = me, .rest = "abc" };
	bsp_sort(by_key, &x, &y, sizeof x);
	is_int((me + 1) / 2, y.key, "keys are sorted");
	is_int(0, strcmp("abc", y.rest), "the rest comes with them");
	if (me + 1 < p)
		ok(y.from < p, "a value of some process");
	x.key = 5;
	bsp_sort(by_key, &x, &x, sizeof x);
	is_int(me, x.from, "equal ones keep their order, in place");
	bsp_sort(always, &x, &x, sizeof x);
	ok(x.from >= 0 && x.from < p, "a comparison that is none does no harm");
	bsp_sort(by_key, NULL, NULL, 0);
	bsp_end();
}

static void no_comparison(void)
{
	int x = 0;

	enter();
	expect_site(), bsp_sort(NULL, &x, &x, sizeof x);
	bsp_end();
}

static void no_destination(void)
{
	int x = 0;

	enter();
	expect_site(), bsp_sort(by_key, &x, NULL, sizeof x);
	bsp_end();
}

static void too_long(void)
{
	int x = 0;

	enter();
	expect_site(), bsp_sort(by_key, &x, &x, (size_t)-4);
	bsp_end();
}

static void outside(void)
{
	expect_site(), bsp_sortI(3);
}

int main(void)
{
	for (int n = 1; n <= 9; n++) {
		lives_ok(numbers, n, "numbers, %d processes", n);
		lives_ok(items, n, "items, %d processes", n);
	}
	lives_ok(not_numbers, 4, "not a number");
	dies_ok(no_comparison, 2, "bsp_sort: the comparison is NULL", "no comparison");
	dies_ok(no_destination, 2, "bsp_sort: the destination is NULL", "no destination");
	dies_ok(too_long, 2, "bsp_sort: size -4 is negative or more than an int can say",
		"negative size");
	dies_ok(outside, 2, "bsp_sortI: called before bsp_begin", "outside the SPMD part");
	return done_testing();
}
