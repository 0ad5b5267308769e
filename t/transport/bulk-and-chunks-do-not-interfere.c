/* SPDX-License-Identifier: BSD-3-Clause */
/* Chunks stay whole and in order while bulks are under way, and bulks while chunks are. */
#include "../lib/transports.h"

enum { BULKS = 6, CHUNKS = 600, AHEAD = 50 };

static size_t bulk_len(uint32_t k)
{
	return 100000 + mixed(k, 3, 3) % 1000000;
}

static size_t chunk_len(struct bspt *t, int peer, uint32_t i)
{
	return at_most(t, peer, 1 + mixed(i, 4, 4) % 4000);
}

static unsigned char *src[BULKS], *dst[BULKS];
static struct bspt_bulk in[BULKS], out[BULKS];

static bool all_done(void)
{
	for (int k = 0; k < BULKS; k++)
		if (!in[k].done || !out[k].done)
			return false;
	return true;
}

static void begin_bulk(struct bspt *t, uint32_t k)
{
	src[k] = malloc(bulk_len(k));
	dst[k] = malloc(bulk_len(k));
	fill(src[k], bulk_len(k), k + (uint32_t)t->me);
	send_bulk(t, &out[k], next_of(t), k, src[k], bulk_len(k));
	receive_bulk(t, &in[k], prev_of(t), k, dst[k], bulk_len(k));
}

static long end_bulk(struct bspt *t, uint32_t k)
{
	long bad = wrong(dst[k], bulk_len(k), k + (uint32_t)prev_of(t));

	free(src[k]);
	free(dst[k]);
	return bad;
}

/* Chunks to and fro, and now and then a bulk. Returns how many chunks were wrong. */
static int run(struct bspt *t)
{
	uint32_t sent = 0, came = 0, begun = 0;
	unsigned int idle = 0;
	int bad = 0, from;
	size_t len;

	while (came < CHUNKS || begun < BULKS || !all_done()) {
		void *chunk;

		if (begun < BULKS && came >= begun * (CHUNKS / BULKS))
			begin_bulk(t, begun++);
		while (sent < CHUNKS && sent < came + AHEAD) {
			post(t, next_of(t), sent, chunk_len(t, next_of(t), sent));
			sent++;
		}
		chunk = t->ops->poll(t, &from, &len);
		if (!chunk) {
			t->ops->wait(t, idle++);
			continue;
		}
		idle = 0;
		bad += from != prev_of(t) || len != chunk_len(t, from, came) ||
		       wrong(chunk, len, came) != 0;
		came++;
		release_chunk(t, from, chunk);
	}
	return bad;
}

static void body(struct bspt *t)
{
	long bad = 0;

	if (!carries_bulk(t, next_of(t)) || !carries_bulk(t, prev_of(t))) {
		not_applicable("%s does not move in bulk here", t->ops->name);
		return;
	}
	is_int(0, run(t), "chunks that are not the next");
	for (uint32_t k = 0; k < BULKS; k++)
		bad += end_bulk(t, k);
	is_int(0, bad, "bytes of bulks that are wrong");
	meet(t);
}

int main(void)
{
	struct bspt_plan plan = { .nprocs = 2, .reserve_bytes = (size_t)64 << 20,
				  .wait_policy = { .yield_ns = 2000000 } };

	over_bulk(body, plan, "both at a time, yielding");
	plan.wait_policy.yield_ns = 0;
	over_bulk(body, plan, "both at a time, sleeping");
	return done_testing();
}
