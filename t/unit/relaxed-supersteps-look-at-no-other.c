/* SPDX-License-Identifier: BSD-3-Clause */
/* A relaxed superstep touches nothing of processes that it does not communicate with, also where it
 * has done so before, or others are ahead and their chunks wait for its superstep. */
#include "../lib/guarded.h"

#include "bsplib/core/state.h"

#include <sched.h>
#include <stdatomic.h>

enum { STEPS = 20, AHEAD = 3, BLOCK = 200, QUIET = 3 };

static int from_left, got, late[FEW];
static unsigned char blocks[FEW * BLOCK];
static atomic_int *ahead;	/* processes that are so many supersteps ahead of process 0 */

static int value_of(int step, int pid)
{
	return 100 * step + pid;
}

/* Puts and gets on a ring, and a message to the process opposite. */
static void one_step(int step, int *good)
{
	int me = (int)bsp_pid(), mine = value_of(step, me), sent = -1, v = -1;

	bsp_put((me + 1) % FEW, &mine, &from_left, 0, sizeof mine);
	bsp_get((me + 1) % FEW, &got, 0, &v, sizeof v);
	bsp_serve(&got, 1);
	bsp_send((me + 2) % FEW, NULL, &mine, sizeof mine);
	bsp_sync();
	bsp_read(&from_left, 1);
	bsp_expect(1);
	bsp_move(&sent, sizeof sent);
	*good += from_left == value_of(step, (me + FEW - 1) % FEW) && v == 7 &&
		 sent == value_of(step, (me + 2) % FEW);
}

/* Two of the others put to process 0 in supersteps that it comes to later. */
static void one_is_late(int *good)
{
	int me = (int)bsp_pid(), first = (int)bspi.step;

	if (me == 0)
		while (atomic_load(ahead) < 2)
			sched_yield();
	for (int s = 0; s < AHEAD; s++) {
		int mine = value_of(s, me);

		if (me % 2)
			bsp_put(0, &mine, late, me * (int)sizeof mine, sizeof mine);
		bsp_sync();
		if (me != 0)
			continue;
		bsp_read(late, 2);
		*good += late[1] == value_of(s, 1) && late[3] == value_of(s, 3);
	}
	if (me % 2)
		atomic_fetch_add(ahead, 1);
	if (me == 0)
		is_int(AHEAD, (int)bspi.step - first, "supersteps that were late");
}

/* The few put to all, and after some supersteps without puts look at them no more. */
static void few_to_all(void)
{
	int me = (int)bsp_pid();
	long bad = 0;

	if (me < FEW) {
		unsigned char block[BLOCK];

		fill(block, BLOCK, (uint32_t)me);
		for (int q = 0; q < PROCS; q++)
			bsp_put(q, block, blocks, me * BLOCK, BLOCK);
	}
	bsp_sync();
	bsp_read(blocks, FEW);
	for (int p = 0; p < FEW; p++)
		bad += wrong(blocks + p * BLOCK, BLOCK, (uint32_t)p);
	is_int(0, bad, "wrong bytes of the few");
	for (int s = 0; s < QUIET; s++)
		bsp_sync();
}

static void few_of_many(void)
{
	int good = 0, good_late = 0;

	got = 7;
	enter();
	bsp_push_reg(&from_left, sizeof from_left);
	bsp_push_reg(&got, sizeof got);
	bsp_push_reg(late, sizeof late);
	bsp_push_reg(blocks, sizeof blocks);
	bsp_sync();
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	few_to_all();
	if (bsp_pid() < FEW) {
		guard_others();
		for (int s = 0; s < STEPS; s++)
			one_step(s, &good);
		one_is_late(&good_late);
		none_was_touched();
		is_int(STEPS, good, "supersteps with the right values");
		is_int(bsp_pid() ? 0 : AHEAD, good_late, "and late ones");
	} else {
		for (int s = 0; s < STEPS + AHEAD; s++)
			bsp_sync();
	}
	bsp_set_sync(BSP_CLASSIC);
	bsp_sync();
	bsp_end();
}

int main(void)
{
	begin_guarding();
	ahead = mmap(NULL, sizeof *ahead, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		     -1, 0);
	if (ahead == MAP_FAILED)
		bail("no memory for a counter");
	lives_ok(few_of_many, PROCS, "%d processes, of which %d communicate", PROCS, FEW);
	return done_testing();
}
