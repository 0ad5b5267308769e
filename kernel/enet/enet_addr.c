// SPDX-License-Identifier: GPL-2.0-only
/* enet_addr.c - addresses of sockets, and the devices that they name. */

#include "enet_sock.h"

#include <linux/etherdevice.h>
#include <linux/if_arp.h>

int enet_addr_check(const struct sockaddr_en *sen, int len, bool any, bool group)
{
	/* All fields that are read lie within sizeof(struct sockaddr). */
	BUILD_BUG_ON(offsetofend(struct sockaddr_en, sen_addr) > sizeof(struct sockaddr_en));
	if (len < (int)sizeof(struct sockaddr))
		return -EINVAL;
	if (sen->sen_family != enet_family)
		return -EAFNOSUPPORT;
	if (sen->sen_addrlen == 0 && any)
		return 0;
	/* Old programs fill in the address and leave its length 0. */
	if (sen->sen_addrlen == 0 && is_zero_ether_addr(sen->sen_addr))
		return -EINVAL;
	if (sen->sen_addrlen != 0 && sen->sen_addrlen != ETH_ALEN)
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

struct net_device *enet_device(struct net *net, int ifindex)
{
	struct net_device *dev;

	if (ifindex) {
		dev = dev_get_by_index_rcu(net, ifindex);
		return dev && enet_is_ethernet(dev) ? dev : NULL;
	}
	for_each_netdev_rcu(net, dev)
		if (dev->type == ARPHRD_ETHER && netif_running(dev))
			return dev;
	return NULL;
}

int enet_room_of(struct net *net, int ifindex, struct enet_room *room)
{
	struct net_device *dev;
	int err = 0;

	rcu_read_lock();
	dev = enet_device(net, ifindex);
	if (dev)
		*room = (struct enet_room){
			.ifindex = dev->ifindex, .is_up = netif_running(dev),
			.mtu = READ_ONCE(dev->mtu), .head = enet_headroom(dev),
			.tail = READ_ONCE(dev->needed_tailroom),
		};
	else
		err = -ENODEV;
	rcu_read_unlock();
	return err;
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

int enet_copy_option(const void *value, size_t size, char __user *to, int __user *to_len)
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

/* An address is optional, and must be that of the interface. */
static int enet_addr_is_local(struct net *net, const struct sockaddr_en *sen)
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

static bool enet_addr_may_bind(const struct sock *sk, u16 port)
{
	bool free = !port || (port >= PROT_SOCK && port < ENET_PORT_FIRST_KERNEL);

	return free || (port >= ENET_PORT_FIRST_KERNEL && enet_sk(sk)->kern) ||
	       ns_capable(sock_net(sk)->user_ns, CAP_NET_BIND_SERVICE);
}

int enet_addr_check_local(const struct sock *sk, const struct sockaddr_en *sen, int len)
{
	int err = enet_addr_check(sen, len, true, false);

	if (!err)
		err = enet_addr_is_local(sock_net(sk), sen);
	if (!err && !enet_addr_may_bind(sk, ntohs(sen->sen_port)))
		err = -EACCES;
	return err;
}

void enet_addr_local(const struct enet_sock *es, struct sockaddr_en *sen)
{
	static const u8 unknown[ETH_ALEN];
	struct net_device *dev;

	rcu_read_lock();
	dev = es->ifindex ? enet_device(sock_net(&es->sk), es->ifindex) : NULL;
	enet_addr_fill(sen, es->port, es->ifindex, dev ? dev->dev_addr : unknown);
	rcu_read_unlock();
}
