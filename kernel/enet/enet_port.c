// SPDX-License-Identifier: GPL-2.0-only
/* enet_port.c - the bound sockets of a protocol, by port. */

/*
 * A port that has sockets has a record, with all of them. Softirqs find it by its number in a chain
 * of 128 at most, under RCU. All searches under the lock are bounded, whatever users have bound: a
 * free port is found in a bitmap, and a port has at most ENET_SHARERS_MOST sockets.
 *
 * Ports from ENET_PORT_FIRST_FREE on, those for programs and those of the kernel, are for all
 * users. So each one holds at most as many as it leaves: one half of them, the next user a quarter,
 * and so on; however many a user takes, others find some.
 */

#include "enet_sock.h"

#include <linux/hash.h>
#include <linux/slab.h>

/* A user, while it holds ports of which it has a share. */
struct enet_holder {
	struct hlist_node link;
	kuid_t user;
	unsigned int nports[2];		/* for programs, of the kernel */
};

struct enet_port {
	struct hlist_node link;
	struct rcu_head rcu;
	__be16 number;
	unsigned int nsockets;
	struct hlist_head sockets;
	struct enet_holder *holder;	/* NULL: no user has a share of such ports */
};

void enet_table_init(struct enet_table *table)
{
	spin_lock_init(&table->lock);
	table->next_free[false] = 0;
	table->next_free[true] = ENET_PORT_FIRST_KERNEL - ENET_PORT_FIRST_FREE;
}

static struct hlist_head *enet_port_bucket(struct enet_table *table, __be16 number)
{
	return &table->at[ntohs(number) % ENET_HASH];
}

/* Under the lock or RCU. */
static struct enet_port *enet_port_lookup(struct enet_table *table, __be16 number)
{
	struct enet_port *p;

	hlist_for_each_entry_rcu(p, enet_port_bucket(table, number), link,
				 lockdep_is_held(&table->lock))
		if (p->number == number)
			return p;
	return NULL;
}

/* ---- Shares of users ---------------------------------------------------------------- */

static bool enet_port_is_shared_out(__be16 number)
{
	return ntohs(number) >= ENET_PORT_FIRST_FREE;
}

static bool enet_port_is_for_kernel(__be16 number)
{
	return ntohs(number) >= ENET_PORT_FIRST_KERNEL;
}

static unsigned int enet_port_bit(__be16 number)
{
	return ntohs(number) - ENET_PORT_FIRST_FREE;
}

static struct hlist_head *enet_holder_bucket(struct enet_table *table, kuid_t user)
{
	return &table->holders[hash_32(__kuid_val(user), ENET_HOLDERS_BITS)];
}

/* The holder of the user of @fresh, or @fresh itself. */
static struct enet_holder *enet_holder_of(struct enet_table *table, struct enet_holder *fresh)
{
	struct enet_holder *holder;

	hlist_for_each_entry(holder, enet_holder_bucket(table, fresh->user), link)
		if (uid_eq(holder->user, fresh->user))
			return holder;
	return fresh;
}

static unsigned int enet_ports_of_range(bool kern)
{
	return kern ? ENET_PORTS - ENET_PORT_FIRST_KERNEL :
		      ENET_PORT_FIRST_KERNEL - ENET_PORT_FIRST_FREE;
}

/* Does it leave as many as it has then? */
static bool enet_holder_may_take(const struct enet_table *table, const struct enet_holder *holder,
				 bool kern)
{
	return table->ntaken[kern] + 1 + holder->nports[kern] < enet_ports_of_range(kern);
}

/* @fresh: an unused record, for a port that has none. It takes the port, if the user may. */
static int enet_port_share(struct enet_table *table, struct enet_port *fresh, __be16 number)
{
	bool kern = enet_port_is_for_kernel(number);
	struct enet_holder *holder = enet_holder_of(table, fresh->holder);

	if (!enet_holder_may_take(table, holder, kern))
		return -EADDRINUSE;
	if (hlist_unhashed(&holder->link))
		hlist_add_head(&holder->link, enet_holder_bucket(table, holder->user));
	else
		kfree(fresh->holder);
	fresh->holder = holder;
	holder->nports[kern]++;
	table->ntaken[kern]++;
	__set_bit(enet_port_bit(number), table->taken);
	return 0;
}

static void enet_port_unshare(struct enet_table *table, struct enet_port *p)
{
	bool kern = enet_port_is_for_kernel(p->number);

	__clear_bit(enet_port_bit(p->number), table->taken);
	table->ntaken[kern]--;
	p->holder->nports[kern]--;
	if (p->holder->nports[false] || p->holder->nports[true])
		return;
	hlist_del(&p->holder->link);
	kfree(p->holder);
}

/* ---- Records --------------------------------------------------------------------------- */

static void enet_port_free(struct enet_port *p)
{
	if (p)
		kfree(p->holder);
	kfree(p);
}

static struct enet_port *enet_port_alloc(kuid_t user)
{
	struct enet_port *p = kzalloc(sizeof(*p), GFP_KERNEL_ACCOUNT);

	if (!p)
		return NULL;
	p->holder = kzalloc(sizeof(*p->holder), GFP_KERNEL_ACCOUNT);
	if (!p->holder) {
		kfree(p);
		return NULL;
	}
	p->holder->user = user;
	return p;
}

/* The record of @number: *fresh becomes it if there is none; or an errno. */
static struct enet_port *enet_port_get(struct enet_table *table, __be16 number,
				       struct enet_port **fresh)
{
	struct enet_port *p = enet_port_lookup(table, number);
	int err;

	if (p)
		return p;
	p = *fresh;
	if (enet_port_is_shared_out(number)) {
		err = enet_port_share(table, p, number);
		if (err)
			return ERR_PTR(err);
	} else {
		kfree(p->holder);
		p->holder = NULL;
	}
	*fresh = NULL;
	p->number = number;
	hlist_add_head_rcu(&p->link, enet_port_bucket(table, number));
	return p;
}

static void enet_port_put(struct enet_table *table, struct enet_port *p)
{
	if (--p->nsockets)
		return;
	hlist_del_rcu(&p->link);
	if (p->holder)
		enet_port_unshare(table, p);
	kfree_rcu(p, rcu);
}

/* ---- Binding ----------------------------------------------------------------------------- */

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
	return a->sk_type == SOCK_DGRAM && a->sk_reuse && b->sk_reuse &&
	       enet_sk(a)->kern == enet_sk(b)->kern &&
	       (enet_sk(a)->kern || uid_eq(a->sk_uid, b->sk_uid));
}

/* Does another socket get the same frames, and not share them with @with? Or are there too many? */
static bool enet_port_is_taken(const struct enet_port *p, int ifindex, const struct sock *with)
{
	const struct sock *sk;

	if (p->nsockets >= ENET_SHARERS_MOST)
		return true;
	sk_for_each(sk, &p->sockets)
		if (enet_port_collides(enet_sk(sk)->ifindex, ifindex) &&
		    !enet_port_may_share(sk, with))
			return true;
	return false;
}

/* A port without sockets, of those for programs or for the kernel; or 0. Under the lock. */
static __be16 enet_port_find_free(struct enet_table *table, bool kern)
{
	unsigned int from = kern ? ENET_PORT_FIRST_KERNEL - ENET_PORT_FIRST_FREE : 0;
	unsigned int end = from + enet_ports_of_range(kern);
	unsigned int at = find_next_zero_bit(table->taken, end, table->next_free[kern]);

	if (at >= end)
		at = find_next_zero_bit(table->taken, end, from);
	if (at >= end)
		return 0;
	table->next_free[kern] = at + 1 == end ? from : at + 1;
	return htons(ENET_PORT_FIRST_FREE + at);
}

/* Under the lock. */
static int enet_port_add(struct enet_table *table, struct enet_sock *es, __be16 number, int ifindex,
			 struct enet_port **fresh)
{
	struct enet_port *p = enet_port_get(table, number, fresh);

	if (IS_ERR(p))
		return PTR_ERR(p);
	if (enet_port_is_taken(p, ifindex, &es->sk))
		return -EADDRINUSE;
	es->ifindex = ifindex;
	es->port = number;
	es->bound = p;
	p->nsockets++;
	sk_add_node_rcu(&es->sk, &p->sockets);
	return 0;
}

int enet_bind(struct enet_table *table, struct enet_sock *es, __be16 port, int ifindex)
{
	struct enet_port *fresh = enet_port_alloc(es->sk.sk_uid);
	int err = -EADDRINUSE;

	if (!fresh)
		return -ENOMEM;
	spin_lock_bh(&table->lock);
	if (!port)
		port = enet_port_find_free(table, es->kern);
	if (port)
		err = enet_port_add(table, es, port, ifindex, &fresh);
	spin_unlock_bh(&table->lock);
	enet_port_free(fresh);
	return err;
}

void enet_choose_port(struct enet_table *table, struct enet_sock *es, int ifindex)
{
	spin_lock_bh(&table->lock);
	es->ifindex = ifindex;
	es->port = enet_port_find_free(table, es->kern);
	spin_unlock_bh(&table->lock);
}

void enet_unbind(struct enet_table *table, struct enet_sock *es)
{
	spin_lock_bh(&table->lock);
	if (es->bound) {
		sk_del_node_init_rcu(&es->sk);
		enet_port_put(table, es->bound);
	}
	es->bound = NULL;
	es->port = 0;
	spin_unlock_bh(&table->lock);
}

/* ---- Lookup ------------------------------------------------------------------------------- */

static bool enet_port_matches(const struct sock *sk, __be16 number, int ifindex)
{
	return READ_ONCE(enet_sk(sk)->port) == number &&
	       enet_port_collides(enet_sk(sk)->ifindex, ifindex);
}

struct enet_sock *enet_find(struct enet_table *table, __be16 port, int ifindex)
{
	struct enet_port *p = enet_port_lookup(table, port);
	struct sock *sk;

	if (!p)
		return NULL;
	sk_for_each_rcu(sk, &p->sockets)
		if (enet_port_matches(sk, port, ifindex))
			return enet_sk(sk);
	return NULL;
}

struct enet_sock *enet_find_after(struct enet_sock *es, __be16 port, int ifindex)
{
	struct sock *sk = &es->sk;

	hlist_for_each_entry_continue_rcu(sk, sk_node)
		if (enet_port_matches(sk, port, ifindex))
			return enet_sk(sk);
	return NULL;
}
