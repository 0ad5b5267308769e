/* SPDX-License-Identifier: BSD-3-Clause */
/* drma.h - puts and gets. */
#ifndef BSPI_DRMA_H
#define BSPI_DRMA_H

#include "bsplib/engine/record.h"
#include "bsplib/transfer/region.h"

#include <string.h>

/* A call of bsp_put, bsp_get or their kin. */
struct bspi_transfer {
	const char *call, *site;
	int64_t pid;
	const void *local;	/* address on this process that need not be registered */
	const void *area;	/* registered */
	size_t offset, nbytes;
};

void bspi_put(const char *site, int64_t pid, const void *src, void *dst, size_t offset,
	      size_t nbytes);
void bspi_hpput(const char *site, int64_t pid, const void *src, void *dst, size_t offset,
		size_t nbytes);
void bspi_get(const char *site, int64_t pid, const void *src, size_t offset, void *dst,
	      size_t nbytes);
void bspi_hpget(const char *site, int64_t pid, const void *src, size_t offset, void *dst,
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
/* For bulk.c: a record of a put with @bytes more, which are returned. */
void *bspi_put_announce(const struct bspi_transfer *t, uint32_t what, size_t bytes);
void bspi_get_part(const struct bspi_transfer *t, uint32_t slot, size_t from, size_t to);

/* Larger records are placed so that their data copy fast. */
enum { BSPI_LARGE = 2048 };
/* A record of a header and up to *@nbytes of data from @src, fewer if no chunk takes them all. */
struct bspi_rec *bspi_room_for_data(int pid, size_t header, const char *src, size_t *nbytes);
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

/*
 * For gets in other files: false if there is nothing to do; else its slot. Ends the job if the
 * call is wrong.
 */
bool bspi_get_begin(const struct bspi_transfer *t, uint32_t *slot);
/* The bytes of a transfer to this process itself. */
char *bspi_own_bytes(const struct bspi_transfer *t, uint32_t slot);

#endif
