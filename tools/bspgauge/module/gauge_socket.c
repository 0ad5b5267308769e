// SPDX-License-Identifier: BSD-3-Clause
/* gauge_socket.c - sockets that can be made, and addresses by which others reach us. */

#include "gauge_socket.h"

#include "tools/bspgauge/gauge.h"

#include "include/enet.h"

#include <errno.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
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

void gauge_socket_internet(struct sockaddr_in *in, const char *host, bool all_here)
{
	struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM }, *found = NULL;

	in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (all_here || getaddrinfo(host, NULL, &hints, &found) || !found)
		return;
	in->sin_addr = ((struct sockaddr_in *)(void *)found->ai_addr)->sin_addr;
	freeaddrinfo(found);
}
