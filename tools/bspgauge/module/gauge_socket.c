// SPDX-License-Identifier: BSD-3-Clause
/* gauge_socket.c - sockets that can be made, and addresses by which others reach us. */

#include "gauge_socket.h"

#include "tools/bspgauge/gauge.h"

#include "include/enet.h"
#include "transport/duplicate.h"
#include "transport/interface.h"
#include "transport/ports.h"
#include "transport/transport.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

int gauge_socket_probe(int family, int type, int protocol, const char *otherwise, char *why,
		       size_t len)
{
	int fd = socket(family, type | SOCK_CLOEXEC, protocol);

	if (fd >= 0)
		return close(fd);
	snprintf(why, len, "%s (%s)", otherwise, strerror(errno));
	return -1;
}

bool gauge_socket_has(const char *interface)
{
	return if_nametoindex(interface) != 0;
}

const char *gauge_socket_interface(const struct gauge_option *o)
{
	return o->value ? o->value : gauge_request.interface;
}

bool gauge_socket_ethernet(const char *interface, unsigned char *address)
{
	struct ifreq r = { .ifr_name = "" };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool good;

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", interface);
	good = fd >= 0 && ioctl(fd, SIOCGIFHWADDR, &r) == 0;
	if (good)
		memcpy(address, r.ifr_hwaddr.sa_data, ENET_ADDR_BYTES);
	if (fd >= 0)
		close(fd);
	return good;
}

/* ---- Ports -------------------------------------------------------------------------- */

bool gauge_socket_bind(const struct gauge_job *job, int fd, struct sockaddr *at, socklen_t len)
{
	struct bspt_ports ports = bspt_ports_read(getenv("BSP_PORTS"));
	int n = at->sa_family == AF_INET ? bspt_ports_count(ports) : 0, i = 0;
	struct sockaddr_in *in = (void *)at;

	do {
		if (n)
			in->sin_port = htons(bspt_ports_at(ports, job->me, i));
		if (bind(fd, at, len) == 0)
			return getsockname(fd, at, &len) == 0;
	} while (errno == EADDRINUSE && ++i < n);
	return false;
}

/* ---- Addresses of IP ---------------------------------------------------------------- */

static struct gauge_job *asking;

/* The addresses of all machines are compared by the library's own means. */
static int gauge_socket_exchange(struct bspt_wire *w, const void *mine, size_t len,
				 bspt_take_fn *take, void *arg)
{
	char *all = malloc((size_t)w->nprocs * len);

	if (!all)
		return -ENOMEM;
	asking->exchange(mine, len, all);
	for (int p = 0; p < w->nprocs; p++)
		take(arg, p, all + (size_t)p * len);
	free(all);
	return 0;
}

static bool is_for_others(const struct ifaddrs *i, const uint32_t *duplicates)
{
	return i->ifa_addr && i->ifa_addr->sa_family == AF_INET && (i->ifa_flags & IFF_UP) &&
	       !(i->ifa_flags & IFF_LOOPBACK) && !bspt_duplicate_has(duplicates, i->ifa_addr) &&
	       bspt_interface_allows(getenv("BSP_INTERFACE"), i->ifa_name, i->ifa_addr);
}

/* The name of the host may be that of a loopback address, as 127.0.1.1 on Debian. */
bool gauge_socket_internet(struct gauge_job *job, struct sockaddr_in *in, bool all_here)
{
	struct bspt_wire wire = { .nprocs = job->nprocs, .exchange = gauge_socket_exchange };
	uint32_t duplicates[BSPT_DUPLICATES_MOST];
	char first[IF_NAMESIZE];
	struct ifaddrs *all;
	bool found = false, is_first = false;

	in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	asking = job;
	if (all_here)
		return true;
	if (bspt_duplicate_find(&wire, duplicates) != 0 || getifaddrs(&all) < 0)
		return false;
	bspt_interface_default(first);
	for (const struct ifaddrs *i = all; i && !is_first; i = i->ifa_next) {
		if (!is_for_others(i, duplicates))
			continue;
		is_first = strcmp(i->ifa_name, first) == 0;
		if (!found || is_first)
			in->sin_addr = ((struct sockaddr_in *)(void *)i->ifa_addr)->sin_addr;
		found = true;
	}
	freeifaddrs(all);
	return found;
}

void gauge_socket_explain(int process, char *why, size_t len)
{
	snprintf(why, len,
		 "process %d has no socket that the others reach; is there an address that "
		 "BSP_INTERFACE allows and that no other host has, and a free port of BSP_PORTS?",
		 process);
}
