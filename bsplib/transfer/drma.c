// SPDX-License-Identifier: BSD-3-Clause
/* drma.c - puts and gets: from the call to the bytes in place. */

/*
 * Bounds are checked where the region is, on the target, with the size registered
 * there; the message names the process, superstep and place of the call, which
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
#include "bsplib/engine/record.h"
#include "bsplib/transfer/address.h"
#include "bsplib/transfer/ask.h"
#include "bsplib/transfer/bulk.h"
#include "bsplib/transfer/direct.h"
#include "bsplib/transfer/region.h"

#include <string.h>

enum {
	PIECE_MOST = 1 << 30,	/* bytes in one record */
	LARGE = 2048,		/* from here on a record is placed so that it copies fast */
	LINE = 64,
};

/* ---- Checks common to all calls -------------------------------------------- */

static _Noreturn __attribute__((cold)) void refuse(const struct bspi_transfer *t, const char *local_name)
{
	if (bspi_negative(t->nbytes))
		bspi_fail(t->call, t->place, "size %zd is negative", (ssize_t)t->nbytes);
	if (bspi_negative(t->offset))
		bspi_fail(t->call, t->place, "offset %zd is negative", (ssize_t)t->offset);
	if ((uint64_t)t->pid >= (uint64_t)bspi.nprocs)
		bspi_fail_pid(t->call, t->place, t->pid);
	bspi_fail(t->call, t->place, "the %s is NULL", local_name);
}

/* False if there is nothing to do; ends the job if the call is wrong. */
static inline bool worth_doing(const struct bspi_transfer *t, const char *local_name)
{
	bspi_require_running(t->call, t->place);
	if (t->nbytes == 0)
		return false;
	if (BSPI_UNLIKELY(bspi_negative(t->nbytes | t->offset) || !t->local ||
			  (uint64_t)t->pid >= (uint64_t)bspi.nprocs))
		refuse(t, local_name);
	return true;
}

static inline uint32_t slot_of(const struct bspi_transfer *t)
{
	if (BSPI_LIKELY(t->area == bspi_regions.last_base))
		return bspi_regions.last_slot;
	return bspi_region_find_slow(t->call, t->place, t->area);
}

/* ---- Records ---------------------------------------------------------------- */

/* As memcpy(), without a call for the sizes that programs put most. */
static inline void copy(void *dst, const void *src, size_t n)
{
	if (n == 8)
		memcpy(dst, src, 8);
	else if (n == 4)
		memcpy(dst, src, 4);
	else
		memcpy(dst, src, n);
}

static inline bool is_narrow(int64_t place, size_t offset)
{
	return place == (int32_t)place && offset <= UINT32_MAX;
}

/* Fill in a record with room for header_bytes(); returns where its rest goes. */
static char *fill(struct bspi_rec *rec, uint32_t what, size_t nbytes, int64_t place, size_t offset)
{
	struct bspi_wide *wide = (struct bspi_wide *)(rec + 1);

	rec->what = what;
	rec->nbytes = nbytes;
	rec->place = place;
	rec->offset = offset;
	if (is_narrow(place, offset))
		return (char *)(rec + 1);
	rec->what |= BSPI_WIDE;
	*wide = (struct bspi_wide){ place, offset };
	return (char *)(wide + 1);
}

static size_t header_bytes(int64_t place, size_t offset)
{
	return sizeof(struct bspi_rec) + (is_narrow(place, offset) ? 0 : sizeof(struct bspi_wide));
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

/* A record of a header and up to *@nbytes of data from @src, fewer if no chunk takes them all. */
static struct bspi_rec *room_for(int pid, size_t header, const char *src, size_t *nbytes)
{
	struct bspi_out *o = &bspi_engine.out[pid];
	size_t slack = *nbytes < LARGE ? 0 : LINE;
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
static __attribute__((noinline)) void put_pieces(const char *place, int pid, const char *src,
						 uint32_t what, size_t offset, size_t nbytes)
{
	int64_t packed = bspi_place_pack(place);

	while (nbytes > 0) {
		size_t part = nbytes;
		struct bspi_rec *rec = room_for(pid, header_bytes(packed, offset), src, &part);

		memcpy(fill(rec, part < nbytes ? as_part(what) : what, part, packed, offset), src, part);
		src += part;
		offset += part;
		nbytes -= part;
	}
}

/*
 * A record with a narrow header and @rest more bytes, filled in but for these, if it fits
 * the open chunk; else NULL.
 */
static inline struct bspi_rec *record_at_once(const char *place, int pid, uint32_t what,
					      size_t offset, size_t nbytes, size_t rest)
{
	struct bspi_out *o = &bspi_engine.out[pid];
	struct bspi_rec *rec = (struct bspi_rec *)o->at;
	size_t bytes = bspi_align(sizeof(*rec) + rest);
	int64_t packed = bspi_place_pack(place);

	if (BSPI_UNLIKELY(bytes > (size_t)(o->end - o->at) || !is_narrow(packed, offset)))
		return NULL;
	o->at += bytes;
	bspi_end_in_zeros(o->at);
	bspt_prefetch_for_write(o->at + BSPI_AHEAD);
	rec->what = what;
	rec->nbytes = nbytes;
	rec->place = packed;
	rec->offset = offset;
	return rec;
}

/* False if it is large, wide, or has no room. */
static inline bool put_at_once(const char *place, int pid, const void *src, uint32_t what,
			       size_t offset, size_t nbytes)
{
	struct bspi_rec *rec;

	if (BSPI_UNLIKELY(nbytes >= LARGE))
		return false;
	rec = record_at_once(place, pid, what, offset, nbytes, nbytes);
	if (BSPI_UNLIKELY(!rec))
		return false;
	copy(rec + 1, src, nbytes);
	return true;
}

/* The open chunk has a request for @nbytes. */
static inline void note_request(int pid, size_t nbytes)
{
	bspi_engine.out[pid].flags |= BSPI_GETS;
	bspi_engine.out[pid].owed += nbytes;
	bspi_engine.owed += nbytes;
}

static inline bool get_at_once(const char *place, int pid, uint32_t what, size_t offset,
			       void *dst, size_t nbytes)
{
	struct bspi_rec *rec;

	if (BSPI_UNLIKELY(nbytes > PIECE_MOST))
		return false;
	rec = record_at_once(place, pid, what, offset, nbytes, sizeof(uint64_t));
	if (BSPI_UNLIKELY(!rec))
		return false;
	*(uint64_t *)(rec + 1) = (uintptr_t)dst;
	note_request(pid, nbytes);
	return true;
}

/*
 * A record with a wide header, for large offsets and for calls in C++ programs of compilers that keep no records
 * of them (see bspt_site_is_text()): where its last @rest bytes go, if it fits the open chunk. Else, or if the header
 * is narrow, NULL.
 */
static void *wide_record_at_once(const char *place, int pid, uint32_t what, size_t offset,
				 size_t nbytes, size_t rest)
{
	struct bspi_out *o = &bspi_engine.out[pid];
	int64_t packed = bspi_place_pack(place);
	size_t bytes = bspi_align(header_bytes(packed, offset) + rest);

	if (is_narrow(packed, offset) || bytes > (size_t)(o->end - o->at))
		return NULL;
	return fill(bspi_out_room(pid, bytes), what, nbytes, packed, offset);
}

static bool put_wide_at_once(const char *place, int pid, const void *src, uint32_t what,
			     size_t offset, size_t nbytes)
{
	void *to = nbytes < LARGE ? wide_record_at_once(place, pid, what, offset, nbytes, nbytes) : NULL;

	if (to)
		copy(to, src, nbytes);
	return to;
}

static bool get_wide_at_once(const char *place, int pid, uint32_t what, size_t offset, void *dst,
			     size_t nbytes)
{
	uint64_t *to = nbytes <= PIECE_MOST ?
		       wide_record_at_once(place, pid, what, offset, nbytes, sizeof(*to)) : NULL;

	if (!to)
		return false;
	*to = (uintptr_t)dst;
	note_request(pid, nbytes);
	return true;
}

/* @what: kind, flags and slot */
static inline void put_record(const char *place, int pid, const void *src, uint32_t what,
			      size_t offset, size_t nbytes)
{
	if (BSPI_UNLIKELY(!put_at_once(place, pid, src, what, offset, nbytes)))
		put_pieces(place, pid, src, what, offset, nbytes);
}

/* Requests of up to PIECE_MOST each, so that an answer is one record where chunks allow. */
static void get_record(const char *place, int pid, uint32_t slot, size_t offset, void *dst,
		       size_t nbytes, uint32_t flags)
{
	int64_t packed = bspi_place_pack(place);

	for (size_t done = 0; done < nbytes; done += PIECE_MOST) {
		size_t want = nbytes - done < PIECE_MOST ? nbytes - done : PIECE_MOST;
		uint32_t what = bspi_what(BSPI_GET, slot) | flags;
		struct bspi_rec *rec = bspi_out_room(pid, header_bytes(packed, offset + done) +
						     sizeof(uint64_t));

		if (done + want < nbytes)
			what = as_part(what);
		*(uint64_t *)fill(rec, what, want, packed, offset + done) = (uintptr_t)dst + done;
		note_request(pid, want);
	}
}

static void put_range(const struct bspi_transfer *t, uint32_t what, size_t from, size_t to)
{
	put_record(t->place, t->pid, (const char *)t->local + (from - t->offset), what | BSPI_HP,
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
	put_record(t->place, t->pid, t->local, bspi_what(BSPI_PUT, slot) | flags, t->offset,
		   t->nbytes);
}

/* Counts a put whose bytes have travelled otherwise. */
void bspi_put_note(const struct bspi_transfer *t, uint32_t slot)
{
	int64_t packed = bspi_place_pack(t->place);
	struct bspi_rec *rec = bspi_out_room(t->pid, header_bytes(packed, t->offset));

	fill(rec, bspi_what(BSPI_PUT, slot) | BSPI_HP, 0, packed, t->offset);
}

void *bspi_put_announce(const struct bspi_transfer *t, uint32_t what, size_t bytes)
{
	int64_t packed = bspi_place_pack(t->place);
	struct bspi_rec *rec = bspi_out_room(t->pid, bspi_align(header_bytes(packed, t->offset) + bytes));

	return fill(rec, what, bytes, packed, t->offset);
}

void bspi_get_part(const struct bspi_transfer *t, uint32_t slot, size_t from, size_t to)
{
	get_record(t->place, t->pid, slot, from, (char *)(uintptr_t)t->local + (from - t->offset),
		   to - from, BSPI_HP);
}

/* Ourselves: at once, as unbuffered transfers may. */
char *bspi_own_bytes(const struct bspi_transfer *t, uint32_t slot)
{
	const struct bspi_slot *s = &bspi_regions.slots[slot];

	if (t->nbytes > s->nbytes || t->offset > s->nbytes - t->nbytes)
		bspi_fail(t->call, t->place, "offset %zu + %zu bytes is beyond the %zu byte%s registered on process %d",
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
static inline void count_get(size_t nbytes)
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
	BSPI_EVENT(put, (t, slot));
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
	slot = slot_of(t);
	count_put(t->nbytes);
	put_whole(t, slot, 0);
	bspi_computing(true);
	bspi_leave();
}

/* Nothing to complain of, to or from the region of the last put or get. */
static inline bool is_plain(int64_t pid, const void *local, const void *area, size_t nbytes)
{
	return area == bspi_regions.last_base && local && nbytes && (uint64_t)pid < (uint64_t)bspi.nprocs;
}

static __attribute__((noinline)) void put_slowly(const char *place, int64_t pid, const void *src, void *dst,
						 size_t offset, size_t nbytes)
{
	if (is_plain(pid, src, dst, nbytes) &&
	    put_wide_at_once(place, pid, src, bspi_what(BSPI_PUT, bspi_regions.last_slot), offset, nbytes))
		count_put(nbytes);
	else
		bspi_put_checked(&(struct bspi_transfer){
			"bsp_put", place, pid, src, dst, offset, nbytes });
}

/* A plain one into the open chunk: at once. */
void bspi_put(const char *place, int64_t pid, const void *src, void *dst, size_t offset,
	      size_t nbytes)
{
	if (BSPI_LIKELY(is_plain(pid, src, dst, nbytes)) &&
	    BSPI_LIKELY(put_at_once(place, pid, src, bspi_what(BSPI_PUT, bspi_regions.last_slot),
				    offset, nbytes)))
		count_put(nbytes);
	else
		put_slowly(place, pid, src, dst, offset, nbytes);
}

/* The peer may be anywhere: straight into its memory if it is as far as we are, else as bsp_put(). */
static void hpput_relaxed(const struct bspi_transfer *t, uint32_t slot)
{
	bool large = t->nbytes >= bspi_engine.out[t->pid].min_direct;

	if (large && bspi_direct_put(t, slot))
		return;
	put_whole(t, slot, !large || bspi_region_way(slot, t->pid) ? BSPI_HP :
		  BSPI_HP | BSPI_WANT);
}

static void put_own(const struct bspi_transfer *t, uint32_t slot)
{
	memmove(bspi_own_bytes(t, slot), t->local, t->nbytes);
	bspi_direct_note(t, slot);
}

static void hpput_classic(const struct bspi_transfer *t, uint32_t slot)
{
	if (t->pid == bspi.me)
		put_own(t, slot);
	else if (t->nbytes < bspi_engine.out[t->pid].min_direct)
		put_by_network(t, slot, BSPI_HP);
	else if (!bspi_direct_put(t, slot))
		bspi_put_record(t, slot, bspi_region_way(slot, t->pid) ? BSPI_HP :
				BSPI_HP | BSPI_WANT);
}

void bspi_hpput(const char *place, int64_t pid, const void *src, void *dst, size_t offset,
		size_t nbytes)
{
	struct bspi_transfer t = { "bsp_hpput", place, pid, src, dst, offset, nbytes };
	uint32_t slot;

	if (!worth_doing(&t, "source"))
		return;
	bspi_computing(false);
	slot = slot_of(&t);
	count_put(nbytes);
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
	*slot = slot_of(t);
	count_get(t->nbytes);
	return true;
}

void bspi_get_checked(const struct bspi_transfer *t)
{
	if (!worth_doing(t, "destination"))
		return;
	bspi_enter();
	bspi_computing(false);
	count_get(t->nbytes);
	get_record(t->place, t->pid, slot_of(t), t->offset, (void *)(uintptr_t)t->local,
		   t->nbytes, 0);
	bspi_computing(true);
	bspi_leave();
}

static __attribute__((noinline)) void get_slowly(const char *place, int64_t pid, const void *src,
						 size_t offset, void *dst, size_t nbytes)
{
	if (is_plain(pid, dst, src, nbytes) &&
	    get_wide_at_once(place, pid, bspi_what(BSPI_GET, bspi_regions.last_slot), offset, dst, nbytes))
		count_get(nbytes);
	else
		bspi_get_checked(&(struct bspi_transfer){
			"bsp_get", place, pid, dst, src, offset, nbytes });
}

/* As bspi_put(). */
void bspi_get(const char *place, int64_t pid, const void *src, size_t offset, void *dst,
	      size_t nbytes)
{
	if (BSPI_LIKELY(is_plain(pid, dst, src, nbytes)) &&
	    BSPI_LIKELY(get_at_once(place, pid, bspi_what(BSPI_GET, bspi_regions.last_slot),
				    offset, dst, nbytes)))
		count_get(nbytes);
	else
		get_slowly(place, pid, src, offset, dst, nbytes);
}

void bspi_hpget(const char *place, int64_t pid, const void *src, size_t offset, void *dst,
		size_t nbytes)
{
	struct bspi_transfer t = { "bsp_hpget", place, pid, dst, src, offset, nbytes };
	uint32_t slot;

	if (!worth_doing(&t, "destination"))
		return;
	bspi_computing(false);
	slot = slot_of(&t);
	count_get(nbytes);
	if (BSPI_UNLIKELY(bspi.relaxed | bspi.slow))
		get_record(place, pid, slot, offset, dst, nbytes, BSPI_HP);	/* the owner serves it */
	else if (pid == bspi.me)
		memmove(dst, bspi_own_bytes(&t, slot), nbytes);
	else if (nbytes < bspi_engine.out[pid].min_direct)
		get_record(place, pid, slot, offset, dst, nbytes, BSPI_HP);
	else if (!bspi_direct_get(&t, slot))
		get_record(place, pid, slot, offset, dst, nbytes,
			      bspi_region_way(slot, pid) ? BSPI_HP : BSPI_HP | BSPI_WANT);
	bspi_computing(true);
}

/* ---- On the target ---------------------------------------------------------- */

static inline bool is_hp(const struct bspi_rec *rec)
{
	return rec->what & BSPI_HP;
}

static inline const struct bspi_wide *wide_of(const struct bspi_rec *rec)
{
	return (const struct bspi_wide *)(rec + 1);
}

static inline uint64_t offset_of(const struct bspi_rec *rec)
{
	return BSPI_UNLIKELY(rec->what & BSPI_WIDE) ? wide_of(rec)->offset : rec->offset;
}

/* What comes after the header. */
static inline const char *rest_of(const struct bspi_rec *rec)
{
	return (const char *)(rec + 1) +
	       (BSPI_UNLIKELY(rec->what & BSPI_WIDE) ? sizeof(struct bspi_wide) : 0);
}

int64_t bspi_place_of(const struct bspi_rec *rec)
{
	return rec->what & BSPI_WIDE ? wide_of(rec)->place : rec->place;
}

static _Noreturn __attribute__((cold)) void refuse_record(int from, const struct bspi_rec *rec,
							  size_t nbytes, const char *call)
{
	const struct bspi_slot *s = &bspi_regions.slots[rec->what >> 8];
	int64_t place = bspi_place_of(rec);

	enum bspi_kind kind = bspi_kind_of(rec->what);
	uint32_t step = kind == BSPI_GET || kind == BSPI_GET_PART ? bspi.step : bspi_engine.arriving->step;

	if (!s->base)
		bspi_fail_of(from, step, call, place,
			     "process %d has registered NULL for this area", bspi.me);
	bspi_fail_of(from, step, call, place,
		     "offset %llu + %zu bytes is beyond the %zu byte%s registered on process %d",
		     (unsigned long long)offset_of(rec), nbytes, s->nbytes,
		     bspi_plural(s->nbytes), bspi.me);
}

/* Where a transfer goes, or comes from, within the region; checked. */
static inline char *place_in(int from, const struct bspi_rec *rec, size_t nbytes, const char *call)
{
	const struct bspi_slot *s = &bspi_regions.slots[rec->what >> 8];
	uint64_t offset = offset_of(rec);

	if (BSPI_UNLIKELY(rec->what >> 8 >= bspi_regions.nslots))
		bspi_fail_damaged(from);
	if (BSPI_UNLIKELY(nbytes > s->nbytes || offset > s->nbytes - nbytes))
		refuse_record(from, rec, nbytes, call);
	return s->base + offset;
}

static inline char *target(int from, const struct bspi_rec *rec, const char *call)
{
	char *at = place_in(from, rec, rec->nbytes, call);

	if (BSPI_UNLIKELY(rec->what & BSPI_WANT))
		bspi_region_want(from, rec->what >> 8);
	return at;
}

static const char *name_of_put(const struct bspi_rec *rec)
{
	return is_hp(rec) ? "bsp_hpput" : "bsp_put";
}

const void *bspi_put_rest(const struct bspi_rec *rec)
{
	return rest_of(rec);
}

char *bspi_put_target(int from, const struct bspi_rec *rec, size_t nbytes)
{
	return place_in(from, rec, nbytes, name_of_put(rec));
}

/* The bsp_read that should have counted it is over. */
static _Noreturn __attribute__((cold)) void refuse_late_put(const struct bspi_origin *origin,
							    const struct bspi_slot *s, bool hp)
{
	bspi_fail_of(origin->from, origin->step, hp ? "bsp_hpput" : "bsp_put", origin->place,
		     "is one put more to %s of process %d than its bsp_read in superstep %u at %s announced",
		     bspi_address_text(s->base), bspi.me, s->read_step,
		     bspi_place_text(s->read_place));
}

static inline void count_update(int from, const struct bspi_rec *rec)
{
	struct bspi_slot *s = &bspi_regions.slots[rec->what >> 8];

	struct bspi_origin origin = { bspi_place_of(rec), bspi_engine.arriving->step, from };

	if (BSPI_UNLIKELY(bspi_before(origin.step, s->read_step)))
		refuse_late_put(&origin, s, is_hp(rec));
	s->updates++;
	s->last = origin;
	if (BSPI_UNLIKELY(bspi.clock))
		bspi_clock_update(&s->times);
}

/* Transports that move in bulk have no clock. */
void bspi_put_count(const struct bspi_origin *origin, uint32_t slot, bool hp)
{
	struct bspi_slot *s = &bspi_regions.slots[slot];

	if (bspi_before(origin->step, s->read_step))
		refuse_late_put(origin, s, hp);
	s->updates++;
	s->last = *origin;
}

static inline __attribute__((always_inline)) const char *write_run(int from, const char *at, const char *end, enum bspi_kind kind,
				    bool counted, bool beside_bulk)
{
	do {
		const struct bspi_rec *rec = (const struct bspi_rec *)at;
		const char *data = rest_of(rec);
		char *dst;

		__builtin_prefetch(at + BSPI_AHEAD);
		at = data + bspi_align(rec->nbytes);
		if (BSPI_UNLIKELY(at > end))
			bspi_fail_damaged(from);
		dst = target(from, rec, name_of_put(rec));
		if (beside_bulk && !is_hp(rec))
			bspi_bulk_await_place(dst, rec->nbytes);
		copy(dst, data, rec->nbytes);
		if (counted)
			count_update(from, rec);
	} while (at < end && bspi_kind_of(*(const uint32_t *)at) == kind);
	return at;
}

const char *bspi_write_puts(int from, const char *at, const char *end)
{
	if (BSPI_UNLIKELY(bspi.bulks))
		return write_run(from, at, end, BSPI_PUT, false, true);
	return write_run(from, at, end, BSPI_PUT, false, false);
}

const char *bspi_write_put_parts(int from, const char *at, const char *end)
{
	return write_run(from, at, end, BSPI_PUT_PART, false, true);
}

static const char *count_puts(int from, const char *at, const char *end)
{
	return write_run(from, at, end, BSPI_PUT, true, false);
}

static __attribute__((noinline)) void answer_in_pieces(int to, const char *src, uint64_t dst,
						       size_t left)
{
	while (left > 0) {
		size_t part = left;
		struct bspi_rec *answer = room_for(to, sizeof(*answer), src, &part);

		answer->what = bspi_what(BSPI_DATA, 0);
		answer->nbytes = part;
		answer->dst = dst;
		memcpy(answer + 1, src, part);
		src += part;
		dst += part;
		left -= part;
	}
}

static void answer_at_length(int to, const struct bspi_rec *rec, const char *src, uint64_t dst)
{
	if (bspi_bulk_fits(to, rec->nbytes, false))
		bspi_bulk_answer(to, src, dst, rec->nbytes, is_hp(rec));
	else
		answer_in_pieces(to, src, dst, rec->nbytes);
}

/* Read now, before anything is written; the answer goes out with the others. */
static inline void serve(int from, const struct bspi_rec *rec, uint64_t dst)
{
	const char *src = target(from, rec, is_hp(rec) ? "bsp_hpget" : "bsp_get");
	struct bspi_out *o = &bspi_engine.out[from];
	struct bspi_rec *answer = (struct bspi_rec *)o->at;
	size_t bytes = bspi_align(sizeof(*answer) + rec->nbytes);

	if (BSPI_UNLIKELY(rec->nbytes >= LARGE || bytes > (size_t)(o->end - o->at))) {
		answer_at_length(from, rec, src, dst);
		return;
	}
	o->at += bytes;
	bspi_end_in_zeros(o->at);
	bspt_prefetch_for_write(o->at + BSPI_AHEAD);
	answer->what = bspi_what(BSPI_DATA, 0);
	answer->nbytes = rec->nbytes;
	answer->dst = dst;
	copy(answer + 1, src, rec->nbytes);
}

const char *bspi_answer_gets(int from, const char *at, const char *end)
{
	do {
		const struct bspi_rec *rec = (const struct bspi_rec *)at;
		const uint64_t *dst = (const uint64_t *)rest_of(rec);

		__builtin_prefetch(at + BSPI_AHEAD);
		at = (const char *)(dst + 1);
		if (BSPI_UNLIKELY(at > end))
			bspi_fail_damaged(from);
		serve(from, rec, *dst);
	} while (at < end && (bspi_kind_of(*(const uint32_t *)at) == BSPI_GET ||
			      bspi_kind_of(*(const uint32_t *)at) == BSPI_GET_PART));
	return at;
}

void bspi_note_answer(int from, size_t nbytes)
{
	struct bspi_out *o = &bspi_engine.out[from];

	if (BSPI_UNLIKELY(nbytes > o->owed))
		bspi_fail_damaged(from);
	o->owed -= nbytes;
	bspi_engine.owed -= nbytes;
}

static const char *write_data(int from, const char *at, const char *end)
{
	do {
		const struct bspi_rec *rec = (const struct bspi_rec *)at;
		void *dst = (void *)(uintptr_t)rec->dst;

		__builtin_prefetch(at + BSPI_AHEAD);
		at += bspi_align(sizeof(*rec) + rec->nbytes);
		if (BSPI_UNLIKELY(at > end))
			bspi_fail_damaged(from);
		if (BSPI_UNLIKELY(bspi.bulks))
			bspi_bulk_await_place(dst, rec->nbytes);
		copy(dst, rec + 1, rec->nbytes);
		bspi_note_answer(from, rec->nbytes);
	} while (at < end && bspi_kind_of(*(const uint32_t *)at) == BSPI_DATA);
	return at;
}

/* ---- Opening ------------------------------------------------------------------ */

static size_t get_length(const char *at)
{
	return rest_of((const struct bspi_rec *)at) + sizeof(uint64_t) - at;
}

void bspi_puts_count(bool on)
{
	bspi_record_handle(BSPI_PUT, BSPI_AT_EFFECT, on ? count_puts : bspi_write_puts);
}

void bspi_drma_open(void)
{
	bspi_puts_count(false);
	bspi_record_handle(BSPI_PUT_PART, BSPI_AT_EFFECT, bspi_write_put_parts);
	bspi_record_length(BSPI_GET, get_length);
	bspi_record_length(BSPI_GET_PART, get_length);
	bspi_record_handle(BSPI_GET, BSPI_AT_REQUEST, bspi_answer_gets);
	bspi_record_handle(BSPI_GET_PART, BSPI_AT_REQUEST, bspi_answer_gets);
	bspi_record_handle(BSPI_DATA, BSPI_AT_ANSWER, write_data);
}
