// SPDX-License-Identifier: GPL-2.0-only
/* edp.c - EDP: datagrams of one frame each, without retransmission. */

#include "enet_sock.h"

#include <linux/etherdevice.h>
#include <linux/filter.h>
#include <linux/ratelimit.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include <asm/ioctls.h>

enum { EDP_GROUPS_MOST = 64 };	/* of one socket */

/*
 * A multicast group on an interface. The device may get another type, and read and compare more
 * bytes of an address than an Ethernet has.
 */
struct edp_group {
	struct list_head list;
	struct rcu_head rcu;
	int ifindex;
	u8 addr[MAX_ADDR_LEN];
};

struct edp_sock {
	struct enet_sock es;
	__be16 peer_port;		/* 0: not connected */
	int peer_ifindex;
	u8 peer[ETH_ALEN];
	struct list_head groups;	/* changed under RTNL, read under RCU */
	unsigned int ngroups;
	struct list_head member;	/* in a list of its namespace, if it is in groups */
	bool has_been_member;
	atomic_t sent, send_errors, received, dropped;
};

static struct edp_sock *edp_sk(const struct sock *sk)
{
	return (struct edp_sock *)sk;
}

static struct enet_table *edp_ports(const struct sock *sk)
{
	return &enet_net_of(sock_net(sk))->edp;
}

/* ---- Receiving ----- */

static bool edp_has_joined(const struct edp_sock *ep, int ifindex, const u8 *addr)
{
	const struct edp_group *g;

	list_for_each_entry_rcu(g, &ep->groups, list)
		if (g->ifindex == ifindex && ether_addr_equal(g->addr, addr))
			return true;
	return false;
}

/* Why a socket refuses the frame; ENET_DROPS: it does not. */
static enum enet_drop edp_filter(const struct edp_sock *ep, const struct sk_buff *skb, __be16 sport)
{
	const struct ethhdr *eth = eth_hdr(skb);
	__be16 port = READ_ONCE(ep->peer_port);

	if (port && (port != sport || !ether_addr_equal(ep->peer, eth->h_source)))
		return ENET_DROP_not_connected;
	if (is_multicast_ether_addr(eth->h_dest) && !is_broadcast_ether_addr(eth->h_dest) &&
	    !edp_has_joined(ep, skb->dev->ifindex, eth->h_dest))
		return ENET_DROP_not_joined;
	return ENET_DROPS;
}

/* Why it cannot be queued, which is charged then; ENET_DROPS: it can. */
static enum enet_drop edp_accept(struct sock *sk, struct sk_buff *skb)
{
	int err = sk_filter(sk, skb);

	if (err)
		return err == -EPERM ? ENET_DROP_filtered : ENET_DROP_memory;
	if (atomic_read(&sk->sk_rmem_alloc) >= READ_ONCE(sk->sk_rcvbuf))
		return ENET_DROP_no_room;
	return enet_memory_own_received(sk, skb) ? ENET_DROPS : ENET_DROP_memory;
}

/* The frame, without its header, is consumed. */
static void edp_queue(struct enet_net *en, struct edp_sock *ep, struct sk_buff *skb)
{
	struct sock *sk = &ep->es.sk;
	enum enet_drop why = edp_accept(sk, skb);

	if (why != ENET_DROPS) {
		atomic_inc(&ep->dropped);
		return enet_drop(en, skb, why);
	}
	skb->dev = NULL;
	skb_dst_drop(skb);
	skb_queue_tail(&sk->sk_receive_queue, skb);
	if (!sock_flag(sk, SOCK_DEAD))
		sk->sk_data_ready(sk);
	atomic_inc(&ep->received);
}

static void edp_queue_clone(struct enet_net *en, struct edp_sock *ep, const struct sk_buff *skb)
{
	struct sk_buff *copy = skb_clone((struct sk_buff *)skb, GFP_ATOMIC);

	if (copy)
		return edp_queue(en, ep, copy);
	atomic_inc(&ep->dropped);
	this_cpu_inc(en->drops[ENET_DROP_shared]);
}

/*
 * A unicast frame is for the first socket that accepts it; a multicast or broadcast one for each.
 */
static void edp_deliver(struct enet_net *en, struct sk_buff *skb, const struct enet_wire_edp *h)
{
	bool multicast = is_multicast_ether_addr(eth_hdr(skb)->h_dest);
	__be16 sport = h->sport, dport = h->dport;
	enum enet_drop why = ENET_DROP_no_socket;
	int ifindex = skb->dev->ifindex;
	struct edp_sock *receiver = NULL;
	struct enet_sock *es;

	enet_addr_fill((struct sockaddr_en *)skb->cb, sport, ifindex, eth_hdr(skb)->h_source);
	__skb_pull(skb, sizeof(*h));
	es = enet_find(&en->edp, dport, ifindex);
	for (; es && (multicast || !receiver); es = enet_find_after(es, dport, ifindex)) {
		why = edp_filter((struct edp_sock *)es, skb, sport);
		if (why != ENET_DROPS)
			continue;
		if (receiver)
			edp_queue_clone(en, receiver, skb);
		receiver = (struct edp_sock *)es;
	}
	if (receiver)
		edp_queue(en, receiver, skb);
	else
		enet_drop(en, skb, why);
}

static struct sk_buff *edp_alloc_frame(struct net_device *dev, size_t len)
{
	size_t head = enet_headroom(dev) + sizeof(struct enet_wire_edp);
	struct sk_buff *skb = alloc_skb(head + len + READ_ONCE(dev->needed_tailroom), GFP_ATOMIC);

	if (skb)
		skb_reserve(skb, head);
	return skb;
}

/* Add both headers to the data and hand the frame to the device, which consumes it. */
static int edp_transmit(struct sk_buff *skb, struct net_device *dev, enum edp_wire_type type,
			__be16 sport, __be16 dport, const u8 *to)
{
	struct enet_wire_edp *h = __skb_push(skb, sizeof(*h));
	size_t len = skb->len - sizeof(*h);
	int err;

	if (skb->len > READ_ONCE(dev->mtu)) {	/* it has changed while an allocation slept */
		kfree_skb(skb);
		return -EMSGSIZE;
	}
	*h = (struct enet_wire_edp){ .version = ENET_WIRE_VERSION, .type = type,
				     .len = htons(len), .sport = sport, .dport = dport };
	skb->dev = dev;
	skb->protocol = htons(ENET_ETHERTYPE_EDP);
	skb_reset_network_header(skb);
	err = dev_hard_header(skb, dev, ENET_ETHERTYPE_EDP, to, dev->dev_addr, skb->len);
	if (err < 0) {
		kfree_skb(skb);
		return err;
	}
	err = dev_queue_xmit(skb);
	return err > 0 ? net_xmit_errno(err) : err;
}

/* Limited in rate, and never to a group: an answer is as long as its request. */
static void edp_reply_echo(struct enet_net *en, struct sk_buff *skb, const struct enet_wire_edp *h)
{
	size_t len = ntohs(h->len);
	struct sk_buff *answer;

	if (!__ratelimit(&en->echo))
		return enet_drop(en, skb, ENET_DROP_echo_limit);
	answer = edp_alloc_frame(skb->dev, len);
	if (!answer)
		return enet_drop(en, skb, ENET_DROP_echo_memory);
	skb_copy_bits(skb, sizeof(*h), skb_put(answer, len), len);
	edp_transmit(answer, skb->dev, EDP_ECHO_REPLY, h->dport, h->sport, eth_hdr(skb)->h_source);
	consume_skb(skb);
}

static void edp_receive(struct enet_net *en, struct sk_buff *skb)
{
	const struct enet_wire_edp *h;

	if (!pskb_may_pull(skb, sizeof(*h)))
		return enet_drop(en, skb, ENET_DROP_truncated);
	h = (const struct enet_wire_edp *)skb->data;
	if (h->version != ENET_WIRE_VERSION)
		return enet_drop(en, skb, ENET_DROP_version);
	if (pskb_trim_rcsum(skb, sizeof(*h) + ntohs(h->len)) ||
	    skb->len != sizeof(*h) + ntohs(h->len))
		return enet_drop(en, skb, ENET_DROP_truncated);
	h = (const struct enet_wire_edp *)skb->data;
	if (is_multicast_ether_addr(eth_hdr(skb)->h_source))
		return enet_drop(en, skb, ENET_DROP_source);
	if ((!h->sport && h->type != EDP_ECHO_REPLY) || (!h->dport && h->type != EDP_ECHO_REQUEST))
		return enet_drop(en, skb, ENET_DROP_port_zero);
	if (h->type == EDP_ECHO_REQUEST && skb->pkt_type == PACKET_HOST)
		return edp_reply_echo(en, skb, h);
	if (h->type == EDP_DATA || h->type == EDP_ECHO_REPLY)
		return edp_deliver(en, skb, h);
	enet_drop(en, skb, ENET_DROP_type);
}

/* In softirq, under RCU. The hook receives frames of all namespaces. */
static int edp_rcv(struct sk_buff *skb, struct net_device *dev, struct packet_type *pt,
		   struct net_device *orig_dev)
{
	struct enet_net *en = enet_net_of(dev_net(dev));

	skb = enet_receive_skb(en, skb, dev);
	if (skb)
		edp_receive(en, skb);
	return NET_RX_SUCCESS;
}

static struct packet_type edp_packets __read_mostly = {
	.type = cpu_to_be16(ENET_ETHERTYPE_EDP),
	.func = edp_rcv,
};

/* ---- Groups ------------------------------------------------------------------------ */

static struct edp_group *edp_find_group(const struct edp_sock *ep, int ifindex, const u8 *addr)
{
	struct edp_group *g;

	list_for_each_entry(g, &ep->groups, list)
		if (g->ifindex == ifindex && ether_addr_equal(g->addr, addr))
			return g;
	return NULL;
}

/* A group ends with its device at the latest, so that is there. */
static void edp_leave_group(struct edp_sock *ep, struct edp_group *g)
{
	struct net_device *dev = __dev_get_by_index(sock_net(&ep->es.sk), g->ifindex);

	list_del_rcu(&g->list);
	if (!--ep->ngroups)
		list_del_init(&ep->member);
	if (dev)
		dev_mc_del(dev, g->addr);
	kfree_rcu(g, rcu);
}

static int edp_join_group(struct edp_sock *ep, struct net_device *dev, const u8 *addr)
{
	struct edp_group *g;
	int err;

	if (!enet_is_ethernet(dev) || dev->addr_len != ETH_ALEN)
		return -ENODEV;
	if (edp_find_group(ep, dev->ifindex, addr))
		return -EADDRINUSE;
	if (ep->ngroups == EDP_GROUPS_MOST)
		return -ENOBUFS;
	g = kzalloc(sizeof(*g), GFP_KERNEL_ACCOUNT);
	if (!g)
		return -ENOMEM;
	g->ifindex = dev->ifindex;
	ether_addr_copy(g->addr, addr);
	err = dev_mc_add(dev, g->addr);
	if (err) {
		kfree(g);
		return err;
	}
	list_add_rcu(&g->list, &ep->groups);
	if (!ep->ngroups++)
		list_add(&ep->member, &enet_net_of(sock_net(&ep->es.sk))->edp_members);
	ep->has_been_member = true;
	return 0;
}

static int edp_set_group(struct edp_sock *ep, int option, const struct sockaddr_en *sen)
{
	struct edp_group *g = edp_find_group(ep, sen->sen_ifindex, sen->sen_addr);
	struct net_device *dev;

	if (option == EDP_SO_LEAVE) {
		if (!g)
			return -EADDRNOTAVAIL;
		edp_leave_group(ep, g);
		return 0;
	}
	dev = __dev_get_by_index(sock_net(&ep->es.sk), sen->sen_ifindex);
	return dev ? edp_join_group(ep, dev, sen->sen_addr) : -ENODEV;
}

static void edp_leave_groups_of(struct edp_sock *ep, int ifindex)
{
	struct edp_group *g, *next;

	list_for_each_entry_safe(g, next, &ep->groups, list)
		if (!ifindex || g->ifindex == ifindex)
			edp_leave_group(ep, g);
}

/* A device that is removed, or moved to another namespace, takes its groups along. Under RTNL. */
static int edp_on_device(struct notifier_block *block, unsigned long event, void *info)
{
	const struct net_device *dev = netdev_notifier_info_to_dev(info);
	struct edp_sock *ep, *next;

	if (event != NETDEV_UNREGISTER)
		return NOTIFY_DONE;
	list_for_each_entry_safe(ep, next, &enet_net_of(dev_net(dev))->edp_members, member)
		edp_leave_groups_of(ep, dev->ifindex);
	return NOTIFY_DONE;
}

static struct notifier_block edp_devices = {
	.notifier_call = edp_on_device,
};

static int edp_setsockopt(struct socket *sock, int level, int option, sockptr_t value,
			  unsigned int len)
{
	struct sockaddr_en sen;
	int err;

	if (level != SOL_ENET || (option != EDP_SO_JOIN && option != EDP_SO_LEAVE))
		return -ENOPROTOOPT;
	if (len < sizeof(sen))
		return -EINVAL;
	if (copy_from_sockptr(&sen, value, sizeof(sen)))
		return -EFAULT;
	err = enet_addr_check(&sen, sizeof(sen), false, true);
	if (err)
		return err;
	if (!is_multicast_ether_addr(sen.sen_addr) || is_broadcast_ether_addr(sen.sen_addr))
		return -EADDRNOTAVAIL;
	rtnl_lock();
	err = edp_set_group(edp_sk(sock->sk), option, &sen);
	rtnl_unlock();
	return err;
}

/* ---- Options and names ----- */

/* The index of the interface that frames to the peer use; 0: any. */
static int edp_ifindex(const struct edp_sock *ep)
{
	return ep->peer_ifindex ? ep->peer_ifindex : ep->es.ifindex;
}

static int edp_mtu(const struct edp_sock *ep, unsigned int *mtu)
{
	const unsigned int head = sizeof(struct enet_wire_edp);
	struct net_device *dev;
	int err = 0;

	rcu_read_lock();
	dev = enet_device(sock_net(&ep->es.sk), edp_ifindex(ep));
	if (!dev)
		err = -ENODEV;
	else
		*mtu = clamp_t(unsigned int, READ_ONCE(dev->mtu), head, U16_MAX) - head;
	rcu_read_unlock();
	return err;
}

static int edp_getsockopt(struct socket *sock, int level, int option, char __user *to,
			  int __user *to_len)
{
	const struct edp_sock *ep = edp_sk(sock->sk);
	struct edp_stats stats;
	unsigned int mtu;
	int err;

	if (level != SOL_ENET)
		return -ENOPROTOOPT;
	switch (option) {
	case EDP_SO_MTU:
		err = edp_mtu(ep, &mtu);
		return err ? err : enet_copy_option(&mtu, sizeof(mtu), to, to_len);
	case EDP_SO_STATS:
		stats = (struct edp_stats){ atomic_read(&ep->sent), atomic_read(&ep->send_errors),
					    atomic_read(&ep->received), atomic_read(&ep->dropped) };
		return enet_copy_option(&stats, sizeof(stats), to, to_len);
	default:
		return -ENOPROTOOPT;
	}
}

/* With the interface that is used now, even if the program has named none. */
static void edp_fill_peer(const struct edp_sock *ep, struct sockaddr_en *sen)
{
	int ifindex = edp_ifindex(ep);
	struct net_device *dev;

	rcu_read_lock();
	dev = enet_device(sock_net(&ep->es.sk), ifindex);
	enet_addr_fill(sen, ep->peer_port, dev ? dev->ifindex : ifindex, ep->peer);
	rcu_read_unlock();
}

static int edp_getname(struct socket *sock, struct sockaddr *uaddr, int peer)
{
	const struct edp_sock *ep = edp_sk(sock->sk);
	struct sockaddr_en *sen = (struct sockaddr_en *)uaddr;

	if (peer && !ep->peer_port)
		return -ENOTCONN;
	if (peer) {
		edp_fill_peer(ep, sen);
		return sizeof(*sen);
	}
	enet_addr_local(&ep->es, sen);
	return sizeof(*sen);
}

static int edp_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg)
{
	struct sock *sk = sock->sk;
	struct sk_buff *first;
	int amount = 0;

	switch (cmd) {
	case SIOCOUTQ:
		amount = sk_wmem_alloc_get(sk);
		break;
	case SIOCINQ:
		spin_lock_bh(&sk->sk_receive_queue.lock);
		first = skb_peek(&sk->sk_receive_queue);
		if (first)
			amount = first->len;
		spin_unlock_bh(&sk->sk_receive_queue.lock);
		break;
	default:
		return -ENOIOCTLCMD;	/* the core handles those of interfaces */
	}
	return put_user(amount, (int __user *)arg);
}

/* ---- Binding and connecting --------------------------------------------------------- */

/* Under lock_sock. */
static int edp_bind_port(struct edp_sock *ep, __be16 port, int ifindex)
{
	if (ep->es.port)
		return -EINVAL;
	return enet_bind(edp_ports(&ep->es.sk), &ep->es, port, ifindex);
}

static int edp_bind(struct socket *sock, struct sockaddr_unsized *uaddr, int len)
{
	const struct sockaddr_en *sen = (const struct sockaddr_en *)uaddr;
	int err = enet_addr_check_local(sock->sk, sen, len);

	if (err)
		return err;
	lock_sock(sock->sk);
	err = edp_bind_port(edp_sk(sock->sk), sen->sen_port, sen->sen_ifindex);
	release_sock(sock->sk);
	return err;
}

static int edp_connect_peer(struct edp_sock *ep, const struct sockaddr_en *sen)
{
	int err = ep->es.port ? 0 : edp_bind_port(ep, 0, sen->sen_ifindex);

	if (err)
		return err;
	WRITE_ONCE(ep->peer_port, 0);
	synchronize_net();		/* no receiver reads the address that is written next */
	ep->peer_ifindex = sen->sen_ifindex;
	ether_addr_copy(ep->peer, sen->sen_addr);
	smp_wmb();
	WRITE_ONCE(ep->peer_port, sen->sen_port);
	return 0;
}

static int edp_connect(struct socket *sock, struct sockaddr_unsized *uaddr, int len, int flags)
{
	const struct sockaddr_en *sen = (const struct sockaddr_en *)uaddr;
	struct edp_sock *ep = edp_sk(sock->sk);
	bool unspec = len >= (int)sizeof(sa_family_t) && uaddr->sa_family == AF_UNSPEC;
	int err = unspec ? 0 : enet_addr_check(sen, len, false, false);

	if (!err && !unspec && !sen->sen_port)
		err = -EINVAL;
	if (err)
		return err;
	lock_sock(sock->sk);
	if (unspec) {		/* ends the association, as for other datagram sockets */
		WRITE_ONCE(ep->peer_port, 0);
		ep->peer_ifindex = 0;
	} else {
		err = edp_connect_peer(ep, sen);
	}
	release_sock(sock->sk);
	return err;
}

/* ---- Messages ----- */

/* Destination of a message: its address, or that of the peer. */
static int edp_destination(const struct edp_sock *ep, const struct msghdr *msg,
			   struct sockaddr_en *to)
{
	int err;

	if (!msg->msg_name) {
		if (!ep->peer_port)
			return -EDESTADDRREQ;
		enet_addr_fill(to, ep->peer_port, ep->peer_ifindex, ep->peer);
	} else {
		err = enet_addr_check(msg->msg_name, msg->msg_namelen, false, true);
		if (err)
			return err;
		*to = *(const struct sockaddr_en *)msg->msg_name;
	}
	if (!to->sen_ifindex)
		to->sen_ifindex = ep->es.ifindex;
	if (!to->sen_port)
		return -EINVAL;
	if (is_broadcast_ether_addr(to->sen_addr) && !sock_flag(&ep->es.sk, SOCK_BROADCAST))
		return -EACCES;
	return ep->es.ifindex && ep->es.ifindex != to->sen_ifindex ? -ENETUNREACH : 0;
}

/* A frame with the bytes of @msg; may sleep until there is room, or until they are there. */
static struct sk_buff *edp_fill_frame(struct edp_sock *ep, const struct enet_room *room,
				      struct msghdr *msg, size_t len, int *err)
{
	size_t head = room->head + sizeof(struct enet_wire_edp);
	struct sk_buff *skb = sock_alloc_send_skb(&ep->es.sk, head + len + room->tail,
						  msg->msg_flags & MSG_DONTWAIT, err);

	if (!skb)
		return NULL;
	skb_reserve(skb, head);
	*err = enet_memory_own_sent(skb) ? memcpy_from_msg(skb_put(skb, len), msg, len) : -ENOBUFS;
	if (!*err)
		return skb;
	kfree_skb(skb);
	return NULL;
}

/* The device may have changed since the frame was made for it, or have gone. */
static int edp_send_frame(struct edp_sock *ep, struct sk_buff *skb, int ifindex,
			  const struct sockaddr_en *to)
{
	struct net_device *dev = enet_device_hold(sock_net(&ep->es.sk), ifindex);
	int err;

	if (!dev) {
		kfree_skb(skb);
		return -ENODEV;
	}
	skb->priority = ep->es.sk.sk_priority;
	skb->mark = ep->es.sk.sk_mark;
	if (skb_cow_head(skb, enet_headroom(dev) + sizeof(struct enet_wire_edp))) {
		kfree_skb(skb);
		err = -ENOMEM;
	} else {
		err = edp_transmit(skb, dev, EDP_DATA, ep->es.port, to->sen_port, to->sen_addr);
	}
	dev_put(dev);
	return err;
}

static int edp_send(struct edp_sock *ep, const struct sockaddr_en *to, struct msghdr *msg,
		    size_t len)
{
	struct enet_room room;
	struct sk_buff *skb;
	int err = enet_room_of(sock_net(&ep->es.sk), to->sen_ifindex, &room);

	if (err)
		return err;
	if (!room.is_up)
		return -ENETDOWN;
	if (len > U16_MAX || len + sizeof(struct enet_wire_edp) > room.mtu)
		return -EMSGSIZE;
	skb = edp_fill_frame(ep, &room, msg, len, &err);
	return skb ? edp_send_frame(ep, skb, room.ifindex, to) : err;
}

static int edp_autobind(struct sock *sk)
{
	int err = 0;

	if (READ_ONCE(enet_sk(sk)->port))
		return 0;
	lock_sock(sk);
	if (!enet_sk(sk)->port)
		err = edp_bind_port(edp_sk(sk), 0, 0);
	release_sock(sk);
	return err;
}

static int edp_sendmsg(struct socket *sock, struct msghdr *msg, size_t len)
{
	struct edp_sock *ep = edp_sk(sock->sk);
	struct sockaddr_en to;
	int err;

	/* the last one by sendmmsg() */
	if (msg->msg_flags & ~(MSG_DONTWAIT | MSG_NOSIGNAL | MSG_CMSG_COMPAT | MSG_BATCH))
		return -EOPNOTSUPP;
	enet_memory_reclaim(sock->sk);
	err = edp_autobind(sock->sk);
	if (!err)
		err = edp_destination(ep, msg, &to);
	if (err)
		return err;
	err = edp_send(ep, &to, msg, len);
	if (err == -ENODEV)
		return err;
	atomic_inc(err ? &ep->send_errors : &ep->sent);
	return err ? err : (int)len;
}

static int edp_recvmsg(struct socket *sock, struct msghdr *msg, size_t len, int flags)
{
	struct sk_buff *skb;
	size_t copied;
	int err;

	if (flags & ~(MSG_DONTWAIT | MSG_PEEK | MSG_TRUNC | MSG_WAITALL | MSG_NOSIGNAL |
		      MSG_CMSG_COMPAT | MSG_CMSG_CLOEXEC))
		return -EOPNOTSUPP;
	enet_memory_reclaim(sock->sk);
	skb = skb_recv_datagram(sock->sk, flags, &err);
	if (!skb)
		return err;
	copied = min_t(size_t, len, skb->len);
	if (copied < skb->len)
		msg->msg_flags |= MSG_TRUNC;
	err = skb_copy_datagram_msg(skb, 0, msg, copied);
	if (!err && msg->msg_name) {
		memcpy(msg->msg_name, skb->cb, sizeof(struct sockaddr_en));
		msg->msg_namelen = sizeof(struct sockaddr_en);
	}
	sock_recv_timestamp(msg, sock->sk, skb);
	if (!err)
		err = flags & MSG_TRUNC ? (int)skb->len : (int)copied;
	skb_free_datagram(sock->sk, skb);
	return err;
}

/* ---- Begin and end ----- */

static int edp_release(struct socket *sock)
{
	struct sock *sk = sock->sk;

	if (!sk)
		return 0;
	enet_unbind(edp_ports(sk), enet_sk(sk));
	if (edp_sk(sk)->has_been_member) {
		rtnl_lock();
		edp_leave_groups_of(edp_sk(sk), 0);
		rtnl_unlock();
	}
	lock_sock(sk);
	sock_orphan(sk);
	sock->sk = NULL;
	release_sock(sk);
	sock_put(sk);
	return 0;
}

/* After the last reference and a grace period: no receiver queues frames any more. */
static void edp_destruct(struct sock *sk)
{
	skb_queue_purge(&sk->sk_receive_queue);
	enet_memory_close(sk);
}

static struct proto edp_proto = {
	.name	  = "EDP",
	.owner	  = THIS_MODULE,
	.obj_size = sizeof(struct edp_sock),
	ENET_MEMORY,
};

static const struct proto_ops edp_ops = {
	.owner	    = THIS_MODULE,
	.release    = edp_release,
	.bind	    = edp_bind,
	.connect    = edp_connect,
	.socketpair = sock_no_socketpair,
	.accept	    = sock_no_accept,
	.getname    = edp_getname,
	.poll	    = datagram_poll,
	.ioctl	    = edp_ioctl,
	.gettstamp  = sock_gettstamp,
	.listen	    = sock_no_listen,
	.shutdown   = sock_no_shutdown,
	.setsockopt = edp_setsockopt,
	.getsockopt = edp_getsockopt,
	.sendmsg    = edp_sendmsg,
	.recvmsg    = edp_recvmsg,
	.mmap	    = sock_no_mmap,
};

int edp_create(struct net *net, struct socket *sock, int protocol, int kern)
{
	struct sock *sk = sk_alloc(net, enet_family, GFP_KERNEL, &edp_proto, kern);

	BUILD_BUG_ON(sizeof(struct sockaddr_en) > sizeof_field(struct sk_buff, cb));
	if (!sk)
		return -ENOMEM;
	sock->ops = &edp_ops;
	sock_init_data(sock, sk);
	sock_set_flag(sk, SOCK_RCU_FREE);
	sk->sk_family = enet_family;
	sk->sk_destruct = edp_destruct;
	enet_memory_open(sk);
	enet_sk(sk)->kern = kern;
	INIT_LIST_HEAD(&edp_sk(sk)->groups);
	INIT_LIST_HEAD(&edp_sk(sk)->member);
	return 0;
}

void edp_net_init(struct enet_net *en)
{
	enet_table_init(&en->edp);
	INIT_LIST_HEAD(&en->edp_members);
}

int edp_init(void)
{
	int err = proto_register(&edp_proto, 1);

	if (err)
		return err;
	err = register_netdevice_notifier(&edp_devices);
	if (err) {
		proto_unregister(&edp_proto);
		return err;
	}
	dev_add_pack(&edp_packets);
	return 0;
}

void edp_exit(void)
{
	dev_remove_pack(&edp_packets);
	unregister_netdevice_notifier(&edp_devices);
	proto_unregister(&edp_proto);
}
