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

/*
 * The saving by lists of neighbours, from the same simulation. False: it is below 1 %, or the
 * processes have lists, or they exchange with all others.
 */
struct prof_suggestion {
	uint32_t row;		/* the bsp_sync at which the processes waited longest */
	int least, most;	/* others that a process exchanges with */
	double percent;		/* of the run as it was recorded */
};
bool prof_suggest_neighbors(const struct prof *p, const struct prof_network *net,
			    struct prof_suggestion *s);
enum { PROF_SUGGESTION = 1200 };
void prof_suggestion_text(const struct prof *p, const struct prof_suggestion *s,
			  char text[PROF_SUGGESTION]);

/* "if it were relaxed" and so on. */
const char *prof_gain_means(const struct prof_row *row);

#endif
