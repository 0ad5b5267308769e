// SPDX-License-Identifier: GPL-2.0-only
/* enet_net.c - state of the module in a network namespace, and counters of dropped frames. */

#include "enet_sock.h"

#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <net/netns/generic.h>

unsigned int enet_net_id;
int enet_family = AF_ENET;
EXPORT_SYMBOL_GPL(enet_family);
module_param_named(family, enet_family, int, 0444);
MODULE_PARM_DESC(family, "number of the socket family (28)");

struct enet_net *enet_net_of(const struct net *net)
{
	return net_generic(net, enet_net_id);
}

static const char *const enet_drop_names[] = {
#define ENET_DROP(name, text) #name,
#include "drops.def"
#undef ENET_DROP
};

static const char *const enet_drop_texts[] = {
#define ENET_DROP(name, text) text,
#include "drops.def"
#undef ENET_DROP
};

void enet_drop(struct enet_net *en, struct sk_buff *skb, enum enet_drop why)
{
	this_cpu_inc(en->drops[why]);
	kfree_skb(skb);
}

struct sk_buff *enet_receive_skb(struct enet_net *en, struct sk_buff *skb,
				 const struct net_device *dev)
{
	if (skb->pkt_type == PACKET_OTHERHOST || skb->pkt_type == PACKET_OUTGOING) {
		kfree_skb(skb);
		return NULL;
	}
	skb = skb_share_check(skb, GFP_ATOMIC);
	if (!skb)
		this_cpu_inc(en->drops[ENET_DROP_shared]);
	/* A tunnel may call itself an Ethernet whose frames have no such header. */
	if (!skb || (enet_is_ethernet(dev) && skb_mac_header_was_set(skb) &&
		     skb_mac_offset(skb) <= -ETH_HLEN))
		return skb;
	enet_drop(en, skb, ENET_DROP_medium);
	return NULL;
}

static u64 enet_drop_count(const struct enet_net *en, enum enet_drop why)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += *per_cpu_ptr(&en->drops[why], cpu);
	return sum;
}

/* One line for each reason: name, frames, description. */
static int enet_drops_show(struct seq_file *m, void *v)
{
	const struct enet_net *en = enet_net_of(seq_file_single_net(m));

	for (int why = 0; why < ENET_DROPS; why++)
		seq_printf(m, "%-16s %10llu  %s\n", enet_drop_names[why], enet_drop_count(en, why),
			   enet_drop_texts[why]);
	return 0;
}

int enet_drops_init(struct net *net)
{
	struct enet_net *en = enet_net_of(net);

	en->drops = __alloc_percpu(ENET_DROPS * sizeof(u64), sizeof(u64));
	if (!en->drops)
		return -ENOMEM;
	if (proc_create_net_single("enet", 0444, net->proc_net, enet_drops_show, NULL))
		return 0;
	free_percpu(en->drops);
	return -ENOMEM;
}

void enet_drops_exit(struct net *net)
{
	remove_proc_entry("enet", net->proc_net);
	free_percpu(enet_net_of(net)->drops);
}
