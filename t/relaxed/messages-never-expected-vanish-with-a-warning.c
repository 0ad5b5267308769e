/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that no process expected vanish at the next classic sync, with a warning. */
#include "../lib/relaxed.h"

static bool classic_in_time;

static int queue_length(void)
{
	bsp_nprocs_t messages = 0;

	bsp_qsize(&messages, NULL);
	return (int)messages;
}

/* Three are sent to the right, the middle one of superstep 2; one is expected. */
static void body(void)
{
	int v = 1;

	enter_relaxed();
	bsp_sync();
	bsp_send(right(), NULL, &v, sizeof v);
	bsp_sync();
	bsp_send(right(), NULL, &v, sizeof v);
	bsp_expect(1);
	bsp_sync();
	bsp_send(right(), NULL, &v, sizeof v);
	bsp_sync();
	bsp_set_sync(BSP_CLASSIC);
	if (classic_in_time)
		bsp_expect(2);
	bsp_sync();
	is_int(0, queue_length(), "the queue is empty after the classic sync");
	bsp_send(right(), NULL, &v, sizeof v);
	bsp_sync();
	is_int(1, queue_length(), "then messages are as ever");
	bsp_set_sync(BSP_RELAXED);
	bsp_sync();
	bsp_send(right(), NULL, &v, sizeof v);
	bsp_sync();
	bsp_expect(1);
	is_int(1, queue_length(), "and those of before do not come back");
	bsp_end();
}

int main(void)
{
	setenv("BSP_SYNC", "program", 1);
	setenv("BSP_UNREAD", "warn", 1);
	lives_ok(body, 0, "two of three never expected");
	ok(!strncmp(job_err(), "bsp", 3), "there is a warning, in the manner of all messages");
	ok(reports(2), "that says how many they were");
	lives_ok(body, 1, "two of three never expected, one process");
	classic_in_time = true;
	lives_ok(body, 0, "all expected, the last ones in the superstep that ends classic");
	is_str("", job_err(), "then there is none");
	return done_testing();
}
