/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages are there for one superstep: those not moved in it are gone. */
#include "../lib/spmd.h"

static void body(void)
{
	bsp_nprocs_t messages;
	bsp_size_t nbytes;
	int v = 1, seen = 0;

	enter();
	bsp_qsize(&messages, &nbytes);
	is_int(0, (long)(messages + nbytes), "the queue is empty at first");
	bsp_send(right(), NULL, &v, sizeof v);
	bsp_qsize(&messages, &nbytes);
	is_int(0, (long)messages, "a message is not there in the superstep it is sent in");
	bsp_send(right(), NULL, &v, sizeof v);
	bsp_sync();
	bsp_qsize(&messages, &nbytes);
	is_int(2, (long)messages, "both are there in the next");
	v = 2;
	bsp_send(right(), NULL, &v, sizeof v);
	bsp_sync();
	bsp_qsize(&messages, &nbytes);
	is_int(1, (long)messages, "only the new one in the one after");
	bsp_move(&seen, sizeof seen);
	is_int(2, seen, "and it is the new one");
	bsp_sync();
	bsp_qsize(&messages, &nbytes);
	is_int(0, (long)(messages + nbytes), "then none");
	bsp_end();
}

/* Nothing is sent and nothing read, in many supersteps. */
static void large_unread(void)
{
	enum { SIZE = 1 << 20 };
	char *data = calloc(1, SIZE);
	bsp_nprocs_t messages;
	int right_counts = 0;

	enter();
	for (int i = 0; i < 50; i++) {
		bsp_send(right(), NULL, data, SIZE);
		bsp_sync();
		bsp_qsize(&messages, NULL);
		right_counts += messages == 1;
	}
	is_int(50, right_counts, "one message of 1 MiB each time");
	bsp_end();
	free(data);
}

int main(void)
{
	lives_ok(body, 0, "a few messages");
	lives_ok(body, 1, "a few messages on one process");
	lives_ok(large_unread, 0, "large messages never read");
	return done_testing();
}
