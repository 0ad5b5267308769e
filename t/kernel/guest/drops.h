/* SPDX-License-Identifier: BSD-3-Clause */
/* drops.h - test programs in a guest: how many frames a host has dropped, and why. */
#ifndef GUEST_DROPS_H
#define GUEST_DROPS_H

#include "guest.h"

/* By host @host, for @reason; enters its namespace. */
static inline unsigned long long dropped(const char *host, const char *reason)
{
	unsigned long long count, found = 0;
	char name[24];
	FILE *f;

	enter(host);
	f = fopen("/proc/net/enet", "r");
	if (!f)
		bail("/proc/net/enet");
	while (fscanf(f, "%23s %llu %*[^\n]", name, &count) == 2)
		if (!strcmp(name, reason))
			found = count;
	fclose(f);
	return found;
}

#endif
