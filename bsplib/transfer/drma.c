// SPDX-License-Identifier: BSD-3-Clause
/* drma.c - puts and gets: the calls, and the way that each transfer takes. */

/*
 * Bounds are checked where the region is, on the target, with the size registered
 * there; the message names the process, superstep and call site, which
 * travel with the transfer. Only a transfer through a window is checked by the caller,
 * against the size that came with the window. A large put that no process has the area for is
 * announced alone: its source, which may be as wrong as its size, is not read.
 */

#include "bsplib/transfer/drma.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/observe.h"
#include "bsplib/core/phase.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"
#include "bsplib/transfer/ask.h"
#include "bsplib/transfer/bulk.h"
#include "bsplib/transfer/chunked.h"
#include "bsplib/transfer/direct.h"
#include "bsplib/transfer/reach.h"
#include "bsplib/transfer/region.h"
#include "bsplib/transfer/twophase.h"

#include <string.h>

/* ---- Checks common to all calls -------------------------------------------- */

/* Ends the job if the call is wrong. */
static __attribute__((cold)) void drma_look_closer(const struct bspi_transfer *t,
						   const char *local_name)
{
	if (bspi_negative(t->nbytes))
		bspi_fail(t->call, t->site, "size %zd is negative", (ssize_t)t->nbytes);
	if (bspi_negative(t->offset))
		bspi_fail(t->call, t->site, "offset %zd is negative", (ssize_t)t->offset);
	if ((uint64_t)t->pid >= (uint64_t)bspi.nprocs)
		bspi_fail_pid(t->call, t->site, t->pid);
	if (!t->local)
		bspi_fail(t->call, t->site, "the %s is NULL", local_name);
	bspi_require_neighbor(t->call, t->site, t->pid);
}

/* False if there is nothing to do; ends the job if the call is wrong. */
static inline bool worth_doing(const struct bspi_transfer *t, const char *local_name)
{
	bspi_require_running(t->call, t->site);
	if (t->nbytes == 0)
		return false;
	if (BSPI_UNLIKELY(bspi_negative(t->nbytes | t->offset) || !t->local ||
			  (uint64_t)t->pid >= (uint64_t)bspi.reach))
		drma_look_closer(t, local_name);
	return true;
}

static inline uint32_t drma_slot_of(const struct bspi_transfer *t)
{
	if (BSPI_LIKELY(t->area == bspi_regions.fast_base))
		return bspi_regions.fast_slot;
	return bspi_region_find_slow(t->call, t->site, t->area);
}

/* A transfer to this process itself is made at once, as unbuffered transfers may be. */
char *bspi_own_bytes(const struct bspi_transfer *t, uint32_t slot)
{
	const struct bspi_slot *s = &bspi_regions.slots[slot];

	if (t->nbytes > s->nbytes || t->offset > s->nbytes - t->nbytes)
		bspi_fail(t->call, t->site,
			  "offset %zu + %zu bytes is beyond the %zu byte%s registered on process "
			  "%d",
			  t->offset, t->nbytes, s->nbytes, bspi_plural(s->nbytes), bspi.me);
	return s->base + t->offset;
}

/* ---- The calls -------------------------------------------------------------- */

static inline void count_put(size_t nbytes)
{
	bspi.stat.puts++;
	bspi.stat.bytes_out += nbytes;
}

/*
 * In emulated time the calls below take nothing: what sending costs is the network's
 * to say, once for each message.
 */
static inline void drma_count_get(size_t nbytes)
{
	bspi.stat.gets++;
	bspi.stat.bytes_in += nbytes;
}

/* It is beyond the area of any process. */
static inline bool is_beyond_all(const struct bspi_transfer *t, uint32_t slot)
{
	return BSPI_UNLIKELY(t->nbytes >= BSPI_LARGE) &&
	       BSPI_UNLIKELY((uint64_t)t->offset + t->nbytes > bspi_region_bound(slot));
}

/* In chunks, or in bulk. */
static void put_by_network(const struct bspi_transfer *t, uint32_t slot, uint32_t flags)
{
	if (BSPI_UNLIKELY(bspi.two_phases && t->pid != bspi.me))
		bspi_twophase_put(t, slot, flags);
	else if (BSPI_UNLIKELY(bspi_bulk_fits(t->pid, t->nbytes, flags & BSPI_HP)))
		bspi_bulk_put(t, slot, flags & BSPI_HP);
	else
		bspi_put_record(t, slot, flags);
}

/* A put of a relaxed superstep may ask first. */
static void put_whole(const struct bspi_transfer *t, uint32_t slot, uint32_t flags)
{
	if (is_beyond_all(t, slot))
		bspi_bulk_put_beyond(t, slot, flags);
	else if (BSPI_UNLIKELY(bspi_is_relaxed() && t->nbytes > bspi.eager && t->pid != bspi.me))
		bspi_ask_put(t, slot, !(flags & BSPI_HP));
	else
		put_by_network(t, slot, flags);
}

void bspi_put_checked(const struct bspi_transfer *t)
{
	uint32_t slot;

	if (!worth_doing(t, "source"))
		return;
	bspi_enter();
	bspi_computing(false);
	slot = drma_slot_of(t);
	count_put(t->nbytes);
	BSPI_EVENT(put, (t, slot));
	put_whole(t, slot, 0);
	bspi_computing(true);
	bspi_leave();
}

/* Nothing to complain of, to or from the region of the last put or get. */
static inline bool drma_is_plain(int64_t pid, const void *local, const void *area, size_t nbytes)
{
	return area == bspi_regions.fast_base && local && nbytes &&
	       (uint64_t)pid < (uint64_t)bspi.nprocs;
}

static __attribute__((noinline)) void put_slowly(const char *site, int64_t pid, const void *src,
						 void *dst, size_t offset, size_t nbytes)
{
	if (drma_is_plain(pid, src, dst, nbytes) &&
	    bspi_put_wide_fast(site, pid, src, bspi_what(BSPI_PUT, bspi_regions.fast_slot),
				  offset, nbytes))
		count_put(nbytes);
	else
		bspi_put_checked(&(struct bspi_transfer){
			"bsp_put", site, pid, src, dst, offset, nbytes });
}

/* A plain one into the open chunk: at once. */
void bspi_put(const char *site, int64_t pid, const void *src, void *dst, size_t offset,
	      size_t nbytes)
{
	if (BSPI_LIKELY(drma_is_plain(pid, src, dst, nbytes)) &&
	    BSPI_LIKELY(bspi_put_fast(site, pid, src,
					 bspi_what(BSPI_PUT, bspi_regions.fast_slot), offset,
					 nbytes)))
		count_put(nbytes);
	else
		put_slowly(site, pid, src, dst, offset, nbytes);
}

/* In relaxed supersteps none goes straight: direct.c. */
static inline void hpput_by_way(const struct bspi_transfer *t, uint32_t slot)
{
	bool large = t->nbytes >= bspi_out_of(t->pid)->min_direct;

	if (bspi_is_relaxed() || is_beyond_all(t, slot))
		put_whole(t, slot, BSPI_HP);
	else if (!large || !bspi_direct_put(t, slot))
		put_by_network(t, slot, !large || bspi_region_way(slot, t->pid) ? BSPI_HP :
			       BSPI_HP | BSPI_WANT);
}

void bspi_hpput(const char *site, int64_t pid, const void *src, void *dst, size_t offset,
		size_t nbytes)
{
	struct bspi_transfer t = { "bsp_hpput", site, pid, src, dst, offset, nbytes };
	uint32_t slot;

	if (!worth_doing(&t, "source"))
		return;
	bspi_computing(false);
	slot = drma_slot_of(&t);
	count_put(nbytes);
	BSPI_EVENT(put, (&t, slot));
	if (t.pid == bspi.me && !(bspi_is_relaxed() | bspi.slow)) {
		memmove(bspi_own_bytes(&t, slot), t.local, t.nbytes);
		bspi_direct_note(&t, slot);
	} else {
		hpput_by_way(&t, slot);
	}
	bspi_computing(true);
}

bool bspi_get_begin(const struct bspi_transfer *t, uint32_t *slot)
{
	if (!worth_doing(t, "destination"))
		return false;
	bspi_computing(false);
	*slot = drma_slot_of(t);
	drma_count_get(t->nbytes);
	BSPI_EVENT(get, (t, *slot));
	return true;
}

static void get_by_network(const struct bspi_transfer *t, uint32_t slot, uint32_t flags)
{
	struct bspi_transfer less;

	/* A request has one piece of it; the piece beyond is enough for the owner to refuse. */
	if (is_beyond_all(t, slot) && t->nbytes > bspi_region_bound(slot) + BSPI_PIECE_MOST) {
		less = *t;
		less.nbytes = bspi_region_bound(slot) + BSPI_PIECE_MOST;
		t = &less;
	}
	if (BSPI_UNLIKELY(bspi.two_phases && t->pid != bspi.me))
		bspi_twophase_get(t, slot, flags);
	else
		bspi_get_record(t, slot, flags);
}

void bspi_get_checked(const struct bspi_transfer *t)
{
	uint32_t slot;

	bspi_enter();
	if (!bspi_get_begin(t, &slot)) {
		bspi_leave();
		return;
	}
	get_by_network(t, slot, 0);
	bspi_computing(true);
	bspi_leave();
}

static __attribute__((noinline)) void get_slowly(const char *site, int64_t pid, const void *src,
						 size_t offset, void *dst, size_t nbytes)
{
	if (drma_is_plain(pid, dst, src, nbytes) &&
	    bspi_get_wide_fast(site, pid, bspi_what(BSPI_GET, bspi_regions.fast_slot),
				  offset, dst, nbytes))
		drma_count_get(nbytes);
	else
		bspi_get_checked(&(struct bspi_transfer){
			"bsp_get", site, pid, dst, src, offset, nbytes });
}

/* As bspi_put(). */
void bspi_get(const char *site, int64_t pid, const void *src, size_t offset, void *dst,
	      size_t nbytes)
{
	if (BSPI_LIKELY(drma_is_plain(pid, dst, src, nbytes)) &&
	    BSPI_LIKELY(bspi_get_fast(site, pid, bspi_what(BSPI_GET, bspi_regions.fast_slot),
					 offset, dst, nbytes)))
		drma_count_get(nbytes);
	else
		get_slowly(site, pid, src, offset, dst, nbytes);
}

void bspi_hpget(const char *site, int64_t pid, const void *src, size_t offset, void *dst,
		size_t nbytes)
{
	struct bspi_transfer t = { "bsp_hpget", site, pid, dst, src, offset, nbytes };
	uint32_t slot;

	if (!bspi_get_begin(&t, &slot))
		return;
	if (BSPI_UNLIKELY(bspi_is_relaxed() | bspi.slow))
		/* the owner serves it */
		get_by_network(&t, slot, BSPI_HP);
	else if (pid == bspi.me)
		memmove(dst, bspi_own_bytes(&t, slot), nbytes);
	else if (nbytes < bspi_out_of(pid)->min_direct)
		get_by_network(&t, slot, BSPI_HP);
	else if (!bspi_direct_get(&t, slot))
		get_by_network(&t, slot,
			       bspi_region_way(slot, pid) ? BSPI_HP : BSPI_HP | BSPI_WANT);
	bspi_computing(true);
}
