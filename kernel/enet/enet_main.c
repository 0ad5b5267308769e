// SPDX-License-Identifier: GPL-2.0-only
/* enet_main.c - the socket family: namespaces, counters, loading and unloading. */

#include "esp.h"

#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/ratelimit.h>
#include <linux/seq_file.h>
#include <net/netns/generic.h>

enum { ECHOES_PER_SECOND = 1000 };

unsigned int enet_net_id;
int enet_family = AF_ENET;
EXPORT_SYMBOL_GPL(enet_family);
module_param_named(family, enet_family, int, 0444);
MODULE_PARM_DESC(family, "number of the socket family (28)");

struct enet_net *enet_net_of(const struct net *net)
{
	return net_generic(net, enet_net_id);
}

/* ---- Counters ---------------------------------------------------------------- */

static const char *const drop_names[] = {
#define ENET_DROP(name, text) #name,
#include "drops.def"
#undef ENET_DROP
};

static const char *const drop_texts[] = {
#define ENET_DROP(name, text) text,
#include "drops.def"
#undef ENET_DROP
};

void enet_drop(struct enet_net *en, struct sk_buff *skb, enum enet_drop why)
{
	this_cpu_inc(en->drops[why]);
	kfree_skb(skb);
}

struct sk_buff *enet_take(struct enet_net *en, struct sk_buff *skb, const struct net_device *dev)
{
	if (skb->pkt_type == PACKET_OTHERHOST || skb->pkt_type == PACKET_OUTGOING) {
		kfree_skb(skb);
		return NULL;
	}
	skb = skb_share_check(skb, GFP_ATOMIC);
	if (!skb)
		this_cpu_inc(en->drops[ENET_DROP_shared]);
	if (!skb || enet_carries(dev))
		return skb;
	enet_drop(en, skb, ENET_DROP_medium);
	return NULL;
}

static u64 count_of(const struct enet_net *en, enum enet_drop why)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += *per_cpu_ptr(&en->drops[why], cpu);
	return sum;
}

/* A line for each reason: name, frames, and what it means. */
static int show_drops(struct seq_file *m, void *v)
{
	const struct enet_net *en = enet_net_of(seq_file_single_net(m));

	for (int why = 0; why < ENET_DROPS; why++)
		seq_printf(m, "%-16s %10llu  %s\n", drop_names[why], count_of(en, why),
			   drop_texts[why]);
	return 0;
}

/* ---- Namespaces --------------------------------------------------------------- */

static int __net_init open_net(struct net *net)
{
	struct enet_net *en = enet_net_of(net);

	en->drops = __alloc_percpu(ENET_DROPS * sizeof(u64), sizeof(u64));
	if (!en->drops)
		return -ENOMEM;
	enet_table_init(&en->edp);
	esp_table_init(en);
	ratelimit_state_init(&en->echo, HZ, ECHOES_PER_SECOND);
	ratelimit_set_flags(&en->echo, RATELIMIT_MSG_ON_RELEASE);
	if (proc_create_net_single("enet", 0444, net->proc_net, show_drops, NULL))
		return 0;
	free_percpu(en->drops);
	return -ENOMEM;
}

static void __net_exit close_net(struct net *net)
{
	remove_proc_entry("enet", net->proc_net);
	free_percpu(enet_net_of(net)->drops);
}

static struct pernet_operations net_ops = {
	.init = open_net,
	.exit = close_net,
	.id   = &enet_net_id,
	.size = sizeof(struct enet_net),
};

/* ---- The family ----------------------------------------------------------------- */

static int create(struct net *net, struct socket *sock, int protocol, int kern)
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

static struct net_proto_family family_ops = {
	.create = create,
	.owner	= THIS_MODULE,
};

static int __init enet_init(void)
{
	int err;

	if (enet_family <= 0 || enet_family >= NPROTO)
		return -EINVAL;
	err = register_pernet_subsys(&net_ops);
	if (err)
		return err;
	err = edp_init();
	if (err)
		goto err_pernet;
	err = esp_init();
	if (err)
		goto err_edp;
	family_ops.family = enet_family;
	err = sock_register(&family_ops);
	if (err)
		goto err_esp;
	return 0;

err_esp:
	esp_exit();
err_edp:
	edp_exit();
err_pernet:
	unregister_pernet_subsys(&net_ops);
	return err;
}

/* No socket is left: each holds a reference to the module. */
static void __exit enet_exit(void)
{
	sock_unregister(enet_family);
	esp_exit();
	edp_exit();
	unregister_pernet_subsys(&net_ops);
	rcu_barrier();			/* sockets that are being freed call into us */
}

module_init(enet_init);
module_exit(enet_exit);
MODULE_SOFTDEP("pre: crc32c");
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Sockets on plain Ethernet: EDP datagrams and ESP streams");
MODULE_ALIAS_NETPROTO(AF_ENET);
