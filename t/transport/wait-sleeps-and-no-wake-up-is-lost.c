/* SPDX-License-Identifier: BSD-3-Clause */
/* wait() sleeps if it may not spin, and each chunk and each round wakes it. */
#include "../lib/transports.h"

/* As fetch(), but it sleeps at the first wait: nothing has come for a while. */
static bool fetch_asleep(struct bspt *t, uint32_t seed)
{
	unsigned int idle = 1;
	size_t len;
	int from;
	void *chunk;
	bool good;

	while (!(chunk = t->ops->poll(t, &from, &len)))
		t->ops->wait(t, idle++);
	good = from == prev_of(t) && len == 8 && wrong(chunk, len, seed) == 0;
	release_chunk(t, from, chunk);
	return good;
}

static struct bspt_counts counting_asleep(struct bspt *t, uint32_t word)
{
	struct bspt_counts seen;
	unsigned int idle = 1;

	t->ops->count_enter(t, word);
	while (!t->ops->count_test(t, &seen))
		t->ops->wait(t, idle++);
	return seen;
}

/* Around the ring and back, @times; each process but one waits at any time. */
static void go_round(struct bspt *t, uint32_t times)
{
	int bad = 0;

	for (uint32_t i = 0; i < times; i++) {
		if (t->me == 0)
			post(t, next_of(t), i, 8);
		bad += !fetch_asleep(t, i);
		if (t->me != 0)
			post(t, next_of(t), i, 8);
	}
	is_int(0, bad, "chunks that are not those sent");
	ok(t->nprocs == 1 || t->stats.sleeps > 0, "who waited for chunks has slept");
	meet(t);
}

/* Do nothing for a while that is different every time. */
static void dawdle(uint32_t i, uint32_t me)
{
	for (volatile uint32_t k = mixed(i, me, 3) % 40000; k > 0; k--)
		continue;
}

/* On processors of their own, as far as there are some, or else two never do things at once. */
static void spread_out(const struct bspt *t)
{
	cpu_set_t all, mine;
	int left;

	if (sched_getaffinity(0, sizeof all, &all) < 0 || CPU_COUNT(&all) == 0)
		return;
	left = t->me % CPU_COUNT(&all);
	CPU_ZERO(&mine);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &all) && left-- == 0)
			CPU_SET(cpu, &mine);
	sched_setaffinity(0, sizeof mine, &mine);
}

/* wait() sleeps if it may not spin, and each chunk and each round wakes it. */
static void crossing(struct bspt *t)
{
	int bad = 0;

	spread_out(t);
	for (uint32_t i = 0; i < often(t, 30000); i++) {
		dawdle(i, (uint32_t)t->me);
		post(t, next_of(t), i, 8);
		bad += !fetch_asleep(t, i);
	}
	is_int(0, bad, "chunks that are not those sent");
	meet(t);
}

static void ping_pong(struct bspt *t)
{
	go_round(t, often(t, 20000));
}

static void long_way(struct bspt *t)
{
	go_round(t, often(t, 300));
}

static void rounds(struct bspt *t, int n)
{
	uint64_t sum = 0;

	for (int i = 0; i < n; i++)
		sum += counting_asleep(t, (uint32_t)i).any == (uint32_t)i;
	is_int(n, (long long)sum, "rounds that told the word");
	ok(t->nprocs == 1 || t->stats.sleeps > 0, "who waited for a round has slept");
	meet(t);
}

static void two_in_a_counting_barrier(struct bspt *t)
{
	rounds(t, 10000);
}

static void many_in_a_counting_barrier(struct bspt *t)
{
	rounds(t, 500);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .reserve_bytes = (size_t)64 << 20 };

	over_each(ping_pong, plan, "ping-pong");
	over_capable(BSPT_CAP_COUNTING, two_in_a_counting_barrier, plan, "10000 counting barriers");
	plan.wait_policy.spin_ns = 1;
	over_each(crossing, plan, "chunks both ways at a time");
	plan.wait_policy.spin_ns = 0;
	plan.nprocs = 11;
	over_each(long_way, plan, "in a ring");
	over_capable(BSPT_CAP_COUNTING, many_in_a_counting_barrier, plan, "500 counting barriers");
	return done_testing();
}
