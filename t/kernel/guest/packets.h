/* SPDX-License-Identifier: BSD-3-Clause */
/* packets.h - test programs in a guest: how many frames an interface has received and sent. */
#ifndef GUEST_PACKETS_H
#define GUEST_PACKETS_H

#include "guest.h"

struct packets {
	unsigned long received, sent;
};

/* In the namespace of this process. */
static inline struct packets packets_on(const char *interface)
{
	FILE *f = fopen("/proc/self/net/dev", "r");
	struct packets n = { 0, 0 };
	char line[300], name[32];

	while (f && fgets(line, sizeof(line), f)) {
		unsigned long received, sent;

		if (sscanf(line, " %31[^:]: %*u %lu %*u %*u %*u %*u %*u %*u %*u %lu", name,
			   &received, &sent) == 3 && !strcmp(name, interface))
			n = (struct packets){ received, sent };
	}
	if (!f)
		bail("/proc/self/net/dev");
	fclose(f);
	return n;
}

#endif
