/* SPDX-License-Identifier: BSD-3-Clause */
/* Two registrations that share some bytes work side by side, and one outlives the other. */
#include "../lib/spmd.h"

enum { SIZE = 300000, SHIFT = 100001, ROOM = SIZE + SHIFT, SHARED = SIZE - SHIFT };

static unsigned char room[ROOM], source[ROOM], copy[2][SHARED];

static void both(bool hp)
{
	unsigned char *low = room, *high = room + SHIFT;

	enter();
	bsp_push_reg(low, SIZE);
	publish(high, SIZE);
	for (uint32_t step = 0; step < 3; step++) {
		fill(source, ROOM, 10 * step + (uint32_t)bsp_pid());
		(hp ? (bsp_hpput) : (bsp_put))(right(), source, low, 0, SHIFT);
		(hp ? (bsp_hpput) : (bsp_put))(right(), source + SHIFT, high, 0, SIZE);
		bsp_sync();
		is_int(0, wrong(room, ROOM, 10 * step + (uint32_t)left()),
		       "puts through both, step %u", step);
		(hp ? (bsp_hpget) : (bsp_get))(right(), low, SHIFT, copy[0], SHARED);
		(hp ? (bsp_hpget) : (bsp_get))(right(), high, 0, copy[1], SHARED);
		bsp_sync();
		is_int(0, memcmp(copy[0], copy[1], SHARED),
		       "the shared bytes are the same through both, step %u", step);
	}
	bsp_pop_reg(low);
	bsp_sync();
	fill(source, SIZE, 1000 + (uint32_t)bsp_pid());
	(hp ? (bsp_hpput) : (bsp_put))(right(), source, high, 0, SIZE);
	bsp_sync();
	is_int(0, wrong(high, SIZE, 1000 + (uint32_t)left()), "one works without the other");
	is_int(0, wrong(room, SHIFT, 20 + (uint32_t)left()), "what was popped stays as it was");
	bsp_end();
}

static void buffered(void)
{
	both(false);
}

static void unbuffered(void)
{
	both(true);
}

int main(void)
{
	lives_ok(buffered, 2, "put and get");
	lives_ok(unbuffered, 2, "hpput and hpget");
	lives_ok(unbuffered, 3, "hpput and hpget on three processes");
	lives_ok(unbuffered, 1, "hpput and hpget on one process");
	return done_testing();
}
