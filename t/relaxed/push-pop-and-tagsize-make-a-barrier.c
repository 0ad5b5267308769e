/* SPDX-License-Identifier: BSD-3-Clause */
/* A relaxed superstep with a push, pop or tag size ends with a barrier, its puts count. */
#include "../lib/relaxed.h"

static int x, y, z;

/* Every process has come, and the put to x is here, and counted. */
static void check(int s, int v, const char *what)
{
	is_int(1, raised(s) >= (int)bsp_nprocs(), "%s: every process has come", what);
	is_int(1, bsp_read_test(&x, 1), "%s: the put has arrived", what);
	is_int(0, bsp_read_test(&x, 2), "%s: and counts once", what);
	bsp_read(&x, 1);
	is_int(v, x, "%s: its value", what);
}

static void put_and_sync(int s)
{
	if (bsp_pid() == 0)
		for (volatile int i = 0; i < 1000000; i++)
			continue;
	bsp_put(right(), &s, &x, 0, sizeof s);
	raise_flag(s);
	bsp_sync();
}

static void body(void)
{
	bsp_size_t size = 4;
	int v = 9;

	enter_relaxed();
	publish(&x, sizeof x);
	bsp_push_reg(&y, sizeof y);
	put_and_sync(1);
	check(1, 1, "push");
	bsp_push_reg(&z, sizeof z);
	bsp_put(left(), &v, &y, 0, sizeof v);
	bsp_set_tagsize(&size);
	put_and_sync(2);
	check(2, 2, "push and tag size");
	bsp_read(&y, 1);
	is_int(9, y, "a put to an area pushed in the superstep before");
	bsp_pop_reg(&y);
	put_and_sync(3);
	check(3, 3, "pop");
	bsp_set_tagsize(&size);
	is_int(4, (long)size, "the size set before");
	put_and_sync(4);
	check(4, 4, "tag size");
	size = 0;
	bsp_set_tagsize(&size);
	put_and_sync(5);
	check(5, 5, "the tag size that is on");
	size = 4;
	bsp_set_tagsize(&size);
	bsp_set_tagsize(&size);
	put_and_sync(6);
	check(6, 6, "another tag size, and back");
	bsp_put(right(), &v, &z, 0, sizeof v);
	bsp_sync();
	bsp_read(&z, 1);
	is_int(9, z, "what was pushed together with a tag size");
	bsp_end();
}

/* In the superstep of the pop an area may still be used, and read. */
static void last_use(void)
{
	int v = 21;

	enter_relaxed();
	publish(&x, sizeof x);
	bsp_put(right(), &v, &x, 0, sizeof v);
	bsp_sync();
	bsp_pop_reg(&x);
	bsp_read(&x, 1);
	is_int(21, x, "read in the superstep of the pop");
	v = 22;
	bsp_put(right(), &v, &x, 0, sizeof v);
	bsp_sync();
	is_int(22, x, "put in the superstep of the pop");
	bsp_end();
}

/* The same address once more is another region, that has no puts yet. */
static void pushed_again(void)
{
	int v = 1;

	enter_relaxed();
	publish(&x, sizeof x);
	bsp_put(right(), &v, &x, 0, sizeof v);
	bsp_pop_reg(&x);
	bsp_push_reg(&x, sizeof x);
	bsp_sync();
	is_int(0, bsp_read_test(&x, 1), "no put to the new registration yet");
	v = 2;
	bsp_put(right(), &v, &x, 0, sizeof v);
	bsp_sync();
	bsp_read(&x, 1);
	is_int(2, x, "one put to it");
	bsp_end();
}

/* A mode that is on already is no change, and makes no barrier. */
static void same_mode_again(void)
{
	enter_eager();
	publish(&x, sizeof x);
	if (bsp_pid() == 0)
		await_flag(0, (int)bsp_nprocs() - 1);
	for (int s = 0; s < 20; s++) {
		bsp_set_sync(BSP_RELAXED);
		bsp_sync();
	}
	raise_flag(0);
	ok(true, "process 0 came when all others had gone");
	bsp_end();
}

int main(void)
{
	setenv("BSP_SYNC", "program", 1);
	lives_ok(body, 0, "each of them");
	lives_ok(body, 1, "each of them on one process");
	under("BSP_EAGER", "0", body, 0, "each of them");
	under("BSP_BARRIER", "counting", body, 0, "each of them");
	under("BSP_BARRIER", "dissemination", body, 0, "each of them");
	lives_ok(last_use, 0, "puts and reads in the superstep of the pop");
	under("BSP_EAGER", "0", last_use, 0, "puts and reads in the superstep of the pop");
	lives_ok(pushed_again, 0, "a new registration counts from zero");
	lives_ok(same_mode_again, 3, "setting the mode that is on");
	return done_testing();
}
