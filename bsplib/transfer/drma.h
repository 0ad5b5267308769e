/* SPDX-License-Identifier: BSD-3-Clause */
/* drma.h - puts and gets. */
#ifndef BSPI_DRMA_H
#define BSPI_DRMA_H

#include "bsplib/engine/record.h"
#include "bsplib/transfer/region.h"

/* A call of bsp_put, bsp_get or their kin. */
struct bspi_transfer {
	const char *call, *place;
	int64_t pid;
	const void *local;	/* address on this process that need not be registered */
	const void *area;	/* registered */
	size_t offset, nbytes;
};

void bspi_put(const char *place, int64_t pid, const void *src, void *dst, size_t offset,
	      size_t nbytes);
void bspi_hpput(const char *place, int64_t pid, const void *src, void *dst, size_t offset,
		size_t nbytes);
void bspi_get(const char *place, int64_t pid, const void *src, size_t offset, void *dst,
	      size_t nbytes);
void bspi_hpget(const char *place, int64_t pid, const void *src, size_t offset, void *dst,
		size_t nbytes);
/* The same for a call of another name. */
void bspi_put_checked(const struct bspi_transfer *t);
void bspi_get_checked(const struct bspi_transfer *t);
/* The part [from, to) of an unbuffered transfer, by chunk. */
void bspi_put_part(const struct bspi_transfer *t, uint32_t slot, size_t from, size_t to);
/* The same as a part of a put that a later record counts; and all of a put, by chunk. */
void bspi_put_uncounted(const struct bspi_transfer *t, uint32_t slot, size_t from, size_t to);
void bspi_put_record(const struct bspi_transfer *t, uint32_t slot, uint32_t flags);
void bspi_put_note(const struct bspi_transfer *t, uint32_t slot);
/* For bulk.c: a record of a put with @bytes more, which are returned; the same on its other side. */
void *bspi_put_announce(const struct bspi_transfer *t, uint32_t what, size_t bytes);
const void *bspi_put_rest(const struct bspi_rec *rec);
/* Where @nbytes of a put go, checked. */
char *bspi_put_target(int from, const struct bspi_rec *rec, size_t nbytes);
/* It is there: an update. */
void bspi_put_count(const struct bspi_origin *origin, uint32_t slot, bool hp);
void bspi_get_part(const struct bspi_transfer *t, uint32_t slot, size_t from, size_t to);
/* Handlers of puts and gets that come, for who wants to see these; and so that puts count as updates, or do not. */
bspi_run bspi_write_puts, bspi_write_put_parts, bspi_answer_gets;
void bspi_puts_count(bool on);
void bspi_drma_open(void);
/* @from has answered so many bytes of our gets, here or announced. */
void bspi_note_answer(int from, size_t nbytes);
/* Where the put or get of a record was called, packed. */
int64_t bspi_place_of(const struct bspi_rec *rec);

/* For gets in other files: false if there is nothing to do; else its slot. Ends the job if the call is wrong. */
bool bspi_get_begin(const struct bspi_transfer *t, uint32_t *slot);
/* The bytes of a transfer to this process itself. */
char *bspi_own_bytes(const struct bspi_transfer *t, uint32_t slot);

#endif
