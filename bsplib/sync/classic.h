/* SPDX-License-Identifier: BSD-3-Clause */
/* classic.h - classic synchronisation: how each process learns how much is to come. */
#ifndef BSPI_CLASSIC_H
#define BSPI_CLASSIC_H

#include <stdbool.h>

/* Does this epoch end with a chunk from each process to each other? */
bool bspi_ends_alltoall(void);
/* Send the open chunks and the counts of this superstep. */
void bspi_classic_announce(void);
/* Take in chunks until all of this superstep are here. */
void bspi_classic_wait(void);

#endif
