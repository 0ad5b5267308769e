/* SPDX-License-Identifier: BSD-3-Clause */
/* Many chunks may be open at a time, also for one process; the order is that of send. */
#include "../lib/transports.h"

enum { OPEN = 5, ROUNDS = 30, FEWER = 8 };

static size_t size_of(struct bspt *t, int peer, uint32_t k)
{
	return at_most(t, peer, 1 + mixed(5, 6, k) % 5000);
}

/* Open OPEN chunks for each, fill them byte by byte in turn, send the last opened first. */
static void send_round(struct bspt *t, uint32_t round)
{
	unsigned char *chunk[MOST_PROCS][OPEN];
	size_t room;

	for (uint32_t k = 0; k < OPEN; k++)
		for (int q = 0; q < t->nprocs; q++)
			if (is_peer(t, q))
				chunk[q][k] = chunk_for(t, q, size_of(t, q, round + k), &room);
	for (size_t i = 0; i < 5001; i++)
		for (int q = 0; q < t->nprocs; q++)
			for (uint32_t k = 0; is_peer(t, q) && k < OPEN; k++)
				if (i < size_of(t, q, round + k))
					chunk[q][k][i] = pattern(mixed((uint32_t)q, round, k), i);
	for (int k = OPEN - 1; k >= 0; k--)
		for (int q = t->nprocs - 1; q >= 0; q--)
			if (is_peer(t, q))
				send_chunk(t, q, chunk[q][k],
					   size_of(t, q, round + (uint32_t)k));
}

static int fetch_round(struct bspt *t, uint32_t round)
{
	static uint32_t got[MOST_PROCS];
	int bad = 0, from, n = OPEN * (t->nprocs == 1 ? 1 : t->nprocs - 1);

	memset(got, 0, sizeof got);
	while (n-- > 0) {
		size_t len;
		void *chunk = await_chunk(t, &from, &len);
		uint32_t k = OPEN - 1 - got[from]++;

		bad += len != size_of(t, from, round + k) ||
		       wrong(chunk, len, mixed((uint32_t)t->me, round, k)) != 0;
		release_chunk(t, from, chunk);
	}
	return bad;
}

static void body(struct bspt *t)
{
	int bad = 0;

	for (uint32_t round = 0; round < (is_memory(t) ? ROUNDS : FEWER); round++) {
		send_round(t, round);
		bad += fetch_round(t, round);
		meet(t);
	}
	is_int(0, bad, "chunks that are not those sent");
}

int main(void)
{
	struct bspt_plan plan = { .reserve_bytes = (size_t)256 << 20,
				  .wait_policy = { .yield_ns = 1000000 } };
	static const int nprocs[] = { 2, 5, 12 };

	for (int i = 0; i < 3; i++) {
		plan.nprocs = nprocs[i];
		over_each(body, plan, "five open chunks for each");
	}
	return done_testing();
}
