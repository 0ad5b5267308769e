// SPDX-License-Identifier: BSD-3-Clause
/* record.c - records of chunks: the table of their kinds, and loops over them. */

#include "bsplib/engine/record.h"

#include "bsplib/core/base.h"
#include "bsplib/core/error.h"
#include "bsplib/core/state.h"
#include "bsplib/core/status.h"
#include "bsplib/engine/chunk.h"
#include "bsplib/engine/engine.h"

#include <string.h>

static struct {
	bspi_length *length;
	bspi_handler *run[BSPI_MOMENTS];
} kinds[BSPI_KIND + 1];

static size_t pad_length(const char *at)
{
	return ((const struct bspi_pad *)at)->bytes;
}

void bspi_records_open(void)
{
	memset(kinds, 0, sizeof(kinds));
	bspi_record_length(BSPI_PAD, pad_length);
}

void bspi_record_length(enum bspi_kind kind, bspi_length *length)
{
	kinds[kind].length = length;
}

void bspi_record_handle(enum bspi_kind kind, enum bspi_moment moment, bspi_handler *run)
{
	kinds[kind].run[moment] = run;
}

/* ---- One record ------------------------------------------------------------ */

static size_t usual_length(const char *at)
{
	const struct bspi_rec *rec = (const struct bspi_rec *)at;
	size_t wide = rec->what & BSPI_WIDE ? sizeof(struct bspi_wide) : 0;

	return bspi_align(sizeof(*rec) + wide + rec->nbytes);
}

const char *bspi_after(int from, const char *at, const char *end)
{
	bspi_length *length = kinds[bspi_kind_of(*(const uint32_t *)at)].length;
	size_t bytes = length ? length(at) : usual_length(at);

	if (BSPI_UNLIKELY(bytes == 0 || bytes > (size_t)(end - at)))
		bspi_fail_damaged(from);
	return at + bytes;
}

void bspi_fail_damaged(int from)
{
	bspi_fail(bspi.ending ? "bsp_end" : "bsp_sync", bspi_own_site(),
		  "a chunk from process %d is damaged; something has written into the memory or "
		  "the connection between the two, or one of them runs another version of the "
		  "library",
		  from);
}

void bspi_fail_overwritten(const char *what)
{
	bspi_fail(bspi.ending ? "bsp_end" : "bsp_sync", bspi_own_site(),
		  "the shared memory of the library is damaged: %s; the program has written over "
		  "it: look for a wild pointer or an index out of bounds (gcc -fsanitize=address, "
		  "valgrind)",
		  what);
}

/* ---- All of a chunk, of chunks ----------------------------------------------- */

void bspi_handle(const struct bspi_arrival *a, enum bspi_moment moment)
{
	const char *at = a->chunk + sizeof(struct bspi_head), *end = a->chunk + a->len;

	while (at < end) {
		bspi_handler *run = kinds[bspi_kind_of(*(const uint32_t *)at)].run[moment];

		at = run ? run(a->from, at, end) : bspi_after(a->from, at, end);
	}
}

void bspi_scan(const struct bspi_arrival *a, bspi_handler *run)
{
	const char *at = a->chunk + sizeof(struct bspi_head), *end = a->chunk + a->len;

	while (at < end)
		at = run(a->from, at, end);
}

/* Is the i-th held chunk of this superstep, and has it one of the flags, if any are asked for? */
static bool is_held(size_t i, uint32_t flags)
{
	const struct bspi_head *h = bspi_head_of(bspi_engine.held.at[i].chunk);

	return h->step == bspi.step && (!flags || (h->flags & flags));
}

void bspi_handle_held(size_t i, uint32_t flags, enum bspi_moment moment)
{
	for (; i < bspi_engine.held.n; i++)
		if (is_held(i, flags))
			bspi_handle(&bspi_engine.held.at[i], moment);
}

void bspi_scan_held(size_t i, uint32_t flags, bspi_handler *run)
{
	for (; i < bspi_engine.held.n; i++)
		if (is_held(i, flags))
			bspi_scan(&bspi_engine.held.at[i], run);
}

bool bspi_is_held(uint32_t flags)
{
	for (size_t i = 0; i < bspi_engine.held.n; i++)
		if (is_held(i, flags))
			return true;
	return false;
}
