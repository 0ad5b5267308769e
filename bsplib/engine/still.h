/* SPDX-License-Identifier: BSD-3-Clause */
/* still.h - this process waits for chunks, and has found none: for the search for deadlocks. */
#ifndef BSPI_STILL_H
#define BSPI_STILL_H

#include "bsplib/core/base.h"

#include <stdbool.h>

extern bool bspi_is_still;

/*
 * It is about to wait once more for chunks, which alone can end this wait. Shows that in the
 * status, unless something else could.
 */
void bspi_still_begin(void);
void bspi_still_end_now(void);

/* The wait has ended: a chunk is here, not looked at yet, or a counting barrier is over. */
static inline void bspi_still_end(void)
{
	if (BSPI_UNLIKELY(bspi_is_still))
		bspi_still_end_now();
}

#endif
