/* SPDX-License-Identifier: BSD-3-Clause */
/* When nothing is unsent, all chunks that were counted arrive without help of their sender. */
#include "../lib/transports.h"

/* Has every process reported that it has nothing unsent in round @round? */
static bool all_have_sent(const struct bspt *t, uint64_t round)
{
	for (int q = 0; q < t->nprocs; q++)
		if (atomic_load(&job.common->word[q][1]) < round)
			return false;
	return true;
}

/* When nothing is unsent, all chunks that were counted arrive without help of their sender. */
static int send_rest(struct bspt *t)
{
	static uint64_t round;
	int got = 0, from;
	size_t len;

	for (round++; !all_have_sent(t, round);) {
		void *chunk = t->ops->poll(t, &from, &len);

		if (chunk) {
			release_chunk(t, from, chunk);
			got++;
		}
		if (t->unsent == 0)
			atomic_store(&job.common->word[t->me][1], round);
	}
	return got;
}

static void exchange(struct bspt *t, int n)
{
	struct bspt_counts seen;
	int got, from;
	size_t len;

	for (int i = 0; i < n; i++)
		post(t, next_of(t), (uint32_t)i, 300);
	ok(t->unsent <= (size_t)n, "%d chunks: no more is unsent than was sent", n);
	t->ops->count_add(t, next_of(t), (uint32_t)n);
	seen = count_round(t, 0);
	is_int(n, (long long)seen.chunks, "%d chunks: counted", n);
	got = send_rest(t);
	meet_silently(t);
	for (void *chunk; got < n && (chunk = t->ops->poll(t, &from, &len)); got++)
		release_chunk(t, from, chunk);
	is_int(n, got, "%d chunks: polled at once", n);
	meet_silently(t);
}

static void body(struct bspt *t)
{
	is_int(0, (long long)t->unsent, "at first nothing is unsent");
	exchange(t, 1);
	exchange(t, 16);
	exchange(t, 17);
	exchange(t, 500);
	meet(t);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .reserve_bytes = (size_t)64 << 20,
				  .wait_policy = { .yield_ns = 2000000 } };

	over_capable(BSPT_CAP_COUNTING, body, plan, "what was counted is there");
	plan.nprocs = 9;
	over_capable(BSPT_CAP_COUNTING, body, plan, "what was counted is there");
	return done_testing();
}
