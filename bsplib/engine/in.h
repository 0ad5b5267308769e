/* SPDX-License-Identifier: BSD-3-Clause */
/* in.h - receiving: taking chunks in, and waiting for them. */
#ifndef BSPI_IN_H
#define BSPI_IN_H

#include "bsplib/core/state.h"
#include "bsplib/core/waits.h"

/* Take in one chunk, if there is one; or else wait. */
bool bspi_take_in(void);
void bspi_wait(unsigned int *idle);
void bspi_pump(unsigned int *idle);
/* The same, and show in the status what is awaited, see core/status.h. */
void bspi_pump_for(unsigned int *idle, enum bspi_wait_for what, uint32_t first, uint32_t second);
/* Take in all chunks that have come. True if there was one. */
bool bspi_drain(void);
/* Chunks that this process sent to itself are here as soon as they are sent. */
void bspi_take_in_own(void);
/*
 * In bsp_sync, while arrivals are being handled: make progress with sends and receives.
 * Chunks that arrive are only put aside. With @idle it waits if there are none, else it returns at
 * once.
 */
void bspi_pump_aside(unsigned int *idle);

#endif
