// SPDX-License-Identifier: GPL-2.0-only
/* enet_port.c - the bound sockets of a protocol, by port. */

#include "enet_sock.h"

void enet_table_init(struct enet_table *table)
{
	spin_lock_init(&table->lock);
	table->next_free[false] = ENET_PORT_FIRST_FREE;
	table->next_free[true] = ENET_PORT_FIRST_KERNEL;
}

static struct hlist_head *enet_port_bucket(struct enet_table *table, __be16 port)
{
	return &table->at[ntohs(port) % ENET_HASH];
}

static bool enet_port_collides(int a, int b)
{
	return a == 0 || b == 0 || a == b;
}

/*
 * A datagram to a group is for all sockets that share the port; another one for the first. So a
 * user must not share what is for another, nor what is for the kernel.
 */
static bool enet_port_may_share(const struct sock *a, const struct sock *b)
{
	return a->sk_type == SOCK_DGRAM && b && a->sk_reuse && b->sk_reuse &&
	       enet_sk(a)->kern == enet_sk(b)->kern &&
	       (enet_sk(a)->kern || uid_eq(a->sk_uid, b->sk_uid));
}

/*
 * Does another socket get the same frames, and not share them with @with, or do too many? Under the
 * lock.
 */
static bool enet_port_is_taken(struct enet_table *table, struct net *net, __be16 port, int ifindex,
			       const struct sock *with)
{
	unsigned int sharers = 0;
	struct sock *sk;

	sk_for_each(sk, enet_port_bucket(table, port))
		if (enet_sk(sk)->port == port && net_eq(sock_net(sk), net) &&
		    enet_port_collides(enet_sk(sk)->ifindex, ifindex) &&
		    (!enet_port_may_share(sk, with) || ++sharers == ENET_SHARERS_MOST))
			return true;
	return false;
}

/* A free port, of those for programs or for the kernel; or 0. Under the lock. */
static __be16 enet_port_find_free(struct enet_table *table, struct net *net, int ifindex,
				  bool kern)
{
	const u16 first = kern ? ENET_PORT_FIRST_KERNEL : ENET_PORT_FIRST_FREE;
	const u16 last = kern ? U16_MAX : ENET_PORT_FIRST_KERNEL - 1;
	u16 *next = &table->next_free[kern];

	for (unsigned int i = first; i <= last; i++) {
		__be16 port = htons(*next);

		*next = *next == last ? first : *next + 1;
		if (!enet_port_is_taken(table, net, port, ifindex, NULL))
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
		port = enet_port_find_free(table, net, ifindex, es->kern);
	if (!port || enet_port_is_taken(table, net, port, ifindex, &es->sk)) {
		err = -EADDRINUSE;
	} else {
		es->ifindex = ifindex;
		es->port = port;
		sk_add_node_rcu(&es->sk, enet_port_bucket(table, port));
	}
	spin_unlock_bh(&table->lock);
	return err;
}

void enet_choose_port(struct enet_table *table, struct enet_sock *es, int ifindex)
{
	spin_lock_bh(&table->lock);
	es->ifindex = ifindex;
	es->port = enet_port_find_free(table, sock_net(&es->sk), ifindex, es->kern);
	spin_unlock_bh(&table->lock);
}

void enet_unbind(struct enet_table *table, struct enet_sock *es)
{
	spin_lock_bh(&table->lock);
	if (es->port)
		sk_del_node_init_rcu(&es->sk);
	es->port = 0;
	spin_unlock_bh(&table->lock);
}

static bool enet_port_matches(const struct sock *sk, const struct net *net, __be16 port,
			      int ifindex)
{
	return READ_ONCE(enet_sk(sk)->port) == port && net_eq(sock_net(sk), net) &&
	       enet_port_collides(enet_sk(sk)->ifindex, ifindex);
}

struct enet_sock *enet_find(struct net *net, struct enet_table *table, __be16 port, int ifindex)
{
	struct sock *sk;

	sk_for_each_rcu(sk, enet_port_bucket(table, port))
		if (enet_port_matches(sk, net, port, ifindex))
			return enet_sk(sk);
	return NULL;
}

struct enet_sock *enet_find_after(struct enet_sock *es, struct net *net, __be16 port, int ifindex)
{
	struct sock *sk = &es->sk;

	hlist_for_each_entry_continue_rcu(sk, sk_node)
		if (enet_port_matches(sk, net, port, ifindex))
			return enet_sk(sk);
	return NULL;
}
