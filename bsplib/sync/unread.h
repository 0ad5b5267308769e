/* SPDX-License-Identifier: BSD-3-Clause */
/* unread.h - puts and messages of relaxed supersteps that no bsp_read or bsp_expect covered. */
#ifndef BSPI_UNREAD_H
#define BSPI_UNREAD_H

/*
 * In bsp_sync and bsp_end, at a barrier that ends a relaxed epoch, when all chunks of the epoch
 * are here and nothing of this superstep has taken effect: the pops of this superstep, the first
 * classic bsp_sync and bsp_end take away what could still be read. Data that no call has read by
 * then end the job, or are a warning, or nothing: BSP_UNREAD. Cost: none before such a barrier;
 * there, a look at each area that is popped, or at all areas.
 */
void bspi_unread_at_barrier(void);
void bspi_unread_at_end(void);
void bspi_unread_open(void);

#endif
