/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives end no superstep: between puts, gets and messages, with barriers and relaxed. */
#include "../lib/collective.h"

enum { STEPS = 40 };

static int halo[2];

/* The bsp_sync() after a collective writes the puts that came before it, not the collective. */
static void puts_wait(void)
{
	int x, sum, value = 7;

	enter();
	halo[0] = -1;
	publish(halo, sizeof halo);
	bsp_put(right(), &value, halo, 0, sizeof value);
	x = me();
	bsp_allreduce(BSP_SUM, BSP_INT, &x, &sum, 1);
	is_int(procs() * (procs() - 1) / 2, sum, "the sum");
	is_int(-1, halo[0], "the put is not there before bsp_sync");
	bsp_sync();
	is_int(7, halo[0], "the put is there after it");
	bsp_end();
}

static void one_step(int step)
{
	int x = me() + step, all, least, mine = 1000 * me() + step;
	bsp_request r = bsp_iallreduce(BSP_SUM, BSP_INT, &x, &all, 1);

	bsp_put(right(), &mine, halo, 0, sizeof mine);
	least = bsp_minI(step + me());
	bsp_hpput(left(), &mine, halo, sizeof mine, sizeof mine);
	bsp_sync();
	bsp_read(halo, 2);
	none_wrong(halo[0] != 1000 * (int)left() + step, "put", 4, step);
	none_wrong(halo[1] != 1000 * (int)right() + step, "hpput", 4, step);
	none_wrong(least != step, "bsp_minI", 4, step);
	bsp_wait(&r);
	none_wrong(all != procs() * (procs() - 1) / 2 + procs() * step, "bsp_iallreduce", 4, step);
}

static int mode;

static void alternates(void)
{
	enter();
	bsp_set_sync(mode);
	publish(halo, sizeof halo);
	for (int step = 0; step < STEPS; step++) {
		one_step(step);
		if (mode == BSP_CLASSIC)
			bsp_sync();
		else
			bsp_allgather(halo, (int[2 * 256]){ 0 }, sizeof halo);
	}
	ok(true, "%d supersteps", STEPS);
	bsp_end();
}

/* An operation may be started in one superstep and waited for in a later one, of another mode. */
static void spans_supersteps(void)
{
	static char src[100000], dst[100000];
	bsp_request r;

	enter();
	fill(src, sizeof src, 17);
	r = bsp_ibcast(procs() - 1, src, dst, sizeof src);
	bsp_sync();
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	bsp_sync();
	bsp_set_sync(BSP_CLASSIC);
	bsp_send(right(), NULL, "x", 1);
	bsp_sync();
	bsp_wait(&r);
	is_int(0, wrong(dst, sizeof dst, 17), "the broadcast");
	bsp_move(NULL, 0);
	bsp_end();
}

/*
 * A process that computes and does not communicate is waited for only by processes that need it.
 */
static void root_goes_on(void)
{
	int x = 4711, y = 0;

	enter();
	bsp_bcast(0, &x, &y, sizeof x);
	is_int(4711, y, "the broadcast");
	for (int i = 0; i < 100; i++)
		bsp_bcast(0, &i, &y, sizeof i);
	is_int(99, y, "a hundred broadcasts, whose root is far ahead");
	bsp_end();
}

int main(void)
{
	lives_ok(puts_wait, 0, "puts wait for bsp_sync");
	for (int n = 1; n <= 5; n++) {
		mode = BSP_CLASSIC;
		lives_ok(alternates, n, "%d processes, with barriers", n);
		mode = BSP_RELAXED;
		lives_ok(alternates, n, "%d processes, relaxed", n);
	}
	lives_ok(spans_supersteps, 0, "across supersteps and modes");
	lives_ok(root_goes_on, 0, "a root far ahead");
	return done_testing();
}
