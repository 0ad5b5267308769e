/* SPDX-License-Identifier: BSD-3-Clause */
/* A chunk stays as it arrived until it is given back, whatever comes meanwhile. */
#include "../lib/transports.h"

enum { HELD = 300, TOTAL = 5000, FEWER = 1500 };

/* Arrived and not yet given back, oldest first: number i at i % HELD. */
static struct {
	void *chunk;
	size_t len;
} held[HELD];

static size_t size_of(struct bspt *t, int peer, uint32_t i)
{
	uint32_t x = mixed(7, 7, i);

	return at_most(t, peer, x % 3 ? 1 + x / 3 % 128 : 1 + x / 3 % 10000);
}

/* Give back number @i: is it still what it was? */
static bool give_back(struct bspt *t, uint32_t i)
{
	size_t len = held[i % HELD].len;
	bool good = len == size_of(t, prev_of(t), i) && wrong(held[i % HELD].chunk, len, i) == 0;

	release_chunk(t, prev_of(t), held[i % HELD].chunk);
	return good;
}

static void body(struct bspt *t)
{
	uint32_t sent = 0, came = 0, total = is_memory(t) ? TOTAL : FEWER;
	int bad = 0, from;

	while (came < total) {
		if (sent < total && sent < came + 50) {
			post(t, next_of(t), sent, size_of(t, next_of(t), sent));
			sent++;
			continue;
		}
		if (came >= HELD)
			bad += !give_back(t, came - HELD);
		held[came % HELD].chunk = await_chunk(t, &from, &held[came % HELD].len);
		came++;
	}
	while (sent < total)
		post(t, next_of(t), sent, size_of(t, next_of(t), sent)), sent++;
	for (uint32_t i = total - HELD; i < total; i++)
		bad += !give_back(t, i);
	is_int(0, bad, "chunks that changed while they were held");
	meet(t);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .reserve_bytes = (size_t)256 << 20,
				  .wait_policy = { .yield_ns = 1000000 } };

	over_each(body, plan, "three hundred chunks held at any time");
	plan.nprocs = 9;
	over_each(body, plan, "three hundred chunks held at any time");
	return done_testing();
}
