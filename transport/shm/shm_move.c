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
	struct shm_peer *p = bspt_shm_peer(s, peer);
	struct shm_block *b;

	if (want > t->max_chunk)
		want = t->max_chunk;
	b = bspt_shm_block_get(s, p, want);
	if (!b)
		return NULL;
	*room = bspt_shm_block_room(b);
	return p->far ? bspt_shm_draft(s, b) : bspt_shm_block_bytes(b);
}

void bspt_shm_discard(struct bspt *t, int peer, void *chunk)
{
	struct bspt_shm *s = bspt_shm_of(t);

	(void)peer;
	bspt_shm_block_free(s, bspt_shm_is_draft(s, chunk) ? bspt_shm_draft_end(s, chunk, 0) :
							     bspt_shm_block_of(chunk));
}

/* Is there an empty slot? Pairs with the release of taken in shm_take(). */
static inline bool ring_has_room(struct shm_peer *p)
{
	if (p->sent - p->taken < SHM_RING)
		return true;
	p->taken = atomic_load_explicit(&p->ack->taken, memory_order_acquire);
	return p->sent - p->taken < SHM_RING;
}

/*
 * Set the bit, then name its word in rung unless it is named there. In the one order of all
 * sequentially consistent operations the bit comes before our look at rung. If that finds the word
 * named, the exchange by which the owner takes the name (take_words()) is later in this order, and
 * its look at the word later still (take_bits()), so it finds the bit. A peer that names the word
 * for its own bit meanwhile does the same for ours.
 */
static inline void ring_two_levels(struct shm_rank *rank, int me)
{
	uint64_t word = UINT64_C(1) << (me / 64);

	atomic_fetch_or_explicit(&rank->doorbell[me / 64], UINT64_C(1) << (me % 64),
				 memory_order_seq_cst);
	if (!(atomic_load_explicit(&rank->rung, memory_order_seq_cst) & word))
		atomic_fetch_or_explicit(&rank->rung, word, memory_order_seq_cst);
}

/*
 * After the slot: a process that takes the bit finds the slot. Pairs with the exchange in
 * take_bits().
 */
static inline void ring_doorbell(struct bspt_shm *s, int peer)
{
	int me = s->base.me;

	if (s->base.nprocs > SHM_FEW)
		ring_two_levels(&s->map.ranks[peer], me);
	else
		atomic_fetch_or_explicit(&s->map.ranks[peer].doorbell[0], UINT64_C(1) << me,
					 memory_order_release);
}

/* The slot and its block are written when turn says so. Pairs with slot_is_full(). */
static inline void shm_fill_slot(struct bspt_shm *s, int peer, struct shm_block *b)
{
	struct shm_peer *p = &s->peers[peer];
	struct shm_slot *slot = &p->out[p->sent % SHM_RING];
	bool timed = b->len > SHM_INLINE && bspt_shm_far_is_due(s, p);
	uint64_t since = timed ? bspt_shm_far_time() : 0;

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
	if (timed)
		bspt_shm_far_vote(s, p, bspt_shm_far_time() - since);
	if (!s->scan)
		ring_doorbell(s, peer);
	bspt_shm_wake(s, peer);
}

void bspt_shm_send(struct bspt *t, int peer, void *chunk, size_t len)
{
	struct bspt_shm *s = bspt_shm_of(t);
	struct shm_peer *p = &s->peers[peer];
	struct shm_block *b = bspt_shm_is_draft(s, chunk) ? bspt_shm_draft_end(s, chunk, len) :
							    bspt_shm_block_of(chunk);

	t->stats.chunks_sent++;
	t->stats.bytes_sent += len;
	b->len = len;
	if (!p->backlog.first && ring_has_room(p)) {
		shm_fill_slot(s, peer, b);
		return;
	}
	t->unsent++;
	if (!p->backlog.first) {
		p->next_waiting = s->waiting;
		s->waiting = p;
	}
	bspt_shm_list_add(&p->backlog, b);
}

static void drain_backlogs(struct bspt_shm *s)
{
	struct shm_peer **at = &s->waiting;

	while (*at) {
		struct shm_peer *p = *at;

		for (; p->backlog.first && ring_has_room(p); s->base.unsent--)
			shm_fill_slot(s, (int)(p - s->peers), bspt_shm_list_take(&p->backlog));
		if (p->backlog.first)
			at = &p->next_waiting;
		else
			*at = p->next_waiting;
	}
}

/* ---- Receiving ----------------------------------------------------------- */

/* Before slot and block are read. Pairs with the release of turn in shm_fill_slot(). */
static inline bool slot_is_full(const struct shm_peer *p)
{
	const struct shm_slot *slot = &p->in[p->polled % SHM_RING];

	return atomic_load_explicit(&slot->turn, memory_order_acquire) == p->polled + 1;
}

/*
 * The chunk in a full slot, and the slot emptied; NULL if no note is to be had. The slot has been
 * read when taken says so: pairs with the acquire in ring_has_room().
 */
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

/*
 * The words of doorbells to look at; those of which a bit is left from an earlier call stay. A look
 * at rung that finds nothing may miss what comes at this moment: the next one does not.
 */
static inline void take_words(struct bspt_shm *s, struct shm_rank *rank)
{
	if (s->base.nprocs <= SHM_FEW)
		s->rung = 1;
	else if (atomic_load_explicit(&rank->rung, memory_order_relaxed))
		s->rung |= atomic_exchange_explicit(&rank->rung, 0, memory_order_seq_cst);
}

/*
 * Taken before the rings are read: the exchange pairs with those of ring_doorbell(). The load
 * belongs to the order that ring_two_levels() speaks of: a relaxed one might miss the bit, and none
 * would look for it again.
 */
static inline void take_bits(struct bspt_shm *s, struct shm_rank *rank, int w)
{
	if (atomic_load_explicit(&rank->doorbell[w], memory_order_seq_cst))
		s->ringing[w] |= atomic_exchange_explicit(&rank->doorbell[w], 0,
							  memory_order_seq_cst);
}

/* The same by doorbells. A bit stays with us until its ring is found empty. */
static int next_ringing(struct bspt_shm *s)
{
	struct shm_rank *rank = &s->map.ranks[s->base.me];

	for (take_words(s, rank); s->rung; s->rung &= s->rung - 1) {
		int w = __builtin_ctzll(s->rung);
		uint64_t *bits = &s->ringing[w];

		for (take_bits(s, rank, w); *bits; *bits &= *bits - 1) {
			int q = w * 64 + __builtin_ctzll(*bits);

			if (slot_is_full(bspt_shm_peer(s, q)))
				return q;
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

	if (s->base.nprocs > SHM_FEW)
		return s->rung || atomic_load_explicit(&rank->rung, memory_order_relaxed);
	if (!s->scan)
		return s->ringing[0] ||
		       atomic_load_explicit(&rank->doorbell[0], memory_order_relaxed);
	for (int q = 0; q < s->base.nprocs; q++)
		if (s->peers[q].in && slot_is_full(&s->peers[q]))
			return true;
	return false;
}

/* The block has been read when given_back says so. Pairs with the acquire in reclaim(). */
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
