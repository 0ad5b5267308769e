/* SPDX-License-Identifier: BSD-3-Clause */
/* Bsp_end comes after relaxed supersteps as after classic ones, however far apart. */
#include "../lib/relaxed.h"

enum { SUPERSTEPS = 500, LARGE = 3 << 20 };

static int x;
static unsigned char large[LARGE], source[LARGE];

/* Process 0 begins when all others are about to end, and still gets what they have sent. */
static void far_behind(void)
{
	int wrong_values = 0;

	enter_eager();
	publish(&x, sizeof x);
	if (bsp_pid() == 0)
		await_flag(0, (int)bsp_nprocs() - 1);
	for (int s = 0; s < SUPERSTEPS; s++) {
		int v = s + 1;

		if (bsp_pid() == 1)
			bsp_put(0, &v, &x, 0, sizeof v);
		bsp_sync();
		if (bsp_pid() == 0) {
			bsp_read(&x, 1);
			wrong_values += x != s + 1;
		}
	}
	raise_flag(0);
	is_int(0, wrong_values, "every value");
	bsp_end();
	ok(true, "after bsp_end");
}

/* The target of a put that asks, or is large, is in bsp_end already. */
static void puts_that_none_reads(void)
{
	int v = 1;

	enter_relaxed();
	bsp_push_reg(large, LARGE);
	publish(&x, sizeof x);
	bsp_put(right(), &v, &x, 0, sizeof v);
	bsp_put(right(), source, large, 0, LARGE);
	bsp_sync();
	bsp_hpput(left(), source, large, 0, LARGE);
	bsp_send(left(), NULL, source, LARGE);
	bsp_sync();
	bsp_end();
}

/* Operations called since the last sync are dropped, as always. */
static void asked_for_in_the_last_superstep(void)
{
	int v = 1, got = 0;
	bsp_size_t size = 4;

	enter_relaxed();
	bsp_push_reg(large, LARGE);
	publish(&x, sizeof x);
	bsp_put(right(), &v, &x, 0, sizeof v);
	bsp_sync();
	bsp_read(&x, 1);
	v = 2;
	bsp_put(right(), &v, &x, 0, sizeof v);
	bsp_hpput(right(), source, large, 0, LARGE);
	bsp_send(right(), NULL, source, LARGE);
	bsp_get(left(), &x, 0, &got, sizeof got);
	bsp_push_reg(source, LARGE);
	bsp_set_tagsize(&size);
	bsp_end();
	is_int(1, x, "a put without a sync does nothing");
	is_int(0, got, "nor does a get");
}

static void at_once(void)
{
	enter_relaxed();
	bsp_end();
}

int main(void)
{
	setenv("BSP_UNREAD", "ignore", 1);
	lives_ok(far_behind, 2, "two processes, 500 supersteps apart");
	lives_ok(far_behind, 6, "six processes, 500 supersteps apart");
	under_each(puts_that_none_reads, 3, "puts and messages that no process reads");
	lives_ok(puts_that_none_reads, 1, "puts and messages that no process reads, one process");
	under_each(asked_for_in_the_last_superstep, 3, "asked for in the last superstep");
	lives_ok(at_once, 0, "without a superstep");
	return done_testing();
}
