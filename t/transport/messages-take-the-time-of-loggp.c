/* SPDX-License-Identifier: BSD-3-Clause */
/* Bursts, ping-pong, pipelines, barriers take the times of LogGP, to the nanosecond. */
#include "../lib/emulated.h"

enum { ROUNDS = 10, MESSAGES = 40 };

/* Times in picoseconds. */
struct loggp {
	const char *text;
	uint64_t L, o, g, G;
};

/* Slow all over; with processors slower than the interfaces; with less than a nanosecond a byte. */
static const struct loggp networks[] = {
	{ "L=50us,o=5us,g=7us,G=10ns,cpu=0", 50000000, 5000000, 7000000, 10000 },
	{ "L=3us,o=9us,g=0.5us,G=2ns,cpu=0", 3000000, 9000000, 500000, 2000 },
	{ "L=1us,o=0.2us,g=0.1us,G=0.08ns,cpu=0", 1000000, 200000, 100000, 80 },
};

enum { NETWORKS = sizeof networks / sizeof networks[0] };

static const size_t sizes[] = { 1, 8, 1001, 65536 };

enum { SIZES = sizeof sizes / sizeof sizes[0] };

static const struct loggp *net;

/* From the start of sending @k bytes until they have been received, in nanoseconds. */
static double one_way(size_t k)
{
	return (double)(net->o + (k - 1) * net->G + net->L + net->o) / 1000;
}

/* From message to message: what the interface needs, or the processor if that is more. */
static double interval(size_t k, uint64_t processor)
{
	uint64_t interface = (k - 1) * net->G + net->g;

	return (double)(interface > processor ? interface : processor) / 1000;
}

/* An arrival is a whole nanosecond: with bytes that take less, @n messages are up to @n ns late. */
static double late(double n)
{
	return net->G % 1000 ? n + 1 : 0;
}

/*
 * Process 0 sends to one after the other: each message leaves when the processor has
 * prepared it and the interface has sent the one before. At time 0.
 */
static void burst(struct bspt *t, size_t k)
{
	uint64_t prepared = 0, leaves = 0, free_at = 0;

	for (int q = 1; q < t->nprocs; q++) {
		prepared += net->o;
		leaves = prepared > free_at ? prepared : free_at;
		free_at = leaves + (k - 1) * net->G + net->g;
		if (t->me == 0)
			send_bytes(t, q, k);
		if (t->me == q)
			is_near((double)(leaves + (k - 1) * net->G + net->L) / 1000,
				(double)event_from(t, 0).arrival, late(0),
				"%s: message %d of a burst", net->text, q);
	}
	if (t->me == 0)
		is_int((long long)prepared / 1000, (long long)now(t),
		       "%s: the processor does not wait for the interface", net->text);
}

static void bursts(struct bspt *t)
{
	load_machine(t);
	burst(t, 1001);
	meet(t);
}

/* All begin at the same time, and end so. */
static void barriers(struct bspt *t, size_t k)
{
	uint64_t before = now(t);
	int steps = ROUNDS * steps_of(t->nprocs);

	for (uint32_t round = 0; round < ROUNDS; round++) {
		dawdle(t, round);
		disseminate(t, k);
	}
	is_near(steps * one_way(k), (double)(now(t) - before), late(steps),
		"%s: dissemination of %zu bytes", net->text, k);
}

/* In pairs, but for an odd last one. The process that begins is later, before and after. */
static void ping_pong(struct bspt *t, size_t k)
{
	uint64_t before = now(t);
	int peer = t->me ^ 1;

	for (uint32_t round = 0; round < ROUNDS && peer < t->nprocs; round++) {
		dawdle(t, round);
		if (t->me < peer)
			send_bytes(t, peer, k);
		wait_for(t, peer);
		if (t->me > peer)
			send_bytes(t, peer, k);
	}
	if (t->me < peer && peer < t->nprocs)
		is_near(2 * ROUNDS * one_way(k), (double)(now(t) - before), late(2 * ROUNDS),
			"%s: ping-pong of %zu bytes", net->text, k);
}

/* Process 0 sends MESSAGES, each passes them on to the next; how long until the last has all. */
static double pipeline_time(const struct bspt *t, size_t k)
{
	uint64_t processor = t->nprocs > 2 ? 2 * net->o : net->o;

	return (t->nprocs - 1) * one_way(k) + (MESSAGES - 1) * interval(k, processor);
}

/* Process 0 is later than all others, before and after, as it waits for the last one's answer. */
static void pipeline(struct bspt *t, size_t k)
{
	uint64_t before = now(t);
	int last = t->nprocs - 1;

	for (uint32_t i = 0; i < MESSAGES; i++) {
		dawdle(t, i);
		if (t->me > 0)
			wait_for(t, t->me - 1);
		if (t->me < last)
			send_bytes(t, t->me + 1, k);
	}
	if (t->me == last) {
		atomic_store(&job.common->word[last][1], now(t));
		send_bytes(t, 0, 1);
	}
	if (t->me > 0)
		return;
	wait_for(t, last);
	is_near(pipeline_time(t, k), (double)(atomic_load(&job.common->word[last][1]) - before),
		late(MESSAGES + t->nprocs), "%s: pipeline of %zu bytes", net->text, k);
}

static void body(struct bspt *t)
{
	load_machine(t);
	is_int(0, (long long)now(t), "it begins at 0");
	for (int i = 0; i < SIZES; i++)
		barriers(t, sizes[i]);
	for (int i = 0; i < SIZES; i++)
		ping_pong(t, sizes[i]);
	for (int i = 0; i < SIZES; i++)
		pipeline(t, sizes[i]);
	meet(t);
}

int main(void)
{
	static const int nprocs[] = { 2, 3, 8, 64 };

	for (int i = 0; i < NETWORKS; i++)
		for (int k = 0; k < 4; k++) {
			net = &networks[i];
			on_network(net->text, nprocs[k], bursts, "to one after the other");
			on_network(net->text, nprocs[k], body, "to and fro");
		}
	return done_testing();
}
