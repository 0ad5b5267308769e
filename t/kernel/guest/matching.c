// SPDX-License-Identifier: BSD-3-Clause
/* matching.c - the kernel finds the receive of a message, in any order, among many. */

/*
 * usage, after segment() of testlib, in which host h1 is rank 0 and h2 rank 1: matching [MESSAGES]
 *
 * Rank 1 sends to rank 0. A job receives the messages in the order in which they were sent, and
 * another in reverse order; the second may take a few times as long, but not MESSAGES / 2 times.
 */

#include "goal_job.h"

#include <time.h>

enum {
	TIMES_AS_LONG = 4,	/* a linear search took 20 times as long, for 20000 messages */
	TRIALS = 2,
	WORDS = 4,
};

static int nmessages = 20000;
static bool reversed, unexpected;

/* Times that the processes of this program share, beside struct shared. */
static _Atomic int64_t *began, *ended;

static int64_t microseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* Rank 0 starts before the messages are sent, or, if @unexpected, when all are there. */
static void await_turn(uint64_t messages)
{
	if (rank == 0 && unexpected)
		await_unexpected(messages);
	if (rank == 1 && !unexpected)
		await_step(0);
}

static uint32_t start_part(uint32_t id, void *data)
{
	uint32_t slot = start(id, data, NULL, NULL, 0);

	if (rank == 0)
		shared->step[0] = 1;
	return slot;
}

/* ---- Many messages, each with a tag of its own ------------------------------------------- */

static uint32_t load_many(void)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);

	for (int i = 0; i < nmessages; i++)
		if (rank == 1)
			goal_send(g, 0, GOAL_NOWHERE, 0, (uint32_t)i);
		else
			goal_recv(g, 0, GOAL_NOWHERE, 1,
				  (uint32_t)(reversed ? nmessages - 1 - i : i));
	return load_graph(g);
}

/* Rank 0 measures from its start, or from that of rank 1 if its receives were posted before. */
static void many_messages(void)
{
	uint32_t id = load_many(), slot;

	await_turn((uint64_t)nmessages);
	if (rank == (unexpected ? 0 : 1))
		*began = microseconds();
	slot = start_part(id, NULL);
	finish(slot, NULL, 0);
	if (rank == 0)
		*ended = microseconds();
}

/* Microseconds, the least of some. */
static int64_t time_of(bool reverse)
{
	int64_t least = INT64_MAX;

	reversed = reverse;
	for (int i = 0; i < TRIALS; i++) {
		job(many_messages, reverse ? "messages arrive in reverse order" :
					     "messages arrive in order");
		if (*ended - *began < least)
			least = *ended - *began;
	}
	return least;
}

static void takes_as_long(bool early, const char *claim)
{
	int64_t forward, backward;

	unexpected = early;
	forward = time_of(false);
	backward = time_of(true);
	printf("# %d messages%s: %.3f s; in reverse order: %.3f s\n", nmessages,
	       early ? " before their receives" : "", (double)forward / 1e6,
	       (double)backward / 1e6);
	ok(backward <= TIMES_AS_LONG * forward, claim);
}

/* ---- Receives with wildcards ------------------------------------------------------------- */

struct choice {
	int from;
	uint32_t tag;
	int word;		/* that it must receive, counted from 1 */
};

/* Messages 1, 2, 3 with tag 7 and 4 with tag 9 against these receives, in this order. */
static const struct choice posted_choices[WORDS] = {
	{ (int)GOAL_ANY, GOAL_ANY, 1 },
	{ 1, 7, 2 },
	{ (int)GOAL_ANY, 7, 3 },
	{ 1, GOAL_ANY, 4 },
}, late_choices[WORDS] = {
	{ 1, 9, 4 },
	{ (int)GOAL_ANY, 7, 1 },
	{ 1, GOAL_ANY, 2 },
	{ (int)GOAL_ANY, GOAL_ANY, 3 },
};

static uint32_t load_choices(const struct choice *choices)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int data = goal_buffer(g), before = -1;

	goal_buffer_at_least(g, data, WORDS * sizeof(int));
	for (int i = 0; i < WORDS; i++) {
		struct goal_place place = GOAL_AT(data, (uint64_t)i * sizeof(int));
		int op = rank ? goal_send(g, sizeof(int), place, 0, i == 3 ? 9 : 7) :
				goal_recv(g, sizeof(int), place, choices[i].from, choices[i].tag);

		if (i)
			goal_irequires(g, op, before);
		before = op;
	}
	return load_graph(g);
}

static void wildcards(void)
{
	const struct choice *choices = unexpected ? late_choices : posted_choices;
	int data[WORDS] = { 1, 2, 3, 4 };

	uint32_t id = load_choices(choices);

	await_turn(WORDS);
	finish(start_part(id, data), NULL, 0);
	for (int i = 0; rank == 0 && i < WORDS; i++)
		if (data[i] != choices[i].word) {
			printf("# receive %d: message %d, wanted %d\n", i, data[i],
			       choices[i].word);
			fail("the wrong message");
		}
}

int main(int argc, char **argv)
{
	if (argc > 1)
		nmessages = atoi(argv[1]);
	begin_test(2);
	began = mmap(NULL, 2 * sizeof(*began), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		     -1, 0);
	if (began == MAP_FAILED)
		bail("mmap");
	ended = began + 1;
	job(wildcards, "a message matches the receive that was posted first, with any wildcards");
	unexpected = true;
	job(wildcards, "a receive matches the message that arrived first, with any wildcards");
	takes_as_long(false, "a message finds its receive among many in a few steps");
	takes_as_long(true, "a receive finds its message among many in a few steps");
	return done_testing();
}
