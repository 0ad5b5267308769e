/* SPDX-License-Identifier: BSD-3-Clause */
/* chunked.h - puts and gets as records in chunks. */
#ifndef BSPI_CHUNKED_H
#define BSPI_CHUNKED_H

#include "bsplib/core/base.h"
#include "bsplib/core/site.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/out.h"

#include <string.h>

enum {
	BSPI_PIECE_MOST = 1 << 30,	/* bytes in one record */
	BSPI_LARGE = 2048,		/* larger records are placed so that their data copy fast */
};

/* A call of bsp_put, bsp_get, or a variant of them. */
struct bspi_transfer {
	const char *call, *site;
	int64_t pid;
	const void *local;	/* address on this process that need not be registered */
	const void *area;	/* registered */
	size_t offset, nbytes;
};

/* As memcpy(), without a call for the sizes that programs put most. */
static inline void bspi_copy(void *dst, const void *src, size_t n)
{
	if (n == 8)
		memcpy(dst, src, 8);
	else if (n == 4)
		memcpy(dst, src, 4);
	else
		memcpy(dst, src, n);
}

/* ---- At once ----------------------------------------------------------------- */

/* Does the narrow header of a record hold both? */
static inline bool bspi_is_narrow(int64_t site, size_t offset)
{
	return site == (int32_t)site && offset <= UINT32_MAX;
}

/*
 * A record with a narrow header and @rest more bytes, filled in but for these, if it fits
 * the open chunk; else NULL.
 */
static inline struct bspi_rec *bspi_record_fast(const char *site, int pid, uint32_t what,
						   size_t offset, size_t nbytes, size_t rest)
{
	struct bspi_out *o = &bspi_engine.out[pid];
	struct bspi_rec *rec = (struct bspi_rec *)o->at;
	size_t bytes = bspi_align(sizeof(*rec) + rest);
	int64_t packed = bspi_site_distance(site);

	if (BSPI_UNLIKELY(bytes > (size_t)(o->end - o->at) || !bspi_is_narrow(packed, offset)))
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
static inline bool bspi_put_fast(const char *site, int pid, const void *src, uint32_t what,
				    size_t offset, size_t nbytes)
{
	struct bspi_rec *rec;

	if (BSPI_UNLIKELY(nbytes >= BSPI_LARGE))
		return false;
	rec = bspi_record_fast(site, pid, what, offset, nbytes, nbytes);
	if (BSPI_UNLIKELY(!rec))
		return false;
	bspi_copy(rec + 1, src, nbytes);
	return true;
}

/* The open chunk has a request for @nbytes. */
static inline void bspi_note_request(int pid, size_t nbytes)
{
	bspi_engine.out[pid].flags |= BSPI_GETS;
	bspi_engine.out[pid].owed += nbytes;
	bspi_engine.owed += nbytes;
}

static inline bool bspi_get_fast(const char *site, int pid, uint32_t what, size_t offset,
				    void *dst, size_t nbytes)
{
	struct bspi_rec *rec;

	if (BSPI_UNLIKELY(nbytes > BSPI_PIECE_MOST))
		return false;
	rec = bspi_record_fast(site, pid, what, offset, nbytes, sizeof(uint64_t));
	if (BSPI_UNLIKELY(!rec))
		return false;
	*(uint64_t *)(rec + 1) = (uintptr_t)dst;
	bspi_note_request(pid, nbytes);
	return true;
}

/* A put with a wide header. False if it is narrow, the put is large, or there is no room. */
bool bspi_put_wide_fast(const char *site, int pid, const void *src, uint32_t what,
			   size_t offset, size_t nbytes);
bool bspi_get_wide_fast(const char *site, int pid, uint32_t what, size_t offset, void *dst,
			   size_t nbytes);

/* ---- Of any size --------------------------------------------------------------- */

/* A record of a header and up to *@nbytes of data from @src, fewer if no chunk takes them all. */
struct bspi_rec *bspi_room_for_data(int pid, size_t header, const char *src, size_t *nbytes);
/* All of a put; a request, with @flags besides its kind. */
void bspi_put_record(const struct bspi_transfer *t, uint32_t slot, uint32_t flags);
void bspi_get_record(const struct bspi_transfer *t, uint32_t slot, uint32_t flags);
/* The part [from, to) of an unbuffered get. */
void bspi_get_part(const struct bspi_transfer *t, uint32_t slot, size_t from, size_t to);
/* The same of a put that a later record counts. */
void bspi_put_uncounted(const struct bspi_transfer *t, uint32_t slot, size_t from, size_t to);
/* Counts a put whose bytes have travelled otherwise. */
void bspi_put_note(const struct bspi_transfer *t, uint32_t slot);
/* For bulk.c: a record of a put with @bytes more, which are returned. */
void *bspi_put_announce(const struct bspi_transfer *t, uint32_t what, size_t bytes);

#endif
