/* SPDX-License-Identifier: BSD-3-Clause */
/* Work beside a process has its own processor, shares the interface, leaves the clock alone. */
#include "../lib/emulated.h"

/* Nanoseconds. */
enum { L = 50000, O = 5000, GAP = 7000, BYTE = 10, K = 1001, WIRE = (K - 1) * BYTE };

#define NETWORK "L=50us,o=5us,g=7us,G=10ns,cpu=0"

static uint64_t send_beside(struct bspt *t, int peer, uint64_t when)
{
	size_t room;
	unsigned char *chunk = chunk_for(t, peer, K, &room);

	chunk[0] = 1;
	return t->ops->send_at(t, peer, chunk, K, when);
}

/* The arrival of the next message from process 0. */
static long long arrival(struct bspt *t)
{
	return (long long)event_from(t, 0).arrival;
}

static void one(struct bspt *t)
{
	if (t->me == 0) {
		is_int(1000 + O, (long long)send_beside(t, 1, 1000),
		       "a send beside takes its overhead");
		is_int(0, (long long)now(t), "and none of the process's time");
	} else {
		struct bspt_event e = event_from(t, 0);

		is_int(1000 + O + WIRE + L, (long long)e.arrival, "it arrives as any other");
		is_int((long long)e.arrival + O, (long long)t->ops->receive_at(t, &e, 0),
		       "who waited for it has it after the overhead");
		is_int(0, (long long)now(t), "beside the process");
	}
	meet(t);
}

static void late(struct bspt *t)
{
	if (t->me == 0) {
		send_beside(t, 1, 0);
	} else {
		struct bspt_event e = event_from(t, 0);

		is_int(1000000 + O, (long long)t->ops->receive_at(t, &e, 1000000),
		       "one that was here before is received at once");
	}
	meet(t);
}

/* The later one is named first. */
static void out_of_order(struct bspt *t)
{
	if (t->me == 0) {
		send_beside(t, 1, 500000);
		send_beside(t, 1, 1000);
		is_int(1000 + O + O, (long long)send_beside(t, 1, 1000),
		       "one after the other on their processor");
	} else {
		is_int(500000 + O + WIRE + L, arrival(t), "the later one");
		is_int(1000 + O + WIRE + L, arrival(t), "does not delay the earlier one");
		is_int(1000 + O + WIRE + GAP + WIRE + L, arrival(t), "which delays the next");
	}
	meet(t);
}

/* The process sends at the same time: two processors, one interface. */
static void one_interface(struct bspt *t)
{
	if (t->me == 0) {
		send_bytes(t, 1, K);
		is_int(O, (long long)send_beside(t, 1, 0),
		       "the processors do not wait for each other");
		send_bytes(t, 1, K);
		is_int(2 * O, (long long)now(t), "nor the other way round");
	} else {
		is_int(O + WIRE + L, arrival(t), "the first of the process");
		is_int(O + WIRE + GAP + WIRE + L, arrival(t),
		       "that beside it waits for the interface");
		is_int(O + 2 * (WIRE + GAP) + WIRE + L, arrival(t),
		       "so does the second of the process");
	}
	meet(t);
}

static void reaches(struct bspt *t)
{
	t->ops->reach(t, 12345);
	is_int(12345, (long long)now(t), "the clock moves on");
	t->ops->reach(t, 777);
	is_int(12345, (long long)now(t), "and never back");
	meet(t);
}

/* A message received while the process waits for work beside it takes no more time. */
static void idle_time(struct bspt *t)
{
	if (t->me == 0) {
		send_bytes(t, 1, K);
	} else {
		struct bspt_event e = event_from(t, 0);

		t->ops->reach(t, 10 * L);
		t->ops->advance(t, &e, 1);
		is_int(10 * L, (long long)now(t), "received while it waited");
	}
	meet(t);
}

int main(void)
{
	on_network(NETWORK, 2, one, "one message");
	on_network(NETWORK, 2, late, "a message before its receive");
	on_network(NETWORK, 2, out_of_order, "calls in another order than that of time");
	on_network(NETWORK, 2, one_interface, "one interface");
	on_network(NETWORK, 2, reaches, "the clock is set on");
	on_network(NETWORK, 2, idle_time, "idle time");
	return done_testing();
}
