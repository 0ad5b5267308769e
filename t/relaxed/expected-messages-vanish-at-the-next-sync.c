/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that were expected and not moved vanish with bsp_sync, quietly. */
#include "../lib/relaxed.h"

enum { MESSAGES = 5, SUPERSTEPS = 40, LENGTH = 2000 };

static int queue_length(void)
{
	bsp_nprocs_t messages = 0;

	bsp_qsize(&messages, NULL);
	return (int)messages;
}

static void send_all(int s)
{
	unsigned char data[LENGTH];

	fill(data, LENGTH, (uint32_t)s);
	for (int i = 0; i < MESSAGES; i++)
		bsp_send(right(), NULL, data, LENGTH);
}

static void body(void)
{
	int wrong_counts = 0, spoilt = 0;
	void *tag, *shown[2];

	enter_relaxed();
	bsp_sync();
	for (int s = 0; s < SUPERSTEPS; s++) {
		send_all(s);
		bsp_sync();
		wrong_counts += queue_length() != 0;
		bsp_expect(MESSAGES);
		bsp_hpmove(&tag, &shown[0]);
		bsp_hpmove(&tag, &shown[1]);
		bsp_move(NULL, 0);
		wrong_counts += queue_length() != MESSAGES - 3;
		spoilt += wrong(shown[0], LENGTH, (uint32_t)s) != 0;
		spoilt += wrong(shown[1], LENGTH, (uint32_t)s) != 0;
	}
	bsp_sync();
	is_int(0, wrong_counts, "what was not moved is gone a superstep later");
	is_int(0, spoilt, "what hpmove shows stays for the superstep");
	bsp_set_sync(BSP_CLASSIC);
	bsp_sync();
	is_int(0, queue_length(), "none is left");
	bsp_end();
}

int main(void)
{
	under_each(body, 0, "several processes");
	lives_ok(body, 1, "one process");
	is_str("", job_err(), "there is no warning of that");
	return done_testing();
}
