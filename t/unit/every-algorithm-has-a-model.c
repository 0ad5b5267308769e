/* SPDX-License-Identifier: BSD-3-Clause */
/* Every algorithm of the table has a formula, whose costs are positive and grow with the size, and
 * every barrier is one that the simulator makes up. */
#include "bsplib/model/model.h"
#include "goal/sim/goal_sim.h"
#include "../lib/tap.h"

#include <math.h>
#include <stdlib.h>

static bool sane(const struct bspi_plogp *p, struct goal_task *t, int nprocs)
{
	double last = 0, cost;

	for (t->bytes = 1; t->bytes <= 1 << 20; t->bytes *= 4) {
		t->segment = t->bytes / 2;
		cost = bspi_model_cost(p, t, nprocs);
		if (!isfinite(cost) || cost <= 0 || cost < last)
			return false;
		last = cost;
	}
	return true;
}

static void check(const struct goal_algorithm *a)
{
	struct goal_task t = {
		.kind = a->kind, .algorithm = a, .call = -1, .arity = 3, .networks = 1
	};
	struct bspi_plogp p;
	bool all = true;

	bspi_plogp_of(&p, 5000, 1000, 800, 2);
	p.combine = 1;
	p.copy = 0.5;
	for (int nprocs = 2; nprocs <= 70; nprocs++)
		all &= sane(&p, &t, nprocs);
	ok(all, "%s:%s has a model that grows with the size: bsplib/model/model_*.c",
	   goal_kind_name(a->kind), a->name);
}

/* The simulator makes up barriers of millions of processes. */
static void check_source(const struct goal_algorithm *a)
{
	struct goal_task t = { .kind = GOAL_BARRIER, .algorithm = a, .arity = 3, .networks = 1 };
	struct goal_source *source = goal_source_barrier(&t, 8);

	ok(source, "barrier:%s has a line in goal/sim/goal_source_barrier.c", a->name);
	free(source);
}

int main(void)
{
	struct goal_algorithm unknown = { .kind = GOAL_BCAST, .name = "by-post" };
	struct goal_task t = { .kind = GOAL_BCAST, .algorithm = &unknown, .bytes = 1, .call = -1 };
	struct bspi_plogp p;

	for (int kind = 0; kind < GOAL_KINDS; kind++)
		for (unsigned int i = 0; goal_algorithm(kind, i); i++)
			check(goal_algorithm(kind, i));
	for (unsigned int i = 0; goal_algorithm(GOAL_BARRIER, i); i++)
		check_source(goal_algorithm(GOAL_BARRIER, i));
	bspi_plogp_of(&p, 5000, 1000, 800, 2);
	ok(isinf(bspi_model_cost(&p, &t, 4)), "one that is not in the table has none");
	return done_testing();
}
