// SPDX-License-Identifier: GPL-2.0-only
/* sockaddr_unsized.c - compiles if calls with addresses have that type. */

#include <linux/net.h>
#include <linux/socket.h>

static int bind_probe(struct socket *sock, struct sockaddr_unsized *addr, int len)
{
	return kernel_bind(sock, addr, len) + kernel_connect(sock, addr, len, 0);
}

extern const struct proto_ops probe_ops;
const struct proto_ops probe_ops = { .bind = bind_probe };
