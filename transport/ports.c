// SPDX-License-Identifier: BSD-3-Clause
/* ports.c - the ports of TCP and UDP at which a job may wait for others: BSP_PORTS. */

/*
 * A port is taken when listen() has succeeded, not bind(): with SO_REUSEADDR, which lets a socket
 * have the port of connections that a job before this one has closed, two sockets can be bound to
 * a port of which neither listens yet. Then the second listen() fails, and the next port is tried.
 */

#include "ports.h"

#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TYPES = SOCK_STREAM | SOCK_DGRAM };

/* Room for either family. */
union ports_address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

_Static_assert(offsetof(struct sockaddr_in, sin_port) == offsetof(struct sockaddr_in6, sin6_port),
	       "the port is at the same place in both");

struct bspt_ports bspt_ports_read(const char *text)
{
	struct bspt_ports ports = { 0, 0 };
	char rest;

	if (!text || sscanf(text, "%5hu-%5hu%c", &ports.low, &ports.high, &rest) != 2 ||
	    ports.low > ports.high)
		ports = (struct bspt_ports){ 0, 0 };
	return ports;
}

int bspt_ports_count(struct bspt_ports ports)
{
	return ports.low ? ports.high - ports.low + 1 : 0;
}

uint16_t bspt_ports_at(struct bspt_ports ports, int me, int i)
{
	int n = bspt_ports_count(ports);

	return (uint16_t)(ports.low + (me % n + i) % n);
}

/* Where the system chooses the port it may choose one that another socket has by SO_REUSEADDR. */
static int ports_listen(int fd, int type, const union ports_address *at, socklen_t len)
{
	int on = at->v4.sin_port != 0, off = 0;

	if (at->any.sa_family == AF_INET6)	/* for both families, where it is for any address */
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
	if ((type & TYPES) == SOCK_DGRAM)
		return bind(fd, &at->any, len);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	return bind(fd, &at->any, len) == 0 ? listen(fd, SOMAXCONN) : -1;
}

static int ports_open_one(uint16_t port, int type, const struct sockaddr *at, socklen_t len)
{
	union ports_address address;
	int fd, error;

	if (len > sizeof(address)) {
		errno = EAFNOSUPPORT;
		return -1;
	}
	memcpy(&address, at, len);
	address.v4.sin_port = htons(port);
	fd = socket(address.any.sa_family, type, 0);
	if (fd < 0 || ports_listen(fd, type, &address, len) == 0)
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

int bspt_ports_open(struct bspt_ports ports, int me, int type, const struct sockaddr *at,
		    socklen_t len)
{
	int n = bspt_ports_count(ports), fd = -1;

	if (!n)
		return ports_open_one(0, type, at, len);
	errno = EADDRINUSE;
	for (int i = 0; i < n && fd < 0 && errno == EADDRINUSE; i++)
		fd = ports_open_one(bspt_ports_at(ports, me, i), type, at, len);
	return fd;
}

int bspt_ports_try(uint16_t port, int type, const struct sockaddr *at, socklen_t len)
{
	int fd = ports_open_one(port, type | SOCK_CLOEXEC, at, len);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

bool bspt_ports_is_unused(uint16_t port)
{
	struct sockaddr_in6 at = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
	struct sockaddr_in at4 = { .sin_family = AF_INET, .sin_port = htons(port) };
	int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0), err;
	bool has_both = fd >= 0;

	if (!has_both)
		fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	err = has_both ? bind(fd, (struct sockaddr *)&at, sizeof(at)) :
			 bind(fd, (struct sockaddr *)&at4, sizeof(at4));
	if (fd >= 0)
		close(fd);
	return err == 0;
}

void bspt_ports_explain(struct bspt_ports ports, char why[BSPT_PORTS_WHY])
{
	snprintf(why, BSPT_PORTS_WHY,
		 "all %d ports of BSP_PORTS=%u-%u are in use on its host; name more, or others "
		 "than those of other jobs",
		 bspt_ports_count(ports), ports.low, ports.high);
}
