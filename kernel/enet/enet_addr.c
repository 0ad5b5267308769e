// SPDX-License-Identifier: GPL-2.0-only
/* enet_addr.c - addresses, and the tables of bound sockets. */

#include "enet_sock.h"

#include <linux/etherdevice.h>
#include <linux/if_arp.h>

int enet_addr_check(const struct sockaddr_en *sen, int len, bool any, bool group)
{
	/* An address may end after sizeof(struct sockaddr), which holds all that is looked at. */
	BUILD_BUG_ON(offsetof(struct sockaddr_en, sen_addr) + ETH_ALEN > sizeof(struct sockaddr_en));
	if (len < (int)sizeof(struct sockaddr))
		return -EINVAL;
	if (sen->sen_family != enet_family)
		return -EAFNOSUPPORT;
	if (sen->sen_addrlen == 0)
		return any ? 0 : -EINVAL;
	if (sen->sen_addrlen != ETH_ALEN)
		return -EINVAL;
	if (!group && !is_valid_ether_addr(sen->sen_addr) && !is_zero_ether_addr(sen->sen_addr))
		return -EADDRNOTAVAIL;
	return 0;
}

void enet_addr_fill(struct sockaddr_en *sen, __be16 port, int ifindex, const u8 *addr)
{
	memset(sen, 0, sizeof(*sen));
	sen->sen_family = enet_family;
	sen->sen_port = port;
	sen->sen_ifindex = ifindex;
	sen->sen_addrlen = ETH_ALEN;
	ether_addr_copy(sen->sen_addr, addr);
}

bool enet_carries(const struct net_device *dev)
{
	return dev->type == ARPHRD_ETHER || dev->type == ARPHRD_LOOPBACK;
}

struct net_device *enet_device(struct net *net, int ifindex)
{
	struct net_device *dev;

	if (ifindex) {
		dev = dev_get_by_index_rcu(net, ifindex);
		return dev && enet_carries(dev) ? dev : NULL;
	}
	for_each_netdev_rcu(net, dev)
		if (dev->type == ARPHRD_ETHER && netif_running(dev))
			return dev;
	return NULL;
}

struct net_device *enet_device_hold(struct net *net, int ifindex)
{
	struct net_device *dev;

	rcu_read_lock();
	dev = enet_device(net, ifindex);
	dev_hold(dev);
	rcu_read_unlock();
	return dev;
}

int enet_give(const void *value, size_t size, char __user *to, int __user *to_len)
{
	int len;

	if (get_user(len, to_len))
		return -EFAULT;
	if (len < 0)
		return -EINVAL;
	len = min_t(size_t, len, size);
	if (put_user(len, to_len) || copy_to_user(to, value, len))
		return -EFAULT;
	return 0;
}

/* The address may be told, and must then be that of the interface. */
static int is_own(struct net *net, const struct sockaddr_en *sen)
{
	struct net_device *dev;
	int err = 0;

	rcu_read_lock();
	dev = sen->sen_ifindex ? enet_device(net, sen->sen_ifindex) : NULL;
	if (sen->sen_ifindex && !dev)
		err = -ENODEV;
	else if (sen->sen_addrlen && !is_zero_ether_addr(sen->sen_addr) &&
		 !(dev && ether_addr_equal(dev->dev_addr, sen->sen_addr)))
		err = -EADDRNOTAVAIL;
	rcu_read_unlock();
	return err;
}

int enet_check_own(struct net *net, const struct sockaddr_en *sen, int len)
{
	int err = enet_addr_check(sen, len, true, false);

	if (!err)
		err = is_own(net, sen);
	if (!err && sen->sen_port && ntohs(sen->sen_port) < PROT_SOCK &&
	    !ns_capable(net->user_ns, CAP_NET_BIND_SERVICE))
		err = -EACCES;
	return err;
}

void enet_own_name(const struct enet_sock *es, struct sockaddr_en *sen)
{
	static const u8 unknown[ETH_ALEN];
	struct net_device *dev;

	rcu_read_lock();
	dev = es->ifindex ? enet_device(sock_net(&es->sk), es->ifindex) : NULL;
	enet_addr_fill(sen, es->port, es->ifindex, dev ? dev->dev_addr : unknown);
	rcu_read_unlock();
}

void enet_table_init(struct enet_table *table)
{
	spin_lock_init(&table->lock);
	table->next_free = ENET_PORT_FIRST_FREE;
}

static struct hlist_head *bucket(struct enet_table *table, __be16 port)
{
	return &table->at[ntohs(port) % ENET_HASH];
}

static bool collide(int a, int b)
{
	return a == 0 || b == 0 || a == b;
}

/* Datagrams to a group are for all who share the port; others go to one of them. */
static bool may_share(const struct sock *a, const struct sock *b)
{
	return a->sk_type == SOCK_DGRAM && b && a->sk_reuse && b->sk_reuse;
}

/* Is there another that would get the same frames, and will not share them with @with? Under the lock. */
static bool is_taken(struct enet_table *table, struct net *net, __be16 port, int ifindex,
		     const struct sock *with)
{
	struct sock *sk;

	sk_for_each(sk, bucket(table, port))
		if (enet_sk(sk)->port == port && net_eq(sock_net(sk), net) &&
		    collide(enet_sk(sk)->ifindex, ifindex) && !may_share(sk, with))
			return true;
	return false;
}

/* A port that nobody has, or 0. Under the lock. */
static __be16 find_free(struct enet_table *table, struct net *net, int ifindex)
{
	for (unsigned int i = ENET_PORT_FIRST_FREE; i <= U16_MAX; i++) {
		__be16 port = htons(table->next_free);

		table->next_free = table->next_free == U16_MAX ? ENET_PORT_FIRST_FREE :
								 table->next_free + 1;
		if (!is_taken(table, net, port, ifindex, NULL))
			return port;
	}
	return 0;
}

int enet_bind(struct enet_table *table, struct enet_sock *es, __be16 port, int ifindex)
{
	struct net *net = sock_net(&es->sk);
	int err = 0;

	spin_lock_bh(&table->lock);
	if (!port)
		port = find_free(table, net, ifindex);
	if (!port || is_taken(table, net, port, ifindex, &es->sk)) {
		err = -EADDRINUSE;
	} else {
		es->ifindex = ifindex;
		es->port = port;
		sk_add_node_rcu(&es->sk, bucket(table, port));
	}
	spin_unlock_bh(&table->lock);
	return err;
}

void enet_unbind(struct enet_table *table, struct enet_sock *es)
{
	spin_lock_bh(&table->lock);
	if (es->port)
		sk_del_node_init_rcu(&es->sk);
	es->port = 0;
	spin_unlock_bh(&table->lock);
}

static bool is_at(const struct sock *sk, const struct net *net, __be16 port, int ifindex)
{
	return READ_ONCE(enet_sk(sk)->port) == port && net_eq(sock_net(sk), net) &&
	       collide(enet_sk(sk)->ifindex, ifindex);
}

struct enet_sock *enet_find(struct net *net, struct enet_table *table, __be16 port, int ifindex)
{
	struct sock *sk;

	sk_for_each_rcu(sk, bucket(table, port))
		if (is_at(sk, net, port, ifindex))
			return enet_sk(sk);
	return NULL;
}

struct enet_sock *enet_find_after(struct enet_sock *es, struct net *net, __be16 port, int ifindex)
{
	struct sock *sk = &es->sk;

	hlist_for_each_entry_continue_rcu(sk, sk_node)
		if (is_at(sk, net, port, ifindex))
			return enet_sk(sk);
	return NULL;
}
