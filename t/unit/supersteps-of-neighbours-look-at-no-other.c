/* SPDX-License-Identifier: BSD-3-Clause */
/* A superstep among neighbours touches nothing of other processes, however many there are. */
#include "../lib/guarded.h"

enum { STEPS = 40 };

static int v[FEW];
static int others[2];				/* a pipe on which they wait */

static void one_step(int s, int *good)
{
	int me = (int)bsp_pid(), got = -1, sent = -1, mine = 100 * s + me;

	bsp_put((me + 1) % FEW, &mine, v, 0, sizeof mine);
	bsp_get((me + 2) % FEW, v, 0, &got, sizeof got);
	bsp_send((me + 3) % FEW, NULL, &mine, sizeof mine);
	bsp_sync();
	bsp_move(&sent, sizeof sent);
	*good += v[0] == 100 * s + (me + 3) % FEW && sent == 100 * s + (me + 1) % FEW &&
		 got == (s ? 100 * (s - 1) + (me + 1) % FEW : 0);
}

static void supersteps(int *good)
{
	guard_others();
	for (int s = 0; s < STEPS; s++)
		one_step(s, good);
	none_was_touched();
}

/* In bsp_end all meet, with notes to the few: not before these are through. */
static void wait_for_the_few(void)
{
	char byte = 0;

	for (int s = 0; s < STEPS; s++)
		bsp_sync();
	if (read(others[0], &byte, 1) != 1)
		bail("read: no byte");
}

static void wake_others(void)
{
	char bytes[PROCS - FEW] = { 0 };

	if (write(others[1], bytes, sizeof bytes) != (ssize_t)sizeof bytes)
		bail("write: not all bytes");
}

static void few_of_many(void)
{
	static const int few[FEW] = { 0, 1, 2, 3 };
	int good = 0;

	enter();
	bsp_push_reg(v, sizeof v);
	bsp_set_neighbors(bsp_pid() < FEW ? FEW : 0, few);
	bsp_sync();
	if (bsp_pid() < FEW) {
		supersteps(&good);
		is_int(STEPS, good, "supersteps with the right values");
	} else {
		wait_for_the_few();
	}
	bsp_sync();
	if (bsp_pid() == 0)
		wake_others();
	bsp_end();
}

int main(void)
{
	begin_guarding();
	if (pipe(others))
		bail("no pipe");
	lives_ok(few_of_many, PROCS, "%d processes, of which %d communicate", PROCS, FEW);
	return done_testing();
}
