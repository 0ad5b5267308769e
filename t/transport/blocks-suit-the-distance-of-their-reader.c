/* SPDX-License-Identifier: BSD-3-Clause */
/* Shm writes chunks past the caches for far peers, and lets the blocks of near ones take turns. */
#include "../lib/transports.h"

#include "transport/shm/shm.h"

enum {
	ROUNDS = 400,
	SIZE_MOST = 300000,
	LONG = 60000,		/* bytes of a chunk whose block has 64 KiB */
	TURNS = 16,		/* blocks of them */
};

static struct shm_peer *peer_of(struct bspt *t, int q)
{
	return bspt_shm_peer(bspt_shm_of(t), q);
}

static bool in_segment(struct bspt *t, const void *at)
{
	const struct shm_map *map = &bspt_shm_of(t)->map;

	return (const char *)at >= map->base && (const char *)at < map->base + map->bytes;
}

/* Short ones, and some whose block is too large for a draft. */
static size_t size_of_round(uint32_t i)
{
	return i % 50 == 49 ? 3 << 20 : 1 + mixed(i, 1, 2) % (i % 3 ? SIZE_MOST : 200);
}

/* A block has a head besides. */
static bool is_drafted(size_t len)
{
	return len + sizeof(struct shm_block) > SHM_BLOCK && len < 2 << 20;
}

/* Both processes send the same sizes: returns how many drafts were not where they belong. */
static int exchange_far(struct bspt *t, int *bad)
{
	int misplaced = 0;

	for (uint32_t i = 0; i < ROUNDS; i++) {
		size_t len = size_of_round(i), room;
		void *chunk;

		peer_of(t, next_of(t))->far = true;
		chunk = chunk_for(t, next_of(t), len, &room);
		misplaced += is_drafted(len) == in_segment(t, chunk);
		if (i % 7 == 3) {
			discard_chunk(t, next_of(t), chunk);
			chunk = chunk_for(t, next_of(t), len, &room);
		}
		peer_of(t, next_of(t))->far = i % 2;	/* meanwhile it may come nearer */
		fill(chunk, len, i);
		send_chunk(t, next_of(t), chunk, len);
		*bad += !fetch(t, prev_of(t), i, len);
	}
	return misplaced;
}

static int drafts_that_are_free(struct bspt *t)
{
	int n = 0;

	for (int class = 0; class < BSPT_BUFFER_CLASSES; class++)
		n += (int)bspt_shm_of(t)->drafts.idle[class].n;
	return n;
}

/* One that is open when the transport is closed is freed by it. */
static void leave_a_draft(struct bspt *t)
{
	size_t room;

	peer_of(t, next_of(t))->far = true;
	if (in_segment(t, chunk_for(t, next_of(t), LONG, &room)))
		bail("no draft");
}

static void far_peers(struct bspt *t)
{
	int bad = 0, misplaced = exchange_far(t, &bad), drafts;
	size_t room, freed;

	is_int(0, bad, "chunks for a far peer arrive whole");
	is_int(0, misplaced, "neither short nor large ones are written in memory of the sender");
	drafts = drafts_that_are_free(t);
	exchange_far(t, &bad);
	is_int(drafts, drafts_that_are_free(t), "that is used again");
	meet(t);
	for (int i = 0; i < 2; i++) {
		peer_of(t, next_of(t))->far = true;
		discard_chunk(t, next_of(t), chunk_for(t, next_of(t), 1 << 20, &room));
		t->ops->trim(t);
	}
	is_int(1, drafts_that_are_free(t), "trim() frees it, but for that of a size in use");
	freed = t->ops->trim(t);
	is_int(0, drafts_that_are_free(t), "and then that");
	ok(freed >= 2 << 20, "and returns how many bytes (%zu)", freed);
	meet(t);
}

/* Times that no clock has measured. */
static void votes(struct bspt *t)
{
	struct bspt_shm *s = bspt_shm_of(t);
	struct shm_peer *p = peer_of(t, next_of(t));
	int n = 0;

	p->far = false;
	p->votes = 0;
	while (!p->far && n < 100) {
		bspt_shm_far_vote(s, p, s->clock_ns + 1000);
		n++;
	}
	ok(n > 1 && n < 100, "some slow stores in a row make a peer far (%d)", n);
	for (int i = 1; i < n; i++)
		bspt_shm_far_vote(s, p, s->clock_ns);
	ok(p->far, "one less that are fast do not make it near");
	bspt_shm_far_vote(s, p, s->clock_ns + 1000);
	for (int i = 1; i < n; i++)
		bspt_shm_far_vote(s, p, s->clock_ns);
	ok(p->far, "nor as many with a slow one between them");
	bspt_shm_far_vote(s, p, s->clock_ns);
	ok(!p->far, "but the next one does");
	s->looks_far = false;
	meet(t);
}

/* How many blocks are used for @n chunks, one after the other. */
static int blocks_for(struct bspt *t, int n)
{
	const void *seen[4 * TURNS];
	int blocks = 0;

	for (int i = 0; i < n; i++) {
		size_t room;
		void *chunk = chunk_for(t, next_of(t), LONG, &room);
		int k = 0;

		while (k < blocks && seen[k] != chunk)
			k++;
		if (k == blocks && blocks < 4 * TURNS)
			seen[blocks++] = chunk;
		fill(chunk, LONG, (uint32_t)i);
		send_chunk(t, next_of(t), chunk, LONG);
		if (!fetch(t, prev_of(t), (uint32_t)i, LONG))
			bail("a chunk is wrong");
		meet(t);
	}
	return blocks;
}

static size_t idle_bytes(struct bspt *t)
{
	return bspt_shm_of(t)->idle_middle + bspt_shm_of(t)->idle_bytes;
}

static void turns(struct bspt *t)
{
	struct bspt_shm *s = bspt_shm_of(t);
	int few, many;

	s->looks_far = false;
	peer_of(t, next_of(t))->far = false;
	s->turn_bytes = 0;
	few = blocks_for(t, 8 * TURNS);
	s->turn_bytes = (size_t)TURNS << 16;
	many = blocks_for(t, 8 * TURNS);
	ok(few <= 3, "two or three blocks take turns (%d)", few);
	ok(many >= TURNS && many <= TURNS + 3, "or as many as have the bytes (%d)", many);
	t->ops->trim(t);
	blocks_for(t, 1);
	t->ops->trim(t);
	ok(idle_bytes(t) >= (size_t)TURNS << 16, "trim() leaves them where they are in use");
	t->ops->trim(t);
	t->ops->trim(t);
	ok(idle_bytes(t) < (size_t)TURNS << 16, "and takes them where they are not");
	is_int(many, blocks_for(t, 8 * TURNS), "they are used again, not others");
	meet(t);
}

static void body(struct bspt *t)
{
	far_peers(t);
	votes(t);
	turns(t);
	leave_a_draft(t);
}

int main(void)
{
	const struct bspt_ops *shm = bspt_find("shm");

	if (!shm || !is_wanted(shm))
		skip_all("not applicable: this is about shm");
	over(shm, body, (struct bspt_plan){ .nprocs = 2 }, "blocks for near and far peers");
	return done_testing();
}
