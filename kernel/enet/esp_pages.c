// SPDX-License-Identifier: GPL-2.0-only
/* esp_pages.c - bytes that are sent from the pages of their process; see ESP_SO_ZEROCOPY. */

/*
 * The kernel's machinery of MSG_ZEROCOPY. Each call of send() has a notice (struct ubuf_info), to
 * which each of its frames has a reference. It goes to the socket's queue of errors when the last
 * frame has been acknowledged and the device has released its clones. A frame has its headers in
 * its linear part and all data in fragments; clones that a host delivers to itself are copied
 * (skb_orphan_frags_rx()), so no receiver reads pages that their process may change.
 *
 * A frame and its notice hold the socket; pages, charged to the socket as other data are, outlive
 * their process until the frame has been acknowledged or its connection ends.
 */

#include "esp.h"

/* Can the interface send from pages? 0, or why not. */
static int esp_pages_device(const struct esp_sock *ep)
{
	struct net_device *dev;
	int err = -ENODEV;

	rcu_read_lock();
	dev = enet_device(sock_net(&ep->es.sk), ep->dev_ifindex);
	if (dev)
		err = dev->features & NETIF_F_SG ? 0 : -EOPNOTSUPP;
	rcu_read_unlock();
	return err;
}

int esp_pages_allow(struct esp_sock *ep, bool on)
{
	struct sock *sk = &ep->es.sk;
	int err = 0;

	lock_sock(sk);
	if (sk->sk_state != TCP_ESTABLISHED)
		err = -ENOTCONN;
	else if (on)
		err = esp_pages_device(ep);
	if (!err)
		sock_valbool_flag(sk, SOCK_ZEROCOPY, on);
	release_sock(sk);
	return err;
}

int esp_pages_begin(struct esp_sock *ep, struct msghdr *msg, struct ubuf_info **notice)
{
	struct sock *sk = &ep->es.sk;

	*notice = NULL;
	if (!(msg->msg_flags & MSG_ZEROCOPY) || !msg_data_left(msg))
		return 0;
	if (!sock_flag(sk, SOCK_ZEROCOPY))
		return -EOPNOTSUPP;
	*notice = compat_msg_zerocopy_alloc(sk, msg_data_left(msg));
	return *notice ? 0 : -ENOBUFS;
}

void esp_pages_end(struct ubuf_info *notice, bool sent)
{
	if (sent)
		net_zcopy_put(notice);
	else
		net_zcopy_put_abort(notice, true);
}

/* With more pieces than a frame can have, or after a fault, it has fewer bytes. */
int esp_pages_add(struct sk_buff *skb, struct iov_iter *from, size_t len, struct ubuf_info *notice)
{
	size_t left = iov_iter_count(from);
	int err;

	iov_iter_truncate(from, len);
	err = zerocopy_sg_from_iter(skb, from);
	iov_iter_reexpand(from, left - skb->len);
	skb_zcopy_set(skb, notice, NULL);
	return skb->len ? 0 : err;
}
