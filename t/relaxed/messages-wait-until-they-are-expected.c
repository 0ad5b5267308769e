/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of relaxed supersteps wait for bsp_expect, which takes the oldest first. */
#include "../lib/relaxed.h"

static int area;

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
	bsp_size_t length = 0;

	enter_relaxed();
	bsp_sync();
	send(1);
	bsp_sync();
	is_int(0, queue_length(), "not in the queue by itself");
	bsp_get_tag(&length, NULL);
	ok(length == bsp_size_unavailable, "bsp_get_tag says so");
	send(2);
	bsp_sync();
	is_int(0, queue_length(), "nor a superstep later");
	send(3);
	bsp_expect(1);
	is_int(1, queue_length(), "one is expected, one is there");
	is_int(1, take(), "the oldest one");
	bsp_sync();
	bsp_expect(2);
	is_int(2, queue_length(), "then two");
	is_int(5, take() + take(), "the ones left");
	is_int(0, queue_length(), "that is all");
	bsp_expect(0);
	is_int(0, queue_length(), "expecting none is nothing");
	bsp_end();
}

/* A message of this superstep is not expected in it, though it is here already. */
static void not_of_this_superstep(void)
{
	int v = 4;

	enter_eager();
	bsp_sync();
	if (bsp_pid() == 1) {
		bsp_sync();
		bsp_send(0, NULL, &v, sizeof v);
		bsp_sync();
		raise_flag(0);
	} else if (bsp_pid() == 2) {
		v = 3;
		await_flag(0, 1);
		bsp_send(0, NULL, &v, sizeof v);
		bsp_sync();
		bsp_sync();
	} else {
		bsp_sync();
		bsp_expect(1);
		is_int(3, take(), "that of the superstep before, which came second");
		bsp_sync();
		bsp_expect(1);
		is_int(4, take(), "that of the next superstep, which came first");
	}
	bsp_end();
}

/* Process 1 sends in superstep 2; that is at process 0 when process 2 sends in superstep 1. */
static void oldest_of_several_senders(void)
{
	int v = 20;

	enter_eager();
	publish(&area, sizeof area);
	if (bsp_pid() == 2) {
		v = 10;
		await_flag(1, 1);
		bsp_send(0, NULL, &v, sizeof v);
	}
	bsp_sync();
	if (bsp_pid() == 1)
		bsp_send(0, NULL, &v, sizeof v);
	bsp_sync();
	if (bsp_pid() == 1)
		raise_flag(0);
	if (bsp_pid() == 0) {
		await_flag(0, 1);
		for (int i = 0; i < 1000; i++)
			(void)bsp_read_test(&area, 0);
		raise_flag(1);
	}
	bsp_push_reg(&v, sizeof v);	/* a barrier: both are here */
	bsp_sync();
	if (bsp_pid() == 0) {
		bsp_expect(1);
		is_int(10, take(), "the one sent first, though it came last");
	}
	bsp_sync();
	if (bsp_pid() == 0) {
		bsp_expect(1);
		is_int(20, take(), "then the other");
	}
	bsp_end();
}

int main(void)
{
	under_each(body, 0, "several processes");
	lives_ok(body, 1, "one process");
	lives_ok(oldest_of_several_senders, 3, "the oldest of two senders");
	lives_ok(not_of_this_superstep, 3, "a message that is early");
	return done_testing();
}
