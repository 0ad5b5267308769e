/* SPDX-License-Identifier: BSD-3-Clause */
/* 314 - however many chunks go to and fro, memory in use stays bounded. */
#include "transports.h"

enum {
	WARM = 500,
	ROUNDS = 16000,
	BURST = 64,		/* chunks of a round; a million in all */
	GROWTH_PAGES = 512,	/* what may still be added after the first rounds */
};

/* Pages of this process that are there, its shared ones included. */
static long pages(void)
{
	FILE *statm = fopen("/proc/self/statm", "re");
	long all, resident;

	if (!statm || fscanf(statm, "%ld %ld", &all, &resident) != 2)
		bail("no /proc/self/statm");
	fclose(statm);
	return resident;
}

/* One chunk in eight is larger; all the sizes come in the first rounds. */
static size_t size_of(uint32_t i)
{
	return i % 8 ? 1 + i * 37 % 300 : 1 + i * 4999 % 20000;
}

static bool mark_is(const void *chunk, uint32_t i)
{
	const unsigned char *byte = chunk;

	return byte[0] == pattern(i, 0);
}

static int round_trip(struct bspt *t)
{
	int bad = 0, from;
	size_t room, len;
	unsigned char *chunk;

	for (uint32_t i = 0; i < BURST; i++) {
		chunk = chunk_for(t, next_of(t), size_of(i), &room);
		if (i % 16 == 5) {
			t->ops->discard(t, next_of(t), chunk);
			chunk = chunk_for(t, next_of(t), size_of(i), &room);
		}
		chunk[0] = pattern(i, 0);
		chunk[size_of(i) - 1] = pattern(i, 0);
		t->ops->send(t, next_of(t), chunk, size_of(i));
	}
	for (uint32_t i = 0; i < BURST; i++) {
		chunk = await_chunk(t, &from, &len);
		bad += len != size_of(i) || !mark_is(chunk, i);
		t->ops->release(t, from, chunk);
	}
	return bad;
}

static void body(struct bspt *t)
{
	long before = 0, after;
	int bad = 0;

	for (int i = 0; i < ROUNDS; i++) {
		if (i == WARM)
			before = pages();
		bad += round_trip(t);
	}
	after = pages();
	is_int(0, bad, "chunks that were not what was sent");
	ok(after - before <= GROWTH_PAGES, "no more memory after a million chunks");
	if (after - before > GROWTH_PAGES)
		diag("%ld pages, then %ld", before, after);
	meet(t);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2,
				  .patience = { .spin_ns = 20000, .yield_ns = 2000000 } };

	over_each(body, plan, "a million chunks");
	return done_testing();
}
