// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_sim_state.c - what the simulator keeps while it runs. */

#include "goal/sim/goal_sim_state.h"

#include <stdlib.h>

/* Counted first, so that there is one piece of memory for the counters of all: how many wait. */
static uint64_t count_ops(struct goal_sim *s)
{
	const struct goal_source *source = s->source;
	uint64_t waiting = 0;

	for (int rank = 0; rank < source->nprocs; rank++) {
		struct goal_sim_process *p = &s->process[rank];
		uint32_t nops = source->nops(source, rank);

		while (p->nindep < nops && !source->dependencies(source, rank, p->nindep))
			p->nindep++;
		p->waiting = waiting;
		waiting += nops - p->nindep;
		if (s->first)
			s->first[rank] = s->all;
		s->all += nops;
	}
	return waiting;
}

static bool open_counters(struct goal_sim *s, uint64_t waiting)
{
	const struct goal_source *source = s->source;
	uint64_t n = 0;

	s->left = malloc((waiting + 1) * sizeof(*s->left));
	if (!s->left)
		return false;
	for (int rank = 0; rank < source->nprocs; rank++) {
		struct goal_sim_process *p = &s->process[rank];
		uint32_t nops = source->nops(source, rank), receives = 0;
		struct goal_sim_op op;

		for (uint32_t i = p->nindep; i < nops; i++)
			s->left[n++] = source->dependencies(source, rank, i);
		for (uint32_t i = 0; i < p->nindep; i++) {
			source->op(source, rank, i, &op);
			receives += op.type == GOAL_RECV;
		}
		if (!goal_matches_reserve(&p->posted, receives))
			return false;
	}
	return true;
}

bool goal_sim_open(struct goal_sim *s)
{
	size_t nprocs = s->source->nprocs;
	uint64_t waiting;

	goal_queue_init(&s->queue);
	memset(s->finish, 0, nprocs * sizeof(*s->finish));
	s->process = calloc(nprocs, sizeof(*s->process));
	s->busy = calloc(nprocs, (s->source->ncpus + 2 * s->source->nnics) * sizeof(*s->busy));
	s->first = s->watch.message ? calloc(nprocs, sizeof(*s->first)) : NULL;
	if (!s->process || !s->busy || (s->watch.message && !s->first) ||
	    !goal_cores_open(&s->cores, s->net, s->source->nprocs))
		return false;
	waiting = count_ops(s);
	s->started = s->watch.message ? calloc(s->all + 1, sizeof(*s->started)) : NULL;
	if (s->watch.message && !s->started)
		return false;
	return open_counters(s, waiting);
}

void goal_sim_close(struct goal_sim *s)
{
	for (int rank = 0; s->process && rank < s->source->nprocs; rank++) {
		struct goal_sim_process *p = &s->process[rank];

		goal_matches_free(&p->posted);
		goal_matches_free(&p->arrived);
		for (uint32_t i = 0; p->lines && i < goal_sim_nlines(s); i++)
			free(p->lines[i].event);
		free(p->lines);
	}
	goal_cores_close(&s->cores);
	goal_queue_free(&s->queue);
	free(s->process);
	free(s->busy);
	free(s->first);
	free(s->started);
	free(s->left);
	free(s->waiters.op);
	free(s->freed.op);
}
