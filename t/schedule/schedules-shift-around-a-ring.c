/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes of any number are shifted around a ring, several starts at once, waited for in any
 * order. */
#include "../lib/runs.h"

/* As many rounds as there are orders in which those started at once are waited for. */
enum { AT_ONCE = 5, ROUNDS = AT_ONCE, LONG_ROUNDS = 20, MOST = 300000 };

static unsigned char out[AT_ONCE][MOST], in[AT_ONCE][MOST];

static const size_t sizes[] = { 0, 1, 8, 40, 1000, 5000, 66000, MOST };

enum { SIZES = sizeof sizes / sizeof sizes[0] };

static struct goal_request *start(struct goal_schedule *s, int i)
{
	void *buffers[] = { out[i], in[i] };

	return goal_start(s, buffers);
}

/* Byte patterns differ by process, start and round. */
static uint32_t seed(long process, long round, int i)
{
	return (uint32_t)(process * 1000003 + round * 101 + i);
}

static long round_of(struct goal_schedule *s, size_t nbytes, long round)
{
	struct goal_request *runs[AT_ONCE];
	long wrong_bytes = 0;

	for (int i = 0; i < AT_ONCE; i++) {
		fill(out[i], nbytes, seed(bsp_pid(), round, i));
		runs[i] = start(s, i);
	}
	for (int k = 0; k < AT_ONCE; k++) {
		int i = (int)((k * 2 + round) % AT_ONCE);

		goal_wait(runs[i]);
		wrong_bytes += wrong(in[i], nbytes, seed(left(), round, i));
	}
	return wrong_bytes;
}

static void shifts(void)
{
	long rounds = tap_is_long() ? LONG_ROUNDS : ROUNDS;

	enter();
	for (int i = 0; i < SIZES; i++) {
		struct goal_schedule *s = load_shift(sizes[i]);
		long wrong_bytes = 0;

		for (long round = 0; round < rounds; round++)
			wrong_bytes += round_of(s, sizes[i], round);
		is_int(0, wrong_bytes, "%zu bytes from the left", sizes[i]);
		goal_unload(s);
	}
	bsp_end();
}

int main(void)
{
	lives_ok(shifts, 2, "shifts between two");
	lives_ok(shifts, 3, "shifts around three");
	lives_ok(shifts, 8, "shifts around eight");
	return done_testing();
}
