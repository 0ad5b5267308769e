/* SPDX-License-Identifier: BSD-3-Clause */
/* Send never blocks: however many chunks wait for their receiver, they arrive in order. */
#include "../lib/transports.h"

static const int counts[] = { 1, 15, 16, 17, 33, 1000 };
static const size_t sizes[] = { 1, 48, 112, 113, 5000 };

enum { COUNTS = sizeof counts / sizeof counts[0], SIZES = sizeof sizes / sizeof sizes[0] };

static size_t size_of(struct bspt *t, int peer, int kind, int i)
{
	if (kind == SIZES)
		kind = (int)(mixed(0, 0, (uint32_t)i) % SIZES);
	return at_most(t, peer, sizes[kind]);
}

/* No process calls poll() before all have sent everything. */
static void exchange(struct bspt *t, int count, int kind)
{
	int bad = 0;

	for (int i = 0; i < count; i++)
		post(t, next_of(t), (uint32_t)i, size_of(t, next_of(t), kind, i));
	meet_silently(t);
	for (int i = 0; i < count; i++)
		bad += !fetch(t, prev_of(t), (uint32_t)i, size_of(t, prev_of(t), kind, i));
	is_int(0, bad, "%d chunks of %zu bytes: wrong ones", count, kind < SIZES ? sizes[kind] : 0);
	meet(t);
}

static void body(struct bspt *t)
{
	for (int kind = 0; kind <= SIZES; kind++)
		for (int i = 0; i < COUNTS; i++)
			if (counts[i] < 1000 || is_memory(t) || t->nprocs == 2)
				exchange(t, counts[i], kind);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .reserve_bytes = (size_t)256 << 20 };

	over_each(body, plan, "everything arrives after all was sent");
	over_sums(body, plan, "the same with sums");
	plan.nprocs = 9;
	over_each(body, plan, "everything arrives after all was sent");
	return done_testing();
}
