/* SPDX-License-Identifier: BSD-3-Clause */
/* target.h - what the record of a put or get means on the process that owns the area. */
#ifndef BSPI_TARGET_H
#define BSPI_TARGET_H

#include "bsplib/core/base.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/record.h"
#include "bsplib/transfer/region.h"

/* ---- A record ------------------------------------------------------------------ */

static inline bool bspi_is_hp(const struct bspi_rec *rec)
{
	return rec->what & BSPI_HP;
}

static inline const struct bspi_wide *bspi_wide_of(const struct bspi_rec *rec)
{
	return (const struct bspi_wide *)(rec + 1);
}

static inline uint64_t bspi_offset_of(const struct bspi_rec *rec)
{
	return BSPI_UNLIKELY(rec->what & BSPI_WIDE) ? bspi_wide_of(rec)->offset : rec->offset;
}

/* The bytes after the header. */
static inline const char *bspi_rest_of(const struct bspi_rec *rec)
{
	return (const char *)(rec + 1) +
	       (BSPI_UNLIKELY(rec->what & BSPI_WIDE) ? sizeof(struct bspi_wide) : 0);
}

/* Where the call was, packed. */
static inline int64_t bspi_site_of(const struct bspi_rec *rec)
{
	return rec->what & BSPI_WIDE ? bspi_wide_of(rec)->site : rec->site;
}

/* The call, unbuffered or not. */
static inline const char *bspi_put_name(bool hp)
{
	return hp ? "bsp_hpput" : "bsp_put";
}

static inline const char *bspi_get_name(bool hp)
{
	return hp ? "bsp_hpget" : "bsp_get";
}

/* ---- Its place ------------------------------------------------------------------- */

/* It is outside of the area: end the job, in the name of its caller. */
_Noreturn __attribute__((cold))
void bspi_refuse_record(int from, const struct bspi_rec *rec, size_t nbytes, const char *call);

/* Where a transfer goes, or comes from, within the area; checked with the size registered here. */
static inline char *bspi_place_in(int from, const struct bspi_rec *rec, size_t nbytes,
				  const char *call)
{
	const struct bspi_slot *s = &bspi_regions.slots[rec->what >> 8];
	uint64_t offset = bspi_offset_of(rec);

	if (BSPI_UNLIKELY(rec->what >> 8 >= bspi_regions.nslots))
		bspi_fail_damaged(from);
	if (BSPI_UNLIKELY(nbytes > s->nbytes || offset > s->nbytes - nbytes))
		bspi_refuse_record(from, rec, nbytes, call);
	return s->base + offset;
}

/* ---- What has come ----------------------------------------------------------------- */

/* A put counts as an update, but the bsp_read that should have counted it is over. */
_Noreturn __attribute__((cold))
void bspi_refuse_late_put(const struct bspi_origin *origin, const struct bspi_slot *s, bool hp);

/* A put is there: an update. */
static inline void bspi_put_count(const struct bspi_origin *origin, struct bspi_slot *s, bool hp)
{
	if (BSPI_UNLIKELY(bspi_before(origin->step, s->read_step)))
		bspi_refuse_late_put(origin, s, hp);
	s->updates++;
	s->last = *origin;
}

/* @from has answered so many bytes of our gets, here or announced. */
static inline void bspi_note_answer(int from, size_t nbytes)
{
	struct bspi_out *o = &bspi_engine.out[from];

	if (BSPI_UNLIKELY(nbytes > o->owed))
		bspi_fail_damaged(from);
	o->owed -= nbytes;
	bspi_engine.owed -= nbytes;
}

#endif
