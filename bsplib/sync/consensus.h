/* SPDX-License-Identifier: BSD-3-Clause */
/* consensus.h - classic synchronisation that costs what was sent: BSP_BARRIER=nbx. */
#ifndef BSPI_CONSENSUS_H
#define BSPI_CONSENSUS_H

#include "bsplib/engine/engine.h"

void bspi_consensus_open(void);
void bspi_consensus_close(void);
/*
 * Send the last chunks; wait until all processes have all of theirs, and fill in @c. @start enters
 * a barrier without counts; @test reports whether it is over, and then stores the sums of all.
 */
void bspi_consensus_announce(void);
void bspi_consensus_wait(struct bspi_count *c, void (*start)(void),
			 bool (*test)(struct bspi_count *c));

#endif
