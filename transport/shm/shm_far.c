// SPDX-License-Identifier: BSD-3-Clause
/* shm_far.c - peers that share no cache with this process, and how blocks are written for them. */

/*
 * A block that was read lies in the cache of its reader. To write it again each of its lines has to
 * be taken away from there, and where both cores have no cache in common (two sockets; two core
 * complexes of one processor) that takes long: 29 of the 35 us of an exchange of 64 KiB between two
 * cores of an AMD EPYC of Zen 4, where reading takes 4. Prefetching for write and rep movsb
 * change nothing, but stores that pass the caches (movnt) take 2 us: the line goes to memory and
 * the reader's copy is dropped, and none is fetched. Reading it from memory takes as long as from
 * the far cache.
 *
 * So a chunk for a far peer is written to a draft, memory of this process alone
 * (transport/buffers.h), and copied to its block with such stores when it is sent. For near peers
 * these are slower: the top of shm_mem.c says what helps there.
 *
 * How far a peer is changes: processes, and the processors of virtual machines, are moved about.
 * One in 32 of the slots that name a block for a peer is timed: its line was read by the peer, so
 * that a store to it takes as long as a line needs from one to the other. Between near
 * cores that is 10 to 60 ns and between far ones 110 to 220 on that machine. Several in a row have
 * to say the contrary of what was known, as an interrupt makes one of them long, and a line that
 * the peer has lost makes one short.
 *
 * Other makers' processors were not measured, and where processes share a core, which of them wrote
 * to its cache last decides more than this: so there all peers are near.
 */

#include "shm.h"

#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

enum {
	FAR_NS = 75,		/* a store that takes longer is to a line in another cache */
	FAR_VOTES = 4,		/* so many in a row */
	FAR_CLASS = 1,		/* smallest drafts: 8 KiB; smaller ones were not measured */
	FAR_MOST = 2 << 20,	/* larger ones would not stay in the caches of this process */
	DRAFTS_MOST = 256 << 20,	/* bytes of free drafts */
	CLOCK_TRIES = 16,
	CLOCK_NS = 100,		/* a clock that takes longer is no measure: a call of the system */
};

/* Stores before this have left the processor, and the clock is read after that. */
uint64_t bspt_shm_far_time(void)
{
	atomic_thread_fence(memory_order_seq_cst);
	return bspt_now_ns();
}

/* The time that is measured where nothing is stored: of two fences and the clock. */
static uint64_t time_of_clock(void)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < CLOCK_TRIES; i++) {
		uint64_t since = bspt_shm_far_time(), ns = bspt_shm_far_time() - since;

		least = ns < least ? ns : least;
	}
	return least;
}

void bspt_shm_far_vote(const struct bspt_shm *s, struct shm_peer *p, uint64_t ns)
{
	bool far = ns > s->clock_ns + FAR_NS;

	p->votes = far == p->far ? 0 : p->votes + 1;
	if (p->votes < FAR_VOTES)
		return;
	p->far = far;
	p->votes = 0;
}

/* The block of a draft is in the head of its buffer. */
void *bspt_shm_draft(struct bspt_shm *s, struct shm_block *b)
{
	size_t room = bspt_shm_block_room(b);
	struct bspt_buffer *d = NULL;

	if (b->class >= FAR_CLASS && room < FAR_MOST)
		d = bspt_buffer_take(&s->drafts, room);
	if (!d)
		return bspt_shm_block_bytes(b);
	memcpy(d->before, &b, sizeof(b));
	return d + 1;
}

/* Whole lines, as blocks have. The fence orders these stores before those to the slot. */
static void stream_lines(void *dst, const void *src, size_t len)
{
#if defined(__x86_64__)
	__m128i *to = dst;
	const __m128i *from = src, *end = from + (len + SHM_LINE - 1) / SHM_LINE * 4;

	for (; from < end; from += 4, to += 4) {
		__m128i a = _mm_load_si128(from), b = _mm_load_si128(from + 1);
		__m128i c = _mm_load_si128(from + 2), d = _mm_load_si128(from + 3);

		_mm_stream_si128(to, a);
		_mm_stream_si128(to + 1, b);
		_mm_stream_si128(to + 2, c);
		_mm_stream_si128(to + 3, d);
	}
	_mm_sfence();
#else
	memcpy(dst, src, len);
#endif
}

struct shm_block *bspt_shm_draft_end(struct bspt_shm *s, void *chunk, size_t len)
{
	struct bspt_buffer *d = bspt_buffer_of(chunk);
	struct shm_block *b;

	memcpy(&b, d->before, sizeof(b));
	stream_lines(b + 1, chunk, len);
	bspt_buffer_give_back(&s->drafts, d);
	return b;
}

void bspt_shm_far_open(struct bspt_shm *s)
{
	bspt_pool_init(&s->drafts, DRAFTS_MOST);
	s->clock_ns = time_of_clock();
#if defined(__x86_64__)
	s->looks_far = __builtin_cpu_is("amd") && s->wait_policy.spin_ns &&
		       s->clock_ns < CLOCK_NS;
#endif
}

void bspt_shm_far_close(struct bspt_shm *s)
{
	bspt_pool_free(&s->drafts);
}
