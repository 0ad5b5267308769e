/* SPDX-License-Identifier: BSD-3-Clause */
/* shm.h - the segment of the shared-memory transport, and which process writes what in it. */

/*
 * The segment is memory that the wire-up shares, at the same address in all processes or not:
 *
 *   | root | rank 0 .. rank n-1 | acks n x n | rings n x n | arena 0 .. arena n-1 |
 *
 *   rank q    words of process q that others look at or set
 *   ack q,p   how many slots and blocks of p q has used; q writes, p reads
 *   ring q,p  RING slots from p to q; p writes, q reads
 *   arena p   blocks that p fills and others read
 *
 * The segment is address space: pages of a ring and of an ack become memory when the two processes
 * first have something for each other, and a process connects to a peer then
 * (bspt_shm_connect()): so memory grows with the pairs that talk.
 *
 * A chunk is a block of the sender's arena. It travels as a slot that names it; a short one
 * travels inside the slot, so that a superstep with one small put moves a single cache line from
 * one core to another. The receiver copies a short chunk out of its slot at once, so a slot is
 * busy only until it is polled: a ring that is full drains as soon as its receiver polls,
 * whatever that does with the chunks. A chunk that finds the ring full waits in the sender's
 * backlog.
 *
 * There are no locks. Each word has one writer, except those marked below.
 */
#ifndef BSPT_SHM_H
#define BSPT_SHM_H

#include "transport/buffers.h"
#include "transport/transport.h"

#include <stdatomic.h>

enum {
	SHM_LINE = 64,
	SHM_RING = 16,			/* slots; a power of two */
	SHM_INLINE = 112,		/* bytes of a chunk that fit a slot */
	/* up to so many processes all rings are looked at, beyond it doorbells */
	SHM_SCAN = 8,
	SHM_FEW = 64,			/* whose doorbells are one word */
	/* most processes: 64 words with 64 doorbells, of which one more word says which */
	SHM_PROCS = BSPT_NODE_MOST,
	SHM_WORDS = SHM_PROCS / 64,	/* of doorbells */
	SHM_FANIN = 8,			/* of the tree of a counting barrier */
	SHM_NODES = 585,		/* nodes of that tree: 512 + 64 + 8 + 1 */
	SHM_BLOCK = 4096,		/* smallest block; classes double */
	SHM_CLASSES = 36,
	SHM_SMALL = 2,			/* last class of small blocks: 16 KiB */
	SHM_LARGE = 1 << 20,		/* blocks from here on lie in huge pages */
	SHM_BUCKETS = 256,		/* of windows, by their names */
	SHM_INFLIGHT = 8,		/* look at an ack when so many blocks are on their way */
	SHM_FAR_EVERY = 32,		/* of so many blocks sent to a peer one is timed */
};

/* One chunk on its way from p to q. Written by p. */
struct shm_slot {
	/* number of the chunk + 1: released by p last, acquired by q */
	_Alignas(128) _Atomic uint32_t turn;
	uint32_t len;
	/* of the block in the segment; 0: the bytes are here */
	uint64_t where;
	unsigned char bytes[SHM_INLINE];
};

_Static_assert(sizeof(struct shm_slot) == 128,
	       "a slot is two lines, and its first one holds a small put");

/* Written by q for p. Counts wrap. */
struct shm_ack {
	/* slots polled: released by q, acquired by p before reuse */
	_Alignas(SHM_LINE) _Atomic uint32_t taken;
	/* blocks released by the runtime of q, likewise */
	_Atomic uint32_t given_back;
};

/* One process. */
struct shm_rank {
	/* 1 while it sleeps or is about to. Set by the owner, cleared by its waker. */
	_Alignas(SHM_LINE) _Atomic uint32_t asleep;

	/*
	 * A bit for each process that has put something into a ring to this one. Set by them,
	 * cleared by the owner.
	 */
	_Alignas(SHM_LINE) _Atomic uint64_t doorbell[SHM_WORDS];

	/*
	 * With more than SHM_FEW processes, a bit for each word of doorbells that may not be 0:
	 * set and cleared likewise.
	 */
	_Alignas(SHM_LINE) _Atomic uint64_t rung;

	/*
	 * Chunks counted for it in the rounds of even and odd number. Added to by all, cleared
	 * by the owner.
	 */
	_Alignas(SHM_LINE) _Atomic uint64_t counted[2];

	/* Written by the owner. */
	_Alignas(SHM_LINE) _Atomic uint32_t published;
};

/* The words of counting barriers, written by all; see shm_sync.c. */
struct shm_root {
	struct {
		_Alignas(SHM_LINE) _Atomic uint32_t arrived;
	} node[SHM_NODES];
	struct {
		_Alignas(SHM_LINE) _Atomic uint32_t any;	/* or of the words that are not 0 */
		_Atomic uint32_t lacking;			/* or of their complements */
		_Atomic uint32_t words;				/* how many are not 0 */
	} result[2];
	_Alignas(SHM_LINE) _Atomic uint32_t round;	/* last round that ended */
	/* Where rounds are held: the last one that all have entered. Process 0 alone looks here. */
	_Alignas(SHM_LINE) _Atomic uint32_t full;
	_Alignas(SHM_LINE) _Atomic uint32_t sleepers;	/* ranks with asleep set, at least */
};

/*
 * Before the bytes of a block. Written and read by its owner only, but for the class: that
 * stays as it is, and the receiver reads it where blocks are poisoned.
 */
struct shm_block {
	/* among the free, in flight or in the backlog */
	_Alignas(SHM_LINE) struct shm_block *next;
	size_t len;
	unsigned int class;
};

/* A short chunk copied out of its slot. Lies in the receiver's arena; only it looks there. */
struct shm_note {
	_Alignas(SHM_LINE) unsigned char bytes[SHM_INLINE];
	struct shm_note *next;
};

struct shm_list {
	struct shm_block *first, *last;
};

/* Free blocks of one size. Small ones, which are few, are not counted, and none is ever hollow. */
struct shm_free {
	struct shm_list full;		/* first to be used first */
	struct shm_list hollow;		/* their pages are the system's */
	size_t n, least;	/* full ones; and there were always so many since the last trim */
};

/*
 * The part of an arena to which this process has given itself access: from the start of each half
 * up to here. The rest is reserved (PROT_NONE), so that mlockall() does not fill it.
 */
struct shm_reach {
	char *middle;			/* of the arena */
	char *small_end, *large_end;	/* of the half before it, of that behind it */
};

/*
 * Rings and blocks to one peer, and from it, as this process knows them. All 0 until there is
 * something to it or from it: bspt_shm_connect().
 */
struct shm_peer {
	/* to it */
	struct shm_slot *out;		/* NULL: not connected */
	const struct shm_ack *ack;	/* written by the peer */
	uint32_t sent;			/* slots filled */
	uint32_t taken;			/* ack->taken as last seen */
	uint32_t sent_blocks;		/* of the chunks sent, those not in their slot */
	uint32_t inflight_blocks;	/* of these, not known to be back */
	struct shm_list inflight;	/* blocks named in slots, oldest first */
	struct shm_list backlog;	/* chunks that found the ring full */
	struct shm_peer *next_waiting;	/* of those with a backlog */
	bool far;			/* it has caches of its own: shm_far.c */
	uint8_t votes;			/* for the contrary, since one for it */
	/* from it */
	struct shm_reach reach;		/* of its arena */
	const struct shm_slot *in;
	struct shm_ack *my_ack;		/* written here */
	uint32_t polled;		/* slots emptied */
};

/* The segment as one process sees it. */
struct shm_map {
	int nprocs;
	char *base;
	size_t bytes;
	size_t arena_offset;		/* of arena 0 */
	size_t arena_bytes;		/* of each */
	struct shm_root *root;
	struct shm_rank *ranks;
};

/* A window of this process: pages of its own replaced by pages of its arena. */
struct shm_window {
	char *base;			/* first shared page */
	size_t bytes;			/* whole pages */
	size_t head;			/* bytes of the exposed area before it */
	uint64_t name;			/* for peers: where in the segment the area would begin */
	struct shm_block *block;	/* which lends its pages */
	bool withdrawn;			/* the pages are private again, peers may use the block */
	struct shm_window *next;	/* of the same hash */
};

/* Addresses. */
struct shm_range {
	uintptr_t from, to;
};

/* A line of /proc/self/maps. */
struct shm_mapping {
	uintptr_t from, to;
	char mode[5];
	uint64_t offset;
	char device[12];
	uint64_t inode;
	char name[32];
};

/* Mappings that survey() found. */
struct shm_survey {
	struct shm_range *plain;	/* mappings whose pages may be replaced, by address */
	size_t n, room;
	size_t mappings;		/* of any kind, with those that windows have made since */
	size_t mappings_most;		/* of a process; 0: not read yet */
	struct shm_mapping segment;	/* its device and inode are those of windows */
};

struct bspt_shm {
	struct bspt base;
	struct shm_map map;
	struct bspt_wait_policy wait_policy;
	void (*lost)(int peer, const char *why);
	struct shm_peer *peers;
	bool scan;			/* look at all rings */
	bool fences;			/* membarrier() is there */
	int next_peer;			/* to look at in poll() */
	struct shm_peer *waiting;	/* peers with a backlog */
	uint64_t ringing[SHM_WORDS];	/* doorbells taken and not yet answered */
	uint64_t rung;			/* words of doorbells that are to be looked at */
	uint32_t round;			/* counting barrier entered last */
	bool entered;			/* and not yet seen to have ended */
	bool holds_rounds;
	bool full;			/* this one was seen to be full: by process 0, if so */
	uint64_t waiting_since;		/* ns; 0: not waiting */
	/* memory, shm_mem.c */
	char *small, *small_end;	/* never used: small blocks grow up */
	char *large, *large_end;	/* never used: large ones, from the middle */
	struct shm_free free[SHM_CLASSES];
	size_t idle_bytes;		/* of large blocks that are free and full */
	size_t idle_middle;		/* of those between small and large */
	struct shm_note *notes;
	size_t turn_bytes;		/* see the top of shm_mem.c */
	/* shm_far.c */
	struct bspt_pool drafts;
	bool looks_far;			/* stores are timed, on this kind of processor */
	uint64_t clock_ns;		/* what timing a store takes besides */
	struct shm_window *windows[SHM_BUCKETS];
	struct shm_survey survey;
	struct shm_sums *sums;		/* if plan->sums is set: shm_sums.c */
};

static inline struct bspt_shm *bspt_shm_of(struct bspt *t)
{
	return (struct bspt_shm *)t;
}

/* shm.c */
extern const struct bspt_ops bspt_shm_ops;

/* shm_mem.c: make the rings to and from @q known to this process. */
void bspt_shm_connect(struct bspt_shm *s, int q);

/* Process @q, connected. */
static inline struct shm_peer *bspt_shm_peer(struct bspt_shm *s, int q)
{
	if (__builtin_expect(!s->peers[q].out, 0))
		bspt_shm_connect(s, q);
	return &s->peers[q];
}

/* shm_mem.c: the segment, blocks, notes */
int bspt_shm_map_create(struct shm_map *map, struct bspt_wire *wire, int nprocs,
			size_t reserve_bytes);
/* In this process. */
void bspt_shm_map_destroy(const struct shm_map *map);
bool bspt_shm_map_fits(int nprocs);
struct shm_slot *bspt_shm_ring(const struct shm_map *map, int to, int from);
struct shm_ack *bspt_shm_ack(const struct shm_map *map, int to, int from);
char *bspt_shm_arena(const struct shm_map *map, int p);
void bspt_shm_arena_open(struct bspt_shm *s);
void bspt_shm_arena_close(struct bspt_shm *s);
/*
 * Give this process access to the arena of @p from the start of the half of @at to @end. False:
 * the system has refused.
 */
bool bspt_shm_reach_more(struct bspt_shm *s, int p, const char *at, const char *end);
struct shm_block *bspt_shm_block_get(struct bspt_shm *s, struct shm_peer *p, size_t bytes);
void bspt_shm_block_free(struct bspt_shm *s, struct shm_block *b);
void *bspt_shm_block_bytes(struct shm_block *b);
struct shm_block *bspt_shm_block_of(void *chunk);
size_t bspt_shm_block_room(const struct shm_block *b);
/* Room of the largest blocks, of which an arena holds several. */
size_t bspt_shm_room_most(const struct shm_map *map);
struct shm_note *bspt_shm_note_get(struct bspt_shm *s);
void bspt_shm_note_free(struct bspt_shm *s, struct shm_note *n);
bool bspt_shm_is_note(const struct bspt_shm *s, const void *chunk);
void bspt_shm_list_add(struct shm_list *l, struct shm_block *b);
void bspt_shm_list_push(struct shm_list *l, struct shm_block *b);
struct shm_block *bspt_shm_list_take(struct shm_list *l);

/* shm_far.c: peers that share no cache with this process */
/* Is it time to see how far @p is, now that a block is sent to it? */
static inline bool bspt_shm_far_is_due(const struct bspt_shm *s, const struct shm_peer *p)
{
	return s->looks_far && p->sent_blocks % SHM_FAR_EVERY == 0;
}

void bspt_shm_far_open(struct bspt_shm *s);
void bspt_shm_far_close(struct bspt_shm *s);
/* The time, when all stores before have left this processor. */
uint64_t bspt_shm_far_time(void);
/* Stores to a slot of @p have taken @ns, with the call above before and after them. */
void bspt_shm_far_vote(const struct bspt_shm *s, struct shm_peer *p, uint64_t ns);
/* Where to write what is for @b, a block for a far peer: a draft, or the bytes of @b itself. */
void *bspt_shm_draft(struct bspt_shm *s, struct shm_block *b);
/* Drafts are private memory, blocks are in the segment. */
static inline bool bspt_shm_is_draft(const struct bspt_shm *s, const void *chunk)
{
	return (uintptr_t)chunk - (uintptr_t)s->map.base >= s->map.bytes;
}

/* The block that draft @chunk was for, with its first @len bytes; the draft is given back. */
struct shm_block *bspt_shm_draft_end(struct bspt_shm *s, void *chunk, size_t len);

/* shm_wake.c: sleep and wake */
/* Can bspt_shm_sleep() order itself against every peer's bspt_shm_wake()? */
bool bspt_shm_fences_open(void);
/*
 * Sleep until a peer calls bspt_shm_wake(), unless @has_news holds once wakers can see the
 * sleeper.
 */
void bspt_shm_sleep(struct bspt_shm *s, bool (*has_news)(const struct bspt_shm *s));
void bspt_shm_wake_slow(struct bspt_shm *s, int peer);

/* shm_move.c: chunks */
void *bspt_shm_chunk(struct bspt *t, int peer, size_t want, size_t *room);
void bspt_shm_send(struct bspt *t, int peer, void *chunk, size_t len);
void bspt_shm_discard(struct bspt *t, int peer, void *chunk);
void *bspt_shm_poll(struct bspt *t, int *peer, size_t *len);
void bspt_shm_release(struct bspt *t, int peer, void *chunk);
size_t bspt_shm_trim(struct bspt *t);
bool bspt_shm_arrived(const struct bspt_shm *s);

/* shm_sums.c: the same by sums. The object gets operations of its own, made from @plain. */
int bspt_shm_sums_open(struct bspt_shm *s, const struct bspt_plan *plan,
		       const struct bspt_ops *plain);
void bspt_shm_sums_close(struct bspt_shm *s);

/* shm_sync.c: counting barrier, waiting */
void bspt_shm_count_add(struct bspt *t, int peer, uint32_t n);
void bspt_shm_count_enter(struct bspt *t, uint32_t word);
bool bspt_shm_count_test(struct bspt *t, struct bspt_counts *result);
bool bspt_shm_count_full(struct bspt *t, uint32_t *out, struct bspt_counts *node);
void bspt_shm_count_release(struct bspt *t, const uint32_t *in, const struct bspt_counts *all);
void bspt_shm_wait(struct bspt *t, unsigned int idle);

/* shm_maps.c: what lies at addresses of this process */
/* Call @see for each line of /proc/self/maps. False: there is no such file. */
bool bspt_shm_maps_each(void (*see)(const struct shm_mapping *m, void *arg), void *arg);
void bspt_shm_survey(struct bspt *t);
/* Are there plain mappings without holes, and does @fits hold for the part in each? */
bool bspt_shm_survey_covers(const struct shm_survey *v, struct shm_range r,
			    bool (*fits)(struct shm_range r));
/* These of them have been replaced. */
void bspt_shm_survey_cut(struct shm_survey *v, struct shm_range r);
/* Is there one mapping of a file or of shared memory with these ends? */
bool bspt_shm_maps_has(struct shm_range r);
bool bspt_shm_maps_may_write(uintptr_t at);

/* shm_window.c */
int bspt_shm_expose(struct bspt *t, void *base, size_t len, uint64_t *window,
		    size_t *head, size_t *tail);
int bspt_shm_withdraw(struct bspt *t, uint64_t window);
void bspt_shm_collect(struct bspt *t, uint64_t window, size_t offset, void *dst, size_t len);
void bspt_shm_unexpose(struct bspt *t, uint64_t window);
void bspt_shm_window_write(struct bspt *t, int peer, uint64_t window, size_t offset,
			   const void *src, size_t len);
void bspt_shm_window_read(struct bspt *t, int peer, uint64_t window, size_t offset,
			  void *dst, size_t len);
void bspt_shm_publish(struct bspt *t, uint32_t value);
uint32_t bspt_shm_published_by(struct bspt *t, int peer);

/*
 * Before this process reads or writes @bytes at @at in the arena of @p, for the first time or
 * again.
 */
static inline void bspt_shm_reach(struct bspt_shm *s, int p, const char *at, size_t bytes)
{
	const struct shm_reach *r = &s->peers[p].reach;

	if (__builtin_expect(at + bytes <= (at < r->middle ? r->small_end : r->large_end), 1))
		return;
	if (!bspt_shm_reach_more(s, p, at, at + bytes))
		s->lost(p, "the system gives no access to shared memory that is reserved; raise "
			   "vm.max_map_count");
}

/*
 * Wake @peer if it sleeps. Called after the store it waits for. The sleeper sets
 * asleep, then makes every process pass a full barrier (membarrier()), then looks
 * once more, so either it sees our store or we see its flag; here only the
 * compiler must keep the order. Without membarrier() sleepers wake by themselves
 * every millisecond.
 */
static inline void bspt_shm_wake(struct bspt_shm *s, int peer)
{
	atomic_signal_fence(memory_order_seq_cst);
	if (__builtin_expect(atomic_load_explicit(&s->map.ranks[peer].asleep,
						  memory_order_relaxed), 0))
		bspt_shm_wake_slow(s, peer);
}

#endif
