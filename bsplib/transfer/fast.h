/* SPDX-License-Identifier: BSD-3-Clause */
/* fast.h - the fast path: puts, gets and reads of the area that was looked up last. */
#ifndef BSPI_FAST_H
#define BSPI_FAST_H

#include "bsplib/core/state.h"
#include "bsplib/transfer/region.h"

/*
 * While the path is open, fast_base is the address that was looked up last, and a call with that
 * address needs no other check: the phase, observers and the progress thread are no concern of it.
 * Closed, fast_base is an address that no program registers, so each call takes the way with all
 * checks. The functions below alone write these members.
 *
 * In bsp_sync the path is closed, as a call that is made then is one of another thread and is to be
 * refused; bsp_sync opens it again, unless it was closed for good meanwhile.
 */

/* A look-up has found the area at @base. */
static inline void bspi_fast_open(const void *base, uint32_t slot)
{
	/* observers see every call; a clock, a thread and runs under way want to be looked after */
	if (bspi.slow | bspi.clock | bspi.locked | bspi.flying | bspi.two_phases ||
	    bspi.eager != SIZE_MAX)
		return;
	bspi_regions.fast_base = base;
	bspi_regions.fast_slot = slot;
}

/* Until the next look-up: areas, or the conditions to open it, have changed. */
static inline void bspi_fast_close(void)
{
	bspi_regions.fast_base = bspi_regions.fast_after_sync = BSPI_NO_BASE;
}

/* When bsp_sync begins, and when it ends. */
static inline void bspi_fast_suspend(void)
{
	bspi_regions.fast_after_sync = bspi_regions.fast_base;
	bspi_regions.fast_base = BSPI_NO_BASE;
}

static inline void bspi_fast_resume(void)
{
	bspi_regions.fast_base = bspi_regions.fast_after_sync;
}

#endif
