/* SPDX-License-Identifier: BSD-3-Clause */
/* wait() does not sleep while its policy says spin or yield, nor just after something has come. */
#include "../lib/transports.h"

enum { TIMES = 300 };

static const uint64_t hour_ns = (uint64_t)3600 * 1000000000;

static void go_round(struct bspt *t)
{
	for (uint32_t i = 0; i < TIMES; i++) {
		post(t, next_of(t), i, 8);
		fetch(t, prev_of(t), i, 8);
	}
	is_int(0, (long long)t->stats.sleeps, "it has not slept");
	meet(t);
}

/* Nothing comes, and still it returns: a process that waits can do something else between. */
static void alone(struct bspt *t)
{
	size_t len;
	int from;

	for (unsigned int idle = 0; idle < 1000; idle++)
		t->ops->wait(t, idle);
	ok(t->nprocs == 1 || t->stats.yields > 0, "it has given the processor away");
	is_int(0, (long long)t->stats.sleeps, "it has not slept");
	ok(!t->ops->poll(t, &from, &len), "nothing has come");
	meet(t);
}

/* Just after something has come, more is likely. */
static void busy(struct bspt *t)
{
	for (int i = 0; i < 1000; i++)
		t->ops->wait(t, 0);
	is_int(0, (long long)t->stats.sleeps, "with something just come it has not slept");
	meet(t);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 3, .reserve_bytes = (size_t)64 << 20 };

	over_each(busy, plan, "no time to spin or yield");
	plan.wait_policy.yield_ns = hour_ns;
	over_each(go_round, plan, "time to yield");
	over_each(alone, plan, "time to yield");
	plan.wait_policy = (struct bspt_wait_policy){ .spin_ns = hour_ns };
	plan.nprocs = 2;
	over_each(go_round, plan, "time to spin");
	return done_testing();
}
