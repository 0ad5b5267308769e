/* SPDX-License-Identifier: BSD-3-Clause */
/* 405 - puts that overlap leave the bytes of some order of the puts, never a mixture. */
#include "spmd.h"

enum { SIZE = 400000, PUTS = 4 };

static const int from[PUTS] = { 0, 50001, 100002, 30000 };
static const int length[PUTS] = { 200000, 300001, 100000, 65536 };

/* Would this be in the area if the puts were made in this order? */
static bool made_in_order(const unsigned char *area, const int *order)
{
	static unsigned char model[SIZE];

	memset(model, 0, SIZE);
	for (int k = 0; k < PUTS; k++)
		fill(model + from[order[k]], (size_t)length[order[k]], (uint32_t)order[k]);
	return memcmp(model, area, SIZE) == 0;
}

static bool made_in_some_order(const unsigned char *area)
{
	for (int n = 0; n < PUTS * PUTS * PUTS * PUTS; n++) {
		int order[PUTS] = { n % 4, n / 4 % 4, n / 16 % 4, n / 64 };
		int seen = 0;

		for (int k = 0; k < PUTS; k++)
			seen |= 1 << order[k];
		if (seen == (1 << PUTS) - 1 && made_in_order(area, order))
			return true;
	}
	return false;
}

static void body(void)
{
	static unsigned char area[SIZE], source[SIZE];
	int unmixed = 0;

	enter();
	publish(area, SIZE);
	for (int round = 0; round < 5; round++) {
		memset(area, 0, SIZE);
		bsp_sync();
		for (int k = (int)bsp_pid(); k < PUTS; k += (int)bsp_nprocs()) {
			fill(source, (size_t)length[k], (uint32_t)k);
			bsp_put(0, source, area, from[k], length[k]);
		}
		bsp_sync();
		unmixed += bsp_pid() != 0 || made_in_some_order(area);
	}
	is_int(5, unmixed, "what is left is that of some order");
	bsp_end();
}

int main(void)
{
	lives_ok(body, 0, "overlapping puts from several processes");
	lives_ok(body, 2, "overlapping puts from two processes");
	lives_ok(body, 1, "overlapping puts from one process");
	return done_testing();
}
