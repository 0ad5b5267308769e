// SPDX-License-Identifier: BSD-3-Clause
/* duplicate.c - addresses of this machine that another machine of the job has as well. */

/*
 * Bridges of containers have the same address on each host, 172.17.0.1 that of docker0. It looks
 * like any other, and what is sent there stays on the host. So before a process chooses an address
 * all processes exchange those of their machines. Only IPv4 is looked at: bridges get no routable
 * IPv6 address by default.
 *
 * Processes of one machine have the same addresses and may use them, also where they are several
 * nodes (BSP_NODE_SIZE). A machine is a kernel and a network namespace of it.
 */

#include "duplicate.h"

#include "siphash.h"
#include "transport.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Exchanged by all. */
struct machine {
	uint64_t identity;		/* 0: not known */
	uint32_t address[BSPT_DUPLICATES_MOST];	/* 0: none */
};

static uint64_t machine_identity(void)
{
	static const struct siphash_key key;
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	char text[64 + sizeof(uint64_t)] = "";
	struct stat network;
	bool known = file && fgets(text, 64, file);

	if (file)
		fclose(file);
	if (!known || stat("/proc/self/ns/net", &network) < 0)
		return 0;
	memcpy(text + 64, &(uint64_t){ network.st_ino }, sizeof(uint64_t));
	return siphash(text, sizeof(text), &key) | 1;
}

static void machine_describe(struct machine *m)
{
	struct ifaddrs *all;
	int n = 0;

	*m = (struct machine){ .identity = machine_identity() };
	if (getifaddrs(&all) < 0)
		return;
	for (struct ifaddrs *i = all; i && n < BSPT_DUPLICATES_MOST; i = i->ifa_next) {
		const void *of = i->ifa_addr;

		if (of && i->ifa_addr->sa_family == AF_INET && (i->ifa_flags & IFF_UP) &&
		    !(i->ifa_flags & IFF_LOOPBACK))
			m->address[n++] = ((const struct sockaddr_in *)of)->sin_addr.s_addr;
	}
	freeifaddrs(all);
}

static bool machine_has(const struct machine *m, uint32_t address)
{
	for (int i = 0; i < BSPT_DUPLICATES_MOST && m->address[i]; i++)
		if (m->address[i] == address)
			return true;
	return false;
}

/* The addresses of this machine: which do others have? */
struct machine_compared {
	struct machine mine;
	bool others_have[BSPT_DUPLICATES_MOST];
};

static void machine_compare(void *arg, int p, const void *its)
{
	struct machine_compared *c = arg;
	struct machine m;

	(void)p;
	memcpy(&m, its, sizeof(m));
	if (!c->mine.identity || !m.identity || m.identity == c->mine.identity)
		return;
	for (int i = 0; i < BSPT_DUPLICATES_MOST && c->mine.address[i]; i++)
		c->others_have[i] |= machine_has(&m, c->mine.address[i]);
}

int bspt_duplicate_find(struct bspt_wire *w, uint32_t duplicates[BSPT_DUPLICATES_MOST])
{
	struct machine_compared c = { .others_have = { false } };
	int err, n = 0;

	memset(duplicates, 0, BSPT_DUPLICATES_MOST * sizeof(*duplicates));
	machine_describe(&c.mine);
	err = w->exchange(w, &c.mine, sizeof(c.mine), machine_compare, &c);
	for (int i = 0; !err && i < BSPT_DUPLICATES_MOST; i++)
		if (c.others_have[i])
			duplicates[n++] = c.mine.address[i];
	return err;
}

bool bspt_duplicate_has(const uint32_t *duplicates, const struct sockaddr *address)
{
	const struct sockaddr_in *v4 = (const void *)address;

	if (!duplicates || address->sa_family != AF_INET)
		return false;
	for (int i = 0; i < BSPT_DUPLICATES_MOST && duplicates[i]; i++)
		if (duplicates[i] == v4->sin_addr.s_addr)
			return true;
	return false;
}

void bspt_duplicate_list(const uint32_t *duplicates, const char *end, char *text, size_t len)
{
	char address[INET_ADDRSTRLEN];
	size_t at = 0;

	text[0] = '\0';
	for (int i = 0; duplicates && i < BSPT_DUPLICATES_MOST && duplicates[i] && at < len; i++) {
		inet_ntop(AF_INET, &duplicates[i], address, sizeof(address));
		at += (size_t)snprintf(text + at, len - at, "%s%s%s", i ? "," : "",
				       address, end);
	}
}
