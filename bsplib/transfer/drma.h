/* SPDX-License-Identifier: BSD-3-Clause */
/* drma.h - puts and gets. */
#ifndef BSPI_DRMA_H
#define BSPI_DRMA_H

#include "bsplib/transfer/chunked.h"

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

/*
 * For gets in other files: false if there is nothing to do; else its slot, and this process does
 * not compute until bspi_computing(true). Ends the job if the call is wrong.
 */
bool bspi_get_begin(const struct bspi_transfer *t, uint32_t *slot);
/* The bytes of a transfer to this process itself. */
char *bspi_own_bytes(const struct bspi_transfer *t, uint32_t slot);

#endif
