/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes written over the source of a bulk that is done at its sender never arrive. */
#include "../lib/transports.h"

static const size_t sizes[] = { 1, 100, 4000, 70000, 3000000 };

enum { TIMES = 5 };

/* Write over it the moment it is done, which for some transports is before it is received. */
static void spoil(struct bspt *t, struct bspt_bulk *b, bool *spoilt)
{
	(void)t;
	if (!b->done || *spoilt)
		return;
	memset(b->at, 0xee, b->len);
	*spoilt = true;
}

static void send_and_spoil(struct bspt *t, uint32_t id, unsigned char *area, size_t len)
{
	struct bspt_bulk b;
	bool spoilt = false;

	fill(area, len, id);
	send_bulk(t, &b, 1, id, area, len);
	spoil(t, &b, &spoilt);
	for (int i = 0; i < 20; i++) {
		meet(t);
		spoil(t, &b, &spoilt);
	}
	await_bulk(t, &b);
	spoil(t, &b, &spoilt);
}

static long receive_late(struct bspt *t, uint32_t id, unsigned char *area, size_t len)
{
	struct bspt_bulk b;

	for (int i = 0; i < 20; i++)
		meet(t);
	receive_bulk(t, &b, 0, id, area, len);
	await_bulk(t, &b);
	return wrong(area, len, id);
}

static void body(struct bspt *t)
{
	if (!carries_bulk(t, next_of(t))) {
		not_applicable("%s does not move in bulk here", t->ops->name);
		return;
	}
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		unsigned char *area = malloc(sizes[i]);
		long bad = 0;

		for (uint32_t id = 0; id < TIMES; id++) {
			if (t->me == 0)
				send_and_spoil(t, id, area, sizes[i]);
			else
				bad += receive_late(t, id, area, sizes[i]);
			meet(t);
		}
		is_int(0, bad, "%zu bytes: wrong ones", sizes[i]);
		free(area);
	}
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .reserve_bytes = (size_t)64 << 20,
				  .wait_policy = { .yield_ns = 2000000 } };

	over_bulk(body, plan, "spoilt at once");
	return done_testing();
}
