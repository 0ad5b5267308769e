// SPDX-License-Identifier: GPL-2.0-only
/* answer.c - a module that echoes frames, in softirq or by a worker: for bench/offload.sh. */

/*
 * A frame of ANSWER_ETHERTYPE begins with 's' or 'w', for an answer in softirq or by the worker,
 * and whether it is an answer; others are dropped. Frames that wait for the worker hold their
 * device.
 */
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/workqueue.h>

enum { ANSWER_ETHERTYPE = 0x9abc, WHO = ETH_HLEN, IS_ANSWER, FRAME_LEAST };

static struct sk_buff_head waiting;
static struct workqueue_struct *queue;

static void send_back(struct sk_buff *skb)
{
	struct ethhdr *eth;

	skb_push(skb, ETH_HLEN);
	if (skb_ensure_writable(skb, FRAME_LEAST)) {
		kfree_skb(skb);
		return;
	}
	eth = (struct ethhdr *)skb->data;
	ether_addr_copy(eth->h_dest, eth->h_source);
	ether_addr_copy(eth->h_source, skb->dev->dev_addr);
	skb->data[IS_ANSWER] = 1;
	dev_queue_xmit(skb);
}

static void work(struct work_struct *w)
{
	struct sk_buff *skb;

	while ((skb = skb_dequeue(&waiting))) {
		struct net_device *dev = skb->dev;

		send_back(skb);
		dev_put(dev);
	}
}

static DECLARE_WORK(worker, work);

static int answer_receive(struct sk_buff *skb, struct net_device *dev, struct packet_type *type,
			  struct net_device *orig)
{
	skb = skb_share_check(skb, GFP_ATOMIC);
	if (!skb)
		return NET_RX_DROP;
	if (skb->pkt_type != PACKET_HOST || !pskb_may_pull(skb, FRAME_LEAST - ETH_HLEN) ||
	    skb->data[IS_ANSWER - ETH_HLEN] || !strchr("sw", skb->data[WHO - ETH_HLEN])) {
		kfree_skb(skb);
	} else if (skb->data[WHO - ETH_HLEN] == 's') {
		send_back(skb);
	} else {
		dev_hold(dev);
		skb_queue_tail(&waiting, skb);
		queue_work(queue, &worker);
	}
	return NET_RX_SUCCESS;
}

static struct packet_type type = { .type = cpu_to_be16(ANSWER_ETHERTYPE), .func = answer_receive };

static int __init init(void)
{
	skb_queue_head_init(&waiting);
	/* As in espgoal. */
	queue = alloc_workqueue("answer", WQ_HIGHPRI | WQ_UNBOUND, 0);
	if (!queue)
		return -ENOMEM;
	dev_add_pack(&type);
	return 0;
}

static void __exit uninit(void)
{
	dev_remove_pack(&type);
	destroy_workqueue(queue);
}

module_init(init);
module_exit(uninit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("sends frames back, in softirq or by a worker");
