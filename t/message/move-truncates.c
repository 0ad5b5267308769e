/* SPDX-License-Identifier: BSD-3-Clause */
/* Move copies as much as there is room for and drops the rest; 0 just removes. */
#include "../lib/spmd.h"

static char place[20];

static void body(void)
{
	bsp_nprocs_t messages;

	enter();
	for (int i = 0; i < 4; i++)
		bsp_send(right(), NULL, "0123456789", 10);
	bsp_sync();
	memset(place, '#', sizeof place);
	bsp_move(place, 4);
	is_blob("0123######", place, 10, "4 bytes of 10");
	memset(place, '#', sizeof place);
	bsp_move(place, 20);
	is_blob("0123456789##########", place, 20, "10 bytes where there is room for 20");
	bsp_move(NULL, 0);
	bsp_qsize(&messages, NULL);
	is_int(1, (long)messages, "moved with room for 0, to NULL");
	memset(place, '#', sizeof place);
	bsp_move(place, 0);
	is_int('#', place[0], "room for 0 touches nothing");
	bsp_qsize(&messages, NULL);
	is_int(0, (long)messages, "none is left");
	bsp_end();
}

static void beyond_the_last(void)
{
	enter();
	bsp_send(right(), NULL, "x", 1);
	bsp_sync();
	bsp_move(place, 1);
	expect_superstep(1);
	expect_site(), bsp_move(place, 1);
	bsp_end();
}

static void drop_from_empty(void)
{
	enter();
	expect_site(), bsp_move(NULL, 0);
	bsp_end();
}

int main(void)
{
	lives_ok(body, 0, "room for less, more, nothing");
	lives_ok(body, 1, "room for less, more, nothing, on one process");
	dies_ok(beyond_the_last, 0, "bsp_move: ", "move from a queue emptied");
	dies_ok(drop_from_empty, 0, "bsp_move: ", "move of 0 bytes from an empty queue");
	return done_testing();
}
