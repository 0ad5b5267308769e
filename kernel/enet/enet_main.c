// SPDX-License-Identifier: GPL-2.0-only
/* enet_main.c - the socket family: namespaces, loading and unloading. */

#include "esp.h"

#include <linux/module.h>
#include <linux/ratelimit.h>

enum { ENET_ECHOES_PER_SECOND = 1000 };

/* ---- Namespaces --------------------------------------------------------------- */

static int __net_init enet_net_init(struct net *net)
{
	struct enet_net *en = enet_net_of(net);

	edp_net_init(en);
	esp_grant_init(en);
	esp_table_init(en);
	ratelimit_state_init(&en->echo, HZ, ENET_ECHOES_PER_SECOND);
	ratelimit_set_flags(&en->echo, RATELIMIT_MSG_ON_RELEASE);
	return enet_drops_init(net);
}

static void __net_exit enet_net_exit(struct net *net)
{
	enet_drops_exit(net);
}

static struct pernet_operations enet_net_ops = {
	.init = enet_net_init,
	.exit = enet_net_exit,
	.id   = &enet_net_id,
	.size = sizeof(struct enet_net),
};

/* ---- The family ----------------------------------------------------------------- */

static int enet_create(struct net *net, struct socket *sock, int protocol, int kern)
{
	if (protocol)
		return -EPROTONOSUPPORT;
	switch (sock->type) {
	case SOCK_DGRAM:
		return edp_create(net, sock, protocol, kern);
	case SOCK_STREAM:
		return esp_create(net, sock, protocol, kern);
	default:
		return -ESOCKTNOSUPPORT;
	}
}

static struct net_proto_family enet_family_ops = {
	.create = enet_create,
	.owner	= THIS_MODULE,
};

static int __init enet_init(void)
{
	int err;

	if (enet_family <= 0 || enet_family >= NPROTO)
		return -EINVAL;
	err = enet_memory_init();
	if (err)
		return err;
	err = register_pernet_subsys(&enet_net_ops);
	if (err)
		goto err_memory;
	err = edp_init();
	if (err)
		goto err_pernet;
	err = esp_init();
	if (err)
		goto err_edp;
	enet_family_ops.family = enet_family;
	err = sock_register(&enet_family_ops);
	if (err)
		goto err_esp;
	return 0;

err_esp:
	esp_exit();
err_edp:
	edp_exit();
err_pernet:
	unregister_pernet_subsys(&enet_net_ops);
err_memory:
	enet_memory_exit();
	return err;
}

/* No socket is left: each holds a reference to the module. */
static void __exit enet_exit(void)
{
	sock_unregister(enet_family);
	esp_exit();
	edp_exit();
	unregister_pernet_subsys(&enet_net_ops);
	rcu_barrier();			/* callbacks that free sockets are code of this module */
	enet_memory_exit();
}

module_init(enet_init);
module_exit(enet_exit);
MODULE_SOFTDEP("pre: crc32c");
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Sockets on plain Ethernet: EDP datagrams and ESP streams");
MODULE_ALIAS_NETPROTO(AF_ENET);
