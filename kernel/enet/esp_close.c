// SPDX-License-Identifier: GPL-2.0-only
/* esp_close.c - connections that end: closed, reset, timed out, or without their interface. */

#include "esp.h"

static void purge(struct esp_sock *ep)
{
	__skb_queue_purge(&ep->es.sk.sk_write_queue);
	__skb_queue_purge(&ep->early);
	ep->unsent = ep->lost = ep->in_flight = 0;
}

/* Out of the queue of its listener, if it is still there: accept() may have taken it. */
static void leave_listener(struct esp_sock *ep)
{
	struct esp_sock *listener = esp_sk(ep->listener);
	bool queued;

	spin_lock_bh(&listener->queue_lock);
	queued = !list_empty(&ep->sibling);
	if (queued) {
		list_del_init(&ep->sibling);
		listener->nchildren--;
	}
	spin_unlock_bh(&listener->queue_lock);
	if (!queued)
		return;
	ep->listener = NULL;
	sock_put(&listener->es.sk);
	sock_orphan(&ep->es.sk);
	sock_put(&ep->es.sk);
}

/*
 * The references given up here may be the last. The memory outlives them, as callers are in an RCU section
 * or hold one of their own.
 */
void esp_kill(struct esp_sock *ep, int err)
{
	struct sock *sk = &ep->es.sk;

	if (ep->killed)
		return;
	ep->killed = true;
	sk->sk_err = err;
	sk->sk_state = TCP_CLOSE;
	sk->sk_shutdown = SHUTDOWN_MASK;
	esp_set_receiving(ep, false);
	sk_stop_timer(sk, &sk->sk_timer);
	purge(ep);
	if (!sock_flag(sk, SOCK_DEAD)) {
		sk->sk_state_change(sk);
		if (err)
			sk_error_report(sk);
	}
	enet_unbind(esp_ports(sk), &ep->es);
	if (ep->listener)
		leave_listener(ep);
	esp_table_del(ep);
}

static void lose_interface(struct esp_sock *ep)
{
	esp_kill(ep, ep->fin_acked && ep->fin_received ? 0 : ENODEV);
}

static void esp_cut_off(struct esp_sock *ep)
{
	local_bh_disable();
	bh_lock_sock(&ep->es.sk);
	ep->cut_off = true;
	if (!sock_owned_by_user(&ep->es.sk))
		lose_interface(ep);
	bh_unlock_sock(&ep->es.sk);
	local_bh_enable();
}

/* Under rtnl, which is not to wait for a call that has the lock of a socket. */
static void cut_off(struct enet_net *en, int ifindex)
{
	struct esp_sock *ep;

	rcu_read_lock();
	for (int i = 0; i < ESP_HASH; i++)
		hlist_for_each_entry_rcu(ep, &en->esp_conns[i], conn)
			if (ep->via == ifindex)
				esp_cut_off(ep);
	rcu_read_unlock();
}

/*
 * An interface that is deleted, or moved to another namespace, does not come back, not even with its name. No frame
 * of it is in its handler any more. A connect() that found it just before puts its connection into the table
 * afterwards; that one the timer ends, as its SYN is not answered.
 */
static int hear_of_device(struct notifier_block *nb, unsigned long event, void *info)
{
	const struct net_device *dev = netdev_notifier_info_to_dev(info);

	if (event == NETDEV_UNREGISTER)
		cut_off(enet_net_of(dev_net(dev)), dev->ifindex);
	return NOTIFY_DONE;
}

struct notifier_block esp_devices = { .notifier_call = hear_of_device };

void esp_release_cb(struct sock *sk)
{
	if (esp_sk(sk)->cut_off)
		lose_interface(esp_sk(sk));
}

/* Both ends have closed; who has no owner any more stays a while, to answer a FIN that comes again. */
void esp_maybe_over(struct esp_sock *ep)
{
	struct sock *sk = &ep->es.sk;

	if (ep->killed || !ep->fin_acked || !ep->fin_received || sk->sk_state == TCP_CLOSE)
		return;
	sk->sk_state_change(sk);
	if (!sock_flag(sk, SOCK_DEAD))
		return;
	sk->sk_state = TCP_CLOSE;
	ep->die_at = (jiffies + ESP_LINGER) | 1;
	esp_set_timer(ep);
}

/* After the last reference and a grace period. */
void esp_destruct(struct sock *sk)
{
	__skb_queue_purge(&sk->sk_receive_queue);
	__skb_queue_purge(&esp_sk(sk)->early);
	__skb_queue_purge(&sk->sk_write_queue);
}

static void close_children(struct esp_sock *listener)
{
	struct esp_sock *child;

	for (;;) {
		spin_lock_bh(&listener->queue_lock);
		child = list_first_entry_or_null(&listener->children, struct esp_sock, sibling);
		if (child)
			sock_hold(&child->es.sk);
		spin_unlock_bh(&listener->queue_lock);
		if (!child)
			return;
		lock_sock(&child->es.sk);
		esp_send_reset(child);
		esp_kill(child, ECONNRESET);
		release_sock(&child->es.sk);
		sock_put(&child->es.sk);
	}
}

/* New children are refused from here on, as the state is looked at under the same lock. */
static void stop_listening(struct esp_sock *ep)
{
	spin_lock_bh(&ep->queue_lock);
	ep->es.sk.sk_state = TCP_CLOSE;
	spin_unlock_bh(&ep->queue_lock);
	enet_unbind(esp_ports(&ep->es.sk), &ep->es);
}

/* Nothing more is sent than what is queued. In a call: what was sent before must not be lost for lack of memory. */
static int queue_fin(struct esp_sock *ep)
{
	int err;

	if (ep->fin_queued)
		return 0;
	err = esp_queue_control(ep, ESP_FIN, NULL, 0, GFP_KERNEL);
	if (err)
		return err;
	ep->fin_queued = true;
	ep->es.sk.sk_shutdown |= SEND_SHUTDOWN;
	esp_push(ep);
	return 0;
}

/* Until all that was sent has been acknowledged, at most so long. */
static void linger(struct sock *sk, long timeo)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);

	add_wait_queue(sk_sleep(sk), &wait);
	while (timeo && !esp_sk(sk)->fin_acked && !esp_sk(sk)->killed && !signal_pending(current))
		sk_wait_event(sk, &timeo, esp_sk(sk)->fin_acked || esp_sk(sk)->killed, &wait);
	remove_wait_queue(sk_sleep(sk), &wait);
}

static void abort_connection(struct esp_sock *ep)
{
	esp_send_reset(ep);
	esp_kill(ep, 0);
}

/* Under lock_sock, of a socket whose owner goes. Who does not read what has come resets, as TCP does. */
static void close_connection(struct sock *sk)
{
	struct esp_sock *ep = esp_sk(sk);
	bool at_once = sock_flag(sk, SOCK_LINGER) && !sk->sk_lingertime;

	if (ep->killed)
		return;
	if (sk->sk_state != TCP_ESTABLISHED || at_once ||
	    !skb_queue_empty(&sk->sk_receive_queue) || queue_fin(ep)) {
		abort_connection(ep);
		return;
	}
	/* Nothing could interrupt a process that ends. */
	if (sock_flag(sk, SOCK_LINGER) && !(current->flags & PF_EXITING))
		linger(sk, sk->sk_lingertime);
}

int esp_release(struct socket *sock)
{
	struct sock *sk = sock->sk;
	struct esp_sock *ep = esp_sk(sk);

	if (!sk)
		return 0;
	lock_sock(sk);
	if (sk->sk_state == TCP_LISTEN) {
		stop_listening(ep);
		ep->killed = true;
		release_sock(sk);	/* its lock and that of a child are never held together */
		close_children(ep);
		lock_sock(sk);
	} else {
		close_connection(sk);
	}
	local_bh_disable();		/* what wakes the owner must not find it half gone */
	sock_orphan(sk);
	local_bh_enable();
	sock->sk = NULL;
	if (!ep->killed) {
		ep->die_at = (jiffies + msecs_to_jiffies(ESP_TIMEOUT_MS)) | 1;
		esp_set_timer(ep);
		esp_maybe_over(ep);
	}
	release_sock(sk);
	sock_put(sk);
	return 0;
}

int esp_shutdown(struct socket *sock, int how)
{
	struct sock *sk = sock->sk;
	int err = -ENOTCONN;

	if (how < SHUT_RD || how > SHUT_RDWR)
		return -EINVAL;
	lock_sock(sk);
	if (sk->sk_state == TCP_ESTABLISHED) {
		err = how == SHUT_RD ? 0 : queue_fin(esp_sk(sk));
		if (!err && how != SHUT_WR)
			sk->sk_shutdown |= RCV_SHUTDOWN;
		sk->sk_state_change(sk);
	}
	release_sock(sk);
	return err;
}
