// SPDX-License-Identifier: BSD-3-Clause
/* circle.c - a multicast is lost, and that it is missing cannot be said. */

/*
 * After segment() of testlib with three hosts, of which h2 does not receive the group. h1 has not
 * asked for what h2 sends, so their connection is full; h1's multicast does not reach h2, whose
 * status is behind what h1 does not take; and h1 takes it when h3 has answered, which first waits
 * for a word of h2, who waits for the multicast.
 */

#include "goal_job.h"

enum { MESSAGES = 160, BYTES = 128 << 10, UNASKED = 8 << 20 /* as many as the kernel keeps */ };

static char data[MESSAGES * BYTES];

static uint32_t load_flood(void)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int buffer = goal_buffer(g);

	for (int n = 0; n < MESSAGES; n++) {
		struct goal_place place = GOAL_AT(buffer, (uint64_t)n * BYTES);

		if (rank == 1)
			goal_send(g, BYTES, place, 0, n);
		if (rank == 0)
			goal_recv(g, BYTES, place, 1, n);
	}
	goal_buffer_at_least(g, buffer, sizeof(data));
	return load_graph(g);
}

/* Rank 0 multicasts a word; 1 tells 2 that it has it, and 2 tells 0. */
static uint32_t load_round(void)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int buffer = goal_buffer(g), word, answered;
	struct goal_place place = GOAL_AT(buffer, 0), answer = GOAL_AT(buffer, sizeof(int));

	if (rank == 0) {
		goal_multicast(g, sizeof(int), place, 7);
		goal_recv(g, sizeof(int), answer, 2, 8);
	} else {
		word = goal_recv(g, sizeof(int), place, 0, 7);
		answered = rank == 1 ? word : goal_recv(g, sizeof(int), answer, 1, 8);
		goal_requires(g, goal_send(g, sizeof(int), place, rank == 1 ? 2 : 0, 8), answered);
		if (rank == 2)
			goal_requires(g, answered, word);
	}
	goal_buffer_at_least(g, buffer, 2 * sizeof(int));
	return load_graph(g);
}

static void goes_round(void)
{
	uint32_t flood = load_flood(), round = load_round(), flooding = 0;
	int words[2] = { rank ? 0 : 17, 0 };

	if (rank == 1)
		flooding = start(flood, data, NULL, NULL, 0);
	if (rank == 0) {
		await_unexpected(UNASKED / BYTES - 1);
		shared->step[0] = 1;
	}
	await_step(0);
	if (run_once(device, round, words, NULL) || words[rank ? 0 : 1] != 17)
		fail("not the word of the multicast");
	if (rank == 0 && run_once(device, flood, data, NULL))
		fail("the flood");
	if (rank == 1)
		finish(flooding, NULL, 0);
}

int main(void)
{
	begin_test(3);
	job(goes_round, "a lost multicast is repeated, though the peer's status cannot arrive");
	ok(shared->repaired > 0, "by its sender");
	return done_testing();
}
