/* SPDX-License-Identifier: BSD-3-Clause */
/* prof_gain.h - which bsp_sync would gain from being relaxed, which read from earlier puts. */
#ifndef PROF_GAIN_H
#define PROF_GAIN_H

#include "prof.h"
#include "prof_graph.h"

enum { PROF_GAINS = 8 };

/* The time that a run would save if one call site were changed (struct prof_variant). */
struct prof_gain {
	uint32_t row;
	uint64_t ps;
	double percent;		/* of the run as it was recorded, by simulation */
};

/*
 * Simulates the run on @net once for each call site at which the processes waited for 1 % of it
 * or more, for the PROF_GAINS that waited longest. Call sites that save 0.1 % or more, the most
 * first: their number, or -1 and in @why the reason. Collective calls and the last barrier have
 * none.
 */
int prof_find_gains(const struct prof *p, const struct prof_network *net,
		    struct prof_gain gains[PROF_GAINS], char *why, size_t len);

/* "if it were relaxed" and so on. */
const char *prof_gain_means(const struct prof_row *row);

#endif
