/* SPDX-License-Identifier: BSD-3-Clause */
/* announce.h - notices at the beginning of a program. */
#ifndef BSPI_ANNOUNCE_H
#define BSPI_ANNOUNCE_H

#include "bsplib/api/places.h"
#include "transport/transport.h"

#include <stdbool.h>

/* With BSP_VERBOSE=1: the transports, the barrier, how waits poll, and what runs schedules. */
void bspi_announce_choice(const struct bspt_ops *ops, bool offload_is_auto,
			  const struct bspi_node *node);
/* Variables that are set and not read, or by an old name; once, not in each SPMD part. */
void bspi_announce_renamed(void);

#endif
