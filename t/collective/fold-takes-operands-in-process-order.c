/* SPDX-License-Identifier: BSD-3-Clause */
/* An operator of the program need not commute: bsp_fold and bsp_scan take operands in the order of
 * the processes. */
#include "../lib/collective.h"

/* x -> a x + b modulo 2^32; one after the other is associative and does not commute. */
struct map {
	uint32_t a, b;
};

enum { MAPS = 300 };		/* of an operand of the large kind */

static bool clash;

static void compose(void *result, void *left, void *right, int *nbytes)
{
	struct map *z = result;
	const struct map *x = left, *y = right;

	for (size_t i = 0; i < (size_t)*nbytes / sizeof *z; i++) {
		clash |= z == x || z == y;
		z[i].a = y[i].a * x[i].a;
		z[i].b = y[i].a * x[i].b + y[i].b;
	}
}

static struct map map_of(int p, size_t i)
{
	return (struct map){ 2 * pattern((uint32_t)p, i) + 3, pattern((uint32_t)p + 999, i) };
}

/* The maps of processes 0 to @last, composed in this order. */
static struct map in_order(int last, size_t i)
{
	struct map all = map_of(0, i);

	for (int p = 1; p <= last; p++) {
		struct map y = map_of(p, i);

		all = (struct map){ y.a * all.a, y.a * all.b + y.b };
	}
	return all;
}

static long out_of_order(const struct map *seen, int last, size_t n)
{
	long wrong = 0;

	for (size_t i = 0; i < n; i++) {
		struct map m = in_order(last, i);

		wrong += m.a != seen[i].a || m.b != seen[i].b;
	}
	return wrong;
}

static void maps(size_t n)
{
	struct map *own = memory(n * sizeof *own), *all = memory(n * sizeof *all);
	bsp_request r;

	for (size_t i = 0; i < n; i++)
		own[i] = map_of(me(), i);
	bsp_fold(compose, own, all, n * sizeof *own);
	is_int(0, out_of_order(all, procs() - 1, n), "bsp_fold of %zu", n);
	bsp_scan(compose, own, all, n * sizeof *own);
	is_int(0, out_of_order(all, me(), n), "bsp_scan of %zu", n);
	r = bsp_ifold(compose, own, all, n * sizeof *own);
	bsp_wait(&r);
	is_int(0, out_of_order(all, procs() - 1, n), "bsp_ifold of %zu", n);
	r = bsp_iscan(compose, own, own, n * sizeof *own);
	bsp_wait(&r);
	is_int(0, out_of_order(own, me(), n), "bsp_iscan of %zu in place", n);
	free(own);
	free(all);
}

static void body(void)
{
	enter();
	maps(1);
	maps(MAPS);
	ok(!clash, "the result is neither operand");
	bsp_end();
}

/*
 * Operators of different calls, of the same size and under way at the same time, are not mixed up.
 */
static void add(void *result, void *left, void *right, int *nbytes)
{
	(void)nbytes;
	*(int *)result = *(int *)left + *(int *)right;
}

static void second(void *result, void *left, void *right, int *nbytes)
{
	(void)left;
	memcpy(result, right, (size_t)*nbytes);
}

static void two_operators(void)
{
	int x, sum = -1, last = -1;
	bsp_request a, b;

	enter();
	x = me() + 1;
	a = bsp_ifold(add, &x, &sum, sizeof x);
	b = bsp_ifold(second, &x, &last, sizeof x);
	bsp_wait(&b);
	bsp_wait(&a);
	is_int(procs() * (procs() + 1) / 2, sum, "the sum");
	is_int(procs(), last, "the last");
	bsp_end();
}

int main(void)
{
	for (int i = 0; i < 4; i++) {
		force_algorithms(i);
		for (int n = 1; n <= 9; n += job_networked() ? 4 : 1)
			lives_ok(body, n, "%d processes, algorithms %d", n, i);
		lives_ok(two_operators, 0, "two operators, algorithms %d", i);
	}
	return done_testing();
}
