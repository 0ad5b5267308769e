/* SPDX-License-Identifier: BSD-3-Clause */
/* barrier.h - classic synchronisation by a schedule. */
#ifndef BSPI_BARRIER_H
#define BSPI_BARRIER_H

#include "bsplib/engine/engine.h"

/* By which schedule: "knomial:4". False: there is none of that name. */
bool bspi_barrier_choose(const char *name);
/*
 * When the processes are there: by which way, if the network has been measured and the user has
 * not said.
 */
void bspi_barrier_choose_by_cost(void);
/* How messages call it. */
const char *bspi_barrier_name(void);
void bspi_barrier_open(void);
void bspi_barrier_close(void);
/* Enter it; wait until it ends, and fill in @c. */
void bspi_barrier_announce(void);
void bspi_barrier_wait(struct bspi_count *c);

#endif
