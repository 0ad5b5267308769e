// SPDX-License-Identifier: BSD-3-Clause
/* drma.c - puts and gets: from the call to the bytes in place. */

/*
 * Bounds are checked where the region is, on the target, with the size registered
 * there; the message names the process, superstep and call site, which
 * travel with the transfer. Only a transfer through a window is checked by the caller,
 * against the size that came with the window.
 */

#include "bsplib/transfer/drma.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/observe.h"
#include "bsplib/core/phase.h"
#include "bsplib/core/site.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/out.h"
#include "bsplib/transfer/ask.h"
#include "bsplib/transfer/bulk.h"
#include "bsplib/transfer/direct.h"
#include "bsplib/transfer/region.h"

#include <string.h>

enum {
	PIECE_MOST = 1 << 30,	/* bytes in one record */
	LINE = 64,
};

/* ---- Checks common to all calls -------------------------------------------- */

static _Noreturn __attribute__((cold)) void drma_refuse(const struct bspi_transfer *t,
							const char *local_name)
{
	if (bspi_negative(t->nbytes))
		bspi_fail(t->call, t->site, "size %zd is negative", (ssize_t)t->nbytes);
	if (bspi_negative(t->offset))
		bspi_fail(t->call, t->site, "offset %zd is negative", (ssize_t)t->offset);
	if ((uint64_t)t->pid >= (uint64_t)bspi.nprocs)
		bspi_fail_pid(t->call, t->site, t->pid);
	bspi_fail(t->call, t->site, "the %s is NULL", local_name);
}

/* False if there is nothing to do; ends the job if the call is wrong. */
static inline bool worth_doing(const struct bspi_transfer *t, const char *local_name)
{
	bspi_require_running(t->call, t->site);
	if (t->nbytes == 0)
		return false;
	if (BSPI_UNLIKELY(bspi_negative(t->nbytes | t->offset) || !t->local ||
			  (uint64_t)t->pid >= (uint64_t)bspi.nprocs))
		drma_refuse(t, local_name);
	return true;
}

static inline uint32_t drma_slot_of(const struct bspi_transfer *t)
{
	if (BSPI_LIKELY(t->area == bspi_regions.last_base))
		return bspi_regions.last_slot;
	return bspi_region_find_slow(t->call, t->site, t->area);
}

/* ---- Records ---------------------------------------------------------------- */

static inline bool is_narrow(int64_t site, size_t offset)
{
	return site == (int32_t)site && offset <= UINT32_MAX;
}

/* Fill in a record with room for header_bytes(); returns where its rest goes. */
static char *drma_fill(struct bspi_rec *rec, uint32_t what, size_t nbytes, int64_t site,
		       size_t offset)
{
	struct bspi_wide *wide = (struct bspi_wide *)(rec + 1);

	rec->what = what;
	rec->nbytes = nbytes;
	rec->site = site;
	rec->offset = offset;
	if (is_narrow(site, offset))
		return (char *)(rec + 1);
	rec->what |= BSPI_WIDE;
	*wide = (struct bspi_wide){ site, offset };
	return (char *)(wide + 1);
}

static size_t header_bytes(int64_t site, size_t offset)
{
	return sizeof(struct bspi_rec) + (is_narrow(site, offset) ? 0 : sizeof(struct bspi_wide));
}

/*
 * A copy is up to a fifth faster between addresses that lie alike within a cache
 * line. So leave a gap before a large record, and give back the rest of what was kept
 * for it. @at has LINE more bytes than the record needs.
 */
static struct bspi_rec *place_like(struct bspi_out *o, char *at, size_t header, const char *src)
{
	size_t gap = ((uintptr_t)src - (uintptr_t)(at + header)) % LINE / BSPI_ALIGN * BSPI_ALIGN;

	memset(at, 0, gap);
	if (gap)
		*(struct bspi_pad *)at = (struct bspi_pad){ BSPI_PAD, gap };
	o->at -= LINE - gap;
	bspi_end_in_zeros(o->at);
	return (struct bspi_rec *)(at + gap);
}

struct bspi_rec *bspi_room_for_data(int pid, size_t header, const char *src, size_t *nbytes)
{
	struct bspi_out *o = &bspi_engine.out[pid];
	size_t slack = *nbytes < BSPI_LARGE ? 0 : LINE;
	size_t bytes, got;
	char *at;

	if (*nbytes > PIECE_MOST)
		*nbytes = PIECE_MOST;
	bytes = bspi_align(slack + header + *nbytes);
	if (bytes <= (size_t)(o->end - o->at))
		at = bspi_out_room(pid, bytes);
	else
		at = bspi_out_slow(pid, bytes, &got);
	if (bytes > (size_t)(o->at - at))
		*nbytes = o->at - at - slack - header;
	return slack ? place_like(o, at, header, src) : (struct bspi_rec *)at;
}

static uint32_t as_part(uint32_t what)
{
	return bspi_kind_of(what) == BSPI_PUT ? what - BSPI_PUT + BSPI_PUT_PART :
	       bspi_kind_of(what) == BSPI_GET ? what - BSPI_GET + BSPI_GET_PART : what;
}

/* A put of any size and offset, in pieces if it fits no chunk; the last one counts it. */
static __attribute__((noinline)) void put_pieces(const char *site, int pid, const char *src,
						 uint32_t what, size_t offset, size_t nbytes)
{
	int64_t packed = bspi_site_pack(site);

	while (nbytes > 0) {
		size_t part = nbytes;
		struct bspi_rec *rec = bspi_room_for_data(pid, header_bytes(packed, offset), src,
							  &part);

		memcpy(drma_fill(rec, part < nbytes ? as_part(what) : what, part, packed, offset),
		       src, part);
		src += part;
		offset += part;
		nbytes -= part;
	}
}

/*
 * A record with a narrow header and @rest more bytes, filled in but for these, if it fits
 * the open chunk; else NULL.
 */
static inline struct bspi_rec *record_at_once(const char *site, int pid, uint32_t what,
					      size_t offset, size_t nbytes, size_t rest)
{
	struct bspi_out *o = &bspi_engine.out[pid];
	struct bspi_rec *rec = (struct bspi_rec *)o->at;
	size_t bytes = bspi_align(sizeof(*rec) + rest);
	int64_t packed = bspi_site_pack(site);

	if (BSPI_UNLIKELY(bytes > (size_t)(o->end - o->at) || !is_narrow(packed, offset)))
		return NULL;
	o->at += bytes;
	bspi_end_in_zeros(o->at);
	bspt_prefetch_for_write(o->at + BSPI_AHEAD);
	rec->what = what;
	rec->nbytes = nbytes;
	rec->site = packed;
	rec->offset = offset;
	return rec;
}

/* False if it is large, wide, or has no room. */
static inline bool put_at_once(const char *site, int pid, const void *src, uint32_t what,
			       size_t offset, size_t nbytes)
{
	struct bspi_rec *rec;

	if (BSPI_UNLIKELY(nbytes >= BSPI_LARGE))
		return false;
	rec = record_at_once(site, pid, what, offset, nbytes, nbytes);
	if (BSPI_UNLIKELY(!rec))
		return false;
	bspi_copy(rec + 1, src, nbytes);
	return true;
}

/* The open chunk has a request for @nbytes. */
static inline void note_request(int pid, size_t nbytes)
{
	bspi_engine.out[pid].flags |= BSPI_GETS;
	bspi_engine.out[pid].owed += nbytes;
	bspi_engine.owed += nbytes;
}

static inline bool get_at_once(const char *site, int pid, uint32_t what, size_t offset,
			       void *dst, size_t nbytes)
{
	struct bspi_rec *rec;

	if (BSPI_UNLIKELY(nbytes > PIECE_MOST))
		return false;
	rec = record_at_once(site, pid, what, offset, nbytes, sizeof(uint64_t));
	if (BSPI_UNLIKELY(!rec))
		return false;
	*(uint64_t *)(rec + 1) = (uintptr_t)dst;
	note_request(pid, nbytes);
	return true;
}

/*
 * A record with a wide header, for large offsets and for calls in C++ programs of compilers that
 * keep no records of them (see bspt_site_is_text()): where its last @rest bytes go, if it fits
 * the open chunk. Else, or if the header is narrow, NULL.
 */
static void *wide_record_at_once(const char *site, int pid, uint32_t what, size_t offset,
				 size_t nbytes, size_t rest)
{
	struct bspi_out *o = &bspi_engine.out[pid];
	int64_t packed = bspi_site_pack(site);
	size_t bytes = bspi_align(header_bytes(packed, offset) + rest);

	if (is_narrow(packed, offset) || bytes > (size_t)(o->end - o->at))
		return NULL;
	return drma_fill(bspi_out_room(pid, bytes), what, nbytes, packed, offset);
}

static bool put_wide_at_once(const char *site, int pid, const void *src, uint32_t what,
			     size_t offset, size_t nbytes)
{
	void *to = nbytes < BSPI_LARGE ? wide_record_at_once(site, pid, what, offset, nbytes,
							     nbytes) : NULL;

	if (to)
		bspi_copy(to, src, nbytes);
	return to;
}

static bool get_wide_at_once(const char *site, int pid, uint32_t what, size_t offset, void *dst,
			     size_t nbytes)
{
	uint64_t *to = nbytes <= PIECE_MOST ?
		       wide_record_at_once(site, pid, what, offset, nbytes, sizeof(*to)) : NULL;

	if (!to)
		return false;
	*to = (uintptr_t)dst;
	note_request(pid, nbytes);
	return true;
}

/* @what: kind, flags and slot */
static inline void put_record(const char *site, int pid, const void *src, uint32_t what,
			      size_t offset, size_t nbytes)
{
	if (BSPI_UNLIKELY(!put_at_once(site, pid, src, what, offset, nbytes)))
		put_pieces(site, pid, src, what, offset, nbytes);
}

/* Requests of up to PIECE_MOST each, so that an answer is one record where chunks allow. */
static void get_record(const char *site, int pid, uint32_t slot, size_t offset, void *dst,
		       size_t nbytes, uint32_t flags)
{
	int64_t packed = bspi_site_pack(site);

	for (size_t done = 0; done < nbytes; done += PIECE_MOST) {
		size_t want = nbytes - done < PIECE_MOST ? nbytes - done : PIECE_MOST;
		uint32_t what = bspi_what(BSPI_GET, slot) | flags;
		struct bspi_rec *rec = bspi_out_room(pid, header_bytes(packed, offset + done) +
						     sizeof(uint64_t));

		if (done + want < nbytes)
			what = as_part(what);
		*(uint64_t *)drma_fill(rec, what, want, packed, offset + done) =
			(uintptr_t)dst + done;
		note_request(pid, want);
	}
}

static void put_range(const struct bspi_transfer *t, uint32_t what, size_t from, size_t to)
{
	put_record(t->site, t->pid, (const char *)t->local + (from - t->offset), what | BSPI_HP,
		   from, to - from);
}

void bspi_put_part(const struct bspi_transfer *t, uint32_t slot, size_t from, size_t to)
{
	put_range(t, bspi_what(BSPI_PUT, slot), from, to);
}

void bspi_put_uncounted(const struct bspi_transfer *t, uint32_t slot, size_t from, size_t to)
{
	put_range(t, bspi_what(BSPI_PUT_PART, slot), from, to);
}

void bspi_put_record(const struct bspi_transfer *t, uint32_t slot, uint32_t flags)
{
	put_record(t->site, t->pid, t->local, bspi_what(BSPI_PUT, slot) | flags, t->offset,
		   t->nbytes);
}

/* Counts a put whose bytes have travelled otherwise. */
void bspi_put_note(const struct bspi_transfer *t, uint32_t slot)
{
	int64_t packed = bspi_site_pack(t->site);
	struct bspi_rec *rec = bspi_out_room(t->pid, header_bytes(packed, t->offset));

	drma_fill(rec, bspi_what(BSPI_PUT, slot) | BSPI_HP, 0, packed, t->offset);
}

void *bspi_put_announce(const struct bspi_transfer *t, uint32_t what, size_t bytes)
{
	int64_t packed = bspi_site_pack(t->site);
	struct bspi_rec *rec = bspi_out_room(t->pid,
					     bspi_align(header_bytes(packed, t->offset) + bytes));

	return drma_fill(rec, what, bytes, packed, t->offset);
}

void bspi_get_part(const struct bspi_transfer *t, uint32_t slot, size_t from, size_t to)
{
	get_record(t->site, t->pid, slot, from, (char *)(uintptr_t)t->local + (from - t->offset),
		   to - from, BSPI_HP);
}

/* Ourselves: at once, as unbuffered transfers may. */
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

/* In chunks, or in bulk. */
static void put_by_network(const struct bspi_transfer *t, uint32_t slot, uint32_t flags)
{
	if (BSPI_UNLIKELY(bspi_bulk_fits(t->pid, t->nbytes, flags & BSPI_HP)))
		bspi_bulk_put(t, slot, flags & BSPI_HP);
	else
		bspi_put_record(t, slot, flags);
}

/* Those of a relaxed superstep may ask first. */
static void put_whole(const struct bspi_transfer *t, uint32_t slot, uint32_t flags)
{
	if (BSPI_UNLIKELY(bspi.relaxed && t->nbytes > bspi.eager && t->pid != bspi.me))
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
	return area == bspi_regions.last_base && local && nbytes &&
	       (uint64_t)pid < (uint64_t)bspi.nprocs;
}

static __attribute__((noinline)) void put_slowly(const char *site, int64_t pid, const void *src,
						 void *dst,
						 size_t offset, size_t nbytes)
{
	if (drma_is_plain(pid, src, dst, nbytes) &&
	    put_wide_at_once(site, pid, src, bspi_what(BSPI_PUT, bspi_regions.last_slot), offset,
			     nbytes))
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
	    BSPI_LIKELY(put_at_once(site, pid, src, bspi_what(BSPI_PUT, bspi_regions.last_slot),
				    offset, nbytes)))
		count_put(nbytes);
	else
		put_slowly(site, pid, src, dst, offset, nbytes);
}

/*
 * The peer may be anywhere: straight into its memory if it is as far as we are, else as
 * bsp_put().
 */
static void hpput_relaxed(const struct bspi_transfer *t, uint32_t slot)
{
	bool large = t->nbytes >= bspi_engine.out[t->pid].min_direct;

	if (large && bspi_direct_put(t, slot))
		return;
	put_whole(t, slot, !large || bspi_region_way(slot, t->pid) ? BSPI_HP :
		  BSPI_HP | BSPI_WANT);
}

static void hpput_classic(const struct bspi_transfer *t, uint32_t slot)
{
	if (t->pid == bspi.me) {
		memmove(bspi_own_bytes(t, slot), t->local, t->nbytes);
		bspi_direct_note(t, slot);
	} else if (t->nbytes < bspi_engine.out[t->pid].min_direct) {
		put_by_network(t, slot, BSPI_HP);
	} else if (!bspi_direct_put(t, slot)) {
		bspi_put_record(t, slot, bspi_region_way(slot, t->pid) ? BSPI_HP :
				BSPI_HP | BSPI_WANT);
	}
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
	if (BSPI_UNLIKELY(bspi.relaxed | bspi.slow))
		hpput_relaxed(&t, slot);
	else
		hpput_classic(&t, slot);
	bspi_computing(true);
}

bool bspi_get_begin(const struct bspi_transfer *t, uint32_t *slot)
{
	if (!worth_doing(t, "destination"))
		return false;
	*slot = drma_slot_of(t);
	drma_count_get(t->nbytes);
	BSPI_EVENT(get, (t, *slot));
	return true;
}

void bspi_get_checked(const struct bspi_transfer *t)
{
	uint32_t slot;

	bspi_enter();
	if (!bspi_get_begin(t, &slot)) {
		bspi_leave();
		return;
	}
	bspi_computing(false);
	get_record(t->site, t->pid, slot, t->offset, (void *)(uintptr_t)t->local, t->nbytes, 0);
	bspi_computing(true);
	bspi_leave();
}

static __attribute__((noinline)) void get_slowly(const char *site, int64_t pid, const void *src,
						 size_t offset, void *dst, size_t nbytes)
{
	if (drma_is_plain(pid, dst, src, nbytes) &&
	    get_wide_at_once(site, pid, bspi_what(BSPI_GET, bspi_regions.last_slot), offset, dst,
			     nbytes))
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
	    BSPI_LIKELY(get_at_once(site, pid, bspi_what(BSPI_GET, bspi_regions.last_slot),
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
	bspi_computing(false);
	if (BSPI_UNLIKELY(bspi.relaxed | bspi.slow))
		/* the owner serves it */
		get_record(site, pid, slot, offset, dst, nbytes, BSPI_HP);
	else if (pid == bspi.me)
		memmove(dst, bspi_own_bytes(&t, slot), nbytes);
	else if (nbytes < bspi_engine.out[pid].min_direct)
		get_record(site, pid, slot, offset, dst, nbytes, BSPI_HP);
	else if (!bspi_direct_get(&t, slot))
		get_record(site, pid, slot, offset, dst, nbytes,
			      bspi_region_way(slot, pid) ? BSPI_HP : BSPI_HP | BSPI_WANT);
	bspi_computing(true);
}
