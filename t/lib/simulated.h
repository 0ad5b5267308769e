/* SPDX-License-Identifier: BSD-3-Clause */
/* simulated.h - for tests of the simulator: sets of schedules and their times. */
#ifndef SIMULATED_H
#define SIMULATED_H

#include "tap.h"

#include "goal/sim/goal_sim.h"

#include <stdlib.h>
#include <string.h>

/* The network that LogGOPSim has by default. */
static const struct goal_net sim_default = { .L = 2500, .o = 1500, .g = 1000, .G = 6, .S = 65535 };

static inline struct goal_set sim_parsed(const char *text)
{
	struct goal_set set;
	struct goal_where where;

	if (goal_parse(&set, text, strlen(text), &where))
		bail("line %d, column %d: %s", where.line, where.column, where.what);
	return set;
}

/* The parts of all processes. */
static inline struct goal_set sim_generated(const struct goal_task *task, int nprocs)
{
	struct goal_set set = {
		.nprocs = nprocs,
		.block = calloc(nprocs, sizeof(*set.block)),
		.len = calloc(nprocs, sizeof(*set.len)),
	};
	char why[200];

	for (int rank = 0; rank < nprocs; rank++) {
		set.block[rank] =
			goal_generate(task, nprocs, rank, &set.len[rank], why, sizeof why);
		if (!set.block[rank])
			bail("%s of %d: %s", task->algorithm->name, nprocs, why);
	}
	return set;
}

/* Times of all processes; free() them. */
static inline uint64_t *sim_times(const struct goal_source *source, const struct goal_net *net)
{
	uint64_t *times = source ? calloc(source->nprocs, sizeof(*times)) : NULL;
	char why[300];

	if (!times)
		bail("no memory, or no line for the algorithm in "
		     "goal/sim/goal_source_barrier.c");
	if (goal_sim(source, net, NULL, times, why, sizeof why))
		bail("%s", why);
	return times;
}

static inline uint64_t *sim_set_times(const struct goal_set *set, const struct goal_net *net)
{
	struct goal_source *source = goal_source_of(set);
	uint64_t *times = sim_times(source, net);

	free(source);
	return times;
}

static inline uint64_t *sim_text_times(const char *text, const struct goal_net *net)
{
	struct goal_set set = sim_parsed(text);
	uint64_t *times = sim_set_times(&set, net);

	goal_set_free(&set);
	return times;
}

static inline uint64_t sim_latest(const uint64_t *times, int nprocs)
{
	uint64_t latest = 0;

	for (int rank = 0; rank < nprocs; rank++)
		latest = times[rank] > latest ? times[rank] : latest;
	return latest;
}

/* When rank by rank ends, then UINT64_MAX. */
static inline void sim_is(const char *text, const struct goal_net *net, const uint64_t *wanted,
			  const char *what)
{
	uint64_t *times = sim_text_times(text, net);

	for (int rank = 0; wanted[rank] != UINT64_MAX; rank++)
		is_int(wanted[rank], times[rank], "%s: rank %d", what, rank);
	free(times);
}

#define SIM_IS(text, net, what, ...) \
	sim_is(text, net, (const uint64_t[]){ __VA_ARGS__, UINT64_MAX }, what)

#endif
