/* SPDX-License-Identifier: BSD-3-Clause */
/* Chunks of any size arrive whole, and those of one process in the order of send. */
#include "../lib/transports.h"

enum { RANDOM = 200, FEWER = 40 };

/* A sanitizer looks at every byte, and finds in the largest chunk what it finds in one of these. */
static const size_t most_sanitized = ((size_t)1 << 20) + 1;

static const size_t sizes[] = {
	1, 16, 48, 49, 64, 111, 112, 113, 4095, 4096, 4097, 4031, 4032, 4033, 65536,
	(size_t)1 << 20, ((size_t)1 << 20) + 1, (size_t)64 << 20,
};

enum { SIZES = sizeof sizes / sizeof sizes[0] };

static void every_size(struct bspt *t)
{
	for (int i = 0; i < SIZES; i++) {
		size_t len = at_most(t, next_of(t), sizes[i]);

		if (SANITIZED && len > most_sanitized)
			continue;
		post(t, next_of(t), (uint32_t)i, len);
		ok(fetch(t, prev_of(t), (uint32_t)i, len), "a chunk of %zu bytes", len);
	}
	meet(t);
}

/* Sizes of all kinds in turn: those that travel in different ways must not overtake. */
static size_t some_size(struct bspt *t, int from, int to, uint32_t i)
{
	uint32_t x = mixed((uint32_t)from, (uint32_t)to, i);
	size_t len = x % 4 == 0 ? 1 + x / 4 % 20000 : 1 + x / 4 % 160;

	return at_most(t, from == t->me ? to : from, len);
}

/* The chunks that have come from each process so far. */
static uint32_t next_from[MOST_PROCS];

static bool take_one(struct bspt *t)
{
	size_t len;
	int from;
	void *chunk = await_chunk(t, &from, &len);
	uint32_t i = next_from[from]++;
	bool good = len == some_size(t, from, t->me, i) &&
		    wrong(chunk, len, mixed((uint32_t)from, i, 0)) == 0;

	release_chunk(t, from, chunk);
	return good;
}

static void all_to_all(struct bspt *t)
{
	int bad = 0, peers = t->nprocs == 1 ? 1 : t->nprocs - 1;
	int each = is_memory(t) || peers < 3 ? RANDOM : FEWER;

	for (uint32_t i = 0; i < (uint32_t)each; i++)
		for (int q = 0; q < t->nprocs; q++)
			if (is_peer(t, q))
				post(t, q, mixed((uint32_t)t->me, i, 0),
				     some_size(t, t->me, q, i));
	for (int i = 0; i < each * peers; i++)
		bad += !take_one(t);
	is_int(0, bad, "chunks that are not the next of their sender");
	is_int(each * peers, (long)t->stats.chunks_sent, "chunks sent are counted");
	is_int(each * peers, (long)t->stats.chunks_received, "chunks received are counted");
	meet(t);
}

int main(void)
{
	struct bspt_plan plan = { .reserve_bytes = (size_t)4 << 30,
				  .wait_policy = { .yield_ns = 1000000 } };
	static const int nprocs[] = { 2, 3, 8, 9, 20 };

	plan.nprocs = 2;
	over_each(every_size, plan, "every size arrives whole");
	over_sums(every_size, plan, "every size arrives whole, with sums");
	if (is_wanted(bspt_find("mix")))
		over_nodes(bspt_find("mix"), every_size, plan, 2, "and also on a single node");
	for (int i = 0; i < 5; i++) {
		plan.nprocs = nprocs[i];
		plan.reserve_bytes = (size_t)256 << 20;
		over_each(all_to_all, plan, "every process to every process, in order");
		over_sums(all_to_all, plan, "the same with sums");
	}
	return done_testing();
}
