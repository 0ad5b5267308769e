/* SPDX-License-Identifier: BSD-3-Clause */
/* phase.h - may this call be made now? Included by bspi.h. */
#ifndef BSPI_PHASE_H
#define BSPI_PHASE_H

/* What nearly every call of the program begins with. */
static inline void bspi_require_running(const char *call, const char *place)
{
	if (BSPI_UNLIKELY(bspi.phase != BSPI_RUNNING))
		bspi_fail_phase(call, place);
	if (BSPI_UNLIKELY(bspi.flying))
		bspi_schedules_poll();
}

/* Of calls that only tell what does not change; an operator may make them in bsp_sync. */
static inline void bspi_require_part(const char *call, const char *place)
{
	if (BSPI_UNLIKELY(bspi.phase != BSPI_IN_SYNC))
		bspi_require_running(call, place);
}

/* The short ways are closed meanwhile, and no call but one of another thread finds this phase. */
static inline void bspi_set_syncing(bool on)
{
	struct bspi_regions *r = &bspi.regions;

	bspi.syncing = on;
	bspi.phase = on ? BSPI_IN_SYNC : BSPI_RUNNING;
	if (on)
		r->base_after_sync = r->last_base;
	r->last_base = on ? BSPI_NO_BASE : r->base_after_sync;
}

#endif
