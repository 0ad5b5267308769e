/* SPDX-License-Identifier: BSD-3-Clause */
/* Bulk arrives whether its sender calls first or its receiver, and in any order of ids. */
#include "../lib/transports.h"

enum { MANY = 16 };

static const size_t sizes[] = { 0, 8, 5000, 300000, 3000000 };

enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* Process 0 sends to process 1, one calls long before the other; how many bytes are wrong. */
static long one(struct bspt *t, size_t len, uint32_t id, bool sender_first)
{
	unsigned char *area = malloc(len + 1);
	struct bspt_bulk b;
	long bad = 0;

	fill(area, len, t->me == 0 ? id : id + 1);
	if ((t->me == 0) == sender_first)
		t->me == 0 ? send_bulk(t, &b, 1, id, area, len) :
			     receive_bulk(t, &b, 0, id, area, len);
	for (int i = 0; i < 50; i++)
		meet(t);
	if ((t->me == 0) != sender_first)
		t->me == 0 ? send_bulk(t, &b, 1, id, area, len) :
			     receive_bulk(t, &b, 0, id, area, len);
	await_bulk(t, &b);
	bad = wrong(area, len, id);
	meet(t);
	free(area);
	return bad;
}

static void each_first(struct bspt *t)
{
	if (!carries_bulk(t, next_of(t))) {
		not_applicable("%s does not move in bulk here", t->ops->name);
		return;
	}
	for (uint32_t i = 0; i < SIZES; i++) {
		is_int(0, one(t, sizes[i], 2 * i, true), "%zu bytes, sent first", sizes[i]);
		is_int(0, one(t, sizes[i], 2 * i, false), "%zu bytes, received first", sizes[i]);
	}
}

/* Where a receiver asks for them in @order of ids; the sender begins with the first. */
static void shuffled(struct bspt *t, uint32_t step, bool sender_first)
{
	static unsigned char area[MANY][20000];
	struct bspt_bulk b[MANY];
	long bad = 0;

	if (t->me != 0 && sender_first)
		meet(t);
	for (uint32_t i = 0; i < MANY; i++) {
		uint32_t k = i * (t->me == 0 ? 1 : step) % MANY;
		size_t len = mixed(k, 1, 1) % sizeof area[k];

		fill(area[k], sizeof area[k], t->me == 0 ? k : 1000);
		if (t->me == 0)
			send_bulk(t, &b[k], 1, 70000 + 3 * k, area[k], len);
		else
			receive_bulk(t, &b[k], 0, 70000 + 3 * k, area[k], len);
	}
	if (t->me == 0 && sender_first)
		meet(t);
	for (uint32_t k = 0; k < MANY; k++) {
		await_bulk(t, &b[k]);
		bad += wrong(area[k], mixed(k, 1, 1) % sizeof area[k], k);
	}
	is_int(0, bad, "asked for in steps of %u: wrong bytes", step);
	meet(t);
}

static void in_any_order(struct bspt *t)
{
	if (!carries_bulk(t, next_of(t))) {
		not_applicable("%s does not move in bulk here", t->ops->name);
		return;
	}
	for (uint32_t step = 1; step < MANY; step += 6) {
		shuffled(t, step, true);
		shuffled(t, step, false);
	}
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .reserve_bytes = (size_t)64 << 20,
				  .wait_policy = { .yield_ns = 2000000 } };

	over_bulk(each_first, plan, "one of them calls long before the other");
	over_bulk(in_any_order, plan, "ids in any order");
	return done_testing();
}
