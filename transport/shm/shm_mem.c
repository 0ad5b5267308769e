// SPDX-License-Identifier: BSD-3-Clause
/* shm_mem.c - the shared segment and how its memory is divided: ranks, rings, blocks. */

/*
 * The arenas are address space; access to it comes with the first blocks there, in this process
 * when it carves them and in a peer when it is sent one, and pages when they are touched. Blocks
 * have sizes that are powers of two and never merge: programs repeat their supersteps, so the
 * blocks of the last one fit the next. A small block that comes back is used again first, while
 * it is in our cache. A large one is in the peer's cache, and to write to lines that the peer has
 * just read costs a third more than to those it read a superstep ago; so these are used in the
 * order of their release. The largest fit no cache twice, and any of them is as good.
 *
 * Where a cache that both cores share takes the lines that the peer's own cache gives up (AMD),
 * there is more to gain: when twice as much has come after them as that cache holds, they are to be
 * had from the shared one. On an AMD EPYC of Zen 4 an exchange of 64 KiB takes 3.6 us instead of
 * 9.5 by two memcpy() alone if 2 to 8 MiB take turns; with 1 MiB 5.7 and with 16 MiB 6.0. So new
 * blocks are carved until so many bytes of a size take turns (turn_bytes).
 *
 * The pages of blocks that were idle between two calls of trim() go back to the system
 * (MADV_REMOVE), but for the first of each, and but for small blocks; of a size that was used
 * meanwhile as many as take turns stay. Such a hollow block is used again when there is no full one
 * of its size, or too few to take turns.
 */

#include "shm.h"
#include "transport/poison.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static const size_t huge_page = (size_t)2 << 20;
static const size_t arena_least = (size_t)8 << 20;
static const size_t arena_most = (size_t)1 << 38;
static const size_t arenas_most = (size_t)1 << 44;
static const size_t reach_least = (size_t)256 << 10;
static const size_t idle_most = (size_t)256 << 20;

static size_t shm_round_up(size_t n, size_t unit)
{
	return (n + unit - 1) / unit * unit;
}

/* ---- The segment --------------------------------------------------------- */

static size_t ranks_bytes(int n)
{
	return n * sizeof(struct shm_rank);
}

static size_t acks_bytes(int n)
{
	return (size_t)n * n * sizeof(struct shm_ack);
}

/* Bytes before the arenas, in whole huge pages so that these start on one. */
static size_t head_bytes(int n)
{
	return shm_round_up(sizeof(struct shm_root) + ranks_bytes(n) + acks_bytes(n) +
			    (size_t)n * n * SHM_RING * sizeof(struct shm_slot) +
			    2 * sizeof(struct shm_slot), huge_page);
}

struct shm_ack *bspt_shm_ack(const struct shm_map *map, int to, int from)
{
	struct shm_ack *acks = (struct shm_ack *)(map->ranks + map->nprocs);

	return &acks[(size_t)to * map->nprocs + from];
}

struct shm_slot *bspt_shm_ring(const struct shm_map *map, int to, int from)
{
	size_t offset = shm_round_up(sizeof(struct shm_root) + ranks_bytes(map->nprocs) +
				     acks_bytes(map->nprocs), sizeof(struct shm_slot));
	struct shm_slot *rings = (struct shm_slot *)(map->base + offset);

	return &rings[((size_t)to * map->nprocs + from) * SHM_RING];
}

char *bspt_shm_arena(const struct shm_map *map, int p)
{
	return map->base + map->arena_offset + p * map->arena_bytes;
}

void bspt_shm_connect(struct bspt_shm *s, int q)
{
	struct shm_peer *p = &s->peers[q];
	char *arena = bspt_shm_arena(&s->map, q);
	size_t half = s->map.arena_bytes / 2;
	int me = s->base.me;

	p->reach = (struct shm_reach){ arena + half, arena, arena + half };
	p->out = bspt_shm_ring(&s->map, q, me);
	p->ack = bspt_shm_ack(&s->map, q, me);
	p->my_ack = bspt_shm_ack(&s->map, me, q);
	p->in = q == me ? NULL : bspt_shm_ring(&s->map, me, q);
}

/* The bytes to ask for at first: a limit on address space leaves three quarters to the program. */
static size_t arena_wish(int nprocs, size_t reserve_bytes)
{
	size_t wish = arenas_most / nprocs < arena_most ? arenas_most / nprocs : arena_most;
	struct rlimit limit;

	if (reserve_bytes && reserve_bytes < wish)
		wish = reserve_bytes;
	if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	    limit.rlim_cur / 4 / nprocs < wish)
		wish = limit.rlim_cur / 4 / nprocs;
	if (wish < arena_least)
		wish = arena_least;
	return shm_round_up(wish, 2 * huge_page);
}

/*
 * As much as there is: all processes of the node get the same answers, and so come to the same
 * size.
 */
int bspt_shm_map_create(struct shm_map *map, struct bspt_wire *wire, int nprocs,
			size_t reserve_bytes)
{
	size_t head = head_bytes(nprocs);
	size_t arena = arena_wish(nprocs, reserve_bytes);
	char *base;

	while (!(base = wire->share(wire, head + nprocs * arena, head))) {
		if (wire->closed)
			return -EACCES;
		if (arena <= arena_least)
			return -ENOMEM;
		arena = shm_round_up(arena / 2, 2 * huge_page);
	}
	map->nprocs = nprocs;
	map->base = base;
	map->bytes = head + nprocs * arena;
	map->arena_offset = head;
	map->arena_bytes = arena;
	map->root = (struct shm_root *)base;
	map->ranks = (struct shm_rank *)(base + sizeof(struct shm_root));
	madvise(base + map->arena_offset, nprocs * arena, MADV_DONTDUMP);
	return 0;
}

void bspt_shm_map_destroy(const struct shm_map *map)
{
	munmap(map->base, map->bytes);
}

/* Is there address space for the least that will do? */
bool bspt_shm_map_fits(int nprocs)
{
	size_t bytes = head_bytes(nprocs) + nprocs * arena_least;
	void *at = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return at != MAP_FAILED && munmap(at, bytes) == 0;
}

/* ---- Blocks -------------------------------------------------------------- */

void bspt_shm_list_add(struct shm_list *l, struct shm_block *b)
{
	b->next = NULL;
	if (l->first)
		l->last->next = b;
	else
		l->first = b;
	l->last = b;
}

void bspt_shm_list_push(struct shm_list *l, struct shm_block *b)
{
	b->next = l->first;
	if (!l->first)
		l->last = b;
	l->first = b;
}

struct shm_block *bspt_shm_list_take(struct shm_list *l)
{
	struct shm_block *b = l->first;

	if (b)
		l->first = b->next;
	return b;
}

void *bspt_shm_block_bytes(struct shm_block *b)
{
	return b + 1;
}

struct shm_block *bspt_shm_block_of(void *chunk)
{
	return (struct shm_block *)chunk - 1;
}

static size_t class_bytes(unsigned int class)
{
	return (size_t)SHM_BLOCK << class;
}

size_t bspt_shm_block_room(const struct shm_block *b)
{
	return class_bytes(b->class) - sizeof(*b);
}

size_t bspt_shm_room_most(const struct shm_map *map)
{
	size_t bytes = SHM_BLOCK;

	while (2 * bytes <= map->arena_bytes / 16)
		bytes *= 2;
	return bytes - sizeof(struct shm_block);
}

/* The smallest class of blocks that holds @bytes. */
static unsigned int class_for(size_t bytes)
{
	size_t blocks = (bytes + sizeof(struct shm_block) + SHM_BLOCK - 1) / SHM_BLOCK;

	return blocks <= 1 ? 0 : 64 - __builtin_clzl(blocks - 1);
}

/*
 * Twice as much each time, so that the calls and the parts of the mapping stay few. In whole
 * huge pages where those are wanted.
 */
bool bspt_shm_reach_more(struct bspt_shm *s, int p, const char *at, const char *end)
{
	struct shm_reach *r = &bspt_shm_peer(s, p)->reach;
	bool large = at >= r->middle;
	size_t half = s->map.arena_bytes / 2;
	char *start = large ? r->middle : r->middle - half;
	char **now = large ? &r->large_end : &r->small_end;
	size_t bytes = (size_t)(*now - start);

	bytes = bytes ? bytes : large ? huge_page : reach_least;
	while (bytes < (size_t)(end - start))
		bytes *= 2;
	bytes = bytes < half ? bytes : half;
	if (mprotect(start, bytes, PROT_READ | PROT_WRITE) < 0)
		return false;
	*now = start + bytes;
	return true;
}

/* See the top of the file; where processes share a core, they share its cache as well. */
static size_t turn_bytes(const struct bspt_shm *s)
{
	long cache = 0;

	if (!s->wait_policy.spin_ns)
		return 0;
#if defined(__x86_64__) && defined(_SC_LEVEL2_CACHE_SIZE)
	if (__builtin_cpu_is("amd"))
		cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
	return cache > 0 && (size_t)cache < s->map.arena_bytes / 256 ? 2 * cache : 0;
}

void bspt_shm_arena_open(struct bspt_shm *s)
{
	size_t half = s->map.arena_bytes / 2;

	s->turn_bytes = turn_bytes(s);
	s->small = bspt_shm_arena(&s->map, s->base.me);
	s->small_end = s->small + half;
	s->large = s->small_end;
	s->large_end = s->large + half;
	madvise(s->large, half, MADV_HUGEPAGE);
}

/* Before the segment is unmapped: what comes to lie there is not poisoned. */
void bspt_shm_arena_close(struct bspt_shm *s)
{
	size_t half = s->map.arena_bytes / 2;

	for (int p = 0; p < s->base.nprocs; p++) {
		const struct shm_reach *r = &s->peers[p].reach;
		char *small;

		if (!s->peers[p].out)
			continue;
		small = r->middle - half;
		bspt_poison_fresh(small, (size_t)(r->small_end - small));
		bspt_poison_fresh(r->middle, (size_t)(r->large_end - r->middle));
	}
}

/* Memory never used before, or NULL. */
static struct shm_block *carve(struct bspt_shm *s, unsigned int class)
{
	size_t bytes = class_bytes(class);
	bool large = bytes >= SHM_LARGE;
	char **at = large ? &s->large : &s->small;
	char *end = large ? s->large_end : s->small_end;
	struct shm_block *b = (struct shm_block *)*at;
	const struct shm_reach *own = &s->peers[s->base.me].reach;

	if (bytes > (size_t)(end - *at))
		return NULL;
	if (*at + bytes > (large ? own->large_end : own->small_end) &&
	    !bspt_shm_reach_more(s, s->base.me, *at, *at + bytes))
		return NULL;
	*at += bytes;
	b->class = class;
	bspt_poison_fresh(b + 1, bspt_shm_block_room(b));
	return b;
}

/* A block that no peer has in its cache, or NULL. */
static struct shm_block *take_unread(struct bspt_shm *s, unsigned int class)
{
	struct shm_block *b = bspt_shm_list_take(&s->free[class].hollow);

	if (!b)
		return carve(s, class);
	bspt_poison_fresh(b + 1, bspt_shm_block_room(b));
	return b;
}

/* Take back what @p's peer has released. Pairs with the release in bspt_shm_release(). */
static void reclaim(struct bspt_shm *s, struct shm_peer *p)
{
	uint32_t back = atomic_load_explicit(&p->ack->given_back, memory_order_acquire);
	uint32_t given_back = p->sent_blocks - p->inflight_blocks;

	for (; given_back != back; given_back++) {
		bspt_shm_block_free(s, bspt_shm_list_take(&p->inflight));
		p->inflight_blocks--;
	}
}

static size_t *idle_of(struct bspt_shm *s, unsigned int class)
{
	return class_bytes(class) >= SHM_LARGE ? &s->idle_bytes : &s->idle_middle;
}

/* Sizes whose blocks take turns; see the top of the file. */
static bool shm_takes_turns(unsigned int class)
{
	return class > SHM_SMALL && class_bytes(class) < SHM_LARGE;
}

/* So many blocks of a size are to be free before one of them is used again. */
static size_t turns_of(const struct bspt_shm *s, unsigned int class)
{
	return shm_takes_turns(class) ? s->turn_bytes / class_bytes(class) : 0;
}

static struct shm_block *take_full(struct bspt_shm *s, unsigned int class)
{
	struct shm_free *f = &s->free[class];
	struct shm_block *b = bspt_shm_list_take(&f->full);

	if (!b || (int)class <= SHM_SMALL)
		return b;
	if (--f->n < f->least)
		f->least = f->n;
	*idle_of(s, class) -= class_bytes(class);
	return b;
}

static struct shm_block *take_free(struct bspt_shm *s, unsigned int class)
{
	struct shm_block *b = take_full(s, class);

	if (!b)
		b = bspt_shm_list_take(&s->free[class].hollow);
	if (b)
		bspt_poison_fresh(b + 1, bspt_shm_block_room(b));
	return b;
}

static void reclaim_from_all(struct bspt_shm *s)
{
	for (int q = 0; q < s->base.nprocs; q++)
		if (s->peers[q].inflight_blocks)
			reclaim(s, &s->peers[q]);
}

/* Before the arena grows, or allocation fails: the blocks that any process has released. */
static struct shm_block *reclaim_all(struct bspt_shm *s, unsigned int class)
{
	reclaim_from_all(s);
	return take_free(s, class);
}

/*
 * Looking at an ack costs a cache miss when it has changed. For small blocks that
 * is done once for several of them; for large ones the miss is nothing. Where
 * blocks take turns, those that came back since are for the next call, so that there are two.
 */
struct shm_block *bspt_shm_block_get(struct bspt_shm *s, struct shm_peer *p, size_t bytes)
{
	unsigned int class = class_for(bytes);
	bool look = p->inflight_blocks >= SHM_INFLIGHT ||
		    (class > SHM_SMALL && p->inflight_blocks);
	struct shm_block *b;

	if (class >= SHM_CLASSES)
		return NULL;
	if (look && !shm_takes_turns(class))
		reclaim(s, p);
	b = s->free[class].n < turns_of(s, class) ? take_unread(s, class) : NULL;
	if (!b)
		b = take_free(s, class);
	if (!b)
		b = carve(s, class);
	if (!b)
		b = reclaim_all(s, class);
	if (look && shm_takes_turns(class))
		reclaim(s, p);
	return b;
}

/*
 * Its pages but the first go back to the system. No peer is looking at it: a block is free when its
 * receiver has released given_back after its last read, and this process has acquired that
 * (reclaim()), or when it has never left this process. And no peer looks at it before it is filled
 * anew: the receiver reads it after it has acquired the slot's turn, and that was released after
 * madvise() had returned here, which is after the kernel has taken the old pages out of all page
 * tables. Blocks in flight, in a backlog or behind a window are in no list of free ones.
 */
static void hollow_out(struct bspt_shm *s, struct shm_block *b)
{
	madvise((char *)b + SHM_BLOCK, class_bytes(b->class) - SHM_BLOCK, MADV_REMOVE);
	bspt_shm_list_add(&s->free[b->class].hollow, b);
}

void bspt_shm_block_free(struct bspt_shm *s, struct shm_block *b)
{
	size_t bytes = class_bytes(b->class);

	bspt_poison_released(b + 1, bspt_shm_block_room(b));
	if (bytes >= SHM_LARGE && s->idle_bytes + bytes > idle_most) {
		hollow_out(s, b);
		return;
	}
	if ((int)b->class <= SHM_SMALL) {
		bspt_shm_list_push(&s->free[b->class].full, b);
		return;
	}
	bspt_shm_list_add(&s->free[b->class].full, b);
	s->free[b->class].n++;
	*idle_of(s, b->class) += bytes;
}

/* Blocks that have not come back yet may be as many bytes again. */
size_t bspt_shm_trim(struct bspt *t)
{
	struct bspt_shm *s = bspt_shm_of(t);
	size_t freed = bspt_pool_trim(&s->drafts);

	reclaim_from_all(s);
	if (s->idle_bytes + s->idle_middle < BSPT_TRIM_LEAST)
		return freed;
	for (unsigned int class = SHM_SMALL + 1; class < SHM_CLASSES; class++) {
		struct shm_free *f = &s->free[class];
		/* those of a size in use take turns */
		size_t kept = f->least < f->n ? turns_of(s, class) : 0;
		/* of the blocks that were idle since the last call */
		size_t spare = f->least > kept ? f->least - kept : 0;

		for (size_t i = 0; i < spare; i++)
			hollow_out(s, bspt_shm_list_take(&f->full));
		*idle_of(s, class) -= spare * class_bytes(class);
		f->n -= spare;
		f->least = f->n;
	}
	return freed;
}

/* ---- Notes --------------------------------------------------------------- */

/* A block of our own arena, cut into notes; it is never given back. */
static void add_notes(struct bspt_shm *s)
{
	struct shm_block *b = take_free(s, 0);
	struct shm_note *notes;

	if (!b)
		b = carve(s, 0);
	if (!b)
		b = reclaim_all(s, 0);
	for (unsigned int class = 1; !b && class < SHM_CLASSES; class++)
		b = take_free(s, class);
	if (!b)
		return;
	notes = (struct shm_note *)(b + 1);
	for (size_t i = 0; i < bspt_shm_block_room(b) / sizeof(*notes); i++)
		bspt_shm_note_free(s, &notes[i]);
}

struct shm_note *bspt_shm_note_get(struct bspt_shm *s)
{
	struct shm_note *n;

	if (!s->notes)
		add_notes(s);
	n = s->notes;
	if (!n)
		return NULL;
	s->notes = n->next;
	bspt_poison_fresh(n->bytes, sizeof(n->bytes));
	return n;
}

void bspt_shm_note_free(struct bspt_shm *s, struct shm_note *n)
{
	bspt_poison_released(n->bytes, sizeof(n->bytes));
	n->next = s->notes;
	s->notes = n;
}

bool bspt_shm_is_note(const struct bspt_shm *s, const void *chunk)
{
	const char *arena = bspt_shm_arena(&s->map, s->base.me);

	return (const char *)chunk >= arena && (const char *)chunk < arena + s->map.arena_bytes;
}
