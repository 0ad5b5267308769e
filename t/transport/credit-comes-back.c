/* SPDX-License-Identifier: BSD-3-Clause */
/* Credit that is used up comes back with the chunks; without any a process still receives. */
#include "../lib/transports.h"

enum { SIZE = 4000, MOST = 3000, ROUNDS = 20, FEWER = 5 };

static int rounds(const struct bspt *t)
{
	return is_memory(t) ? ROUNDS : FEWER;
}

/* Send chunks until there is no credit, or very many, as memory may be all the credit there is. */
static int use_up(struct bspt *t, int peer)
{
	size_t room;
	void *chunk;
	int n = 0;

	while (n < MOST && (chunk = new_chunk(t, peer, SIZE, &room))) {
		fill(chunk, 16, (uint32_t)n);
		send_chunk(t, peer, chunk, SIZE);
		n++;
	}
	return n;
}

/* Take and give back @n chunks that use_up() has sent. */
static int take_all(struct bspt *t, int n)
{
	int bad = 0, from;
	size_t len;

	for (int i = 0; i < n; i++) {
		void *chunk = await_chunk(t, &from, &len);

		bad += from != prev_of(t) || len != SIZE || wrong(chunk, 16, (uint32_t)i) != 0;
		release_chunk(t, from, chunk);
	}
	return bad;
}

/* Number 0 uses up its credit, the others answer with a word when they have all. */
static void one_way(struct bspt *t)
{
	int bad = 0, n, least = MOST;

	for (int round = 0; round < rounds(t); round++) {
		if (t->me == 0) {
			n = use_up(t, next_of(t));
			least = n < least ? n : least;
			atomic_store(&job.common->word[1][0], (uint64_t)n);
			meet_silently(t);
		}
		if (t->me == 1 || t->nprocs == 1) {
			if (t->me == 1)
				meet_silently(t);
			bad += take_all(t, (int)atomic_load(&job.common->word[1][0]));
			post(t, next_of(t), 1, 16);
		}
		if (t->me == 0)
			bad += !fetch(t, prev_of(t), 1, 16);
		meet(t);
	}
	is_int(0, bad, "chunks that are not those sent");
	ok(t->me != 0 || least > 0, "there is credit in every round");
}

/* All use it up before one polls, then receive what the others sent. */
static void all_at_once(struct bspt *t)
{
	int bad = 0;

	for (int round = 0; round < rounds(t); round++) {
		int n = use_up(t, next_of(t));

		atomic_store(&job.common->word[1 + t->me][0], (uint64_t)n);
		ok(n > 0, "there is credit");
		meet_silently(t);
		bad += take_all(t, (int)atomic_load(&job.common->word[1 + prev_of(t)][0]));
		meet(t);
	}
	is_int(0, bad, "chunks that are not those sent");
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .reserve_bytes = (size_t)8 << 20 };

	over_each(all_at_once, plan, "all use up their credit");
	over_each(one_way, plan, "the answer reaches a process without credit");
	return done_testing();
}
