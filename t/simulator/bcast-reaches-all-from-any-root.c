/* SPDX-License-Identifier: BSD-3-Clause */
/* Every broadcast brings the root's bytes to all, of any size, from any root, however it is cut. */
#include "../lib/collectives.h"

static const uint64_t sizes[] = { 0, 1, 7, 64, 4096 + 3 };

/* Not cut, into many that divide, into some that do not, and into one that is too large. */
static void each_segment(struct verdict *v, struct goal_task *t, int most)
{
	const uint64_t segments[] = { 0, t->bytes / 8, t->bytes / 3 + 1, 2 * t->bytes };

	for (int i = 0; i < (t->algorithm->has_segment ? 4 : 1); i++) {
		t->segment = segments[i];
		each_nprocs(v, t, most);
	}
}

int main(void)
{
	const struct goal_algorithm *a;

	for (unsigned int i = 0; (a = goal_algorithm(GOAL_BCAST, i)); i++) {
		struct goal_task t = task_of(a, false);
		struct verdict v = { "", 0 };

		for (size_t j = 0; j < 5; j++) {
			t.bytes = sizes[j];
			each_segment(&v, &t, t.bytes > 100 ? 17 : 33);
		}
		for (t.arity = 1, t.bytes = 7; a->has_arity && t.arity <= 40; t.arity++)
			each_nprocs(&v, &t, 33);
		report(&v, "bcast:%s", a->name);
	}
	return done_testing();
}
