/* SPDX-License-Identifier: BSD-3-Clause */
/* An area does not change while its owner computes, whatever others have put there. */
#include "../lib/relaxed.h"

enum { PUT = 0, LOOKS = 1000, LARGE = 1 << 20 };

static int x, y;
static unsigned char large[LARGE] __attribute__((aligned(4096)));
static unsigned char source[LARGE] __attribute__((aligned(4096)));
static bool rendezvous;

static void enter_either(void)
{
	if (rendezvous)
		enter_rendezvous();
	else
		enter_eager();
}

/* Process 1 puts 1000 + s in superstep s, and is one ahead at most if its puts ask first. */
static void putter(int supersteps)
{
	for (int s = 1; s <= supersteps; s++) {
		int v = 1000 + s;

		bsp_put(0, &v, &x, 0, sizeof v);
		if (rendezvous)
			raise_flag(PUT);
		bsp_sync();
		if (!rendezvous)
			raise_flag(PUT);
	}
}

/* Process 0 looks at x while puts of its own superstep, and of later ones if @ahead, come in. */
static void looker(int supersteps, bool ahead)
{
	int early = 0, counted = 0, wrong_values = 0;

	for (int s = 1; s <= supersteps; s++) {
		await_flag(PUT, ahead ? supersteps : s);
		for (int i = 0; i < LOOKS; i++) {
			counted += bsp_read_test(&x, 1);
			early += x != (s > 1 ? 1000 + s - 1 : 0);
			if (rendezvous)
				sched_yield();
		}
		bsp_sync();
		bsp_read(&x, 1);
		wrong_values += x != 1000 + s;
	}
	is_int(0, early, "x stays as it is during a superstep");
	is_int(0, counted, "and nothing is counted");
	is_int(0, wrong_values, "after it, x has its value");
}

static void same_superstep(void)
{
	enter_either();
	publish(&x, sizeof x);
	if (bsp_pid() == 0)
		looker(10, false);
	else
		putter(10);
	bsp_end();
}

static void far_ahead(void)
{
	enter_either();
	publish(&x, sizeof x);
	if (bsp_pid() == 0)
		looker(50, true);
	else
		putter(50);
	bsp_end();
}

/* In a read of y, which waits and takes in what comes, x must not change either. */
static void while_reading_another(void)
{
	int v = 5;

	enter_eager();
	bsp_push_reg(&x, sizeof x);
	publish(&y, sizeof y);
	if (bsp_pid() == 1) {
		bsp_sync();
		bsp_put(0, &v, &x, 0, sizeof v);
		bsp_sync();
		raise_flag(PUT);
	} else if (bsp_pid() == 2) {
		await_flag(PUT, 1);
		bsp_put(0, &v, &y, 0, sizeof v);
		bsp_sync();
		bsp_sync();
	} else {
		bsp_sync();
		bsp_read(&y, 1);
		is_int(5, y, "y has come");
		is_int(0, x, "x has not, though its put was made before that of y");
		bsp_sync();
		bsp_read(&x, 1);
		is_int(5, x, "x comes a superstep later");
	}
	bsp_end();
}

/* Unbuffered puts of large areas, that may take shorter ways: process 1 is a superstep ahead. */
static void large_unbuffered(void)
{
	int early = 0;

	enter_either();
	bsp_set_sync(BSP_CLASSIC);
	publish(large, LARGE);
	fill(source, LARGE, 1);
	for (int i = 0; i < 4; i++)
		bsp_hpput(right(), source, large, 0, LARGE), bsp_sync();
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	if (bsp_pid() == 0)
		await_flag(PUT, 1);
	for (int i = 0; i < 20 && bsp_pid() == 0; i++) {
		(void)bsp_read_test(large, 1);
		early += wrong(large, LARGE, 1) != 0;
	}
	bsp_sync();
	if (bsp_pid() == 1) {
		fill(source, LARGE, 2);
		bsp_hpput(0, source, large, 0, LARGE);
		raise_flag(PUT);
	}
	is_int(0, early, "the area stays as it is");
	bsp_sync();
	fill(source, LARGE, 3);
	if (bsp_pid() == 0) {
		bsp_read(large, 1);
		is_int(0, wrong(large, LARGE, 2), "then it has what the source held");
	}
	bsp_end();
}

static void all(void)
{
	lives_ok(same_superstep, 2, "puts of the superstep the owner is in%s",
		 rendezvous ? ", asking first" : "");
	lives_ok(large_unbuffered, 2, "a large unbuffered put of the next superstep%s",
		 rendezvous ? ", asking first" : "");
}

int main(void)
{
	all();
	lives_ok(far_ahead, 2, "puts of 50 supersteps ahead");
	lives_ok(while_reading_another, 3, "while waiting for another area");
	rendezvous = true;
	all();
	return done_testing();
}
