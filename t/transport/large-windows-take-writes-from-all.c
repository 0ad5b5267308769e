/* SPDX-License-Identifier: BSD-3-Clause */
/* After a barrier, windows of 16 MiB hold what all processes wrote to them. */
#include "../lib/windows.h"

enum { BYTES = 16 << 20, ROUNDS = 4, WRITES = 400 };

/* Stripe @p of a window is written by process @p. */
static size_t stripe(const struct bspt *t)
{
	return (BYTES - 2 * PAGE) / (size_t)t->nprocs;
}

/* The @i-th write of @from to @to in @round: where, how much, and the seed of what. */
struct chance {
	size_t at, len;
	uint32_t seed;
};

static struct chance chance(const struct bspt *t, uint32_t round, int from, int to, uint32_t i)
{
	uint32_t x = mixed(mixed((uint32_t)from, (uint32_t)to, round), i, 0);
	size_t room = stripe(t), len = 1 + x % (i % 50 ? 3000 : 100000);
	size_t at = mixed(x, 1, 1) % (room - len);

	return (struct chance){ PAGE + (size_t)from * room + at, len, x };
}

static void write_round(struct bspt *t, uint32_t round, const uint64_t *windows)
{
	static unsigned char bytes[100000];

	for (uint32_t i = 0; i < WRITES; i++)
		for (int q = 0; q < t->nprocs; q++) {
			struct chance c = chance(t, round, t->me, q, i);

			if (!is_peer(t, q))
				continue;
			fill(bytes, c.len, c.seed);
			write_window(t, q, windows[q], c.at, bytes, c.len);
		}
}

/* The same into what our area must be. */
static void model_round(struct bspt *t, uint32_t round, unsigned char *model)
{
	for (int p = 0; p < t->nprocs; p++)
		for (uint32_t i = 0; is_peer(t, p) && i < WRITES; i++) {
			struct chance c = chance(t, round, p, t->me, i);

			fill(model + c.at, c.len, c.seed);
		}
}

/* After a barrier, windows of 16 MiB hold what all processes wrote to them. */
static bool reads_the_same(struct bspt *t, int peer, uint64_t window)
{
	unsigned char *copy = map_private(BYTES);
	bool same;

	read_window(t, peer, window, PAGE, copy, BYTES - 2 * PAGE);
	same = wrong(copy, stripe(t) / 2, (uint32_t)peer + 99) == 0;
	munmap(copy, BYTES);
	return same;
}

static void body(struct bspt *t)
{
	unsigned char *area = malloc(BYTES), *model = malloc(BYTES);
	uint64_t windows[MOST_PROCS];
	struct window mine;

	fill(area, BYTES, 1);
	memcpy(model, area, BYTES);
	mine = expose(t, area, BYTES);
	ok(!mine.refused, "16 MiB are exposed");
	for (int q = 0; q < t->nprocs; q++)
		windows[q] = exchange(t, &mine, q).name;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		write_round(t, round, windows);
		count_round(t, 0);
		model_round(t, round, model);
		ok(memcmp(area, model, BYTES) == 0, "all writes of the round are there");
		count_round(t, 0);
	}
	fill(area + PAGE, stripe(t) / 2, (uint32_t)t->me + 99);
	count_round(t, 0);
	ok(reads_the_same(t, next_of(t), windows[next_of(t)]), "a large read is right");
	count_round(t, 0);
	memcpy(model, area, BYTES);
	t->ops->unexpose(t, mine.name);
	ok(memcmp(area, model, BYTES) == 0, "unexposed, all is there");
	free(area);
	free(model);
	meet(t);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .reserve_bytes = (size_t)512 << 20,
				  .wait_policy = { .yield_ns = 2000000 } };

	over_capable(BSPT_CAP_WINDOW | BSPT_CAP_COUNTING, body, plan, "random writes");
	plan.nprocs = 3;
	over_capable(BSPT_CAP_WINDOW | BSPT_CAP_COUNTING, body, plan, "random writes");
	return done_testing();
}
