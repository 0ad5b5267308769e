/* SPDX-License-Identifier: BSD-3-Clause */
/* interface.h - interfaces of this host: those of BSP_INTERFACE, and of the default route. */
#ifndef BSPT_INTERFACE_H
#define BSPT_INTERFACE_H

#include <net/if.h>
#include <stdbool.h>

struct sockaddr;

/*
 * Is @address of interface @name one that @list allows? The list has names and subnets, as in
 * "eth0,10.1.0.0/16", with commas; one that is empty or NULL allows all. An address that is
 * neither IPv4 nor IPv6 is in no subnet.
 */
bool bspt_interface_allows(const char *list, const char *name, const struct sockaddr *address);
/* The interface of the default route of IPv4 with the smallest metric; "" if there is none. */
void bspt_interface_default(char name[IF_NAMESIZE]);

#endif
