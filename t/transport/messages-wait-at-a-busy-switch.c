/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages wait for each other in a switch and a bisection that are busy, and nowhere else. */
#include "../lib/emulated.h"

enum { BYTES = 1000, PROCS = 4, MESSAGES = 8 };

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

static uint64_t last_of_all(void)
{
	uint64_t last = 0;

	for (int i = 0; i < PROCS; i++)
		last = noted[i][0] > last ? noted[i][0] : last;
	return last;
}

/* L is 1 us, and a byte takes an interface 10 ns: the last of 1000 bytes leaves after 9990 ns. */
#define NET "L=1us,G=10ns,cpu=0"

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
	return done_testing();
}
