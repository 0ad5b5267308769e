// SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
/* goal_sim_core.c - processors of a machine that processes share, and their turns. */

#include "goal/sim/goal_sim_core.h"

#include <stdlib.h>

/* Processes of a machine have its cores in rotation, so that each core has as many, but for one. */
bool goal_cores_open(struct goal_cores *c, const struct goal_net *net, int nprocs)
{
	uint32_t machine = net->machine && net->machine < nprocs ? net->machine : nprocs;

	*c = (struct goal_cores){ .machine = machine, .stride = net->cores, .cost = net->turn };
	if (!net->cores || c->stride >= machine)
		return true;
	c->n = ((uint32_t)nprocs + machine - 1) / machine * c->stride;
	c->core = calloc(c->n, sizeof(*c->core));
	if (!c->core)
		return false;
	for (uint32_t i = 0; i < c->n; i++)
		c->core[i].first = i / c->stride * machine + i % c->stride;
	for (uint32_t rank = 0; rank < (uint32_t)nprocs; rank++)
		c->core[rank / machine * c->stride + rank % machine % c->stride].ring++;
	return true;
}

void goal_cores_close(struct goal_cores *c)
{
	for (uint32_t i = 0; c->core && i < c->n; i++)
		free(c->core[i].waiting.event);
	free(c->core);
}

uint64_t goal_core_next(const struct goal_cores *c, const struct goal_core *core, uint32_t rank,
			uint64_t until, uint64_t now)
{
	uint32_t place = (rank - core->first) / c->stride;
	uint64_t number = core->turn + 1;

	if (now > until && c->cost)
		number = core->turn + (now - until - 1) / c->cost + 1;
	return number + (place + core->ring - number % core->ring) % core->ring;
}

uint64_t goal_core_begin(const struct goal_cores *c, const struct goal_core *core, uint64_t turn,
			 uint64_t until)
{
	uint64_t passed;

	if (__builtin_mul_overflow(turn - core->turn, c->cost, &passed) ||
	    __builtin_add_overflow(passed, until, &passed))
		return UINT64_MAX;
	return passed;
}
