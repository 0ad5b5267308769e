/* SPDX-License-Identifier: BSD-3-Clause */
/* processor.h - time of processors that this process has had, beside the time that has passed. */
#ifndef BSPI_PROCESSOR_H
#define BSPI_PROCESSOR_H

#include "bsplib/core/state.h"

#include "common/recording.h"

#include <time.h>

/* The time of all threads, ns; 0 in virtual time, which passes with the processor alone. */
static inline uint64_t bspi_processor_ns(void)
{
	struct timespec t;

	if (bspi.clock || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) < 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* In virtual time no process is without a processor while it computes. */
static inline bool bspi_processor_is_short(uint64_t processor, uint64_t computed)
{
	return !bspi.clock && recording_is_short(processor, computed);
}

#endif
