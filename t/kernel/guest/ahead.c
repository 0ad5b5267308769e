// SPDX-License-Identifier: BSD-3-Clause
/* ahead.c - a process that is many schedules and runs ahead of another, past where numbers wrap. */

#include "goal_job.h"

enum { SCHEDULES = 30, RUNS = 30, ALL = SCHEDULES * RUNS };

static uint32_t load_word(void)
{
	struct goal_graph *g = goal_graph_create(nprocs, rank);
	int word = goal_buffer(g);

	if (rank == 0)
		goal_send(g, sizeof(int), GOAL_AT(word, 0), 1, 7);
	else
		goal_recv(g, sizeof(int), GOAL_AT(word, 0), 0, 7);
	goal_buffer_at_least(g, word, sizeof(int));
	return load_graph(g);
}

/* Rank 1 has loaded the first schedule alone when all that rank 0 sends has arrived. */
static void words_wait(void)
{
	uint32_t ids[SCHEDULES] = { load_word() };

	if (rank == 1)
		await_unexpected(ALL);
	for (int i = 0; i < SCHEDULES; i++) {
		ids[i] = i ? load_word() : ids[i];
		for (int k = 0; k < RUNS; k++) {
			int sent = i * RUNS + k, word = rank ? -1 : sent;

			finish(start(ids[i], &word, NULL, NULL, 0), NULL, 0);
			if (word != sent)
				fail("not the word of this run");
		}
	}
}

int main(void)
{
	begin_test(2);
	job(words_wait, "messages wait for schedules and runs of any number");
	return done_testing();
}
