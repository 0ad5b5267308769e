// SPDX-License-Identifier: BSD-3-Clause
/* launch_ports.c - at which ports of BSP_PORTS mpirun and its daemons listen. */

/*
 * Daemons of Open MPI 4 listen at all ports of the range that they are given, not at one of them.
 * So they get a few, some for IPv4 and others for IPv6, for which they do not share a port. These
 * are free here; what another job has on another host is not known, hence several, at random
 * places of the range, one of which is enough.
 */

#include "launch.h"
#include "common/complain.h"
#include "transport/ports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum {
	EACH = 3,		/* of a family, */
	PLENTY = 24,		/* if there are so many; else one */
};

/* The places of all ports of the range, in a random order, to be freed. */
static uint16_t *shuffled(int n)
{
	uint16_t *at = malloc((size_t)n * sizeof(*at));
	unsigned int seed = 0, other;

	if (!at)
		fail(1, "no memory");
	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
		seed = (unsigned int)getpid();
	for (int i = 0; i < n; i++) {
		seed = seed * 1664525 + 1013904223;
		other = (unsigned int)((uint64_t)seed * (unsigned int)(i + 1) >> 32);
		at[i] = at[other];
		at[other] = (uint16_t)i;
	}
	return at;
}

void launch_ports_choose(const char *range, char lists[2][LAUNCH_PORTS])
{
	struct bspt_ports ports = bspt_ports_read(range);
	int n = bspt_ports_count(ports), wanted = n < PLENTY ? 2 : 2 * EACH, found = 0;
	uint16_t *order = shuffled(n);
	char why[BSPT_PORTS_WHY], *list;

	lists[0][0] = lists[1][0] = '\0';
	for (int i = 0; i < n && found < wanted; i++) {
		uint16_t port = bspt_ports_at(ports, 0, order[i]);

		if (!bspt_ports_is_unused(port))
			continue;
		list = lists[found++ % 2];
		sprintf(list + strlen(list), "%s%u", *list ? "," : "", port);
	}
	free(order);
	if (found)
		return;
	bspt_ports_explain(ports, why);
	fail(1, "mpirun cannot listen for its daemons: %s", why);
}
