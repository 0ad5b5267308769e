// SPDX-License-Identifier: BSD-3-Clause
/* shm_move.c - chunks through rings: out of a block, into a slot, to the peer and back. */

/*
 * Order. The sender writes the bytes of a block and of a slot, then releases
 * slot->turn; the receiver acquires turn before it reads either. The receiver
 * reads a slot, then releases ack->taken; the sender acquires it before it
 * fills the slot again. The receiver reads a block, then releases ack->given_back;
 * the sender acquires it before the block is used again (reclaim() in shm_mem.c).
 * A ring has one sender and one receiver and slots are filled and emptied in turn,
 * so nothing else is needed.
 */

#include "shm.h"
#include "transport/poison.h"

#include <string.h>

/* The part of a short chunk that lies in the first line of its slot, and the rest. */
enum { FIRST = SHM_LINE - 16, REST = SHM_INLINE - FIRST };

/* Both sides have SHM_INLINE bytes of room, so whole parts are copied: a few vector moves. */
static inline void copy_short(unsigned char *dst, const unsigned char *src, size_t len)
{
	memcpy(dst, src, FIRST);
	if (len > FIRST)
		memcpy(dst + FIRST, src + FIRST, REST);
}

/* ---- Sending ------------------------------------------------------------- */

void *bspt_shm_chunk(struct bspt *t, int peer, size_t want, size_t *room)
{
	struct bspt_shm *s = bspt_shm_of(t);
	struct shm_block *b;

	if (want > t->max_chunk)
		want = t->max_chunk;
	b = bspt_shm_block_get(s, &s->peers[peer], want);
	if (!b)
		return NULL;
	*room = bspt_shm_block_room(b);
	return bspt_shm_block_bytes(b);
}

void bspt_shm_discard(struct bspt *t, int peer, void *chunk)
{
	(void)peer;
	bspt_shm_block_free(bspt_shm_of(t), bspt_shm_block_of(chunk));
}

/* Is there an empty slot? Pairs with the release of taken in shm_take(). */
static inline bool ring_has_room(struct shm_peer *p)
{
	if (p->sent - p->taken < SHM_RING)
		return true;
	p->taken = atomic_load_explicit(&p->ack->taken, memory_order_acquire);
	return p->sent - p->taken < SHM_RING;
}

static inline void ring_doorbell(struct bspt_shm *s, int peer)
{
	int me = s->base.me;

	/*
	 * After the slot: a process that takes the bit finds the slot. Pairs with the exchange in
	 * next_ringing().
	 */
	if (!s->scan)
		atomic_fetch_or_explicit(&s->map.ranks[peer].doorbell[me / 64],
					 UINT64_C(1) << (me % 64), memory_order_release);
	bspt_shm_wake(s, peer);
}

static inline void shm_fill_slot(struct bspt_shm *s, int peer, struct shm_block *b)
{
	struct shm_peer *p = &s->peers[peer];
	struct shm_slot *slot = &p->out[p->sent % SHM_RING];

	slot->len = b->len;
	if (b->len <= SHM_INLINE) {
		slot->where = 0;
		copy_short(slot->bytes, bspt_shm_block_bytes(b), b->len);
		bspt_shm_block_free(s, b);
	} else {
		slot->where = (char *)b - s->map.base;
		bspt_poison_sent(b + 1, bspt_shm_block_room(b));
		bspt_shm_list_add(&p->inflight, b);
		p->sent_blocks++;
		p->inflight_blocks++;
	}
	atomic_store_explicit(&slot->turn, ++p->sent, memory_order_release);
	ring_doorbell(s, peer);
}

void bspt_shm_send(struct bspt *t, int peer, void *chunk, size_t len)
{
	struct bspt_shm *s = bspt_shm_of(t);
	struct shm_peer *p = &s->peers[peer];
	struct shm_block *b = bspt_shm_block_of(chunk);

	t->stats.chunks_sent++;
	t->stats.bytes_sent += len;
	b->len = len;
	if (!p->backlog.first && ring_has_room(p)) {
		shm_fill_slot(s, peer, b);
		return;
	}
	t->unsent++;
	bspt_shm_list_add(&p->backlog, b);
}

static void drain_backlogs(struct bspt_shm *s)
{
	for (int q = 0; q < s->base.nprocs; q++) {
		struct shm_peer *p = &s->peers[q];

		for (; p->backlog.first && ring_has_room(p); s->base.unsent--)
			shm_fill_slot(s, q, bspt_shm_list_take(&p->backlog));
	}
}

/* ---- Receiving ----------------------------------------------------------- */

static inline bool slot_is_full(const struct shm_peer *p)
{
	const struct shm_slot *slot = &p->in[p->polled % SHM_RING];

	return atomic_load_explicit(&slot->turn, memory_order_acquire) == p->polled + 1;
}

/* The chunk in a full slot, and the slot emptied; NULL if no note is to be had. */
static void *shm_take(struct bspt_shm *s, int from, size_t *len)
{
	struct shm_peer *p = &s->peers[from];
	const struct shm_slot *slot = &p->in[p->polled % SHM_RING];
	void *chunk;

	if (slot->where) {
		struct shm_block *b = (struct shm_block *)(s->map.base + slot->where);

		chunk = bspt_shm_block_bytes(b);
		bspt_shm_reach(s, from, chunk, slot->len);
		bspt_poison_arrived(chunk, slot->len, bspt_shm_block_room(b));
	} else {
		struct shm_note *n = bspt_shm_note_get(s);

		if (!n)
			return NULL;
		copy_short(n->bytes, slot->bytes, slot->len);
		bspt_poison_arrived(n->bytes, slot->len, sizeof(n->bytes));
		chunk = n->bytes;
	}
	*len = slot->len;
	p->polled++;
	atomic_store_explicit(&p->my_ack->taken, p->polled, memory_order_release);
	s->base.stats.chunks_received++;
	return chunk;
}

/* The next process whose ring has something, looking at all in turn; or -1. */
static int next_full(struct bspt_shm *s)
{
	int n = s->base.nprocs;
	int q = s->next_peer;

	for (int i = 0; i < n; i++) {
		if (s->peers[q].in && slot_is_full(&s->peers[q])) {
			s->next_peer = q + 1 == n ? 0 : q + 1;
			return q;
		}
		q = q + 1 == n ? 0 : q + 1;
	}
	return -1;
}

/* The same by doorbells. A bit stays with us until its ring is found empty. */
static int next_ringing(struct bspt_shm *s)
{
	struct shm_rank *rank = &s->map.ranks[s->base.me];

	for (int w = 0; w * 64 < s->base.nprocs; w++) {
		uint64_t *bits = &s->ringing[w];

		/* Taken before the rings are read. Pairs with ring_doorbell(). */
		if (atomic_load_explicit(&rank->doorbell[w], memory_order_relaxed))
			*bits |= atomic_exchange_explicit(&rank->doorbell[w], 0,
							  memory_order_acquire);
		while (*bits) {
			int q = w * 64 + __builtin_ctzll(*bits);

			if (slot_is_full(&s->peers[q]))
				return q;
			*bits &= *bits - 1;
		}
	}
	return -1;
}

void *bspt_shm_poll(struct bspt *t, int *peer, size_t *len)
{
	struct bspt_shm *s = bspt_shm_of(t);
	void *chunk;
	int q;

	if (t->unsent)
		drain_backlogs(s);
	q = s->scan ? next_full(s) : next_ringing(s);
	if (q < 0)
		return NULL;
	chunk = shm_take(s, q, len);
	if (chunk)
		*peer = q;
	return chunk;
}

/* Would poll() return something? Takes nothing. */
bool bspt_shm_arrived(const struct bspt_shm *s)
{
	const struct shm_rank *rank = &s->map.ranks[s->base.me];

	if (!s->scan) {
		for (int w = 0; w * 64 < s->base.nprocs; w++)
			if (s->ringing[w] || atomic_load_explicit(&rank->doorbell[w],
								  memory_order_relaxed))
				return true;
		return false;
	}
	for (int q = 0; q < s->base.nprocs; q++)
		if (s->peers[q].in && slot_is_full(&s->peers[q]))
			return true;
	return false;
}

void bspt_shm_release(struct bspt *t, int peer, void *chunk)
{
	struct bspt_shm *s = bspt_shm_of(t);
	struct shm_ack *ack = s->peers[peer].my_ack;
	uint32_t n;

	if (bspt_shm_is_note(s, chunk)) {
		bspt_shm_note_free(s, chunk);
		return;
	}
	bspt_poison_released(chunk, bspt_shm_block_room(bspt_shm_block_of(chunk)));
	n = atomic_load_explicit(&ack->given_back, memory_order_relaxed);
	atomic_store_explicit(&ack->given_back, n + 1, memory_order_release);
}
