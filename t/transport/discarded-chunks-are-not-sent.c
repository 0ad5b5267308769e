/* SPDX-License-Identifier: BSD-3-Clause */
/* A discarded chunk never arrives and disturbs no other. */
#include "../lib/transports.h"

enum { CHUNKS = 2000, LARGE = 300000 };

static size_t size_of(struct bspt *t, int peer, uint32_t i)
{
	return at_most(t, peer, i % 100 == 0 ? LARGE : 1 + mixed(1, 2, i) % 9000);
}

static bool is_discarded(uint32_t i)
{
	return mixed(3, 4, i) % 3 == 0;
}

/* The next @n chunks that were sent; @i counts those that were not, too. */
static int fetch_some(struct bspt *t, int n, uint32_t *i)
{
	int bad = 0;

	for (; n > 0; (*i)++) {
		if (is_discarded(*i))
			continue;
		bad += !fetch(t, prev_of(t), *i, size_of(t, prev_of(t), *i));
		n--;
	}
	return bad;
}

static void body(struct bspt *t)
{
	uint32_t fetched = 0;
	int bad = 0, open = 0;

	for (uint32_t i = 0; i < CHUNKS; i++) {
		size_t len = size_of(t, next_of(t), i), room;
		void *chunk = chunk_for(t, next_of(t), len, &room);

		fill(chunk, len, i);
		if (is_discarded(i)) {
			discard_chunk(t, next_of(t), chunk);
			continue;
		}
		send_chunk(t, next_of(t), chunk, len);
		if (++open == 20) {
			bad += fetch_some(t, 20, &fetched);
			open = 0;
		}
	}
	bad += fetch_some(t, open, &fetched);
	is_int(0, bad, "chunks that are not those sent");
	meet(t);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .reserve_bytes = (size_t)256 << 20,
				  .wait_policy = { .yield_ns = 1000000 } };

	over_each(body, plan, "of two thousand chunks a third is discarded");
	return done_testing();
}
