/* SPDX-License-Identifier: BSD-3-Clause */
/* bulk.h - large transfers over a network: bulk.c. */
#ifndef BSPI_BULK_H
#define BSPI_BULK_H

#include "bsplib/transfer/chunked.h"

void bspi_bulk_open(void);
void bspi_bulk_close(void);
/* Is that how so many bytes go to @pid? */
bool bspi_bulk_fits(int pid, size_t nbytes, bool hp);
void bspi_bulk_put(const struct bspi_transfer *t, uint32_t slot, uint32_t flags);
/* Announce one whose bytes do not come: it is beyond the area there, and the target refuses it. */
void bspi_bulk_put_beyond(const struct bspi_transfer *t, uint32_t slot, uint32_t flags);
void bspi_bulk_answer(int to, const char *src, uint64_t dst, size_t nbytes, bool hp);
/* In bsp_sync, before the last chunks. */
void bspi_bulk_send_all(void);
/* Something may have moved; after each poll, while bspi.bulks is not 0. Has something? */
bool bspi_bulk_settle(void);
/*
 * Nothing that has an order is under way to these bytes, or it is waited for: what comes next
 * there may be written. In bsp_sync, in the middle of a chunk, too.
 */
void bspi_bulk_await_place(const void *at, size_t bytes);
/* Is something on its way to us? */
bool bspi_bulk_coming(void);
/* A number for one that is not made here: struct bspt_bulk.id. */
uint32_t bspi_bulk_number(void);
/* Until there is none; until those are sent that this superstep waits for. */
void bspi_bulk_wait(void);
/* Until all that have an order are here: answers, before puts are written. */
void bspi_bulk_wait_ordered(void);
void bspi_bulk_wait_sent(void);
/* Copies that have been idle for long are freed. How many bytes. */
size_t bspi_bulk_trim(void);
/* In bsp_end: those of after the last bsp_sync. */
void bspi_bulk_forget(void);

#endif
