// SPDX-License-Identifier: GPL-2.0-only
/* proto_accept_arg.c - compiles if the arguments of accept() are in a structure. */

#include <linux/net.h>
#include <net/sock.h>

static int accept_probe(struct socket *sock, struct socket *newsock, struct proto_accept_arg *arg)
{
	return arg->flags + arg->kern;
}

extern const struct proto_ops probe_ops;
const struct proto_ops probe_ops = { .accept = accept_probe };
