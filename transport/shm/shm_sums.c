// SPDX-License-Identifier: BSD-3-Clause
/* shm_sums.c - chunks where what is in shared memory is believed only if its sum is right. */

/*
 * A program that writes over the segment, by a wild pointer or an index out of bounds, changes
 * what processes say to each other: they wait for ever, or take a wrong length. With plan->sums
 * (bsprun --check) the process that finds such damage ends the job.
 *
 * So little lies in the segment, and each word there has one writer. A chunk is memory of its
 * process. It travels in pieces, which the receiver copies before it looks at them:
 *
 *	slot i of the ring from p to q	a piece: its length, that of its chunk, the sum of its
 *					bytes, and the sum of these words
 *	arena of p			the bytes of the piece in that slot
 *	ack of q for p			how many pieces q has taken, and the sum of that
 *
 * The reader checks the sums. The writer looks, whenever it polls, whether its words are those that
 * it has written: one that is as it was before looks to its reader as if nothing had come yet.
 * There are no doorbells, counting barriers and windows, whose words have several writers, and no
 * process relies on being woken: it looks by itself every millisecond (shm_wake.c).
 *
 * Order. As in shm_move.c: turn releases a slot and its bytes to the receiver, and the ack releases
 * their reading to the sender.
 */

#include "shm.h"
#include "transport/siphash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PIECE_MOST = 16 << 10,		/* bytes */
	ROOM_LEAST = 4032,
	CHUNK_MOST = 64 << 20,
};

/* The words of a piece. */
struct sums_words {
	uint32_t turn, len;		/* number of the piece + 1; its bytes */
	uint64_t total;			/* bytes of its chunk */
	uint64_t sum;			/* of its bytes */
	uint64_t seal;			/* of the words before */
};

/* A slot, as it is used here. */
struct sums_slot {
	_Alignas(128) _Atomic uint32_t turn;	/* released by the sender last */
	uint32_t len;
	uint64_t total, sum, seal;
};

_Static_assert(sizeof(struct sums_slot) == sizeof(struct shm_slot),
	       "bspt_shm_arrived() looks at turn of either");
_Static_assert(sizeof(_Atomic uint64_t) <= sizeof(struct shm_ack), "an ack has room for it");

struct sums_chunk {
	struct sums_chunk *next;		/* to the same peer */
	struct sums_chunk *older, *newer;	/* of all that there are */
	size_t len, room;
	_Alignas(SHM_LINE) unsigned char bytes[];
};

struct sums_peer {
	/* to it */
	struct sums_slot *out;
	const _Atomic uint64_t *ack;		/* written by the peer */
	uint64_t ack_seen;
	struct sums_words written[SHM_RING];	/* into the slots */
	struct sums_chunk *first, *last;	/* not sent yet, or in part */
	size_t done;				/* bytes of the first one that are */
	/* from it */
	const struct sums_slot *in;
	_Atomic uint64_t *my_ack;		/* written here */
	uint64_t ack_written;
	uint32_t seen[SHM_RING];		/* turn of a slot that has been emptied */
	struct sums_chunk *arriving;		/* of which there are @have bytes */
	size_t have;
};

struct shm_sums {
	void (*damaged)(const char *what);
	const int *numbers;		/* of the processes in the job; NULL: as here */
	size_t piece_bytes;
	size_t freed;			/* bytes, since the last trim() */
	struct sums_chunk *newest;
	struct sums_peer *peers;
};

/* ---- Sums ---------------------------------------------------------------------- */

/* The sum of words or bytes of the traffic between two; another sum for any others. */
static uint64_t sums_sum(const void *data, size_t len, int from, int to)
{
	struct siphash_key key = { { (uint64_t)from << 32 | (uint32_t)to, len } };

	return siphash(data, len, &key);
}

/* How many pieces @to has taken, with the sum in the low half. */
static uint64_t ack_of(uint32_t taken, int from, int to)
{
	return (uint64_t)taken << 32 | (uint32_t)sums_sum(&taken, sizeof(taken), from, to);
}

/* @what has a %d for the process. */
__attribute__((format(printf, 3, 0), cold))
static void sums_fail(const struct bspt_shm *s, int q, const char *what)
{
	char text[100];

	snprintf(text, sizeof(text), what, s->sums->numbers ? s->sums->numbers[q] : q);
	s->sums->damaged(text);
}

/* ---- Chunks ---------------------------------------------------------------------- */

static struct sums_chunk *sums_chunk_of(void *bytes)
{
	return (struct sums_chunk *)((char *)bytes - offsetof(struct sums_chunk, bytes));
}

static struct sums_chunk *sums_chunk_new(struct shm_sums *sums, size_t bytes)
{
	size_t room = bytes < ROOM_LEAST ? ROOM_LEAST : (bytes + SHM_LINE - 1) & -SHM_LINE;
	struct sums_chunk *c = aligned_alloc(SHM_LINE, sizeof(*c) + room);

	if (!c)
		return NULL;
	*c = (struct sums_chunk){ .room = room, .older = sums->newest };
	if (sums->newest)
		sums->newest->newer = c;
	sums->newest = c;
	return c;
}

static void *sums_chunk(struct bspt *t, int peer, size_t want, size_t *room)
{
	struct shm_sums *sums = bspt_shm_of(t)->sums;
	struct sums_chunk *c = sums_chunk_new(sums, want < t->max_chunk ? want : t->max_chunk);

	(void)peer;
	if (!c)
		return NULL;
	*room = c->room < t->max_chunk ? c->room : t->max_chunk;
	return c->bytes;
}

static void sums_chunk_free(struct shm_sums *sums, struct sums_chunk *c)
{
	sums->freed += c->room;
	if (c->older)
		c->older->newer = c->newer;
	if (c->newer)
		c->newer->older = c->older;
	else
		sums->newest = c->older;
	free(c);
}

static void sums_free(struct bspt *t, int peer, void *chunk)
{
	(void)peer;
	sums_chunk_free(bspt_shm_of(t)->sums, sums_chunk_of(chunk));
}

static size_t sums_trim(struct bspt *t)
{
	struct shm_sums *sums = bspt_shm_of(t)->sums;
	size_t freed = sums->freed;

	sums->freed = 0;
	return freed;
}

/* ---- Sending ---------------------------------------------------------------------- */

/* The bytes of the piece in slot @i from @p to @q. */
static char *piece_at(const struct bspt_shm *s, int p, int q, unsigned int i)
{
	return bspt_shm_arena(&s->map, p) +
	       ((size_t)q * SHM_RING + i) * s->sums->piece_bytes;
}

/* Before a slot is written again. Pairs with the release in take_piece(). */
static void look_at_ack(struct bspt_shm *s, int q)
{
	struct sums_peer *p = &s->sums->peers[q];
	struct shm_peer *ring = &s->peers[q];
	uint64_t ack = atomic_load_explicit(p->ack, memory_order_acquire);
	uint32_t taken = ack >> 32;

	if (ack == p->ack_seen)
		return;
	if (ack != ack_of(taken, s->base.me, q) || taken - ring->taken > ring->sent - ring->taken)
		sums_fail(s, q, "the number of chunks that process %d has received");
	p->ack_seen = ack;
	ring->taken = taken;
}

/*
 * The next piece of the first chunk that waits, into an empty slot. The release of turn pairs with
 * the acquire in sums_has_piece().
 */
static void send_piece(struct bspt_shm *s, int q)
{
	struct sums_peer *p = &s->sums->peers[q];
	struct shm_peer *ring = &s->peers[q];
	struct sums_chunk *c = p->first;
	unsigned int i = ring->sent % SHM_RING;
	struct sums_slot *slot = &p->out[i];
	char *at = piece_at(s, s->base.me, q, i);
	size_t left = c->len - p->done;
	struct sums_words w = {
		.turn = ++ring->sent, .total = c->len,
		.len = left < s->sums->piece_bytes ? left : s->sums->piece_bytes,
	};

	bspt_shm_reach(s, s->base.me, at, w.len);
	memcpy(at, c->bytes + p->done, w.len);
	w.sum = sums_sum(c->bytes + p->done, w.len, s->base.me, q);
	w.seal = sums_sum(&w, offsetof(struct sums_words, seal), s->base.me, q);
	p->written[i] = w;
	slot->len = w.len;
	slot->total = w.total;
	slot->sum = w.sum;
	slot->seal = w.seal;
	atomic_store_explicit(&slot->turn, w.turn, memory_order_release);
	p->done += w.len;
}

static void sums_drain(struct bspt_shm *s, int q)
{
	struct sums_peer *p = &s->sums->peers[q];
	const struct shm_peer *ring = &s->peers[q];

	while (p->first && ring->sent - ring->taken < SHM_RING) {
		struct sums_chunk *c = p->first;

		send_piece(s, q);
		if (p->done < c->len)
			continue;
		p->first = c->next;
		p->done = 0;
		s->base.unsent--;
		sums_chunk_free(s->sums, c);
	}
	bspt_shm_wake(s, q);
}

static void sums_send(struct bspt *t, int peer, void *chunk, size_t len)
{
	struct bspt_shm *s = bspt_shm_of(t);
	struct sums_peer *p = &s->sums->peers[peer];
	struct sums_chunk *c = sums_chunk_of(chunk);

	t->stats.chunks_sent++;
	t->stats.bytes_sent += len;
	t->unsent++;
	c->len = len;
	c->next = NULL;
	if (p->first)
		p->last->next = c;
	else
		p->first = c;
	p->last = c;
	look_at_ack(s, peer);
	sums_drain(s, peer);
}

/* ---- What this process has written ----------------------------------------------------- */

static struct sums_words words_in(const struct sums_slot *slot, uint32_t turn)
{
	return (struct sums_words){ turn, slot->len, slot->total, slot->sum, slot->seal };
}

/* The pieces that the peer may not have taken yet, and the number of those taken here. */
static void look_at_own(struct bspt_shm *s, int q)
{
	const struct sums_peer *p = &s->sums->peers[q];
	const struct shm_peer *ring = &s->peers[q];

	for (uint32_t n = ring->taken; n != ring->sent; n++) {
		const struct sums_slot *slot = &p->out[n % SHM_RING];
		uint32_t turn = atomic_load_explicit(&slot->turn, memory_order_relaxed);
		struct sums_words now = words_in(slot, turn);

		if (memcmp(&now, &p->written[n % SHM_RING], sizeof(now)) != 0)
			sums_fail(s, q, "the header of a chunk to process %d");
	}
	if (atomic_load_explicit(p->my_ack, memory_order_relaxed) != p->ack_written)
		sums_fail(s, q, "the number of chunks received from process %d");
}

/* ---- Receiving ------------------------------------------------------------------------ */

/* Before a slot is read. Pairs with the release in send_piece(). */
static bool sums_has_piece(struct bspt_shm *s, int q)
{
	const struct sums_peer *p = &s->sums->peers[q];
	uint32_t n = s->peers[q].polled, turn;

	turn = atomic_load_explicit(&p->in[n % SHM_RING].turn, memory_order_acquire);
	if (turn == p->seen[n % SHM_RING])
		return false;
	if (turn != n + 1)
		sums_fail(s, q, "the header of a chunk from process %d");
	return true;
}

static bool piece_fits(const struct bspt_shm *s, const struct sums_peer *p,
		       const struct sums_words *w)
{
	return w->len > 0 && w->len <= s->sums->piece_bytes && w->total <= s->base.max_chunk &&
	       w->len <= w->total && p->have <= w->total - w->len &&
	       (!p->arriving || w->total == p->arriving->len);
}

/*
 * False: there is no memory for its chunk; later. The slot has been read when the ack says so:
 * pairs with the acquire in look_at_ack().
 */
static bool take_piece(struct bspt_shm *s, int q)
{
	struct sums_peer *p = &s->sums->peers[q];
	unsigned int i = s->peers[q].polled % SHM_RING;
	struct sums_words w = words_in(&p->in[i], s->peers[q].polled + 1);
	const char *at = piece_at(s, q, s->base.me, i);

	if (w.seal != sums_sum(&w, offsetof(struct sums_words, seal), q, s->base.me) ||
	    !piece_fits(s, p, &w))
		sums_fail(s, q, "the header of a chunk from process %d");
	if (!p->arriving)
		p->arriving = sums_chunk_new(s->sums, w.total);
	if (!p->arriving)
		return false;
	p->arriving->len = w.total;
	bspt_shm_reach(s, q, at, w.len);
	memcpy(p->arriving->bytes + p->have, at, w.len);
	if (sums_sum(p->arriving->bytes + p->have, w.len, q, s->base.me) != w.sum)
		sums_fail(s, q, "the bytes of a chunk from process %d");
	p->have += w.len;
	p->seen[i] = w.turn;
	s->peers[q].polled++;
	p->ack_written = ack_of(s->peers[q].polled, q, s->base.me);
	atomic_store_explicit(p->my_ack, p->ack_written, memory_order_release);
	return true;
}

/* A whole chunk, or NULL. */
static void *sums_receive(struct bspt_shm *s, int q, size_t *len)
{
	struct sums_peer *p = &s->sums->peers[q];
	struct sums_chunk *c;

	while (sums_has_piece(s, q) && take_piece(s, q)) {
		c = p->arriving;
		if (p->have < c->len)
			continue;
		p->arriving = NULL;
		p->have = 0;
		s->base.stats.chunks_received++;
		*len = c->len;
		return c->bytes;
	}
	return NULL;
}

static void *sums_poll(struct bspt *t, int *peer, size_t *len)
{
	struct bspt_shm *s = bspt_shm_of(t);
	void *chunk = NULL;

	for (int q = 0; q < t->nprocs; q++) {
		if (q == t->me)
			continue;
		look_at_ack(s, q);
		look_at_own(s, q);
		if (s->sums->peers[q].first)
			sums_drain(s, q);
	}
	for (int i = 0; i < t->nprocs && !chunk; i++) {
		int q = s->next_peer;

		s->next_peer = q + 1 == t->nprocs ? 0 : q + 1;
		if (q == t->me)
			continue;
		chunk = sums_receive(s, q, len);
		*peer = q;
	}
	return chunk;
}

/* ---- Open, close ------------------------------------------------------------------------ */

/* The pieces of all peers lie in one half of an arena. */
static size_t piece_bytes_for(const struct shm_map *map)
{
	size_t most = map->arena_bytes / 2 / map->nprocs / SHM_RING;

	return most < PIECE_MOST ? most & -SHM_LINE : PIECE_MOST;
}

/* The others are those of shm_move.c and shm_sync.c. */
static const struct bspt_ops *sums_ops(const struct bspt_ops *plain)
{
	static struct bspt_ops ops;

	ops = *plain;
	ops.caps &= ~(BSPT_CAP_COUNTING | BSPT_CAP_COUNTING_NODES | BSPT_CAP_WINDOW);
	ops.chunk = sums_chunk;
	ops.send = sums_send;
	ops.discard = sums_free;
	ops.poll = sums_poll;
	ops.release = sums_free;
	ops.trim = sums_trim;
	bspt_complete(&ops);
	return &ops;
}

int bspt_shm_sums_open(struct bspt_shm *s, const struct bspt_plan *plan,
		       const struct bspt_ops *plain)
{
	struct shm_sums *sums = calloc(1, sizeof(*sums));
	int me = s->base.me;

	if (!sums)
		return -ENOMEM;
	*sums = (struct shm_sums){
		.damaged = plan->damaged, .numbers = plan->numbers,
		.piece_bytes = piece_bytes_for(&s->map),
		.peers = calloc(plan->nprocs, sizeof(*sums->peers)),
	};
	if (!sums->peers) {
		free(sums);
		return -ENOMEM;
	}
	s->sums = sums;
	s->base.ops = sums_ops(plain);
	s->scan = true;
	s->fences = false;
	if (s->base.max_chunk > CHUNK_MOST)
		s->base.max_chunk = s->base.good_chunk = CHUNK_MOST;
	for (int q = 0; q < plan->nprocs; q++) {
		struct sums_peer *p = &sums->peers[q];

		p->out = (struct sums_slot *)bspt_shm_ring(&s->map, q, me);
		p->in = (struct sums_slot *)bspt_shm_ring(&s->map, me, q);
		p->ack = (_Atomic uint64_t *)bspt_shm_ack(&s->map, q, me);
		p->my_ack = (_Atomic uint64_t *)bspt_shm_ack(&s->map, me, q);
	}
	return 0;
}

/* With the chunks that the runtime still has. */
void bspt_shm_sums_close(struct bspt_shm *s)
{
	while (s->sums->newest)
		sums_chunk_free(s->sums, s->sums->newest);
	free(s->sums->peers);
	free(s->sums);
}
