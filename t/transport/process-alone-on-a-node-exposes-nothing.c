/* SPDX-License-Identifier: BSD-3-Clause */
/* In a mixture windows reach as far as the node, and who is alone there exposes nothing. */
#include "../lib/windows.h"

enum { BYTES = 16 * PAGE };

/* Process 2 of three, on nodes of two. */
static void alone(struct bspt *t)
{
	unsigned char *area = map_private(BYTES);
	uint64_t window = 12345;
	size_t head = 77, tail = 88;

	fill(area, BYTES, 1);
	is_int(-ENOTSUP, t->ops->expose(t, area, BYTES, &window, &head, &tail), "refused");
	ok(window == 12345 && head == 77 && tail == 88, "nothing is reported");
	is_int(0, wrong(area, BYTES, 1), "the memory is as it was");
	t->ops->publish(t, 1);
	t->ops->publish(t, 2);
	for (int q = 0; q < 2; q++)
		ok(!(carrier_of(t, q).t->ops->caps & BSPT_CAP_WINDOW),
		   "process %d has no windows for it", q);
	meet(t);
	meet(t);
}

static void together(struct bspt *t)
{
	unsigned char *area = map_private(BYTES), byte = 0;
	struct window w;

	fill(area, BYTES, 1);
	w = expose(t, area, BYTES);
	ok(!w.refused, "two on a node expose their memory");
	t->ops->publish(t, 7);
	atomic_store(&job.common->word[t->me][1], w.name);
	meet(t);
	is_int(7, published_seen(t, 1 - t->me), "the other one's number");
	read_window(t, 1 - t->me, atomic_load(&job.common->word[1 - t->me][1]),
		    PAGE + 100, &byte, 1);
	is_int(pattern(1, PAGE + 100), byte, "the other one's memory");
	/* Asked for by way of the mixture it is the same. */
	t->ops->window_read(t, 1 - t->me, atomic_load(&job.common->word[1 - t->me][1]),
			    PAGE + 101, &byte, 1);
	is_int(pattern(1, PAGE + 101), byte, "by way of the mixture");
	is_int(7, t->ops->published_by(t, 1 - t->me), "the number, too");
	meet(t);
	t->ops->unexpose(t, w.name);
}

static void body(struct bspt *t)
{
	if (t->me == 2)
		alone(t);
	else
		together(t);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 3, .reserve_bytes = (size_t)64 << 20 };
	const struct bspt_ops *mix = bspt_find("mix"), *far = chosen_far();

	if (!is_wanted(mix))
		skip_all("not applicable: this is about mix");
	if (far && (far->caps & BSPT_CAP_WINDOW))
		skip_all("not applicable: here windows reach beyond the node");
	over_nodes(mix, body, plan, 2, "two on a node, and one");
	return done_testing();
}
