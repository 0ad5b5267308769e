/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of a classic superstep are in the queue of the next one, relaxed or not. */
#include "../lib/relaxed.h"

static int queue_length(void)
{
	bsp_nprocs_t messages = 0;

	bsp_qsize(&messages, NULL);
	return (int)messages;
}

static int take(void)
{
	int v = -1;

	bsp_move(&v, sizeof v);
	return v;
}

static void send(int v)
{
	bsp_send(right(), NULL, &v, sizeof v);
}

static void body(void)
{
	enter();
	send(1);
	bsp_sync();
	is_int(1, queue_length(), "sent classic");
	is_int(1, take(), "its value");
	send(2);
	bsp_sync();
	is_int(1, queue_length(), "sent classic, read in a superstep that turns relaxed");
	bsp_set_sync(BSP_RELAXED);
	send(3);
	is_int(2, take(), "its value");
	bsp_sync();
	is_int(0, queue_length(), "sent in the superstep that turned relaxed");
	bsp_expect(1);
	is_int(3, take(), "after bsp_expect");
	send(4);
	bsp_sync();
	bsp_set_sync(BSP_CLASSIC);
	send(5);
	is_int(0, queue_length(), "sent relaxed");
	bsp_expect(1);
	is_int(4, take(), "after bsp_expect, in the superstep that turns classic");
	bsp_sync();
	is_int(1, queue_length(), "sent in the superstep that turned classic");
	is_int(5, take(), "its value");
	bsp_sync();
	is_int(0, queue_length(), "nothing is left");
	bsp_end();
}

int main(void)
{
	setenv("BSP_SYNC", "program", 1);
	lives_ok(body, 0, "several processes");
	is_str("", job_err(), "there is no warning");
	lives_ok(body, 1, "one process");
	under("BSP_EAGER", "0", body, 0, "several processes");
	return done_testing();
}
