// SPDX-License-Identifier: BSD-3-Clause
/* drma.c - puts and gets: from the call to the bytes in place. */

/*
 * Bounds are checked where the region is, on the target, with the size registered
 * there; the message names the process, superstep and place of the call, which
 * travel with the transfer. Only a transfer through a window is checked by the caller,
 * against the size that came with the window.
 */

#include "bspi.h"

enum { PIECE_MOST = 1 << 30 };	/* bytes in one record */

/* ---- Checks common to all calls -------------------------------------------- */

struct transfer {
	const char *call, *place;
	int64_t pid;
	const void *local;	/* address on this process that need not be registered */
	const void *area;	/* registered */
	size_t offset, nbytes;
};

static _Noreturn __attribute__((cold)) void refuse(const struct transfer *t, const char *local_name)
{
	if (bspi_negative(t->nbytes))
		bspi_fail(t->call, t->place, "size %zd is negative", (ssize_t)t->nbytes);
	if (bspi_negative(t->offset))
		bspi_fail(t->call, t->place, "offset %zd is negative", (ssize_t)t->offset);
	if ((uint64_t)t->pid >= (uint64_t)bspi.nprocs)
		bspi_fail(t->call, t->place, "process %lld does not exist, there are %d",
			  (long long)t->pid, bspi.nprocs);
	bspi_fail(t->call, t->place, "the %s is NULL", local_name);
}

/* False if there is nothing to do; ends the job if the call is wrong. */
static inline bool worth_doing(const struct transfer *t, const char *local_name)
{
	bspi_require_running(t->call, t->place);
	if (t->nbytes == 0)
		return false;
	if (BSPI_UNLIKELY(bspi_negative(t->nbytes | t->offset) || !t->local ||
			  (uint64_t)t->pid >= (uint64_t)bspi.nprocs))
		refuse(t, local_name);
	return true;
}

static inline uint32_t slot_of(const struct transfer *t)
{
	if (BSPI_LIKELY(t->area == bspi.regions.last_base && t->area))
		return bspi.regions.last_slot;
	return bspi_region_find_slow(t->call, t->place, t->area);
}

/* ---- Records ---------------------------------------------------------------- */

static inline void fill(struct bspi_rec *rec, enum bspi_kind kind, uint32_t slot, size_t nbytes,
			const char *place, size_t offset)
{
	rec->what = bspi_what(kind, slot);
	rec->nbytes = nbytes;
	rec->place = bspi_place_pack(place);
	rec->offset = offset;
}

/* A record for up to *@nbytes of data, fewer if no chunk takes them all. */
static struct bspi_rec *room_for(int pid, size_t *nbytes)
{
	struct bspi_out *o = &bspi.out[pid];
	size_t bytes, got;
	struct bspi_rec *rec;

	if (*nbytes > PIECE_MOST)
		*nbytes = PIECE_MOST;
	bytes = bspi_align(sizeof(*rec) + *nbytes);
	if (bytes <= (size_t)(o->end - o->at))
		return bspi_out_room(pid, bytes);
	rec = bspi_out_slow(pid, bytes, &got);
	if (*nbytes > got - sizeof(*rec))
		*nbytes = got - sizeof(*rec);
	return rec;
}

static __attribute__((noinline)) void put_pieces(const char *place, int pid, const char *src,
						 uint32_t slot, size_t offset, size_t nbytes,
						 uint32_t flags)
{
	while (nbytes > 0) {
		size_t part = nbytes;
		struct bspi_rec *rec = room_for(pid, &part);

		fill(rec, BSPI_PUT, slot, part, place, offset);
		rec->what |= flags;
		memcpy(rec + 1, src, part);
		src += part;
		offset += part;
		nbytes -= part;
	}
}

void bspi_put_slot(const char *place, int pid, const void *src, uint32_t slot, size_t offset,
		   size_t nbytes, uint32_t flags)
{
	struct bspi_out *o = &bspi.out[pid];
	size_t bytes = bspi_align(sizeof(struct bspi_rec) + nbytes);
	struct bspi_rec *rec = (struct bspi_rec *)o->at;

	if (BSPI_UNLIKELY(bytes > (size_t)(o->end - o->at) || nbytes > PIECE_MOST)) {
		put_pieces(place, pid, src, slot, offset, nbytes, flags);
		return;
	}
	o->at += bytes;
	fill(rec, BSPI_PUT, slot, nbytes, place, offset);
	rec->what |= flags;
	memcpy(rec + 1, src, nbytes);
}

/* Requests of up to PIECE_MOST each, so that an answer is one record where chunks allow. */
void bspi_get_slot(const char *place, int pid, uint32_t slot, size_t offset, void *dst,
		   size_t nbytes, uint32_t flags)
{
	bspi.out[pid].flags |= BSPI_GETS;
	bspi.owed += nbytes;
	for (size_t done = 0; done < nbytes; done += PIECE_MOST) {
		size_t want = nbytes - done < PIECE_MOST ? nbytes - done : PIECE_MOST;
		struct bspi_rec *rec = bspi_out_room(pid, BSPI_GET_BYTES);

		fill(rec, BSPI_GET, slot, want, place, offset + done);
		rec->what |= flags;
		*(uint64_t *)(rec + 1) = (uintptr_t)dst + done;
	}
}

/* ---- Through a window -------------------------------------------------------- */

static bool has_left_last_superstep(int pid)
{
	return (int32_t)(bspi.net->ops->stamp_of(bspi.net, pid) - bspi.step) >= 0;
}

/*
 * The way into the region on @pid, if the transfer is large enough for it and @pid is
 * done with the superstep before: there it may still read or write the region.
 */
static const struct bspi_window_note *way(uint32_t slot, const struct transfer *t)
{
	const struct bspi_window_note *w = bspi_region_way(slot, t->pid);

	if (!w || t->offset + t->nbytes > w->nbytes || !has_left_last_superstep(t->pid))
		return NULL;
	return w;
}

/* The part of the transfer that the window reaches: [from, to). */
static bool clip(const struct bspi_window_note *w, const struct transfer *t, uint64_t *from,
		 uint64_t *to)
{
	*from = t->offset > w->from ? t->offset : w->from;
	*to = t->offset + t->nbytes < w->to ? t->offset + t->nbytes : w->to;
	return *from < *to;
}

static bool put_through(const struct transfer *t, uint32_t slot)
{
	const struct bspi_window_note *w = way(slot, t);
	const char *src = t->local;
	uint64_t from, to, end = t->offset + t->nbytes;

	if (!w || !clip(w, t, &from, &to))
		return false;
	bspi.net->ops->window_write(bspi.net, t->pid, w->window, from, src + (from - t->offset),
				    to - from);
	if (from > t->offset)
		bspi_put_slot(t->place, t->pid, src, slot, t->offset, from - t->offset, BSPI_HP);
	if (to < end)
		bspi_put_slot(t->place, t->pid, src + (to - t->offset), slot, to, end - to, BSPI_HP);
	bspi.stat.direct++;
	return true;
}

static bool get_through(const struct transfer *t, uint32_t slot)
{
	const struct bspi_window_note *w = way(slot, t);
	char *dst = (char *)(uintptr_t)t->local;
	uint64_t from, to, end = t->offset + t->nbytes;

	if (!w || !clip(w, t, &from, &to))
		return false;
	bspi.net->ops->window_read(bspi.net, t->pid, w->window, from, dst + (from - t->offset),
				   to - from);
	if (from > t->offset)
		bspi_get_slot(t->place, t->pid, slot, t->offset, dst, from - t->offset, BSPI_HP);
	if (to < end)
		bspi_get_slot(t->place, t->pid, slot, to, dst + (to - t->offset), end - to, BSPI_HP);
	bspi.stat.direct++;
	return true;
}

/* Ourselves: at once, as unbuffered transfers may. */
static char *own_bytes(const struct transfer *t, uint32_t slot)
{
	const struct bspi_slot *s = &bspi.regions.slots[slot];

	if (t->nbytes > s->nbytes || t->offset > s->nbytes - t->nbytes)
		bspi_fail(t->call, t->place, "offset %zu + %zu bytes is beyond the %zu bytes registered on process %d",
			  t->offset, t->nbytes, s->nbytes, bspi.me);
	return s->base + t->offset;
}

/* ---- The calls -------------------------------------------------------------- */

void bspi_put(const char *place, int64_t pid, const void *src, void *dst, size_t offset,
	      size_t nbytes)
{
	struct transfer t = { "bsp_put", place, pid, src, dst, offset, nbytes };

	if (!worth_doing(&t, "source"))
		return;
	bspi_put_slot(place, pid, src, slot_of(&t), offset, nbytes, 0);
	bspi.stat.puts++;
	bspi.stat.bytes_out += nbytes;
}

void bspi_hpput(const char *place, int64_t pid, const void *src, void *dst, size_t offset,
		size_t nbytes)
{
	struct transfer t = { "bsp_hpput", place, pid, src, dst, offset, nbytes };
	uint32_t slot;

	if (!worth_doing(&t, "source"))
		return;
	slot = slot_of(&t);
	bspi.stat.puts++;
	bspi.stat.bytes_out += nbytes;
	if (pid == bspi.me)
		memmove(own_bytes(&t, slot), src, nbytes);
	else if (nbytes < bspi.min_direct)
		bspi_put_slot(place, pid, src, slot, offset, nbytes, BSPI_HP);
	else if (!put_through(&t, slot))
		bspi_put_slot(place, pid, src, slot, offset, nbytes,
			      bspi_region_way(slot, pid) ? BSPI_HP : BSPI_HP | BSPI_WANT);
}

void bspi_get(const char *place, int64_t pid, const void *src, size_t offset, void *dst,
	      size_t nbytes)
{
	struct transfer t = { "bsp_get", place, pid, dst, src, offset, nbytes };

	if (!worth_doing(&t, "destination"))
		return;
	bspi_get_slot(place, pid, slot_of(&t), offset, dst, nbytes, 0);
	bspi.stat.gets++;
	bspi.stat.bytes_in += nbytes;
}

void bspi_hpget(const char *place, int64_t pid, const void *src, size_t offset, void *dst,
		size_t nbytes)
{
	struct transfer t = { "bsp_hpget", place, pid, dst, src, offset, nbytes };
	uint32_t slot;

	if (!worth_doing(&t, "destination"))
		return;
	slot = slot_of(&t);
	bspi.stat.gets++;
	bspi.stat.bytes_in += nbytes;
	if (pid == bspi.me)
		memmove(dst, own_bytes(&t, slot), nbytes);
	else if (nbytes < bspi.min_direct)
		bspi_get_slot(place, pid, slot, offset, dst, nbytes, BSPI_HP);
	else if (!get_through(&t, slot))
		bspi_get_slot(place, pid, slot, offset, dst, nbytes,
			      bspi_region_way(slot, pid) ? BSPI_HP : BSPI_HP | BSPI_WANT);
}

/* ---- On the target ---------------------------------------------------------- */

static _Noreturn __attribute__((cold)) void refuse_record(int from, const struct bspi_rec *rec,
							  const char *call)
{
	const struct bspi_slot *s = &bspi.regions.slots[rec->what >> 8];

	if (!s->base)
		bspi_fail_of(from, bspi.step, call, rec->place,
			     "process %d has registered NULL for this area", bspi.me);
	bspi_fail_of(from, bspi.step, call, rec->place,
		     "offset %llu + %llu bytes is beyond the %zu bytes registered on process %d",
		     (unsigned long long)rec->offset, (unsigned long long)rec->nbytes, s->nbytes,
		     bspi.me);
}

static inline bool is_hp(const struct bspi_rec *rec)
{
	return rec->what & BSPI_HP;
}

/* Where the transfer goes, or comes from, within the region; checked. */
static inline char *target(int from, const struct bspi_rec *rec, const char *call)
{
	const struct bspi_slot *s = &bspi.regions.slots[rec->what >> 8];

	if (BSPI_UNLIKELY(rec->nbytes > s->nbytes || rec->offset > s->nbytes - rec->nbytes))
		refuse_record(from, rec, call);
	if (BSPI_UNLIKELY(rec->what & BSPI_WANT))
		bspi_region_want(from, rec->what >> 8);
	return s->base + rec->offset;
}

void bspi_write_put(int from, const struct bspi_rec *rec)
{
	char *dst = target(from, rec, is_hp(rec) ? "bsp_hpput" : "bsp_put");

	memcpy(dst, rec + 1, rec->nbytes);
}

/* Read now, before anything is written; the answer goes out with the others. */
void bspi_serve_get(int from, const struct bspi_rec *rec)
{
	const char *src = target(from, rec, is_hp(rec) ? "bsp_hpget" : "bsp_get");
	uint64_t dst = *(const uint64_t *)(rec + 1);
	size_t left = rec->nbytes;

	while (left > 0) {
		size_t part = left;
		struct bspi_rec *answer = room_for(from, &part);

		fill(answer, BSPI_DATA, 0, part, NULL, dst);
		memcpy(answer + 1, src, part);
		src += part;
		dst += part;
		left -= part;
	}
}

void bspi_write_data(const struct bspi_rec *rec)
{
	memcpy((void *)(uintptr_t)rec->offset, rec + 1, rec->nbytes);
	bspi.owed -= rec->nbytes;
}
