/* SPDX-License-Identifier: BSD-3-Clause */
/* An interface receives each message when it was free, in whatever order waits name them. */
#include "../lib/emulated.h"

enum { EVENTS = 300, ONE_MORE = 3000 };

/* The @i-th of many messages: some alone, some at the same time as others, some long. */
static struct bspt_event event_of(uint32_t i)
{
	return (struct bspt_event){
		.arrival = 10000000 + mixed(i, 1, 1) % 4000000,
		.bytes = mixed(i, 2, 2) % 8 ? 1 + mixed(i, 3, 3) % 200 : 1 + mixed(i, 3, 3) % 4000,
		.peer = 1 + (int)(i % 7),
	};
}

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t old = *a;

	*a = *b;
	*b = old;
}

/* An order of the numbers below @n that differs for every @seed. */
static void shuffle(uint32_t *order, uint32_t n, uint32_t seed)
{
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	for (uint32_t i = n - 1; i > 0; i--)
		swap(&order[i], &order[mixed(seed, i, 4) % (i + 1)]);
}

/* With o = 0 the clock is at the time when the last message was received. */
static void one_by_one(struct bspt *t)
{
	uint32_t order[EVENTS];

	shuffle(order, EVENTS, (uint32_t)t->me);
	for (int i = 0; i < EVENTS; i++) {
		struct bspt_event event = event_of(order[i]);

		t->ops->advance(t, &event, 1);
		if (now(t) < event.arrival)
			ok(false, "a wait ends before its message arrives");
	}
	note(t, 0, now(t));
}

static void all_at_once(struct bspt *t)
{
	struct bspt_event events[EVENTS];
	uint32_t order[EVENTS];

	shuffle(order, EVENTS, (uint32_t)t->me);
	for (int i = 0; i < EVENTS; i++)
		events[i] = event_of(order[i]);
	t->ops->advance(t, events, EVENTS);
	for (int i = 1; i < EVENTS; i++)
		if (events[i - 1].arrival > events[i].arrival)
			ok(false, "advance() sorts");
	note(t, 0, now(t));
}

static int differing(int n)
{
	int count = 0;

	for (int p = 1; p < n; p++)
		count += noted[p][0] != noted[0][0];
	return count;
}

/*
 * The interface takes messages in the order of their first bytes, one after the other: when it
 * has received the last. A simple queue, which sees all at once.
 */
static uint64_t received_last(uint64_t g, uint64_t per_byte)
{
	bool done[EVENTS] = { false };
	uint64_t free_at = 0, last = 0;

	for (int n = 0; n < EVENTS; n++) {
		uint64_t least = UINT64_MAX;
		uint32_t next = 0;

		for (uint32_t i = 0; i < EVENTS; i++) {
			uint64_t first = event_of(i).arrival - (event_of(i).bytes - 1) * per_byte;

			if (!done[i] && first < least) {
				least = first;
				next = i;
			}
		}
		done[next] = true;
		last = (least > free_at ? least : free_at) + (event_of(next).bytes - 1) * per_byte;
		free_at = last + g;
	}
	return last;
}

/* Waits for the later message first. */
static void late_before_early(struct bspt *t)
{
	struct bspt_event late = { .arrival = 1000000, .bytes = 1, .peer = 1 };
	struct bspt_event early = { .arrival = 100000, .bytes = 1, .peer = 2 };
	struct bspt_event close = { .arrival = 999000, .bytes = 1, .peer = 3 };
	struct bspt_event first = { .arrival = 1000, .bytes = 1, .peer = 4 };

	t->ops->advance(t, &late, 1);
	is_int(1005000, (long long)now(t), "a wait takes until the arrival, and o");
	t->ops->advance(t, &early, 1);
	is_int(1005000, (long long)now(t), "what came long before was received in idle time");
	t->ops->advance(t, &close, 1);
	is_int(1010000, (long long)now(t), "what comes when the interface is busy has to wait");
	t->ops->advance(t, &first, 1);
	is_int(1010000, (long long)now(t), "and still there is idle time before");
}

/* Without idle time each message costs o, however early it was. */
static void busy(struct bspt *t)
{
	struct bspt_event early = { .arrival = 60000, .bytes = 1, .peer = 2 };

	for (int i = 0; i < 200; i++)
		send_bytes(t, next_of(t), 1);
	is_int(1000000, (long long)now(t), "200 messages cost o each");
	t->ops->advance(t, &early, 1);
	is_int(1005000, (long long)now(t), "one that came while the processor was busy costs o");
	early.arrival = 70000;
	t->ops->advance(t, &early, 1);
	is_int(1010000, (long long)now(t), "and so does the next");
	for (int i = 0; i < 200; i++)
		event_from(t, prev_of(t));
	meet(t);
}

/* No process waits for them, so they have no arrival. */
static void passing(struct bspt *t)
{
	struct bspt_event passes = { .arrival = 0, .bytes = 100000, .peer = 1 };
	struct bspt_event waited_for = { .arrival = 60000, .bytes = 1, .peer = 1 };

	t->ops->advance(t, &passes, 1);
	is_int(5000, (long long)now(t), "a message that passes costs o");
	t->ops->advance(t, &waited_for, 1);
	is_int(65000, (long long)now(t), "it is not in the way of others");
	t->ops->advance(t, &passes, 1);
	is_int(65000, (long long)now(t), "and nothing where there was idle time");
}

/* From all others at the same time. */
static void incast(struct bspt *t)
{
	struct bspt_event events[100];

	for (int i = 0; i < 100; i++)
		events[i] = (struct bspt_event){ .arrival = 200000, .bytes = 101, .peer = 1 };
	t->ops->advance(t, events, 100);
	is_int(200000 + 99 * (100 * 10 + 5000) + 5000, (long long)now(t),
	       "100 messages that arrive together are received (k-1)G + g apart");
}

/* More than is remembered: what is old is forgotten, what is new is not. */
static void many_apart(struct bspt *t)
{
	for (uint64_t i = 1; i <= ONE_MORE; i++) {
		struct bspt_event event = { .arrival = i * 100000, .bytes = 1, .peer = 1 };

		t->ops->advance(t, &event, 1);
		if (now(t) != i * 100000 + 5000)
			ok(false, "message %llu: its time", (unsigned long long)i);
	}
	is_int(ONE_MORE * 100000LL + 5000, (long long)now(t), "%d messages apart", ONE_MORE);
	t->ops->advance(t, NULL, 0);
	is_int(ONE_MORE * 100000LL + 5000, (long long)now(t), "a wait for nothing takes no time");
}

int main(void)
{
	static const char *const no_overhead = "o=0,L=50us,g=5us,G=10ns,cpu=0";

	on_network(no_overhead, 8, all_at_once, "300 messages in one wait");
	is_int((long long)received_last(5000, 10), (long long)noted[0][0],
	       "they take as long as in a queue");
	is_int(0, differing(8), "in any order");
	on_network(no_overhead, 8, one_by_one, "300 messages in as many waits");
	is_int((long long)received_last(5000, 10), (long long)noted[0][0],
	       "they take as long as in a queue");
	is_int(0, differing(8), "in any order");
	on_network("o=5us,L=50us,g=5us,G=10ns,cpu=0", 2, late_before_early, "late before early");
	on_network("o=5us,L=50us,g=5us,G=10ns,cpu=0", 2, busy, "no idle time");
	on_network("o=5us,L=50us,g=5us,G=10ns,cpu=0", 2, passing, "messages that pass");
	on_network("o=5us,L=50us,g=5us,G=10ns,cpu=0", 2, incast, "many at the same time");
	on_network("o=5us,L=50us,g=5us,G=10ns,cpu=0", 2, many_apart, "one after the other");
	return done_testing();
}
