/* SPDX-License-Identifier: BSD-3-Clause */
/* A bulk that was sent changes nothing at its receiver before that says where it goes. */
#include "../lib/transports.h"

static const size_t sizes[] = { 1, 100, 5000, 200000, 2000000 };

/* As much of it as can be is under way: both have polled for a while. */
static void poll_a_while(struct bspt *t)
{
	for (int i = 0; i < 100; i++)
		meet(t);
}

/* The receiver had its memory in a bulk before: where that was is known to the sender's side. */
static void again_and_again(struct bspt *t, size_t len)
{
	unsigned char *area = malloc(len);
	long early = 0, bad = 0;

	for (uint32_t id = 0; id < 3; id++) {
		struct bspt_bulk b;

		fill(area, len, t->me == 0 ? id : 1000 + id);
		if (t->me == 0)
			send_bulk(t, &b, 1, 5, area, len);
		poll_a_while(t);
		if (t->me == 1) {
			early += wrong(area, len, 1000 + id);
			receive_bulk(t, &b, 0, 5, area, len);
		}
		await_bulk(t, &b);
		bad += wrong(area, len, id);
		meet(t);
	}
	is_int(0, early, "%zu bytes: changed too early", len);
	is_int(0, bad, "%zu bytes: wrong when they are there", len);
	free(area);
}

static void body(struct bspt *t)
{
	if (!carries_bulk(t, next_of(t))) {
		not_applicable("%s does not move in bulk here", t->ops->name);
		return;
	}
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		again_and_again(t, sizes[i]);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .reserve_bytes = (size_t)64 << 20,
				  .wait_policy = { .yield_ns = 2000000 } };

	over_bulk(body, plan, "the same memory again and again");
	return done_testing();
}
