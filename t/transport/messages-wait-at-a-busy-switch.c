/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages wait at a busy switch or bisection, and nowhere else; with order=1 in virtual order. */
#include "../lib/emulated.h"

enum { BYTES = 1000, SHORT = 100, PROCS = 4, MESSAGES = 8 };

/* Each process sends one message to another, @distance behind it, and notes when one arrived. */
static void one_each(struct bspt *t, int distance)
{
	struct bspt_event event;

	dawdle(t, 1);
	send_bytes(t, (t->me + distance) % t->nprocs, BYTES);
	event = event_from(t, (t->me + t->nprocs - distance) % t->nprocs);
	note(t, 0, event.arrival);
}

static void to_next(struct bspt *t)
{
	one_each(t, 1);
}

static void to_other_half(struct bspt *t)
{
	one_each(t, 2);
}

/* Process 0 alone, to its neighbour and to the other half. */
static void alone(struct bspt *t)
{
	if (t->me == 0) {
		send_bytes(t, 1, BYTES);
		send_bytes(t, 2, BYTES);
	} else if (t->me < 3) {
		note(t, 0, event_from(t, 0).arrival);
	}
}

/* Some messages of each process in a row, on a machine that does something else. */
static void many(struct bspt *t)
{
	load_machine(t);
	for (uint32_t i = 0; i < MESSAGES; i++) {
		dawdle(t, i);
		send_bytes(t, (t->me + 1) % t->nprocs, BYTES);
	}
	for (int i = 0; i < MESSAGES; i++)
		note(t, 0, event_from(t, (t->me + t->nprocs - 1) % t->nprocs).arrival);
}

/* The last process leaves first, 5 us before the one before it. */
static void backwards(struct bspt *t)
{
	load_machine(t);
	t->ops->charge(t, (uint64_t)(t->nprocs - 1 - t->me) * 5000);
	one_each(t, 1);
}

/*
 * Process 0 sends three messages to 1, which queue at its interface; 3 sends a short one to 2, and
 * that one answers.
 */
static void relay(struct bspt *t)
{
	load_machine(t);
	dawdle(t, 5);
	if (t->me == 0)
		for (int i = 0; i < 3; i++)
			send_bytes(t, 1, BYTES);
	if (t->me == 1)
		for (int i = 0; i < 3; i++)
			note(t, i, event_from(t, 0).arrival);
	if (t->me == 3)
		send_bytes(t, 2, SHORT);
	if (t->me == 2) {
		wait_for(t, 3);
		note(t, 0, now(t));
		send_bytes(t, 3, SHORT);
	}
	if (t->me == 3)
		note(t, 0, event_from(t, 2).arrival);
}

static uint64_t last_of_all(void)
{
	uint64_t last = 0;

	for (int i = 0; i < PROCS; i++)
		last = noted[i][0] > last ? noted[i][0] : last;
	return last;
}

/* L is 1 us, and a byte takes an interface 10 ns: the last of 1000 bytes leaves after 9990 ns. */
#define NET "L=1us,G=10ns,cpu=0"

/* The arrival of the @n-th message at a switch that takes 20 ns for a byte and is always busy. */
static uint64_t nth(int n)
{
	return 1000 + (uint64_t)(n * BYTES - 1) * 20;
}

static void test_order(void)
{
	on_network(NET ",switch=20ns,order=1", PROCS, to_next, "a switch in virtual order");
	for (int q = 0; q < PROCS; q++)
		is_int(nth(q + 1), noted[(q + 1) % PROCS][0],
		       "of those that leave together that of process %d is number %d", q, q + 1);
	on_network(NET ",switch=20ns,order=1", PROCS, backwards, "another order");
	for (int q = 0; q < PROCS; q++)
		is_int(nth(PROCS - q), noted[(q + 1) % PROCS][0],
		       "process %d leaves as number %d", q, PROCS - q);
	on_network(NET ",switch=20ns,order=1", PROCS, many, "many messages in order");
	for (int q = 0; q < PROCS; q++)
		is_int(nth(PROCS * (MESSAGES - 1) + q + 1), noted[(q + 1) % PROCS][0],
		       "all take turns, the last of process %d", q);
	on_network(NET ",bisection=20ns,order=1", PROCS, to_other_half, "a bisection in order");
	for (int q = 0; q < PROCS; q++)
		is_int(nth(1 + q % 2), noted[(q + 2) % PROCS][0],
		       "process %d is number %d on its way", q, 1 + q % 2);
}

/*
 * At the switch, in us: 0 to 20 the first message of process 0, to 22 the short one of process 3,
 * which is there at 22.98; to 42 and 62 the others of process 0, which left at 9.99 and 19.98; to
 * 64 the answer, which leaves at 22.98.
 */
static void test_relay(void)
{
	on_network(NET ",switch=20ns,order=1", PROCS, relay, "an answer while others queue");
	is_int(20980, noted[1][0], "the first message");
	is_int(22980, noted[2][0], "the short one passes behind it");
	is_int(42980, noted[1][1], "before the next");
	is_int(62980, noted[1][2], "and the last");
	is_int(64980, noted[3][0], "which leaves before the answer");
}

int main(void)
{
	on_network(NET, PROCS, to_next, "no switch");
	is_int(1000 + 9990, last_of_all(), "without one nothing waits");
	on_network(NET ",switch=2ns", PROCS, to_next, "a fast switch");
	is_int(1000 + 9990, last_of_all(), "nor in a switch that is faster than all interfaces");
	on_network(NET ",switch=20ns", PROCS, to_next, "a busy switch");
	is_int(1000 + (PROCS * BYTES - 1) * 20, last_of_all(),
	       "in a busy one the last byte is behind all others");
	on_network(NET ",switch=20ns", PROCS, alone, "a slow switch");
	is_int(1000 + (BYTES - 1) * 20, noted[1][0], "a message alone takes its own time there");
	is_int(1000 + (2 * BYTES - 1) * 20, noted[2][0], "and the next is behind it");
	on_network(NET ",bisection=20ns", PROCS, to_other_half, "a busy bisection");
	is_int(1000 + (PROCS / 2 * BYTES - 1) * 20, last_of_all(),
	       "a bisection has half of the messages each way");
	on_network(NET ",bisection=20ns", PROCS, alone, "an idle bisection");
	is_int(1000 + 9990, noted[1][0], "those inside a half do not pass it");
	is_int(1000 + 10000 - 10 + (BYTES - 1) * 20, noted[2][0], "those to the other do");
	on_network(NET ",switch=20ns", PROCS, many, "many messages");
	is_int(1000 + (PROCS * MESSAGES * BYTES - 1) * 20, last_of_all(),
	       "the last of many has the same time in any order");
	test_order();
	test_relay();
	return done_testing();
}
