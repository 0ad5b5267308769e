// SPDX-License-Identifier: BSD-3-Clause
/* interface.c - interfaces of this host: those of BSP_INTERFACE, and of the default route. */

#include "interface.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { ITEM_MOST = 64, LINE_MOST = 256 };

/* The bytes of an address, and how many there are; NULL: of another kind. */
static const unsigned char *bytes_of(const struct sockaddr *a, int *n)
{
	const struct sockaddr_in *v4 = (const void *)a;
	const struct sockaddr_in6 *v6 = (const void *)a;

	if (a->sa_family == AF_INET) {
		*n = sizeof(v4->sin_addr);
		return (const void *)&v4->sin_addr;
	}
	*n = sizeof(v6->sin6_addr);
	return a->sa_family == AF_INET6 ? v6->sin6_addr.s6_addr : NULL;
}

static bool same_bits(const unsigned char *a, const unsigned char *b, int bits)
{
	int rest = bits % 8;

	if (memcmp(a, b, bits / 8) != 0)
		return false;
	return !rest || (a[bits / 8] ^ b[bits / 8]) >> (8 - rest) == 0;
}

/* @subnet is "10.1.0.0/16" or "fd00::/8". */
static bool is_in_subnet(const struct sockaddr *address, char *subnet)
{
	unsigned char net[sizeof(struct in6_addr)];
	const unsigned char *bytes;
	char *slash = strchr(subnet, '/'), *end;
	long bits;
	int n;

	if (!address || !slash)
		return false;
	bytes = bytes_of(address, &n);
	*slash = '\0';
	bits = strtol(slash + 1, &end, 10);
	if (!bytes || end == slash + 1 || *end || bits < 0 || bits > 8L * n)
		return false;
	return inet_pton(address->sa_family, subnet, net) == 1 && same_bits(bytes, net, (int)bits);
}

bool bspt_interface_allows(const char *list, const char *name, const struct sockaddr *address)
{
	char item[ITEM_MOST];

	if (!list || !*list)
		return true;
	for (size_t n; *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (n >= sizeof(item))
			continue;
		memcpy(item, list, n);
		item[n] = '\0';
		if ((name && strcmp(item, name) == 0) || is_in_subnet(address, item))
			return true;
	}
	return false;
}

void bspt_interface_default(char name[IF_NAMESIZE])
{
	FILE *routes = fopen("/proc/net/route", "re");
	char line[LINE_MOST], interface[32];
	unsigned int to, gateway, flags, uses, metric, mask, least = UINT32_MAX;
	int references;

	name[0] = '\0';
	if (!routes)
		return;
	while (fgets(line, sizeof(line), routes)) {
		if (sscanf(line, "%31s %x %x %x %d %u %u %x", interface, &to, &gateway, &flags,
			   &references, &uses, &metric, &mask) != 8)
			continue;
		if (to || mask || !(flags & 1) || metric >= least)
			continue;
		least = metric;
		snprintf(name, IF_NAMESIZE, "%.*s", IF_NAMESIZE - 1, interface);
	}
	fclose(routes);
}
