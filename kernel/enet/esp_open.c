// SPDX-License-Identifier: GPL-2.0-only
/* esp_open.c - how connections begin: bind, listen, accept, connect. */

#include "esp.h"

#include <linux/etherdevice.h>
#include <linux/random.h>

/* Initialise what all sockets of the protocol have. */
void esp_init_sock(struct esp_sock *ep)
{
	struct sock *sk = &ep->es.sk;

	sock_set_flag(sk, SOCK_RCU_FREE);
	sk->sk_family = enet_family;
	sk->sk_type = SOCK_STREAM;
	sk->sk_destruct = esp_destruct;
	enet_memory_open(sk);
	sk->sk_backlog_rcv = sk->sk_prot->backlog_rcv;
	sk->sk_state = TCP_CLOSE;
	timer_setup(&sk->sk_timer, esp_timer, 0);
	mutex_init(&ep->send_lock);
	__skb_queue_head_init(&ep->ooo_queue);
	INIT_HLIST_NODE(&ep->conn);
	INIT_LIST_HEAD(&ep->children);
	INIT_LIST_HEAD(&ep->sibling);
	spin_lock_init(&ep->queue_lock);
	ep->tag = get_random_u32() ?: 1;	/* 0: none */
	ep->una = ep->next = ep->limit = get_random_u32();
	ep->window = ESP_GRANT_MOST;
	ep->slow_start_end = ESP_GRANT_MOST;
	ep->rto_us = ESP_RTO_FIRST_US;
	ep->timeout_ms = ESP_TIMEOUT_MS;
}

static void esp_set_peer(struct esp_sock *ep, int dev_ifindex, const u8 *peer, __be16 peer_port)
{
	ep->dev_ifindex = dev_ifindex;
	esp_join_receivers(ep);
	ep->peer_port = peer_port;
	ether_addr_copy(ep->peer, peer);
}

/* Add it to the queue of its listener, if that still listens and has room. */
static bool esp_join_listener(struct esp_sock *child, struct esp_sock *listener)
{
	struct sock *sk = &listener->es.sk;
	bool room;

	spin_lock_bh(&listener->queue_lock);
	room = sk->sk_state == TCP_LISTEN && listener->nchildren < sk->sk_max_ack_backlog;
	if (room) {
		sock_hold(sk);
		child->listener = sk;
		listener->nchildren++;
		list_add_tail(&child->sibling, &listener->children);
	}
	spin_unlock_bh(&listener->queue_lock);
	return room;
}

/*
 * Without the lock of the child, which is never taken inside that of a listener: its timer ends it.
 * One that has just been made only waits for its answer to be answered.
 */
void esp_evict_child(struct esp_sock *listener)
{
	struct esp_sock *child;

	spin_lock_bh(&listener->queue_lock);
	list_for_each_entry(child, &listener->children, sibling) {
		if (child->ready || child->evicted || READ_ONCE(child->backoff) < 2)
			continue;
		WRITE_ONCE(child->evicted, true);
		sk_reset_timer(&child->es.sk, &child->es.sk.sk_timer, jiffies);
		break;
	}
	spin_unlock_bh(&listener->queue_lock);
}

/* A listener that is being closed may hold the last reference to its namespace. */
static struct sock *esp_alloc_child(const struct sock *listener)
{
	struct net *net = maybe_get_net(sock_net(listener));
	struct sock *sk;

	if (!net)
		return NULL;
	sk = sk_alloc(net, enet_family, GFP_ATOMIC, listener->sk_prot, 0);
	put_net(net);
	return sk;
}

struct esp_sock *esp_new_child(struct sock *listener, int dev_ifindex, const u8 *peer,
			       __be16 peer_port)
{
	struct sock *sk = esp_alloc_child(listener);
	struct esp_sock *ep = esp_sk(sk);

	if (!sk)
		return NULL;
	sock_init_data(NULL, sk);
	esp_init_sock(ep);
	compat_sk_inherit_memcg(sk, listener);
	ep->es.port = esp_sk(listener)->es.port;
	ep->es.ifindex = dev_ifindex;
	ep->timeout_ms = esp_sk(listener)->timeout_ms;
	sk->sk_rcvbuf = listener->sk_rcvbuf;
	sk->sk_sndbuf = listener->sk_sndbuf;
	sk->sk_state = TCP_SYN_RECV;
	sk->sk_userlocks |= listener->sk_userlocks & (SOCK_SNDBUF_LOCK | SOCK_RCVBUF_LOCK);
	esp_set_peer(ep, dev_ifindex, peer, peer_port);
	esp_fit_buffers(ep);
	bh_lock_sock(sk);
	sock_hold(sk);
	if (esp_join_listener(ep, esp_sk(listener))) {
		if (!esp_table_add(ep))
			return ep;
		esp_done(ep, EADDRINUSE);	/* which also removes it from the queue */
	} else {
		sock_put(sk);
	}
	bh_unlock_sock(sk);
	sock_put(sk);
	return NULL;
}

int esp_bind(struct socket *sock, struct sockaddr_unsized *uaddr, int len)
{
	const struct sockaddr_en *sen = (const struct sockaddr_en *)uaddr;
	struct sock *sk = sock->sk;
	int err = enet_addr_check_local(sk, sen, len);

	if (err)
		return err;
	lock_sock(sk);
	err = -EINVAL;
	if (!esp_sk(sk)->es.port && !esp_sk(sk)->done)
		err = enet_bind(esp_ports(sk), &esp_sk(sk)->es, sen->sen_port, sen->sen_ifindex);
	release_sock(sk);
	return err;
}

int esp_listen(struct socket *sock, int backlog)
{
	struct sock *sk = sock->sk;
	struct esp_sock *ep = esp_sk(sk);
	int err = 0;

	lock_sock(sk);
	if (ep->done || (sk->sk_state != TCP_CLOSE && sk->sk_state != TCP_LISTEN))
		err = -EINVAL;
	else if (!ep->es.port)
		err = enet_bind(esp_ports(sk), &ep->es, 0, 0);
	if (!err) {
		sk->sk_max_ack_backlog = clamp(backlog, 1, (int)ESP_BACKLOG_MOST);
		WRITE_ONCE(sk->sk_state, TCP_LISTEN);
	}
	release_sock(sk);
	return err;
}

/* Remove the first child that is ready from the queue, with the reference that the queue had. */
static struct esp_sock *esp_dequeue_child(struct esp_sock *listener)
{
	struct esp_sock *child, *found = NULL;

	spin_lock_bh(&listener->queue_lock);
	list_for_each_entry(child, &listener->children, sibling) {
		if (!child->ready)
			continue;
		found = child;
		list_del_init(&child->sibling);
		listener->nchildren--;
		break;
	}
	spin_unlock_bh(&listener->queue_lock);
	return found;
}

bool esp_has_ready_child(struct esp_sock *listener)
{
	struct esp_sock *child;
	bool ready = false;

	spin_lock_bh(&listener->queue_lock);
	list_for_each_entry(child, &listener->children, sibling)
		ready |= child->ready;
	spin_unlock_bh(&listener->queue_lock);
	return ready;
}

static int esp_wait_for_child(struct sock *sk, long timeo, struct esp_sock **child)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	int err = 0;

	add_wait_queue(sk_sleep(sk), &wait);
	for (;;) {
		err = sk->sk_state == TCP_LISTEN ? 0 : -EINVAL;
		*child = err ? NULL : esp_dequeue_child(esp_sk(sk));
		if (err || *child)
			break;
		err = timeo ? sock_intr_errno(timeo) : -EAGAIN;
		if (!timeo || signal_pending(current))
			break;
		sk_wait_event(sk, &timeo, esp_has_ready_child(esp_sk(sk)), &wait);
	}
	remove_wait_queue(sk_sleep(sk), &wait);
	return err;
}

int esp_accept(struct socket *sock, struct socket *newsock, struct proto_accept_arg *arg)
{
	struct sock *sk = sock->sk;
	struct esp_sock *child;
	int err;

	lock_sock(sk);
	err = esp_wait_for_child(sk, sock_rcvtimeo(sk, arg->flags & O_NONBLOCK), &child);
	release_sock(sk);
	if (err)
		return err;
	lock_sock(&child->es.sk);
	child->listener = NULL;
	sock_graft(&child->es.sk, newsock);
	newsock->state = SS_CONNECTED;
	release_sock(&child->es.sk);
	sock_put(sk);
	return 0;
}

/*
 * A connection of the kernel has no port of its own, but shares it with others to other peers: a
 * host may have more of them than there are ports, and one user's must not use up those of all.
 */
static int esp_add_sharing_port(struct esp_sock *ep, int ifindex)
{
	int err = -EADDRINUSE;

	for (int i = ENET_PORT_FIRST_KERNEL; i <= U16_MAX && err == -EADDRINUSE; i++) {
		enet_choose_port(esp_ports(&ep->es.sk), &ep->es, ifindex);
		if (!ep->es.port)
			return err;
		err = esp_table_add(ep);
	}
	if (err)
		ep->es.port = 0;
	return err;
}

static int esp_add_connection(struct esp_sock *ep, int ifindex)
{
	int err = 0;

	if (ep->es.kern && !ep->es.port)
		return esp_add_sharing_port(ep, ifindex);
	if (!ep->es.port)
		err = enet_bind(esp_ports(&ep->es.sk), &ep->es, 0, ifindex);
	return err ? err : esp_table_add(ep);
}

/* Under lock_sock: send the SYN. */
static int esp_begin_connect(struct esp_sock *ep, const struct sockaddr_en *sen)
{
	struct sock *sk = &ep->es.sk;
	int ifindex = sen->sen_ifindex ? sen->sen_ifindex : ep->es.ifindex;
	struct net_device *dev = enet_device_hold(sock_net(sk), ifindex);
	__be32 tag = cpu_to_be32(ep->tag);
	int err;

	if (!dev)
		return -ENODEV;
	ifindex = dev->ifindex;
	dev_put(dev);
	if (ep->es.ifindex && ep->es.ifindex != ifindex)
		return -ENETUNREACH;
	esp_set_peer(ep, ifindex, sen->sen_addr, sen->sen_port);
	esp_fit_buffers(ep);
	err = esp_add_connection(ep, ifindex);
	if (err)
		return err;
	err = esp_queue_control(ep, ESP_SYN, &tag, sizeof(tag), GFP_KERNEL_ACCOUNT);
	if (err) {
		esp_done(ep, 0);
		return err;
	}
	sk->sk_state = TCP_SYN_SENT;
	esp_push(ep);
	return 0;
}

static void esp_wait_for_connection(struct sock *sk, long timeo)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);

	add_wait_queue(sk_sleep(sk), &wait);
	while (timeo && sk->sk_state == TCP_SYN_SENT && !signal_pending(current))
		sk_wait_event(sk, &timeo, sk->sk_state != TCP_SYN_SENT, &wait);
	remove_wait_queue(sk_sleep(sk), &wait);
}

/* Result after waiting. */
static int esp_connect_result(struct socket *sock, long timeo)
{
	struct sock *sk = sock->sk;
	int err = 0;

	if (sk->sk_state == TCP_SYN_SENT)
		return timeo && signal_pending(current) ? sock_intr_errno(timeo) : -EINPROGRESS;
	if (sk->sk_state == TCP_ESTABLISHED || esp_sk(sk)->fin_received) {
		sock->state = SS_CONNECTED;
		return 0;
	}
	err = sock_error(sk);
	sock->state = SS_UNCONNECTED;
	return err ? err : -ECONNABORTED;
}

static int esp_may_connect(const struct socket *sock)
{
	const struct sock *sk = sock->sk;

	switch (sk->sk_state) {
	case TCP_SYN_SENT:
		return -EALREADY;
	case TCP_ESTABLISHED:
		return sock->state == SS_CONNECTING ? -EALREADY : -EISCONN;
	case TCP_CLOSE:
		/* The reason of a failure is reported once; a socket connects once. */
		if (esp_sk(sk)->done)
			return sock->state == SS_CONNECTING ? -EALREADY : -EINVAL;
		return 0;
	default:
		return -EINVAL;
	}
}

int esp_connect(struct socket *sock, struct sockaddr_unsized *uaddr, int len, int flags)
{
	const struct sockaddr_en *sen = (const struct sockaddr_en *)uaddr;
	struct sock *sk = sock->sk;
	long timeo = sock_sndtimeo(sk, flags & O_NONBLOCK);
	int err = enet_addr_check(sen, len, false, false);

	if (!err && !sen->sen_port)
		err = -EINVAL;
	if (err)
		return err;
	lock_sock(sk);
	err = esp_may_connect(sock);
	if (!err) {
		err = esp_begin_connect(esp_sk(sk), sen);
		if (!err)
			sock->state = SS_CONNECTING;
	} else if (err == -EALREADY && (timeo || sk->sk_state != TCP_SYN_SENT)) {
		err = 0;
	}
	if (!err) {
		esp_wait_for_connection(sk, timeo);
		err = esp_connect_result(sock, timeo);
	}
	release_sock(sk);
	return err;
}
