/* SPDX-License-Identifier: BSD-3-Clause */
/* counters.h - test programs in a guest: why host b of cable() has dropped frames. */
#ifndef GUEST_COUNTERS_H
#define GUEST_COUNTERS_H

#include "drops.h"

static struct drops seen;
static bool wanted[REASONS];	/* some frame has been made for it */
static unsigned long long late;	/* frames of settle() that may not have been counted yet */

/* A frame of settle() that is counted late, under no_socket, is not another reason. */
static inline bool is_late(const char *reason, unsigned long long more)
{
	if (strcmp(reason, "no_socket") || more > late)
		return false;
	late -= more;
	return true;
}

/* At least @n more are counted under @reason, and nothing under any other. */
static inline void counted(const char *reason, unsigned long long n, const char *what)
{
	int at = place_of_reason(&seen, reason), others = 0;
	struct drops now;

	for (int tries = 0; tries < 1000; tries++) {
		now = drops_of("b");
		if (now.count[at] >= seen.count[at] + n)
			break;
		usleep(10000);
	}
	for (int i = 0; i < now.n; i++)
		others += i != at && now.count[i] != seen.count[i] &&
			  !is_late(now.reason[i], now.count[i] - seen.count[i]);
	if (!ok(now.count[at] >= seen.count[at] + n && !others, what))
		for (int i = 0; i < now.n; i++)
			if (now.count[i] != seen.count[i])
				printf("# %s: %llu more\n", now.reason[i],
				       now.count[i] - seen.count[i]);
	wanted[at] = true;
	seen = now;
}

#endif
