/* SPDX-License-Identifier: BSD-3-Clause */
/* When the last of several messages beside a process leaves, and is received, does not depend on
 * the order of calls. */
#include "../lib/emulated.h"

enum { MESSAGES = 24, RUNS = 12, O_NS = 3000 };

#define NETWORK "L=30us,o=3us,g=4us,G=5ns,cpu=0"

static uint32_t run;
static bool sends_in_turn;	/* else they are received so */

static size_t bytes_of(uint32_t i)
{
	return 1 + mixed(i, 5, 1) % 3000;
}

/*
 * A multiple of o: one message in the middle of whose preparation another begins is prepared in two
 * parts, and which of them comes first then depends on the order of calls, by less than o.
 */
static uint64_t time_of(uint32_t i)
{
	return mixed(i, 6, 2) % 33 * O_NS;
}

/* The i-th of an order that differs from run to run. */
static uint32_t turn(uint32_t i)
{
	return (i * (2 * run + 1) * 5 + run) % MESSAGES;
}

/*
 * MESSAGES is no multiple of 5 or 7 or 11 ..., so an order leaves none out, unless the factor has a
 * 3 in it.
 */
static bool leaves_out(void)
{
	return (2 * run + 1) % 3 == 0;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint32_t which(uint32_t i, bool in_turn)
{
	return in_turn ? turn(i) : i;
}

static uint64_t send_all(struct bspt *t)
{
	uint64_t sent = 0;

	for (uint32_t k = 0; k < MESSAGES; k++) {
		uint32_t i = which(k, sends_in_turn);
		size_t room;
		void *chunk = chunk_for(t, 1, bytes_of(i), &room);

		memset(chunk, 1, 1);
		sent = later(sent, t->ops->send_at(t, 1, chunk, bytes_of(i), time_of(i)));
	}
	return sent;
}

static void receive_all(struct bspt *t)
{
	struct bspt_event events[MESSAGES];
	uint64_t received = 0, arrived_last = 0;

	for (uint32_t i = 0; i < MESSAGES; i++)
		arrived_last = later(arrived_last, (events[i] = event_from(t, 0)).arrival);
	for (uint32_t k = 0; k < MESSAGES; k++)
		received = later(received,
				 t->ops->receive_at(t, &events[which(k, !sends_in_turn)], 0));
	note(t, 1, arrived_last);
	note(t, 2, received);
}

static void exchange(struct bspt *t)
{
	if (t->me == 0)
		note(t, 0, send_all(t));
	else
		receive_all(t);
	meet(t);
}

static void sends(void)
{
	static uint64_t sent, arrived_last;

	sends_in_turn = true;
	on_network(NETWORK, 2, exchange, "sends in any order");
	if (run == 0) {
		sent = noted[0][0];
		arrived_last = noted[1][1];
	}
	ok(sent > 0 && sent == noted[0][0], "order %u: the last is prepared at the same time", run);
	ok(arrived_last == noted[1][1], "order %u: the last arrives at the same time", run);
}

static void receives(void)
{
	static uint64_t received;

	sends_in_turn = false;
	on_network(NETWORK, 2, exchange, "receives in any order");
	if (run == 0)
		received = noted[1][2];
	ok(received > 0 && received == noted[1][2],
	   "order %u: the last is received at the same time", run);
}

int main(void)
{
	for (run = 0; run < RUNS; run++) {
		if (leaves_out())
			continue;
		sends();
		receives();
	}
	return done_testing();
}
