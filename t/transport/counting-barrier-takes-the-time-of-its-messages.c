/* SPDX-License-Identifier: BSD-3-Clause */
/* A counting barrier takes the time of a dissemination barrier that sends chunks. */
#include "../lib/emulated.h"

enum { ROUNDS = 20 };

static const int nprocs[] = { 2, 3, 8, 64 };

/* The bytes of a message of the barrier. */
static size_t message_bytes(const struct bspt *t)
{
	return 16 + 2 * (size_t)t->nprocs;
}

/* All enter at the same time: every step takes o + (k-1)G + L + o. */
static void together(struct bspt *t)
{
	uint64_t k = message_bytes(t);
	uint64_t step = 5000 + (k - 1) * 10 + 50000 + 5000;

	load_machine(t);
	for (uint32_t round = 1; round <= ROUNDS; round++) {
		struct bspt_counts seen;

		dawdle(t, round);
		t->ops->count_add(t, next_of(t), round);
		seen = count_round(t, round);
		is_int(round, (long long)seen.chunks, "round %u: chunks are counted", round);
		is_int((long long)(round * (uint64_t)steps_of(t->nprocs) * step),
		       (long long)now(t), "round %u: its time", round);
	}
	meet(t);
}

/*
 * Before the barrier each process sends so much that all enter at times of their own, some
 * with an interface that is busy for longer. Nothing waits for that: it is in the way only.
 */
static void send_data(struct bspt *t)
{
	uint32_t n = mixed((uint32_t)t->me, 5, 5) % 12;

	for (uint32_t i = 0; i < n; i++)
		send_bytes(t, next_of(t), 1 + mixed((uint32_t)t->me, i, 6) % 9000);
	note(t, 2, now(t));
}

static void by_counting(struct bspt *t)
{
	load_machine(t);
	send_data(t);
	count_round(t, 0);
	note(t, 0, now(t));
	meet_silently(t);
}

/* The next chunk of @peer, of @k bytes: data of other sizes is not looked at. */
static void wait_for_step(struct bspt *t, int peer, size_t k)
{
	struct bspt_event event;

	do
		event = event_from(t, peer);
	while (event.bytes != k);
	t->ops->advance(t, &event, 1);
}

static void by_chunks(struct bspt *t)
{
	size_t k = message_bytes(t);

	load_machine(t);
	send_data(t);
	for (int distance = 1; distance < t->nprocs; distance *= 2) {
		send_bytes(t, (t->me + distance) % t->nprocs, k);
		wait_for_step(t, (t->me + t->nprocs - distance) % t->nprocs, k);
	}
	note(t, 0, now(t));
	meet_silently(t);
}

static uint64_t times[3][MOST_PROCS];

static void keep(int slot)
{
	for (int p = 0; p < MOST_PROCS; p++)
		times[slot][p] = noted[p][0];
}

/* A counting barrier takes the time of a dissemination barrier that sends chunks. */
static int differing(const uint64_t *a, const uint64_t *b, int n)
{
	int count = 0;

	for (int p = 0; p < n; p++)
		count += a[p] != b[p];
	return count;
}

static void compare(const char *network, int n)
{
	uint64_t entered = 0;

	on_network(network, n, by_chunks, "a barrier of chunks");
	keep(0);
	on_network(network, n, by_counting, "a counting barrier");
	keep(1);
	is_int(0, differing(times[0], times[1], n),
	       "%s, %d processes: all leave both at the same time", network, n);
	for (int p = 0; p < n; p++)
		entered = noted[p][2] > entered ? noted[p][2] : entered;
	for (int p = 0; p < n; p++)
		ok(times[1][p] > entered, "process %d of %d leaves when all have entered", p, n);
}

int main(void)
{
	for (int i = 0; i < 4; i++)
		on_network("L=50us,o=5us,g=5us,G=10ns,cpu=0", nprocs[i], together,
			   "all enter at the same time");
	for (int i = 0; i < 4; i++) {
		compare("L=50us,o=5us,g=5us,G=10ns,cpu=0", nprocs[i]);
		compare("L=2us,o=3us,g=11us,G=40ns,cpu=0", nprocs[i]);
	}
	return done_testing();
}
