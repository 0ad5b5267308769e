/* SPDX-License-Identifier: BSD-3-Clause */
/* interface.h - which addresses of this host BSP_INTERFACE allows. */
#ifndef BSPT_INTERFACE_H
#define BSPT_INTERFACE_H

#include <stdbool.h>

struct sockaddr;

/*
 * Is @address of interface @name one that @list allows? The list has names and subnets, as in
 * "eth0,10.1.0.0/16", with commas; one that is empty or NULL allows all. An address that is
 * neither IPv4 nor IPv6 is in no subnet.
 */
bool bspt_interface_allows(const char *list, const char *name, const struct sockaddr *address);

#endif
