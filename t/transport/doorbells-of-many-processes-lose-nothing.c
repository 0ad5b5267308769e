/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that sleeps finds each chunk that one of many processes sends to it. */

/*
 * Beyond 8 processes shared memory has doorbells, beyond 64 in two levels. A doorbell that is lost
 * is a chunk that is not found, so the receiver would wait for ever. Processes sleep at once when
 * there is nothing, and no barrier keeps them in step.
 */
#include "../lib/transports.h"

enum { ROUNDS = 60, EACH = 3, TO_ONE = 40 };

static int bad;

static void take_one_of(struct bspt *t)
{
	size_t len;
	int from;
	void *chunk = await_chunk(t, &from, &len);

	bad += len != 8 || wrong(chunk, len, mixed((uint32_t)from, (uint32_t)t->me, 7)) != 0;
	release_chunk(t, from, chunk);
}

static void post_to(struct bspt *t, int q)
{
	post(t, q, mixed((uint32_t)t->me, (uint32_t)q, 7), 8);
}

/* In each round to three others, near and far; as many come. */
static void some_to_some(struct bspt *t)
{
	uint32_t n = (uint32_t)t->nprocs;

	for (uint32_t round = 0; round < ROUNDS; round++) {
		for (uint32_t i = 0; i < EACH; i++)
			post_to(t, (int)(((uint32_t)t->me + 1 + mixed(round, i, n) % (n - 1)) % n));
		for (int i = 0; i < EACH; i++)
			take_one_of(t);
	}
}

/* More than a ring has room for, from all to one that takes nothing meanwhile. */
static void all_to_one(struct bspt *t)
{
	for (int i = 0; t->me && i < TO_ONE; i++)
		post_to(t, 0);
	for (int i = 0; !t->me && i < TO_ONE * (t->nprocs - 1); i++)
		take_one_of(t);
	while (t->unsent) {
		size_t len;
		int from;

		if (t->ops->poll(t, &from, &len))
			bad++;
		t->ops->wait(t, 0);
	}
}

static void body(struct bspt *t)
{
	some_to_some(t);
	meet(t);
	all_to_one(t);
	is_int(0, bad, "chunks that are not those sent");
	is_int(ROUNDS * EACH + (t->me ? 0 : TO_ONE * (t->nprocs - 1)),
	       (long)t->stats.chunks_received, "as many as were sent");
	meet(t);
}

int main(void)
{
	static const int nprocs[] = { 9, 64, 65, 129, 201 };
	const struct bspt_ops *shm = bspt_find("shm");
	struct bspt_plan plan = { .reserve_bytes = (size_t)16 << 20 };

	if (!is_wanted(shm))
		skip_all("not applicable: no transport shm");
	for (int i = 0; i < 5; i++) {
		plan.nprocs = nprocs[i];
		over(shm, body, plan, "all is found");
	}
	return done_testing();
}
