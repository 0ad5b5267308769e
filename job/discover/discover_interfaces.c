// SPDX-License-Identifier: BSD-3-Clause
/* discover_interfaces.c - the Ethernet interfaces over which parts of a job find each other. */

#include "discover.h"

#include <errno.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

static bool has_flags(int fd, const char *name, short *flags)
{
	struct ifreq r = { 0 };

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", name);
	if (ioctl(fd, SIOCGIFFLAGS, &r) < 0)
		return false;
	*flags = r.ifr_flags;
	return true;
}

static bool is_ethernet(int fd, const char *name)
{
	struct ifreq r = { 0 };

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", name);
	return ioctl(fd, SIOCGIFHWADDR, &r) == 0 && r.ifr_hwaddr.sa_family == ARPHRD_ETHER;
}

static void interfaces_add(struct bspj_interfaces *list, const char *name)
{
	unsigned int index = if_nametoindex(name);

	if (index && list->n < BSPJ_INTERFACES_MOST)
		list->index[list->n++] = index;
}

static int interfaces_add_named(int fd, const char *name, struct bspj_interfaces *list, char *why,
				size_t len)
{
	short flags;

	if (!if_nametoindex(name) || !has_flags(fd, name, &flags))
		snprintf(why, len, "there is no interface %s (BSP_ESP_INTERFACE)", name);
	else if (!is_ethernet(fd, name))
		snprintf(why, len, "interface %s is no Ethernet (BSP_ESP_INTERFACE)", name);
	else if (!(flags & IFF_UP))
		snprintf(why, len, "interface %s is down (ip link set %s up)", name, name);
	else {
		interfaces_add(list, name);
		return 0;
	}
	return -ENODEV;
}

int bspj_choose_interfaces(int fd, const char *names, struct bspj_interfaces *list, char *why,
			   size_t len)
{
	struct if_nameindex *all = names[0] ? NULL : if_nameindex();
	char text[256], *rest, *name;
	short flags;
	int err = 0;

	list->n = 0;
	snprintf(text, sizeof(text), "%s", names);
	for (name = strtok_r(text, ",", &rest); name && !err; name = strtok_r(NULL, ",", &rest))
		err = interfaces_add_named(fd, name, list, why, len);
	for (struct if_nameindex *i = all; i && i->if_index; i++)
		if (has_flags(fd, i->if_name, &flags) && (flags & IFF_UP) &&
		    is_ethernet(fd, i->if_name))
			interfaces_add(list, i->if_name);
	if (all)
		if_freenameindex(all);
	if (has_flags(fd, "lo", &flags) && (flags & IFF_UP))
		interfaces_add(list, "lo");
	return err;
}
