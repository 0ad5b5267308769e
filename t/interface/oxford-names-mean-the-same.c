/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of the Oxford toolset do what the names of the standard do. */
#include "../lib/spmd.h"

static int x;

static void body(void)
{
	bsp_size_t size = 4, nbytes;
	bsp_nprocs_t messages;
	int v, got = -1;

	enter();
	v = 100 + (int)bsp_pid();
	bsp_pushregister(&x, sizeof x);
	bsp_set_tag_size(&size);
	is_int(0, (long)size, "bsp_set_tag_size returns the size before");
	bsp_sync_end();
	bsp_put(right(), &v, &x, 0, sizeof v);
	bsp_send(right(), "abcd", &v, sizeof v);
	bsp_sync_end();
	is_int(100 + (int)left(), x, "bsp_pushregister registers, bsp_sync_end synchronises");
	bsp_bsmp_info(&messages, &nbytes);
	is_int(1, (long)messages, "bsp_bsmp_info counts messages");
	is_int(sizeof v, (long)nbytes, "and bytes");
	bsp_move(&got, sizeof got);
	is_int(100 + (int)left(), got, "which are there");
	bsp_popregister(&x);
	bsp_sync_end();
	(bsp_pushregister)(&x, sizeof x);
	(bsp_sync_end)();
	(bsp_popregister)(&x);
	(bsp_set_tag_size)(&size);
	(bsp_bsmp_info)(&messages, &nbytes);
	(bsp_sync_end)();
	bsp_end();
}

static void popped(void)
{
	enter();
	bsp_pushregister(&x, sizeof x);
	bsp_sync_end();
	bsp_popregister(&x);
	bsp_sync_end();
	expect_site(), bsp_put(right(), &x, &x, 0, sizeof x);
	bsp_end();
}

static void times(void)
{
	double since, first, second, total, cpu;

	enter();
	first = bsp_dtime();
	ok(first >= 0 && first <= bsp_time(), "the first bsp_dtime is since bsp_begin");
	since = bsp_time();
	while (bsp_time() - since < 0.02)
		continue;
	second = bsp_dtime();
	total = bsp_time();
	ok(second >= 0.02 && second <= total - first, "the second is since the first");
	cpu = bsp_cputime();
	while (bsp_cputime() == cpu)
		continue;
	ok(bsp_cputime() > cpu, "bsp_cputime goes on while a process computes");
	bsp_end();
}

int main(void)
{
	lives_ok(body, 0, "on several processes");
	lives_ok(body, 1, "on one process");
	dies_ok(popped, 0, "bsp_put: ", "bsp_popregister withdraws");
	lives_ok(times, 0, "bsp_dtime and bsp_cputime");
	return done_testing();
}
