/* SPDX-License-Identifier: BSD-3-Clause */
/* Every transport says what a message costs, roughly; one that emulates a network exactly
 * that. */
#include "../lib/transports.h"

static bool is_time(double ns)
{
	return ns > 0 && ns < 1e6;
}

static void body(struct bspt *t)
{
	const struct bspt_cost *c = &t->cost;

	ok(is_time(c->L) && is_time(c->o) && is_time(c->g), "%s: L, o and g", job.ops->name);
	ok(c->G > 0 && c->G < 1000, "%s: G", job.ops->name);
	meet(t);
}

static void exact(struct bspt *t)
{
	ok(t->cost.L == 50000.5 && t->cost.o == 200 && t->cost.g == 7000 && t->cost.G == 0.08,
	   "L, o, g and G of the network");
	meet(t);
}

int main(void)
{
	const struct bspt_ops *emu = bspt_find("emu");

	over_each(body, (struct bspt_plan){ .nprocs = 2 }, "costs");
	if (emu && is_wanted(emu))
		over(emu, exact,
		     (struct bspt_plan){ .nprocs = 2,
					 .network = "L=50.0005us,o=0.2us,g=7us,G=0.08ns" },
		     "costs of an emulated network");
	return done_testing();
}
