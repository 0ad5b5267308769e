/* SPDX-License-Identifier: BSD-3-Clause */
/* But for processor time virtual times are the same every run, chance included. */
#include "../lib/emulated.h"

enum { ROUNDS = 20, SENDS = 6, PROCS = 8 };

#define PLAIN "L=20us,o=3us,g=4us,G=3ns,cpu=0"

/* The process to which @p sends its @i-th chunk of @round; -1: to no process. */
static int target(const struct bspt *t, int p, uint32_t round, uint32_t i)
{
	int q = (int)(mixed((uint32_t)p, round, i) % (2u * (uint32_t)t->nprocs));

	return q < t->nprocs && q != p ? q : -1;
}

/* Wait for the chunks of a round in one wait, or for one after the other by process. */
static void receive(struct bspt *t, uint32_t round)
{
	struct bspt_event events[MOST_PROCS * SENDS];
	size_t n = 0;

	for (int p = 0; p < t->nprocs; p++)
		for (uint32_t i = 0; i < SENDS; i++)
			if (target(t, p, round, i) == t->me)
				events[n++] = event_from(t, p);
	if (round % 3)
		t->ops->advance(t, events, n);
	else
		for (size_t i = 0; i < n; i++)
			t->ops->advance(t, &events[i], 1);
}

/* Superstep after superstep, every second one with a counting barrier; computing is free. */
static void exchange(struct bspt *t)
{
	uint64_t sum = 0;

	load_machine(t);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		t->ops->computing(t, true);
		dawdle(t, round);
		t->ops->computing(t, false);
		for (uint32_t i = 0; i < SENDS; i++) {
			int q = target(t, t->me, round, i);

			if (q >= 0)
				send_bytes(t, q, 1 + mixed(round, i, (uint32_t)t->me) % 3000);
		}
		if (round % 2)
			count_round(t, 0);
		receive(t, round);
		sum = random_mix(sum ^ now(t));
	}
	note(t, 0, sum);
	note(t, 1, now(t));
	meet(t);
}

/* How many processes had other times than in the run before. */
static int differing(void)
{
	static uint64_t old[MOST_PROCS];
	int count = 0;

	for (int p = 0; p < PROCS; p++) {
		count += noted[p][0] != old[p];
		old[p] = noted[p][0];
	}
	return count;
}

static int run(const char *network)
{
	on_network(network, PROCS, exchange, network);
	return differing();
}

int main(void)
{
	is_int(PROCS, run(PLAIN), "a run has times");
	ok(noted[0][1] > 0, "which are not 0");
	for (int i = 0; i < 3; i++)
		is_int(0, run(PLAIN), "run %d has the same", i + 2);
	is_int(0, run(PLAIN ",reorder=1,seed=3"), "so has one that polls in random order");
	is_int(PROCS, run(PLAIN ",jitter=30us"), "with jitter they are others");
	is_int(0, run(PLAIN ",jitter=30us"), "and the same every run");
	is_int(0, run(PLAIN ",jitter=30us,reorder=1"), "in any order of polling");
	is_int(PROCS, run(PLAIN ",jitter=30us,reorder=1,seed=1"), "another seed, other times");
	is_int(0, run(PLAIN ",jitter=30us,reorder=1,seed=1"), "the same seed, the same times");
	return done_testing();
}
