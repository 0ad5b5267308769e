/* SPDX-License-Identifier: BSD-3-Clause */
/* record.h - the table of record kinds: their length, and their handler at each moment. */
#ifndef BSPI_RECORD_H
#define BSPI_RECORD_H

#include "bsplib/engine/engine.h"

/*
 * The engine knows no kind by its name. The part that sends records of a kind defines it here
 * when it opens; a kind without a handler for a moment is passed over then.
 */

/* When the records of a chunk are handled, in the order of a superstep. */
enum bspi_moment {
	BSPI_ON_ARRIVAL,	/* in an urgent chunk: at once, in any superstep */
	/* all of the superstep is here, and nothing of it has taken effect */
	BSPI_AT_REGISTRATION,
	BSPI_AT_REQUEST,	/* requests of others are answered */
	BSPI_AT_ANSWER,		/* answers to this process are written */
	BSPI_AT_EFFECT,		/* the rest, in the order of its senders */
	BSPI_AT_END,		/* in bsp_end, where all have met */
	BSPI_MOMENTS
};

/*
 * A handler of records: @at is one of a kind, and those of the same kind that follow it, up to
 * @end, may be handled with it. Returns where it stopped.
 */
typedef const char *bspi_handler(int from, const char *at, const char *end);

/*
 * The bytes of a record at @at in all; SIZE_MAX: more than any chunk has. NULL: a header and as
 * much as it says.
 */
typedef size_t bspi_length(const char *at);

void bspi_record_length(enum bspi_kind kind, bspi_length *length);
/* @run handles records of @kind at @moment; NULL: they are passed over. Takes effect at once. */
void bspi_record_handle(enum bspi_kind kind, enum bspi_moment moment, bspi_handler *run);
void bspi_records_open(void);

/*
 * The end of the record at @at, in a chunk of process @from that ends at @end. A record that is
 * empty or reaches beyond its chunk ends the job, so a loop over records always moves on and
 * stays inside.
 */
const char *bspi_after(int from, const char *at, const char *end);
/* A chunk from process @from holds bytes that no process of this job writes. */
_Noreturn __attribute__((cold)) void bspi_fail_damaged(int from);
/* The same for memory that a transport shares: @what was there (plan->damaged). */
_Noreturn __attribute__((cold)) void bspi_fail_overwritten(const char *what);

/*
 * Handle the records of a chunk; of the held chunks of this superstep that have one of @flags,
 * from the i-th on.
 */
void bspi_handle(const struct bspi_arrival *a, enum bspi_moment moment);
void bspi_handle_held(size_t i, uint32_t flags, enum bspi_moment moment);
/* Look through them, each kind alike. */
void bspi_scan(const struct bspi_arrival *a, bspi_handler *run);
void bspi_scan_held(size_t i, uint32_t flags, bspi_handler *run);
/* Has one of the held chunks of this superstep one of @flags? */
bool bspi_is_held(uint32_t flags);

#endif
