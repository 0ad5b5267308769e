/* SPDX-License-Identifier: BSD-3-Clause */
/* drops.h - test programs in a guest: how many frames a host has dropped, and why. */
#ifndef GUEST_DROPS_H
#define GUEST_DROPS_H

#include "guest.h"

enum { REASONS = 64 };

struct drops {
	int n;
	char reason[REASONS][24];
	unsigned long long count[REASONS];
};

/* In the namespace of this process. */
static inline struct drops drops_here(void)
{
	struct drops d = { 0 };
	FILE *f = fopen("/proc/net/enet", "r");

	if (!f)
		bail("/proc/net/enet");
	while (d.n < REASONS && fscanf(f, "%23s %llu %*[^\n]", d.reason[d.n], &d.count[d.n]) == 2)
		d.n++;
	fclose(f);
	return d;
}

/* By host @host; enters its namespace. */
static inline struct drops drops_of(const char *host)
{
	enter(host);
	return drops_here();
}

static inline int place_of_reason(const struct drops *d, const char *reason)
{
	for (int i = 0; i < d->n; i++)
		if (!strcmp(d->reason[i], reason))
			return i;
	bail(reason);
	return -1;
}

/* For @reason. */
static inline unsigned long long dropped_here(const char *reason)
{
	struct drops d = drops_here();

	return d.count[place_of_reason(&d, reason)];
}

/* By host @host, for @reason; enters its namespace. */
static inline unsigned long long dropped(const char *host, const char *reason)
{
	struct drops d = drops_of(host);

	return d.count[place_of_reason(&d, reason)];
}

#endif
