/* SPDX-License-Identifier: BSD-3-Clause */
/* Announced gets read before the puts of their superstep, and later ones, are written. */
#include "../lib/relaxed.h"

enum { PUT = 0, SUPERSTEPS = 200 };

static int x, got, wrong_gets, wrong_puts;
static bool rendezvous;

/* The put is at process 0, which waits in its bsp_sync, before process 2 asks. */
static void put_comes_first(void)
{
	int v = 2;

	if (rendezvous)
		enter_rendezvous();
	else
		enter_eager();
	x = 1;
	publish(&x, sizeof x);
	if (bsp_pid() == 0)
		bsp_serve(&x, 1);
	if (bsp_pid() == 1)
		bsp_put(0, &v, &x, 0, sizeof v);
	if (bsp_pid() == 1 && rendezvous)
		raise_flag(PUT);
	if (bsp_pid() == 2) {
		await_flag(PUT, 1);
		bsp_get(0, &x, 0, &got, sizeof got);
	}
	bsp_sync();
	if (bsp_pid() == 1 && !rendezvous) {
		v = 3;
		bsp_put(0, &v, &x, 0, sizeof v);
		bsp_sync();
		raise_flag(PUT);
	} else {
		if (bsp_pid() == 2)
			is_int(1, got, "the value before the put");
		if (bsp_pid() == 0)
			bsp_read(&x, 1);
		if (bsp_pid() == 0)
			is_int(2, x, "then the put is written");
		bsp_sync();
	}
	if (bsp_pid() == 0 && !rendezvous) {
		bsp_read(&x, 1);
		is_int(3, x, "then that of the next superstep");
	}
	bsp_end();
}

/* Every process puts to the right one, and gets from it what was there before. */
static void again_and_again(void)
{
	enter_relaxed();
	x = -1;
	publish(&x, sizeof x);
	for (int s = 0; s < SUPERSTEPS; s++) {
		int v = s * 10 + (int)bsp_pid();

		bsp_serve(&x, 2);
		bsp_put(right(), &v, &x, 0, sizeof v);
		bsp_get(right(), &x, 0, &got, sizeof got);
		bsp_get(left(), &x, 0, &v, sizeof v);
		bsp_sync();
		wrong_gets += got != (s ? (s - 1) * 10 + (int)bsp_pid() : -1);
		wrong_gets += v != (s ? (s - 1) * 10 + (int)((bsp_pid() + 2 * bsp_nprocs() - 2) %
							     bsp_nprocs()) : -1);
		bsp_read(&x, 1);
		wrong_puts += x != s * 10 + (int)left();
	}
	is_int(0, wrong_gets, "the value before the put, in every superstep");
	is_int(0, wrong_puts, "and then the put");
	bsp_end();
}

int main(void)
{
	lives_ok(put_comes_first, 3, "a put that is here before the get");
	rendezvous = true;
	lives_ok(put_comes_first, 3, "a put that has asked before the get");
	under_each(again_and_again, 0, "puts and gets of the same area");
	lives_ok(again_and_again, 8, "puts and gets of the same area, eight processes");
	lives_ok(again_and_again, 1, "puts and gets of the same area, one process");
	return done_testing();
}
