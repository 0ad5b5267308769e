// SPDX-License-Identifier: BSD-3-Clause
/* handler.c - records of puts and gets that have come: written, or read and answered. */

#include "bsplib/transfer/handler.h"

#include "bsplib/core/base.h"
#include "bsplib/core/state.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/clock.h"
#include "bsplib/engine/engine.h"
#include "bsplib/engine/out.h"
#include "bsplib/engine/record.h"
#include "bsplib/transfer/bulk.h"
#include "bsplib/transfer/chunked.h"
#include "bsplib/transfer/region.h"
#include "bsplib/transfer/target.h"

#include <string.h>

/* ---- Puts ---------------------------------------------------------------------- */

static inline char *target(int from, const struct bspi_rec *rec, const char *call)
{
	char *at = bspi_place_in(from, rec, rec->nbytes, call);

	if (BSPI_UNLIKELY(rec->what & BSPI_WANT))
		bspi_region_want(from, rec->what >> 8);
	return at;
}

static inline void count_update(int from, const struct bspi_rec *rec)
{
	struct bspi_slot *s = &bspi_regions.slots[rec->what >> 8];
	struct bspi_origin origin = { bspi_site_of(rec), bspi_engine.arriving->step, from };

	bspi_put_count(&origin, s, bspi_is_hp(rec));
	if (BSPI_UNLIKELY(bspi.clock))
		bspi_clock_update(&s->times);
}

static inline __attribute__((always_inline))
const char *write_run(int from, const char *at, const char *end, enum bspi_kind kind, bool counted,
		      bool beside_bulk)
{
	do {
		const struct bspi_rec *rec = (const struct bspi_rec *)at;
		const char *data = bspi_rest_of(rec);
		char *dst;

		__builtin_prefetch(at + BSPI_AHEAD);
		at = data + bspi_align(rec->nbytes);
		if (BSPI_UNLIKELY(at > end))
			bspi_fail_damaged(from);
		dst = target(from, rec, bspi_put_name(bspi_is_hp(rec)));
		if (beside_bulk && !bspi_is_hp(rec))
			bspi_bulk_await_place(dst, rec->nbytes);
		bspi_copy(dst, data, rec->nbytes);
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

/* ---- Gets ---------------------------------------------------------------------- */

static __attribute__((noinline)) void answer_in_pieces(int to, const char *src, uint64_t dst,
						       size_t left)
{
	while (left > 0) {
		size_t part = left;
		struct bspi_rec *answer = bspi_room_for_data(to, sizeof(*answer), src, &part);

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
		bspi_bulk_answer(to, src, dst, rec->nbytes, bspi_is_hp(rec));
	else
		answer_in_pieces(to, src, dst, rec->nbytes);
}

/* Read now, before anything is written; the answer goes out with the others. */
static inline void serve(int from, const struct bspi_rec *rec, uint64_t dst)
{
	const char *src = target(from, rec, bspi_get_name(bspi_is_hp(rec)));
	struct bspi_out *o = &bspi_engine.out[from];
	struct bspi_rec *answer = (struct bspi_rec *)o->at;
	size_t bytes = bspi_align(sizeof(*answer) + rec->nbytes);

	if (BSPI_UNLIKELY(rec->nbytes >= BSPI_LARGE || bytes > (size_t)(o->end - o->at))) {
		answer_at_length(from, rec, src, dst);
		return;
	}
	o->at += bytes;
	bspi_end_in_zeros(o->at);
	bspt_prefetch_for_write(o->at + BSPI_AHEAD);
	answer->what = bspi_what(BSPI_DATA, 0);
	answer->nbytes = rec->nbytes;
	answer->dst = dst;
	bspi_copy(answer + 1, src, rec->nbytes);
}

const char *bspi_answer_gets(int from, const char *at, const char *end)
{
	do {
		const struct bspi_rec *rec = (const struct bspi_rec *)at;
		const uint64_t *dst = (const uint64_t *)bspi_rest_of(rec);

		__builtin_prefetch(at + BSPI_AHEAD);
		at = (const char *)(dst + 1);
		if (BSPI_UNLIKELY(at > end))
			bspi_fail_damaged(from);
		serve(from, rec, *dst);
	} while (at < end && (bspi_kind_of(*(const uint32_t *)at) == BSPI_GET ||
			      bspi_kind_of(*(const uint32_t *)at) == BSPI_GET_PART));
	return at;
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
		bspi_copy(dst, rec + 1, rec->nbytes);
		bspi_note_answer(from, rec->nbytes);
	} while (at < end && bspi_kind_of(*(const uint32_t *)at) == BSPI_DATA);
	return at;
}

/* ---- Opening ------------------------------------------------------------------ */

static size_t get_length(const char *at)
{
	return bspi_rest_of((const struct bspi_rec *)at) + sizeof(uint64_t) - at;
}

void bspi_puts_count(bool on)
{
	bspi_record_handle(BSPI_PUT, BSPI_AT_EFFECT, on ? count_puts : bspi_write_puts);
}

void bspi_handlers_open(void)
{
	bspi_puts_count(false);
	bspi_record_handle(BSPI_PUT_PART, BSPI_AT_EFFECT, bspi_write_put_parts);
	bspi_record_length(BSPI_GET, get_length);
	bspi_record_length(BSPI_GET_PART, get_length);
	bspi_record_handle(BSPI_GET, BSPI_AT_REQUEST, bspi_answer_gets);
	bspi_record_handle(BSPI_GET_PART, BSPI_AT_REQUEST, bspi_answer_gets);
	bspi_record_handle(BSPI_DATA, BSPI_AT_ANSWER, write_data);
}
