/* SPDX-License-Identifier: BSD-3-Clause */
/* areas.h - the processes agree on what they push and pop in a superstep. */
#ifndef BSPI_AREAS_H
#define BSPI_AREAS_H

/* In a bsp_sync with pushes or pops: before the wait for all; and after it. */
void bspi_areas_announce(void);
void bspi_areas_agree(void);

#endif
