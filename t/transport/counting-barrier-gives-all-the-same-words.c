/* SPDX-License-Identifier: BSD-3-Clause */
/* A counting barrier counts the chunks for each process, and gives all the same words. */
#include "../lib/transports.h"

enum { SENDS = 3 };

/* Chunks of each parity of round that are here. */
static uint64_t here[2];

/* Does process @p send its @k-th chunk of @round, and to which? -1: to no process. */
static int target(const struct bspt *t, uint32_t round, int p, uint32_t k)
{
	uint32_t x = mixed(round, (uint32_t)p, k);
	int q = (int)(x / 4 % (uint32_t)t->nprocs);

	return x % 4 < 2 && (q != p || t->nprocs == 1) ? q : -1;
}

/* Rounds of words all 0, all equal, all different, 0 but for one, full but for one. */
static uint32_t word_of(const struct bspt *t, uint32_t round, int p)
{
	uint32_t chosen = mixed(round, 9, 9) % (uint32_t)t->nprocs;
	uint32_t word = mixed(round, 8, 8);

	switch (round % 5) {
	case 0: return 0;
	case 1: return word;
	case 2: return mixed(round, (uint32_t)p, 77);
	case 3: return (uint32_t)p == chosen ? word : 0;
	default: return (uint32_t)p == chosen ? word : ~0u;
	}
}

static struct bspt_counts expected(const struct bspt *t, uint32_t round)
{
	struct bspt_counts e = { .all = ~0u };

	for (int p = 0; p < t->nprocs; p++) {
		e.any |= word_of(t, round, p);
		e.all &= word_of(t, round, p);
		for (uint32_t k = 0; k < SENDS; k++)
			e.chunks += target(t, round, p, k) == t->me;
	}
	return e;
}

static void send_some(struct bspt *t, uint32_t round)
{
	for (uint32_t k = 0; k < SENDS; k++) {
		int q = target(t, round, t->me, k);
		size_t room;
		uint32_t *chunk;

		if (q < 0)
			continue;
		chunk = chunk_for(t, q, 200, &room);
		chunk[0] = round;
		send_chunk(t, q, chunk, k == 0 ? 200 : 4);
		t->ops->count_add(t, q, 1);
	}
}

/* A counting barrier counts the chunks for each process, and gives all the same words. */
static void pump(struct bspt *t, unsigned int *idle)
{
	size_t len;
	int from;
	uint32_t *chunk = t->ops->poll(t, &from, &len);

	if (!chunk) {
		t->ops->wait(t, (*idle)++);
		return;
	}
	*idle = 0;
	here[*chunk % 2]++;
	release_chunk(t, from, chunk);
}

static bool run_round(struct bspt *t, uint32_t round)
{
	struct bspt_counts e = expected(t, round), seen;
	unsigned int idle = 0;

	send_some(t, round);
	if (t->ops->count_test(t, &seen))
		return false;
	t->ops->count_enter(t, word_of(t, round, t->me));
	while (!t->ops->count_test(t, &seen))
		pump(t, &idle);
	if (seen.chunks != e.chunks || seen.any != e.any || seen.all != e.all)
		return false;
	for (idle = 0; here[round % 2] < e.chunks;)
		pump(t, &idle);
	here[round % 2] -= e.chunks;
	return here[round % 2] == 0;
}

static void rounds(struct bspt *t, uint32_t n)
{
	int bad = 0;

	for (uint32_t round = 0; round < n; round++)
		bad += !run_round(t, round);
	is_int(0, bad, "rounds that ended before they began or told something else");
	meet(t);
}

static void many_rounds(struct bspt *t)
{
	rounds(t, SANITIZED ? 1000 : 4000);
}

static void few_rounds(struct bspt *t)
{
	rounds(t, SANITIZED ? 100 : 400);
}

int main(void)
{
	struct bspt_plan plan = { .reserve_bytes = (size_t)64 << 20,
				  .wait_policy = { .yield_ns = 2000000 } };
	static const int nprocs[] = { 2, 3, 8, 9, 64, 65 };

	for (int i = 0; i < 6; i++) {
		plan.nprocs = nprocs[i];
		over_capable(BSPT_CAP_COUNTING, nprocs[i] <= 3 ? many_rounds : few_rounds, plan,
			     "random participants, words of all kinds");
	}
	return done_testing();
}
