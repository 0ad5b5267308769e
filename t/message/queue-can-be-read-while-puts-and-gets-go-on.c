/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading messages, sending new ones, puts and gets share a superstep without harm. */
#include "../lib/spmd.h"

enum { SIZE = 100000, ROUNDS = 10, MESSAGES = 20 };

static unsigned char area[SIZE], source[SIZE], copy[SIZE], data[SIZE];

static uint32_t seed(int kind, int round, bsp_pid_t pid)
{
	return (uint32_t)(1000 * kind + round) + 10000 * (uint32_t)pid;
}

static size_t length_of(int i)
{
	return (size_t)(i * i * 200);
}

/* Ask for everything between reading one message and the next. */
static int one_round(int round)
{
	int good = 0;
	bsp_nprocs_t messages;

	fill(source, SIZE, seed(1, round, bsp_pid()));
	bsp_qsize(&messages, NULL);
	for (int i = 0; i < MESSAGES; i++) {
		void *tag, *payload;
		bsp_size_t length = bsp_hpmove(&tag, &payload);

		fill(data, length_of(i), seed(2, round, bsp_pid()) + (uint32_t)i);
		bsp_send(right(), &i, data, (bsp_size_t)length_of(i));
		bsp_put(right(), source + i * (SIZE / MESSAGES), area,
			i * (SIZE / MESSAGES), SIZE / MESSAGES);
		bsp_get(left(), area, i * (SIZE / MESSAGES),
			copy + i * (SIZE / MESSAGES), SIZE / MESSAGES);
		good += round == 0 ||
			((size_t)length == length_of(*(int *)tag) &&
			 !wrong(payload, (size_t)length,
				seed(2, round - 1, left()) + (uint32_t)*(int *)tag));
	}
	good += messages == (round ? MESSAGES : 0);
	bsp_sync();
	good += !wrong(area, SIZE, seed(1, round, left()));
	good += round == 0 || !wrong(copy, SIZE, seed(1, round - 1, (bsp_pid_t)
		((bsp_pid() + 2 * bsp_nprocs() - 2) % bsp_nprocs())));
	return good;
}

static void body(void)
{
	bsp_size_t size = sizeof(int);
	int good = 0;

	enter();
	bsp_set_tagsize(&size);
	publish(area, SIZE);
	for (int round = 0; round < ROUNDS; round++)
		good += one_round(round);
	is_int(ROUNDS * (MESSAGES + 3), good, "messages, puts and gets are all as they must be");
	bsp_end();
}

int main(void)
{
	lives_ok(body, 0, "on several processes");
	lives_ok(body, 2, "on two processes");
	lives_ok(body, 1, "on one process");
	return done_testing();
}
