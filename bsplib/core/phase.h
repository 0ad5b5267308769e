/* SPDX-License-Identifier: BSD-3-Clause */
/* phase.h - may this call be made now? */
#ifndef BSPI_PHASE_H
#define BSPI_PHASE_H

#include "bsplib/core/error.h"
#include "bsplib/core/hooks.h"
#include "bsplib/core/state.h"

/* Nearly every call of the program begins with this. */
static inline void bspi_require_running(const char *call, const char *site)
{
	if (BSPI_UNLIKELY(bspi.phase != BSPI_RUNNING))
		bspi_fail_phase(call, site);
	if (BSPI_UNLIKELY(bspi.flying))
		bspi_hooks.poll();
}

/* For calls that return a constant of the job; an operator may make them in bsp_sync. */
static inline void bspi_require_part(const char *call, const char *site)
{
	if (BSPI_UNLIKELY(bspi.phase != BSPI_IN_SYNC))
		bspi_require_running(call, site);
}

/* An operator of a collective operation must not call @call. */
static inline void bspi_require_no_operator(const char *call, const char *site)
{
	if (BSPI_UNLIKELY(bspi.operator_of))
		bspi_fail_operator(call, site);
}

#endif
