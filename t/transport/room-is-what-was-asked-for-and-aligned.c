/* SPDX-License-Identifier: BSD-3-Clause */
/* A chunk is aligned to 64 and has the room that was asked for, up to max_chunk. */
#include "../lib/transports.h"

enum { STILL_CHEAP = 64 << 20 };

/* The largest room of a chunk for the next process. */
static size_t largest(struct bspt *t)
{
	return at_most(t, next_of(t), SIZE_MAX);
}

static void ask(struct bspt *t, size_t want)
{
	size_t most = largest(t), room = 0;
	unsigned char *chunk = new_chunk(t, next_of(t), want, &room);

	ok(chunk, "a chunk for %zu bytes", want);
	if (!chunk)
		return;
	is_int(0, (long)((uintptr_t)chunk % 64), "for %zu bytes: aligned", want);
	ok(room >= (want < most ? want : most), "for %zu bytes: the room is there", want);
	ok(room <= most, "for %zu bytes: no room beyond max_chunk", want);
	chunk[0] = chunk[room - 1] = 1;
	discard_chunk(t, next_of(t), chunk);
}

/* To its last byte. */
static void fill_to_the_brim(struct bspt *t, size_t want)
{
	size_t room, len;
	int from;
	void *chunk = chunk_for(t, next_of(t), want, &room);
	bool whole;

	fill(chunk, room, 1);
	send_chunk(t, next_of(t), chunk, room);
	chunk = await_chunk(t, &from, &len);
	whole = len == room && wrong(chunk, len, 1) == 0;
	ok(whole, "a chunk asked for with %zu bytes, filled to the brim", want);
	is_int(0, (long)((uintptr_t)chunk % 64), "with %zu bytes: aligned where it arrives", want);
	release_chunk(t, from, chunk);
}

static void body(struct bspt *t)
{
	static const size_t wants[] = { 1, 16, 48, 49, 111, 112, 113, 4031, 4032, 4033, 4095, 4096,
					4097, 100000, 1 << 20 };

	ok(largest(t) >= 4096, "the largest room is at least a page");
	for (size_t i = 0; i < sizeof wants / sizeof wants[0]; i++) {
		if (wants[i] > largest(t))
			continue;
		ask(t, wants[i]);
		fill_to_the_brim(t, wants[i]);
	}
	if (largest(t) <= STILL_CHEAP) {
		ask(t, largest(t));
		ask(t, largest(t) + 1);
		ask(t, SIZE_MAX);
		fill_to_the_brim(t, largest(t));
	}
	meet(t);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .reserve_bytes = 1 };

	over_each(body, plan, "with the least memory");
	plan.reserve_bytes = (size_t)100 << 20;
	over_each(body, plan, "with some memory");
	return done_testing();
}
