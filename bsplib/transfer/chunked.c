// SPDX-License-Identifier: BSD-3-Clause
/* chunked.c - puts and gets as records in chunks, in several if they do not fit one. */

#include "bsplib/transfer/chunked.h"

enum { LINE = 64 };	/* bytes, of a cache */

/* Fill in a record with room for header_bytes(); returns where its rest goes. */
static char *chunked_fill(struct bspi_rec *rec, uint32_t what, size_t nbytes, int64_t site,
			  size_t offset)
{
	struct bspi_wide *wide = (struct bspi_wide *)(rec + 1);

	rec->what = what;
	rec->nbytes = nbytes;
	rec->site = site;
	rec->offset = offset;
	if (bspi_is_narrow(site, offset))
		return (char *)(rec + 1);
	rec->what |= BSPI_WIDE;
	*wide = (struct bspi_wide){ site, offset };
	return (char *)(wide + 1);
}

static size_t header_bytes(int64_t site, size_t offset)
{
	return sizeof(struct bspi_rec) +
	       (bspi_is_narrow(site, offset) ? 0 : sizeof(struct bspi_wide));
}

/*
 * A copy is up to a fifth faster between addresses that lie alike within a cache line. So a gap
 * precedes a large record, and the rest of the line that was kept for it is given back.
 */
struct bspi_rec *bspi_room_for_data(int pid, size_t header, const char *src, size_t *nbytes)
{
	struct bspi_out *o = &bspi_engine.out[pid];
	size_t slack = *nbytes < BSPI_LARGE ? 0 : LINE;
	size_t bytes, got, gap;
	char *at;

	if (*nbytes > BSPI_PIECE_MOST)
		*nbytes = BSPI_PIECE_MOST;
	bytes = bspi_align(slack + header + *nbytes);
	if (bytes <= (size_t)(o->end - o->at))
		at = bspi_out_room(pid, bytes);
	else
		at = bspi_out_slow(pid, bytes, &got);
	if (bytes > (size_t)(o->at - at))
		*nbytes = o->at - at - slack - header;
	if (!slack)
		return (struct bspi_rec *)at;
	gap = ((uintptr_t)src - (uintptr_t)(at + header)) % LINE / BSPI_ALIGN * BSPI_ALIGN;
	memset(at, 0, gap);
	if (gap)
		*(struct bspi_pad *)at = (struct bspi_pad){ BSPI_PAD, gap };
	o->at -= LINE - gap;
	bspi_end_in_zeros(o->at);
	return (struct bspi_rec *)(at + gap);
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

		memcpy(chunked_fill(rec, part < nbytes ? as_part(what) : what, part, packed,
				    offset),
		       src, part);
		src += part;
		offset += part;
		nbytes -= part;
	}
}

/*
 * A record with a wide header, for large offsets and for calls in C++ programs of compilers that
 * keep no records of them (see bspj_site_is_text()): where its last @rest bytes go, if it fits
 * the open chunk. Else, or if the header is narrow, NULL.
 */
static void *wide_record_fast(const char *site, int pid, uint32_t what, size_t offset,
				 size_t nbytes, size_t rest)
{
	struct bspi_out *o = &bspi_engine.out[pid];
	int64_t packed = bspi_site_pack(site);
	size_t bytes = bspi_align(header_bytes(packed, offset) + rest);

	if (bspi_is_narrow(packed, offset) || bytes > (size_t)(o->end - o->at))
		return NULL;
	return chunked_fill(bspi_out_room(pid, bytes), what, nbytes, packed, offset);
}

bool bspi_put_wide_fast(const char *site, int pid, const void *src, uint32_t what,
			   size_t offset, size_t nbytes)
{
	void *to = nbytes < BSPI_LARGE ? wide_record_fast(site, pid, what, offset, nbytes,
							     nbytes) : NULL;

	if (to)
		bspi_copy(to, src, nbytes);
	return to;
}

bool bspi_get_wide_fast(const char *site, int pid, uint32_t what, size_t offset, void *dst,
			   size_t nbytes)
{
	uint64_t *to = nbytes <= BSPI_PIECE_MOST ?
		       wide_record_fast(site, pid, what, offset, nbytes, sizeof(*to)) : NULL;

	if (!to)
		return false;
	*to = (uintptr_t)dst;
	bspi_note_request(pid, nbytes);
	return true;
}

/* Requests of up to BSPI_PIECE_MOST each, so that an answer is one record where chunks allow. */
static void get_range(const struct bspi_transfer *t, uint32_t what, size_t from, size_t to)
{
	int64_t packed = bspi_site_pack(t->site);
	size_t want;

	for (size_t at = from; at < to; at += want) {
		bool is_last = to - at <= BSPI_PIECE_MOST;
		struct bspi_rec *rec = bspi_out_room(t->pid, header_bytes(packed, at) +
						     sizeof(uint64_t));

		want = is_last ? to - at : BSPI_PIECE_MOST;
		*(uint64_t *)chunked_fill(rec, is_last ? what : as_part(what), want, packed, at) =
			(uintptr_t)t->local + (at - t->offset);
		bspi_note_request(t->pid, want);
	}
}

void bspi_put_uncounted(const struct bspi_transfer *t, uint32_t slot, size_t from, size_t to)
{
	const char *src = (const char *)t->local + (from - t->offset);
	uint32_t what = bspi_what(BSPI_PUT_PART, slot) | BSPI_HP;

	if (BSPI_UNLIKELY(!bspi_put_fast(t->site, t->pid, src, what, from, to - from)))
		put_pieces(t->site, t->pid, src, what, from, to - from);
}

void bspi_put_record(const struct bspi_transfer *t, uint32_t slot, uint32_t flags)
{
	uint32_t what = bspi_what(BSPI_PUT, slot) | flags;

	if (BSPI_UNLIKELY(!bspi_put_fast(t->site, t->pid, t->local, what, t->offset, t->nbytes)))
		put_pieces(t->site, t->pid, t->local, what, t->offset, t->nbytes);
}

void bspi_put_note(const struct bspi_transfer *t, uint32_t slot)
{
	int64_t packed = bspi_site_pack(t->site);
	struct bspi_rec *rec = bspi_out_room(t->pid, header_bytes(packed, t->offset));

	chunked_fill(rec, bspi_what(BSPI_PUT, slot) | BSPI_HP, 0, packed, t->offset);
}

void *bspi_put_announce(const struct bspi_transfer *t, uint32_t what, size_t bytes)
{
	int64_t packed = bspi_site_pack(t->site);
	struct bspi_rec *rec = bspi_out_room(t->pid,
					     bspi_align(header_bytes(packed, t->offset) + bytes));

	return chunked_fill(rec, what, bytes, packed, t->offset);
}

void bspi_get_part(const struct bspi_transfer *t, uint32_t slot, size_t from, size_t to)
{
	get_range(t, bspi_what(BSPI_GET, slot) | BSPI_HP, from, to);
}

void bspi_get_record(const struct bspi_transfer *t, uint32_t slot, uint32_t flags)
{
	get_range(t, bspi_what(BSPI_GET, slot) | flags, t->offset, t->offset + t->nbytes);
}
