/* SPDX-License-Identifier: BSD-3-Clause */
/* counters.h - test programs in a guest: why host b of cable() has dropped frames. */
#ifndef GUEST_COUNTERS_H
#define GUEST_COUNTERS_H

#include "guest.h"

enum { REASONS = 64 };

struct counters {
	int n;
	char name[REASONS][24];
	unsigned long long count[REASONS];
	bool wanted[REASONS];	/* some frame has been made for it */
};

static struct counters seen;
static unsigned long long late;	/* frames of settle() that may not have been counted yet */

static inline struct counters look(void)
{
	struct counters c = { 0 };
	FILE *f;

	enter("b");
	f = fopen("/proc/net/enet", "r");
	if (!f)
		bail("/proc/net/enet");
	while (c.n < REASONS && fscanf(f, "%23s %llu %*[^\n]", c.name[c.n], &c.count[c.n]) == 2)
		c.n++;
	fclose(f);
	return c;
}

static inline int place_of(const char *reason)
{
	for (int i = 0; i < seen.n; i++)
		if (!strcmp(seen.name[i], reason))
			return i;
	bail(reason);
	return -1;
}

/* What a frame of settle() that was thought to be lost adds is no other reason. */
static inline bool is_late(const char *name, unsigned long long more)
{
	if (strcmp(name, "no_socket") || more > late)
		return false;
	late -= more;
	return true;
}

/* At least @n more are counted under @reason, and nothing under any other. */
static inline void counted(const char *reason, unsigned long long n, const char *what)
{
	struct counters now;
	int at = place_of(reason), others = 0;

	for (int tries = 0; tries < 1000; tries++) {
		now = look();
		if (now.count[at] >= seen.count[at] + n)
			break;
		usleep(10000);
	}
	for (int i = 0; i < now.n; i++)
		others += i != at && now.count[i] != seen.count[i] &&
			  !is_late(now.name[i], now.count[i] - seen.count[i]);
	if (!ok(now.count[at] >= seen.count[at] + n && !others, what))
		for (int i = 0; i < now.n; i++)
			if (now.count[i] != seen.count[i])
				printf("# %s: %llu more\n", now.name[i],
				       now.count[i] - seen.count[i]);
	memcpy(now.wanted, seen.wanted, sizeof(now.wanted));
	now.wanted[at] = true;
	seen = now;
}

#endif
