/* SPDX-License-Identifier: BSD-3-Clause */
/* Block q of process p becomes block p of process q, in place or not. */
#include "../lib/collectives.h"

static const uint64_t sizes[] = { 0, 1, 7, 64, 4096 + 3 };

static void try_all(const struct goal_algorithm *a, bool in_place)
{
	struct goal_task t = task_of(a, in_place);
	struct verdict v = { "", 0 };

	for (size_t i = 0; i < 5; i++) {
		t.bytes = sizes[i];
		each_nprocs(&v, &t, t.bytes > 100 ? 17 : 33);
	}
	report(&v, "%s:%s%s", goal_kind_name(a->kind), a->name, in_place ? " in place" : "");
}

int main(void)
{
	static const enum goal_kind kinds[] = { GOAL_EXCHANGE };
	const struct goal_algorithm *a;

	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
		for (unsigned int i = 0; (a = goal_algorithm(kinds[k], i)); i++) {
			try_all(a, false);
			try_all(a, true);
		}
	return done_testing();
}
