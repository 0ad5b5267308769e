/* SPDX-License-Identifier: BSD-3-Clause */
/* link.h - the interfaces a0 and b0 of a guest's namespaces a and b: frame length, up and down. */
#ifndef LINK_H
#define LINK_H

#include "guest.h"

#include <net/if.h>
#include <sys/ioctl.h>

static inline void set_mtu(const char *ns, const char *name, int mtu)
{
	struct ifreq ifr = { .ifr_mtu = mtu };
	int fd = socket_in(ns, SOCK_DGRAM);

	strcpy(ifr.ifr_name, name);
	if (ioctl(fd, SIOCSIFMTU, &ifr))
		bail("SIOCSIFMTU");
	close(fd);
}

static inline void set_link(bool up)
{
	struct ifreq ifr = { .ifr_name = "b0", .ifr_flags = up ? IFF_UP : 0 };
	int fd = socket_in("b", SOCK_DGRAM);

	if (ioctl(fd, SIOCSIFFLAGS, &ifr))
		bail("SIOCSIFFLAGS");
	close(fd);
}

#endif
