/* SPDX-License-Identifier: BSD-3-Clause */
/* Close returns whatever is under way: sent, waiting to be sent, opened, polled, exposed. */
#include "../lib/windows.h"

/* Some of what arrives is polled and never given back. */
static void poll_some(struct bspt *t, int n)
{
	size_t len;
	int from;

	while (n-- > 0)
		t->ops->poll(t, &from, &len);
}

static void body(struct bspt *t)
{
	size_t room;

	for (int i = 0; i < 500; i++)
		post(t, next_of(t), (uint32_t)i, i % 2 ? 10 : 3000);
	chunk_for(t, next_of(t), 100, &room);
	chunk_for(t, next_of(t), 1 << 20, &room);
	poll_some(t, 1 + t->me % 20);
	if (t->ops->caps & BSPT_CAP_COUNTING) {
		t->ops->count_add(t, next_of(t), 3);
		if (t->me % 2)
			t->ops->count_enter(t, 1);
	}
	if (t->ops->caps & BSPT_CAP_WINDOW) {
		unsigned char *area = map_private(16 * PAGE);

		fill(area, 16 * PAGE, 1);
		expose(t, area, 16 * PAGE);
	}
	ok(true, "about to close");
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .reserve_bytes = (size_t)256 << 20 };

	over_each(body, plan, "all processes end well");
	plan.nprocs = 9;
	over_each(body, plan, "all processes end well");
	return done_testing();
}
