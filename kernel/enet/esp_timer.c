// SPDX-License-Identifier: GPL-2.0-only
/* esp_timer.c - deadlines of a connection: retransmission, acknowledgement, end. */

#include "esp.h"

static bool esp_is_due(unsigned long at)
{
	return at && !time_before(jiffies, at);
}

/*
 * A host that was suspended for a while wakes up to a late timer, and to answers that it has not
 * read yet: so the timer must have expired twice.
 */
static bool esp_has_timed_out(const struct esp_sock *ep)
{
	if (ep->es.sk.sk_state == TCP_SYN_RECV &&
	    ((!ep->timeout_ms && ep->backoff >= ESP_SYN_TRIES) || READ_ONCE(ep->evicted)))
		return true;
	return ep->timeout_ms && ep->answered_at && ep->timeouts >= 2 &&
	       time_after(jiffies, ep->answered_at + msecs_to_jiffies(ep->timeout_ms));
}

/*
 * The retransmission timeout: what is late counts as lost, if later frames have arrived; else all
 * that is in flight. Without, a grant may be lost, so ask.
 */
static void esp_on_rto(struct esp_sock *ep)
{
	struct sk_buff *skb;

	ep->rto_at = 0;
	if (esp_find_lost(ep))
		return esp_push(ep);
	if (ep->in_flight)
		esp_on_loss(ep, true);
	ep->timeouts++;
	if (ep->backoff < 16)
		ep->backoff++;
	skb_queue_walk(&ep->es.sk.sk_write_queue, skb) {
		struct esp_frame *f = esp_frame(skb);

		if (!f->sent)
			break;
		if (f->sacked || f->lost)
			continue;
		f->lost = true;
		ep->lost++;
		ep->in_flight--;
	}
	if (!ep->lost && ep->peer_tag)
		esp_send_ack(ep, ESP_ASK);
	esp_push(ep);
}

/* A removed interface does not return, not even under its name. */
static bool esp_has_device(const struct esp_sock *ep)
{
	bool has;

	rcu_read_lock();
	has = enet_device(sock_net(&ep->es.sk), ep->dev_ifindex);
	rcu_read_unlock();
	return has;
}

static void esp_on_timer(struct esp_sock *ep)
{
	if (ep->done)
		return;
	if (esp_is_due(ep->rto_at) && !esp_has_device(ep))
		return esp_done(ep, ENODEV);
	if (esp_is_due(ep->destroy_at) || esp_has_timed_out(ep)) {
		bool over = ep->es.sk.sk_state == TCP_CLOSE;

		/* who has the whole stream may still read it */
		if (!over && !ep->fin_acked)
			esp_send_reset(ep);
		esp_done(ep, over ? 0 : ETIMEDOUT);
		return;
	}
	if (esp_is_due(ep->rto_at))
		esp_on_rto(ep);
	if (esp_is_due(ep->ack_at))
		esp_send_ack(ep, 0);
	esp_set_timer(ep);
}

/*
 * In softirq, with the reference of the pending timer. A call that holds the lock may be setting
 * the timer at this moment, so what is due is left to that call.
 */
void esp_timer(struct timer_list *t)
{
	struct sock *sk = timer_container_of(sk, t, sk_timer);

	bh_lock_sock(sk);
	if (!sock_owned_by_user(sk))
		esp_on_timer(esp_sk(sk));
	else
		esp_sk(sk)->timer_expired = true;
	bh_unlock_sock(sk);
	sock_put(sk);
}

void esp_release_cb(struct sock *sk)
{
	struct esp_sock *ep = esp_sk(sk);
	bool timer_expired = ep->timer_expired;

	ep->timer_expired = false;
	if (ep->device_gone)
		esp_on_device_gone(ep);
	if (timer_expired)
		esp_on_timer(ep);
}
