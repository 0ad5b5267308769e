/* SPDX-License-Identifier: BSD-3-Clause */
/* gauge_socket.h - sockets of modules: whether they exist, and their addresses. */
#ifndef BSP_GAUGE_SOCKET_H
#define BSP_GAUGE_SOCKET_H

#include <stdbool.h>
#include <stddef.h>

struct sockaddr_in;

/* Can a socket of this family and type be made? 0, or -1 and @otherwise and the error in @why. */
int gauge_socket_probe(int family, int type, const char *otherwise, char *why, size_t len);
/* The Ethernet address of --interface; false, and @address as it was, if it has none. */
bool gauge_socket_ethernet(unsigned char *address);
/* The address of @host, as far as it is known; the loopback if all processes are here. */
void gauge_socket_internet(struct sockaddr_in *in, const char *host, bool all_here);

#endif
