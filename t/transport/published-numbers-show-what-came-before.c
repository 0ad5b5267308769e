/* SPDX-License-Identifier: BSD-3-Clause */
/* A published number only grows, and shows what was written to a window before it. */
#include "../lib/windows.h"

enum { LAST = 20000 };

static void body(struct bspt *t)
{
	volatile uint64_t *area = map_private(4 * PAGE);
	struct window mine = expose(t, (void *)(uintptr_t)area, 4 * PAGE);
	struct window theirs = exchange(t, &mine, next_mate(t));
	uint32_t last = published_seen(t, next_mate(t));
	int bad = 0;

	is_int(0, last, "it begins with 0");
	ok(!mine.refused && !theirs.refused, "a mapping can be exposed");
	meet(t);
	for (uint64_t i = 1; i <= LAST || last < LAST; i++) {
		uint32_t number;
		uint64_t seen;

		if (i <= LAST) {
			area[(PAGE + 800) / sizeof *area] = i;
			t->ops->publish(t, (uint32_t)i);
		} else {
			sched_yield();
		}
		number = published_seen(t, next_mate(t));
		read_window(t, next_mate(t), theirs.name, PAGE + 800, &seen, sizeof seen);
		bad += number < last || seen < number;
		last = number;
	}
	is_int(0, bad, "numbers that fell, or came before what they stand for");
	is_int(LAST, last, "the last one is seen");
	meet(t);
	t->ops->unexpose(t, mine.name);
	meet(t);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .reserve_bytes = (size_t)64 << 20 };

	over_windows(body, plan, "published numbers");
	plan.nprocs = 3;
	over_windows(body, plan, "published numbers");
	return done_testing();
}
