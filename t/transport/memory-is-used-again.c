/* SPDX-License-Identifier: BSD-3-Clause */
/* However many chunks go to and fro, memory in use stays bounded. */
#include "../lib/transports.h"

enum {
	WARM = 200,
	ROUNDS = 4000,		/* over memory */
	NETWORK_ROUNDS = 800,	/* over a network */
	BURST = 64,		/* chunks of a round; so a quarter of a million in all */
	GROWTH_PAGES = 512,	/* what may still be added after the first rounds */
};

/* AddressSanitizer keeps what was freed for a while: little of it, as libfabric frees much. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=1:thread_local_quarantine_size_kb=64";
}

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
static size_t size_of(struct bspt *t, int peer, uint32_t i)
{
	return at_most(t, peer, i % 8 ? 1 + i * 37 % 300 : 1 + i * 4999 % 20000);
}

static bool mark_is(const void *chunk, uint32_t i)
{
	const unsigned char *byte = chunk;

	return byte[0] == pattern(i, 0);
}

static void send_one(struct bspt *t, int peer, uint32_t i)
{
	size_t len = size_of(t, peer, i), room;
	unsigned char *chunk = chunk_for(t, peer, len, &room);

	if (i % 16 == 5) {
		discard_chunk(t, peer, chunk);
		chunk = chunk_for(t, peer, len, &room);
	}
	chunk[0] = pattern(i, 0);
	chunk[len - 1] = pattern(i, 0);
	send_chunk(t, peer, chunk, len);
}

static int round_trip(struct bspt *t)
{
	int bad = 0, from;
	size_t len;

	for (uint32_t i = 0; i < BURST; i++)
		send_one(t, next_of(t), i);
	for (uint32_t i = 0; i < BURST; i++) {
		unsigned char *chunk = await_chunk(t, &from, &len);

		bad += len != size_of(t, from, i) || !mark_is(chunk, i);
		release_chunk(t, from, chunk);
	}
	return bad;
}

static void body(struct bspt *t)
{
	uint32_t rounds = is_memory(t) ? ROUNDS : NETWORK_ROUNDS;
	long before = 0, after;
	int bad = 0;

	for (uint32_t i = 0; i < rounds; i++) {
		if (i == WARM)
			before = pages();
		bad += round_trip(t);
	}
	after = pages();
	is_int(0, bad, "chunks that were not what was sent");
	ok(after - before <= GROWTH_PAGES, "no more memory after very many chunks");
	if (after - before > GROWTH_PAGES)
		diag("%ld pages, then %ld", before, after);
	meet(t);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2,
				  .wait_policy = { .spin_ns = 20000, .yield_ns = 2000000 } };

	over_each(body, plan, "to and fro");
	return done_testing();
}
