// SPDX-License-Identifier: GPL-2.0-only
/* esp_close.c - how connections end: closed, reset, timed out, or with their interface. */

#include "esp.h"

#include <linux/workqueue.h>

/* ---- What is not sent any more ------------------------------------------------------- */

/*
 * Frames of connections without an owner. All of these may time out at the same moment, in one
 * softirq, so a work item frees their frames: it can be preempted. A frame with data holds its
 * socket by sk_wmem_alloc; the orphan_bytes of the connection have been released.
 */
static struct sk_buff_head esp_unsent;

static void esp_free_unsent(struct work_struct *work)
{
	struct sk_buff *skb;

	while ((skb = skb_dequeue(&esp_unsent))) {
		kfree_skb(skb);
		cond_resched();
	}
}

static DECLARE_WORK(esp_free_work, esp_free_unsent);

void esp_close_init(void)
{
	skb_queue_head_init(&esp_unsent);
}

/* No socket is left, but the work item that released the last one may still run. */
void esp_close_exit(void)
{
	flush_work(&esp_free_work);
}

static void esp_drop_unsent(struct sock *sk)
{
	if (!sock_flag(sk, SOCK_DEAD))
		return __skb_queue_purge(&sk->sk_write_queue);
	if (skb_queue_empty(&sk->sk_write_queue))
		return;
	spin_lock_bh(&esp_unsent.lock);
	skb_queue_splice_tail_init(&sk->sk_write_queue, &esp_unsent);
	spin_unlock_bh(&esp_unsent.lock);
	schedule_work(&esp_free_work);
}

/* ---- The end of a connection --------------------------------------------------------- */

/* Remove it from the queue of its listener, unless accept() has. */
static void esp_leave_listener(struct esp_sock *ep)
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
 * The references released here may be the last ones. The memory outlives them, as callers are in an
 * RCU section or hold a reference.
 */
void esp_done(struct esp_sock *ep, int err)
{
	struct sock *sk = &ep->es.sk;

	if (ep->done)
		return;
	ep->done = true;
	sk->sk_err = err;
	sk->sk_state = TCP_CLOSE;
	sk->sk_shutdown = SHUTDOWN_MASK;
	esp_set_receiving(ep, false);
	esp_set_expecting(ep, false);
	esp_count_outstanding(ep);
	sk_stop_timer(sk, &sk->sk_timer);
	esp_drop_unsent(sk);
	__skb_queue_purge(&ep->ooo_queue);
	ep->unsent = ep->lost = ep->in_flight = 0;
	if (!sock_flag(sk, SOCK_DEAD)) {
		sk->sk_state_change(sk);
		if (err)
			sk_error_report(sk);
	}
	enet_unbind(esp_ports(sk), &ep->es);
	esp_orphan_uncharge(ep);
	if (ep->listener)
		esp_leave_listener(ep);
	esp_table_del(ep);
}

void esp_on_device_gone(struct esp_sock *ep)
{
	esp_done(ep, ep->fin_acked && ep->fin_received ? 0 : ENODEV);
}

/* Under rtnl, which must not wait for a call that holds a socket. */
static void esp_detach_device(struct esp_sock *ep)
{
	local_bh_disable();
	bh_lock_sock(&ep->es.sk);
	ep->device_gone = true;
	if (!sock_owned_by_user(&ep->es.sk))
		esp_on_device_gone(ep);
	bh_unlock_sock(&ep->es.sk);
	local_bh_enable();
}

/*
 * An interface that is deleted, or moved to another namespace, does not return, not even under its
 * name. No frame of it is in its handler any more. A connect() that found it just before adds its
 * connection afterwards: that one ends by the timer, as its SYN is not answered.
 */
static int esp_device_event(struct notifier_block *nb, unsigned long event, void *info)
{
	const struct net_device *dev = netdev_notifier_info_to_dev(info);
	struct enet_net *en;
	struct esp_sock *ep;

	if (event != NETDEV_UNREGISTER)
		return NOTIFY_DONE;
	en = enet_net_of(dev_net(dev));
	rcu_read_lock();
	for (int i = 0; i < ESP_HASH; i++)
		hlist_for_each_entry_rcu(ep, &en->esp_conns[i], conn)
			if (ep->dev_ifindex == dev->ifindex)
				esp_detach_device(ep);
	rcu_read_unlock();
	return NOTIFY_DONE;
}

struct notifier_block esp_devices = { .notifier_call = esp_device_event };

/*
 * If both ends have closed. A connection without an owner remains a while, to acknowledge a
 * retransmitted FIN.
 */
void esp_check_closed(struct esp_sock *ep)
{
	struct sock *sk = &ep->es.sk;

	if (ep->done || !ep->fin_acked || !ep->fin_received || sk->sk_state == TCP_CLOSE)
		return;
	sk->sk_state_change(sk);
	if (!sock_flag(sk, SOCK_DEAD))
		return;
	sk->sk_state = TCP_CLOSE;
	ep->destroy_at = (jiffies + ESP_LINGER) | 1;
	esp_set_timer(ep);
}

/* After the last reference and a grace period. */
void esp_destruct(struct sock *sk)
{
	__skb_queue_purge(&sk->sk_receive_queue);
	__skb_queue_purge(&esp_sk(sk)->ooo_queue);
	__skb_queue_purge(&sk->sk_write_queue);
	skb_queue_purge(&sk->sk_error_queue);
	enet_memory_close(sk);
}

/* A child that accept() has not taken, with a reference; or NULL. */
static struct esp_sock *esp_child_hold(struct esp_sock *listener)
{
	struct esp_sock *child;

	spin_lock_bh(&listener->queue_lock);
	child = list_first_entry_or_null(&listener->children, struct esp_sock, sibling);
	if (child)
		sock_hold(&child->es.sk);
	spin_unlock_bh(&listener->queue_lock);
	return child;
}

/*
 * No child is added from here on, as the state is read under the same lock. The lock of the socket
 * is released for a while, as it and that of a child are never held together.
 */
static void esp_stop_listening(struct esp_sock *ep)
{
	struct sock *sk = &ep->es.sk;
	struct esp_sock *child;

	spin_lock_bh(&ep->queue_lock);
	sk->sk_state = TCP_CLOSE;
	spin_unlock_bh(&ep->queue_lock);
	enet_unbind(esp_ports(sk), &ep->es);
	ep->done = true;
	sk->sk_shutdown = SHUTDOWN_MASK;
	sk->sk_state_change(sk);
	release_sock(sk);
	while ((child = esp_child_hold(ep))) {
		lock_sock(&child->es.sk);
		esp_send_reset(child);
		esp_done(child, ECONNRESET);
		release_sock(&child->es.sk);
		sock_put(&child->es.sk);
	}
	lock_sock(sk);
}

/*
 * Close the sending direction. In a call: data sent before must not be lost for lack of memory. If
 * the cgroup of the process has none left, that must not be killed for a FIN.
 */
static int esp_queue_fin(struct esp_sock *ep)
{
	int err;

	if (ep->fin_queued)
		return 0;
	err = esp_queue_control(ep, ESP_FIN, NULL, 0,
				GFP_KERNEL_ACCOUNT | __GFP_NORETRY | __GFP_NOWARN);
	if (err == -ENOMEM)
		err = esp_queue_control(ep, ESP_FIN, NULL, 0, GFP_KERNEL);
	if (err)
		return err;
	ep->fin_queued = true;
	ep->es.sk.sk_shutdown |= SEND_SHUTDOWN;
	esp_push(ep);
	return 0;
}

/* Wait until all sent data are acknowledged, at most @timeo. */
static void esp_linger(struct sock *sk, long timeo)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);

	add_wait_queue(sk_sleep(sk), &wait);
	while (timeo && !esp_sk(sk)->fin_acked && !esp_sk(sk)->done && !signal_pending(current))
		sk_wait_event(sk, &timeo, esp_sk(sk)->fin_acked || esp_sk(sk)->done, &wait);
	remove_wait_queue(sk_sleep(sk), &wait);
}

/* Under lock_sock, of a socket whose owner closes it. Unread data cause a reset, as with TCP. */
static void esp_close(struct sock *sk)
{
	struct esp_sock *ep = esp_sk(sk);
	bool at_once = sock_flag(sk, SOCK_LINGER) && !sk->sk_lingertime;

	if (ep->done)
		return;
	ep->closing = true;
	if (sk->sk_state != TCP_ESTABLISHED || at_once ||
	    !skb_queue_empty(&sk->sk_receive_queue) || esp_queue_fin(ep)) {
		esp_send_reset(ep);
		esp_done(ep, 0);
		return;
	}
	/* Nothing can interrupt a process that exits. */
	if (sock_flag(sk, SOCK_LINGER) && !(current->flags & PF_EXITING))
		esp_linger(sk, sk->sk_lingertime);
}

/*
 * Its owner has closed it, and its end or its data are still to be acknowledged. It remains until
 * then, unless too much memory is held by such ones.
 */
static void esp_become_orphan(struct esp_sock *ep)
{
	struct sock *sk = &ep->es.sk;
	struct sk_buff *skb;

	if (esp_orphan_charge(ep)) {
		ep->destroy_at = (jiffies + msecs_to_jiffies(ESP_TIMEOUT_MS)) | 1;
		esp_set_timer(ep);
		esp_check_closed(ep);
		return;
	}
	if (!ep->fin_acked)
		esp_send_reset(ep);
	while ((skb = __skb_dequeue(&sk->sk_write_queue)))
		enet_drop(enet_net_of(sock_net(sk)), skb, ENET_DROP_orphans);
	esp_done(ep, 0);
}

int esp_release(struct socket *sock)
{
	struct sock *sk = sock->sk;
	struct esp_sock *ep = esp_sk(sk);

	if (!sk)
		return 0;
	lock_sock(sk);
	if (sk->sk_state == TCP_LISTEN)
		esp_stop_listening(ep);
	else
		esp_close(sk);
	local_bh_disable();		/* a wake-up in softirq must not find it half orphaned */
	sock_orphan(sk);
	local_bh_enable();
	sock->sk = NULL;
	if (!ep->done)
		esp_become_orphan(ep);
	release_sock(sk);
	sock_put(sk);
	return 0;
}

static int esp_shutdown_connection(struct sock *sk, int how)
{
	int err = how == SHUT_RD ? 0 : esp_queue_fin(esp_sk(sk));

	if (!err && how != SHUT_WR)
		sk->sk_shutdown |= RCV_SHUTDOWN;
	sk->sk_state_change(sk);
	return err;
}

int esp_shutdown(struct socket *sock, int how)
{
	struct sock *sk = sock->sk;
	int err = 0;

	if (how < SHUT_RD || how > SHUT_RDWR)
		return -EINVAL;
	lock_sock(sk);
	if (sk->sk_state == TCP_ESTABLISHED)
		err = esp_shutdown_connection(sk, how);
	else if (sk->sk_state != TCP_LISTEN)
		err = -ENOTCONN;
	else if (how != SHUT_WR)
		esp_stop_listening(esp_sk(sk));
	release_sock(sk);
	return err;
}
