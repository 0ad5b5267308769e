/* SPDX-License-Identifier: BSD-3-Clause */
/* With reorder=1 chunks of different processes come in random order, those of one do not. */
#include "../lib/emulated.h"

enum { PROCS = 6, CHUNKS = 12, ALL = (PROCS - 1) * CHUNKS, MANY = 600 };

/* Written by process 0: whose chunk came as which. */
static _Atomic int (*senders)[ALL];
static int run_number;

/* All chunks are there before the first is polled. */
static void collect(struct bspt *t)
{
	uint32_t next[PROCS] = { 0 };
	int bad = 0, from;
	size_t len;

	for (uint32_t i = 0; t->me != 0 && i < CHUNKS; i++)
		post(t, 0, mixed((uint32_t)t->me, i, 0), 1 + 40 * i);
	meet_silently(t);
	for (int i = 0; t->me == 0 && i < ALL; i++) {
		void *chunk = t->ops->poll(t, &from, &len);
		uint32_t k = chunk ? next[from]++ : 0;

		if (!chunk)
			bail("%d of %d chunks", i, ALL);
		bad += len != 1 + 40 * k || wrong(chunk, len, mixed((uint32_t)from, k, 0)) != 0;
		senders[run_number][i] = from;
		t->ops->release(t, from, chunk);
	}
	is_int(0, bad, "chunks that are not the next of their sender");
	meet(t);
}

/* How often the sender changes from one chunk to the next that is polled. */
static int changes(int run)
{
	int n = 0;

	for (int i = 1; i < ALL; i++)
		n += senders[run][i] != senders[run][i - 1];
	return n;
}

static bool same(int a, int b)
{
	for (int i = 0; i < ALL; i++)
		if (senders[a][i] != senders[b][i])
			return false;
	return true;
}

/* Does each process come once in each PROCS - 1 chunks, as if asked in turn? */
static bool takes_turns(int run)
{
	for (int i = PROCS - 1; i < ALL; i++)
		if (senders[run][i] != senders[run][i - (PROCS - 1)])
			return false;
	return true;
}

/*
 * More than can be held at a time, every process to every process; jitter does not overtake
 * either.
 */
static void stream(struct bspt *t)
{
	uint64_t arrival[PROCS] = { 0 };
	uint32_t next[PROCS] = { 0 };
	int bad = 0, early = 0, from, left = (t->nprocs - 1) * MANY;
	unsigned int idle = 0;
	size_t len;

	for (uint32_t i = 0; i < MANY; i++)
		for (int q = 0; q < t->nprocs; q++)
			if (q != t->me)
				post(t, q, mixed((uint32_t)t->me, i, 0), 1 + i % 100);
	while (left > 0) {
		void *chunk = t->ops->poll(t, &from, &len);

		if (!chunk) {
			t->ops->wait(t, idle++);
			continue;
		}
		idle = 0;
		bad += len != 1 + next[from] % 100 ||
		       wrong(chunk, len, mixed((uint32_t)from, next[from], 0)) != 0;
		next[from]++;
		early += t->ops->arrival(t, from, chunk) < arrival[from];
		arrival[from] = t->ops->arrival(t, from, chunk);
		t->ops->release(t, from, chunk);
		left--;
	}
	is_int(0, bad, "chunks that are not the next of their sender");
	is_int(0, early, "chunks that arrive before the last of their sender");
	meet(t);
}

static void collect_on(const char *network, int number)
{
	run_number = number;
	on_network(network, PROCS, collect, network);
}

int main(void)
{
	senders = mmap(NULL, 5 * sizeof *senders, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (senders == MAP_FAILED)
		bail("no shared memory");
	collect_on("L=5us,reorder=1,seed=1", 0);
	collect_on("L=5us,reorder=1,seed=1", 1);
	collect_on("L=5us,reorder=1,seed=2", 2);
	collect_on("L=5us", 3);
	collect_on("L=5us,reorder=1", 4);
	ok(changes(0) > PROCS, "chunks of different processes are mixed");
	ok(!takes_turns(0) && !takes_turns(2) && !takes_turns(4), "they do not take turns");
	ok(same(0, 1), "one seed, one order");
	ok(!same(0, 2) && !same(0, 4) && !same(2, 4), "another seed, another order");
	ok(!same(0, 3), "without reorder it is another");
	on_network("L=5us,o=1us,g=1us,G=1ns,jitter=1ms,reorder=1", PROCS, stream, "a long stream");
	return done_testing();
}
