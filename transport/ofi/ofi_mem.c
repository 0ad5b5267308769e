// SPDX-License-Identifier: BSD-3-Clause
/* ofi_mem.c - memory of transport/ofi: buffers, and what the provider must know of it. */

/*
 * Buffers of two sizes come in slabs, which are registered once, if at all, and go back to the
 * system when trim() finds that none of their buffers is needed. Larger ones come from a pool
 * of buffers of all sizes (transport/buffers.h): there an ofi_buf is what the pool calls the
 * chunk. Memory that the runtime receives into and sends from in bulk is registered for the
 * time of the transfer.
 */

#include "ofi.h"
#include "transport/poison.h"

#include <string.h>
#include <sys/mman.h>

enum { BIG_IDLE_MOST = 64 << 20, SLAB_HEAD = 64, PAGE = 4096, KEYS_TRIED = 16 };

_Static_assert(sizeof(struct ofi_slab) <= SLAB_HEAD, "buffers in a slab are aligned to 64");

/* ---- Registration -------------------------------------------------------- */

static bool must_register(const struct bspt_ofi *s, bool remote)
{
	return remote || (s->info->domain_attr->mr_mode & FI_MR_LOCAL);
}

/*
 * Keys are ours to choose where the provider does not: one that cannot be predicted without knowing
 * another one. Short ones may be taken: then another.
 */
static int register_it(struct bspt_ofi *s, const void *at, size_t len, bool remote,
		       struct fid_mr **mr)
{
	uint64_t access = FI_SEND | FI_RECV | FI_WRITE | (remote ? FI_REMOTE_WRITE : 0);
	size_t bytes = s->info->domain_attr->mr_key_size;
	uint64_t most = bytes < sizeof(uint64_t) ? (UINT64_C(1) << 8 * bytes) - 1 : UINT64_MAX;
	int err = -FI_ENOKEY;

	for (int i = 0; err == -FI_ENOKEY && i < KEYS_TRIED; i++) {
		uint64_t key = s->key_secret + s->next_key++ * 0x9e3779b97f4a7c15u;

		key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9u;
		key = (key ^ key >> 27) * 0x94d049bb133111ebu;
		key = (key ^ key >> 31) & most;
		err = fi_mr_reg(s->domain, at, len, access, 0, key, 0, mr, NULL);
	}
	if (err || !(s->info->domain_attr->mr_mode & FI_MR_ENDPOINT))
		return err;
	err = fi_mr_bind(*mr, &s->ep->fid, 0);
	if (!err)
		err = fi_mr_enable(*mr);
	if (err)
		fi_close(&(*mr)->fid);
	return err;
}

struct fid_mr *bspt_ofi_register(struct bspt_ofi *s, int peer, void *at, size_t len, bool remote)
{
	struct fid_mr *mr = NULL;
	int err;

	if (!must_register(s, remote))
		return NULL;
	err = register_it(s, at, len, remote, &mr);
	if (err)
		bspt_ofi_lost(s, peer, "registering memory (is ulimit -l large enough?)", -err);
	return mr;
}

/* ---- Buffers ------------------------------------------------------------- */

void bspt_ofi_pools_init(struct bspt_ofi *s)
{
	s->small = (struct ofi_pool){ .room = OFI_NOTE_ROOM, .at_once = 64 };
	s->large_enough = (struct ofi_pool){ .room = OFI_ROOM, .at_once = 16 };
	bspt_pool_init(&s->big, BIG_IDLE_MOST);
}

static void ofi_mem_put_idle(struct ofi_pool *pool, struct ofi_buf *b)
{
	bspt_poison_released(b + 1, b->room);
	b->next = pool->idle;
	pool->idle = b;
	pool->nidle++;
}

static size_t slab_bytes(const struct ofi_pool *pool)
{
	size_t bytes = SLAB_HEAD + pool->at_once * (sizeof(struct ofi_buf) + pool->room);

	return (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
}

static bool add_slab(struct bspt_ofi *s, struct ofi_pool *pool)
{
	size_t bytes = slab_bytes(pool);
	char *at;
	struct ofi_slab *slab = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (slab == MAP_FAILED)
		return false;
	slab->mr = NULL;
	if (must_register(s, false) && register_it(s, slab, bytes, false, &slab->mr)) {
		munmap(slab, bytes);
		return false;
	}
	slab->made_before = pool->slabs;
	pool->slabs = slab;
	at = (char *)slab + SLAB_HEAD;
	for (size_t i = 0; i < pool->at_once; i++, at += sizeof(struct ofi_buf) + pool->room) {
		struct ofi_buf *b = (struct ofi_buf *)at;

		memset(b, 0, sizeof(*b));
		b->pool = pool;
		b->room = pool->room;
		b->slab = slab;
		b->desc = slab->mr ? fi_mr_desc(slab->mr) : NULL;
		ofi_mem_put_idle(pool, b);
	}
	return true;
}

static void free_slab(const struct ofi_pool *pool, struct ofi_slab *slab)
{
	size_t bytes = slab_bytes(pool);

	if (slab->mr)
		fi_close(&slab->mr->fid);
	bspt_poison_fresh(slab, bytes);		/* for what comes to lie there */
	munmap(slab, bytes);
}

struct ofi_buf *bspt_ofi_take(struct bspt_ofi *s, struct ofi_pool *pool)
{
	struct ofi_buf *b = pool->idle;

	if (!b) {
		if (!add_slab(s, pool))
			return NULL;
		b = pool->idle;
	}
	pool->idle = b->next;
	if (--pool->nidle < pool->least)
		pool->least = pool->nidle;
	bspt_poison_fresh(b + 1, b->room);
	return b;
}

struct ofi_buf *bspt_ofi_take_big(struct bspt_ofi *s, size_t want)
{
	struct bspt_buffer *memory;
	struct ofi_buf *b;

	if (want > OFI_MAX_CHUNK)
		return NULL;
	memory = bspt_buffer_take(&s->big, sizeof(*b) + want);
	if (!memory)
		return NULL;
	b = (struct ofi_buf *)(memory + 1);
	memset(b, 0, sizeof(*b));
	b->room = bspt_buffer_room(memory) - sizeof(*b);
	return b;
}

void bspt_ofi_recycle(struct bspt_ofi *s, struct ofi_buf *b)
{
	if (b->pool)
		ofi_mem_put_idle(b->pool, b);
	else
		bspt_buffer_give_back(&s->big, bspt_buffer_of(b));
}

/* The endpoint is closed: no peer writes here any more. */
static void free_slabs(struct ofi_pool *pool)
{
	while (pool->slabs) {
		struct ofi_slab *slab = pool->slabs;

		pool->slabs = slab->made_before;
		free_slab(pool, slab);
	}
}

void bspt_ofi_pools_free(struct bspt_ofi *s)
{
	free_slabs(&s->small);
	free_slabs(&s->large_enough);
	bspt_pool_free(&s->big);
}

/* ---- Memory that goes back to the system ---------------------------------- */

/* Whole slabs, of at most @spare buffers in all, are chosen: their nidle becomes 0. */
static void choose_slabs(struct ofi_pool *pool, size_t spare)
{
	for (struct ofi_slab *slab = pool->slabs; slab; slab = slab->made_before)
		slab->nidle = 0;
	for (struct ofi_buf *b = pool->idle; b; b = b->next)
		b->slab->nidle++;
	for (struct ofi_slab *slab = pool->slabs; slab; slab = slab->made_before) {
		bool goes = slab->nidle == pool->at_once && spare >= pool->at_once;

		if (goes)
			spare -= pool->at_once;
		slab->nidle = goes ? 0 : 1;
	}
}

static void drop_idle_of_chosen(struct ofi_pool *pool)
{
	struct ofi_buf **at = &pool->idle;

	while (*at) {
		struct ofi_buf *b = *at;

		if (b->slab->nidle) {
			at = &b->next;
			continue;
		}
		*at = b->next;
		pool->nidle--;
	}
}

/* A slab of which one buffer is in use stays. */
static void trim_slabs(struct ofi_pool *pool)
{
	struct ofi_slab **at = &pool->slabs;
	size_t spare = pool->least;

	if (spare * (sizeof(struct ofi_buf) + pool->room) >= BSPT_TRIM_LEAST) {
		choose_slabs(pool, spare);
		drop_idle_of_chosen(pool);
		while (*at) {
			struct ofi_slab *slab = *at;

			if (slab->nidle) {
				at = &slab->made_before;
				continue;
			}
			*at = slab->made_before;
			free_slab(pool, slab);
		}
	}
	pool->least = pool->nidle;
}

size_t bspt_ofi_trim(struct bspt *t)
{
	struct bspt_ofi *s = bspt_ofi_of(t);

	trim_slabs(&s->small);
	trim_slabs(&s->large_enough);
	return bspt_pool_trim(&s->big);
}

/* ---- Chunks -------------------------------------------------------------- */

/* Also of one that was not sent. */
void bspt_ofi_release(struct bspt *t, int peer, void *chunk)
{
	(void)peer;
	bspt_ofi_recycle(bspt_ofi_of(t), bspt_ofi_buf_of(chunk));
}
