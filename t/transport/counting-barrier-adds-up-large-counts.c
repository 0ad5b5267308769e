/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts add up, in parts and beyond 32 bits; the next round starts from 0. */
#include "../lib/transports.h"

static void body(struct bspt *t)
{
	struct bspt_counts seen;

	t->ops->count_add(t, next_of(t), 4000000000u);
	t->ops->count_add(t, next_of(t), 4000000000u);
	t->ops->count_add(t, next_of(t), 0);
	seen = count_round(t, 0);
	is_int(8000000000, (long long)seen.chunks, "eight thousand million chunks");
	for (int round = 0; round < 3; round++)
		is_int(0, (long long)count_round(t, 1).chunks, "none in a round without any");
	for (int q = 0; q < t->nprocs; q++)
		if (is_peer(t, q))
			t->ops->count_add(t, q, (uint32_t)t->me + 1);
	seen = count_round(t, 0);
	is_int(t->nprocs == 1 ? 1 : (long long)t->nprocs * (t->nprocs + 1) / 2 - t->me - 1,
	       (long long)seen.chunks, "the sum of what all have added");
	is_int(0, seen.any, "words of the rounds before are forgotten: any");
	is_int(0, seen.all, "words of the rounds before are forgotten: all");
	meet(t);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .wait_policy = { .yield_ns = 2000000 } };

	over_capable(BSPT_CAP_COUNTING, body, plan, "counts");
	plan.nprocs = 17;
	over_capable(BSPT_CAP_COUNTING, body, plan, "counts");
	return done_testing();
}
