/* SPDX-License-Identifier: BSD-3-Clause */
/* twophase.h - supersteps in two phases (BSP_BARRIER=twophase): counts to all, then the data. */
#ifndef BSPI_TWOPHASE_H
#define BSPI_TWOPHASE_H

#include "bsplib/transfer/chunked.h"

/*
 * While bspi.two_phases, requests to other processes only wait here until bsp_sync; requests to
 * this process itself take the way of all. Nothing is sent before bsp_sync.
 *
 * bsp_put: the data are copied, those of bsp_hpput (BSPI_HP in @flags) are read in bsp_sync.
 */
void bspi_twophase_put(const struct bspi_transfer *t, uint32_t slot, uint32_t flags);
void bspi_twophase_get(const struct bspi_transfer *t, uint32_t slot, uint32_t flags);
/* Room for the record of a message of @bytes, which the caller fills in. */
void *bspi_twophase_message(const char *call, const char *site, int pid, size_t bytes);

/*
 * First phase: write into the open chunk of each other process how many puts, gets and messages
 * there are for it, and the region, offset and size of each put and get. A get needs no more: the
 * owner answers.
 */
void bspi_twophase_announce(void);
/*
 * Second phase, when the chunks of all other processes are here: check the places of the puts that
 * they announce, send a chunk for each put and message in the order of the calls, with BSPI_LAST on
 * the last one to each process, and return how many processes send such chunks to this one.
 */
int bspi_twophase_send(void);

/* In bsp_end: what waits is left out. */
void bspi_twophase_forget(void);
void bspi_twophase_open(void);
void bspi_twophase_close(void);

#endif
