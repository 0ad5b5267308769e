// SPDX-License-Identifier: GPL-2.0-only
/* esp_in.c - received frames: checked, counted, handled. */

/*
 * Untrusted frames. A frame is checked in this order: lengths, version and checksum; the connection
 * or listener that it is for; its tag; its numbers. A frame that fails is counted under its reason
 * and changes nothing. Memory is bound to sockets: data to the receive buffer (nothing beyond the
 * grant is kept), new connections to the backlog of the listener.
 */

#include "esp.h"

#include <linux/crc32c.h>
#include <linux/etherdevice.h>
#include <linux/ratelimit.h>
#include <linux/sched/mm.h>

/* ---- Data ------------------------------------------------------------------------------ */

static void esp_drop(struct esp_sock *ep, struct sk_buff *skb, enum enet_drop why)
{
	ep->stats.dropped++;
	enet_drop(enet_net_of(sock_net(&ep->es.sk)), skb, why);
}

/* The next frame in order. */
static void esp_deliver(struct esp_sock *ep, struct sk_buff *skb)
{
	struct sock *sk = &ep->es.sk;
	u8 flags = esp_frame(skb)->flags;

	ep->expected = esp_frame(skb)->seq + 1;
	if (flags & (ESP_TXS | ESP_TXF | ESP_FIN))
		esp_set_receiving(ep, !(flags & (ESP_TXF | ESP_FIN)));
	if (flags & (ESP_TXF | ESP_FIN))
		ep->transfer_ended = true;
	if (flags & ESP_FIN)
		esp_set_expecting(ep, false);
	esp_count_outstanding(ep);
	if (flags & ESP_FIN) {
		ep->fin_received = true;
		sk->sk_shutdown |= RCV_SHUTDOWN;
		sk->sk_state_change(sk);
	}
	if (!skb->len) {
		skb_orphan(skb);
		consume_skb(skb);
		return;
	}
	__skb_queue_tail(&sk->sk_receive_queue, skb);
}

/* Out of order: insert it by number. */
static void esp_queue_ooo(struct esp_sock *ep, struct sk_buff *skb)
{
	u32 seq = esp_frame(skb)->seq;
	struct sk_buff *at;

	skb_queue_reverse_walk(&ep->ooo_queue, at) {
		if (esp_frame(at)->seq == seq)
			return esp_drop(ep, skb, ENET_DROP_duplicate);
		if (esp_before(esp_frame(at)->seq, seq))
			break;
	}
	ep->stats.out_of_sequence++;
	if (skb_queue_empty(&ep->ooo_queue))
		ep->stats.sequence_lost++;
	__skb_queue_after(&ep->ooo_queue, at, skb);
	if (skb_queue_len(&ep->ooo_queue) == ESP_DUP)
		esp_pool_on_loss(ep);
}

/* The gap before them is filled. */
static void esp_deliver_ooo(struct esp_sock *ep)
{
	struct sk_buff *skb;

	while ((skb = skb_peek(&ep->ooo_queue)) && esp_frame(skb)->seq == ep->expected) {
		__skb_unlink(skb, &ep->ooo_queue);
		esp_deliver(ep, skb);
	}
}

/*
 * A frame that fills a gap is taken in any case: those behind it, which may be all that fills the
 * buffer, can be neither read before it nor dropped.
 */
static bool esp_rcvbuf_is_full(const struct esp_sock *ep, struct sk_buff *skb)
{
	const struct sock *sk = &ep->es.sk;
	s64 used = atomic_read(&sk->sk_rmem_alloc);

	if (esp_frame(skb)->seq == ep->expected && !skb_queue_empty(&ep->ooo_queue))
		return false;
	return used && used + skb->truesize > 2 * (s64)READ_ONCE(sk->sk_rcvbuf);
}

/*
 * Its owner has closed it, and they will not be read. To acknowledge them would tell the sender
 * that they have arrived, for as long as what the owner had sent is on its way; so the connection
 * ends.
 */
static void esp_refuse_data(struct esp_sock *ep, struct sk_buff *skb)
{
	esp_drop(ep, skb, ENET_DROP_closed);
	esp_send_reset(ep);
	esp_done(ep, 0);
}

/*
 * A reader of transfers is woken when one has ended, not by each of its frames, or when the peer
 * could otherwise not go on, and not again before it has read. No wake-up is lost: if it is not
 * woken, then either it has been and will read, to the end of what has come until then; or nothing
 * that it waits for is whole, the peer has not sent the end of the transfer, and may send a frame
 * more, as its grant does not depend on the reader yet. A frame more comes here; if none ever does,
 * no wake-up could complete the transfer, and the end of the connection is reported in any case, by
 * sk_state_change(). All this is under the lock, under which the reader takes frames out of the
 * queue, too.
 */
static void esp_wake_reader(struct esp_sock *ep, bool no_memory)
{
	if (ep->reads_transfers) {
		if (ep->reader_woken || !(no_memory || ep->transfer_ended || esp_needs_reader(ep)))
			return;
		ep->reader_woken = true;
	}
	ep->es.sk.sk_data_ready(&ep->es.sk);
}

/* For want of memory: what waits to be read has some. */
static void esp_drop_for_memory(struct esp_sock *ep, struct sk_buff *skb)
{
	esp_drop(ep, skb, ENET_DROP_memory);
	if (ep->reads_transfers && !skb_queue_empty(&ep->es.sk.sk_receive_queue))
		esp_wake_reader(ep, true);
}

/* A frame that has a number. */
static void esp_rcv_data(struct esp_sock *ep, struct sk_buff *skb)
{
	u32 seq = esp_frame(skb)->seq;
	bool gap = seq != ep->expected, whole = esp_frame(skb)->flags & (ESP_FIN | ESP_ASK);

	ep->largest_cost = max(ep->largest_cost, skb->truesize);
	if (esp_before(seq, ep->expected)) {
		esp_drop(ep, skb, ENET_DROP_duplicate);
		return esp_schedule_ack(ep, true);
	}
	if (skb->len && ep->closing)
		return esp_refuse_data(ep, skb);
	if (!esp_before(seq, ep->granted) || ep->fin_received || esp_rcvbuf_is_full(ep, skb)) {
		esp_drop(ep, skb, ENET_DROP_not_granted);
		return esp_schedule_ack(ep, true);
	}
	/* an end in order is not kept */
	if ((gap || skb->len) && !enet_memory_own_received(&ep->es.sk, skb))
		return esp_drop_for_memory(ep, skb);
	if (esp_frame(skb)->repeats)
		esp_pool_on_loss(ep);
	else
		esp_pool_on_arrival(ep);
	ep->unacked++;
	ep->unacked_weight += esp_ack_weight(skb->len);
	if (gap) {
		esp_queue_ooo(ep, skb);
	} else {
		esp_deliver(ep, skb);
		esp_deliver_ooo(ep);
		esp_wake_reader(ep, false);
	}
	esp_schedule_ack(ep, gap || whole || !skb_queue_empty(&ep->ooo_queue));
}

/* ---- New connections ----- */

static bool esp_read_tag(const struct sk_buff *skb, u32 *tag)
{
	__be32 data;

	if (skb->len != sizeof(data) || skb_copy_bits(skb, 0, &data, sizeof(data)) || !data)
		return false;
	*tag = be32_to_cpu(data);
	return true;
}

static bool esp_is_first_syn(const struct enet_wire_esp *h)
{
	return (h->flags & (ESP_SYN | ESP_ACK | ESP_RST)) == ESP_SYN;
}

/* The lock keeps what the owner of the listener looks at: see eg_socket_release(). */
static bool esp_may_connect_to(struct sock *listener, const struct esp_syn *syn)
{
	bool (*may_connect)(const struct sock *, const u8 *, u16) =
		READ_ONCE(esp_sk(listener)->may_connect);
	bool may;

	if (!may_connect)
		return true;
	read_lock_bh(&listener->sk_callback_lock);
	may = may_connect(listener, syn->from, ntohs(syn->h->sport));
	read_unlock_bh(&listener->sk_callback_lock);
	return may;
}

/* A child answers it. False: no memory, or no room. */
static bool esp_make_child(struct sock *listener, const struct esp_syn *syn)
{
	struct esp_sock *child = esp_new_child(listener, syn->ifindex, syn->from, syn->h->sport);
	__be32 data;

	if (!child)
		return false;
	child->peer_tag = syn->tag;
	child->expected = be32_to_cpu(syn->h->seq) + 1;
	child->granted = child->grant_sent = child->expected;
	child->limit = child->next;
	data = cpu_to_be32(child->tag);
	if (esp_queue_control(child, ESP_SYN, &data, sizeof(data), GFP_ATOMIC | __GFP_ACCOUNT))
		esp_done(child, ENOMEM);
	else
		esp_push(child);
	bh_unlock_sock(&child->es.sk);
	sock_put(&child->es.sk);
	return true;
}

/* The current process is unrelated: the child is charged to the cgroup of its listener. */
static bool esp_begin_child(struct sock *listener, const struct esp_syn *syn)
{
	struct mem_cgroup *other = set_active_memcg(compat_sk_memcg(listener));
	bool begun = esp_make_child(listener, syn);

	set_active_memcg(other);
	return begun;
}

/* A SYN at a listener. Under RCU, without a lock. */
static void esp_rcv_syn(struct esp_sock *listener, struct sk_buff *skb,
			const struct enet_wire_esp *h)
{
	struct sock *sk = &listener->es.sk;
	struct enet_net *en = enet_net_of(sock_net(sk));
	struct esp_syn syn = { .h = h, .from = eth_hdr(skb)->h_source,
			       .ifindex = skb->dev->ifindex };

	if (!esp_read_tag(skb, &syn.tag))
		return enet_drop(en, skb, ENET_DROP_tag);
	if (!esp_may_connect_to(sk, &syn))
		return enet_drop(en, skb, ENET_DROP_not_invited);
	if (READ_ONCE(listener->nchildren) >= sk->sk_max_ack_backlog) {
		esp_evict_child(listener);
		return enet_drop(en, skb, ENET_DROP_backlog);
	}
	if (!esp_cookie_is_good(&syn)) {
		esp_send_cookie(skb->dev, &syn, esp_cookie_for(&syn));
		if (h->tag)
			return enet_drop(en, skb, ENET_DROP_tag);
	} else if (!esp_begin_child(sk, &syn)) {
		return enet_drop(en, skb, ENET_DROP_backlog);
	}
	consume_skb(skb);
}

/* In SYN_SENT: the listener wants to see the SYN again, with a cookie. */
static void esp_rcv_cookie(struct esp_sock *ep, struct sk_buff *skb, const struct enet_wire_esp *h)
{
	u32 cookie;

	if (ep->es.sk.sk_state != TCP_SYN_SENT || be32_to_cpu(h->tag) != ep->tag ||
	    be32_to_cpu(h->ack) != ep->una || !esp_read_tag(skb, &cookie))
		return esp_drop(ep, skb, ENET_DROP_state);
	consume_skb(skb);
	if (cookie == ep->cookie)
		return;			/* of a SYN that was sent twice */
	ep->cookie = cookie;
	esp_resend_syn(ep);
}

static void esp_on_established(struct esp_sock *ep)
{
	struct sock *sk = &ep->es.sk;

	sk->sk_state = TCP_ESTABLISHED;
	if (!ep->listener) {
		sk->sk_state_change(sk);
		sk_wake_async(sk, SOCK_WAKE_IO, POLL_OUT);
		return;
	}
	/* accept() reads it under the lock of the queue. */
	spin_lock_bh(&esp_sk(ep->listener)->queue_lock);
	ep->ready = true;
	spin_unlock_bh(&esp_sk(ep->listener)->queue_lock);
	ep->listener->sk_data_ready(ep->listener);
}

/*
 * Is it a frame for this state? The answer to a SYN has the tag of the other end; what follows it
 * acknowledges it.
 */
static bool esp_fits_state(const struct esp_sock *ep, const struct sk_buff *skb,
			   const struct enet_wire_esp *h)
{
	bool acks_all = (h->flags & ESP_ACK) && be32_to_cpu(h->ack) == ep->next;
	u32 tag;

	switch (ep->es.sk.sk_state) {
	case TCP_SYN_SENT:
		return acks_all && (h->flags & ESP_SYN) && esp_read_tag(skb, &tag);
	case TCP_SYN_RECV:
		return acks_all;
	default:
		return true;
	}
}

/* In SYN_SENT: the answer to the SYN. */
static void esp_rcv_syn_ack(struct esp_sock *ep, const struct sk_buff *skb,
			    const struct enet_wire_esp *h)
{
	esp_read_tag(skb, &ep->peer_tag);
	ep->expected = be32_to_cpu(h->seq) + 1;
	ep->granted = ep->grant_sent = ep->expected;
	ep->limit = be32_to_cpu(h->grant);
}

/* ---- Frames of a connection ------------------------------------------------------------------ */

/* Does the frame say that the first frame that is not acknowledged has arrived behind a gap? */
static bool esp_sacks_first(const struct esp_sock *ep, const struct enet_wire_esp *h)
{
	u32 i = ep->una - be32_to_cpu(h->ack) - 1;

	return i < 64 && (be64_to_cpu(h->sack) >> i & 1);
}

/*
 * An acknowledgement has numbers of frames that were sent, which are first in the queue, or old
 * ones. No receiver that has the first frame without an acknowledgement sends one with a lower
 * number, and of no other has the timer to be stopped while that frame is in the queue.
 */
static bool esp_ack_is_valid(const struct esp_sock *ep, const struct enet_wire_esp *h)
{
	u32 ack = be32_to_cpu(h->ack), grant = be32_to_cpu(h->grant);

	return !esp_before(ep->next - ep->unsent, ack) && !esp_sacks_first(ep, h) &&
	       (s32)(grant - ack) <= 4 * ESP_GRANT_MOST &&
	       (s32)(grant - ack) >= 0;
}

static void esp_rcv_ack(struct esp_sock *ep, const struct enet_wire_esp *h)
{
	u32 ack = be32_to_cpu(h->ack), grant = be32_to_cpu(h->grant);
	bool news = esp_on_ack(ep, ack, be64_to_cpu(h->sack));

	if (esp_before(ep->limit, grant)) {
		ep->limit = grant;
		ep->backoff = 0;
		ep->rto_at = 0;
	} else if (ack == ep->next) {
		ep->limit = grant;
	}
	if (news)
		esp_update_rtt(ep, be32_to_cpu(h->echo));
	if (ep->answered_at)
		esp_answered(ep);
	esp_push(ep);
}

/*
 * A refusal has the tag, which in a second SYN is the cookie, and the number of a frame that this
 * connection sent, not one of long ago, so a recorded frame cannot provoke one; and it is of the
 * peer, not of this host, to which a frame of the connection may have been sent back.
 */
static bool esp_reset_is_refusal(const struct esp_sock *ep, const struct sk_buff *skb,
				 const struct enet_wire_esp *h)
{
	u32 seq = be32_to_cpu(h->seq), mine = ep->peer_tag ?: ep->cookie;
	struct esp_wire_refusal refusal;

	return !h->tag && !esp_before(seq, ep->una) && !esp_before(ep->next, seq) &&
	       skb->len == sizeof(refusal) &&
	       !skb_copy_bits(skb, 0, &refusal, sizeof(refusal)) &&
	       be32_to_cpu(refusal.tag) == mine && !refusal.zero &&
	       ether_addr_equal(refusal.addr, ep->peer);
}

/* All that the peer may not have is the end. */
static bool esp_is_over(const struct esp_sock *ep)
{
	return ep->fin_queued && ep->fin_received && ep->next - ep->una <= 1;
}

static void esp_rcv_reset(struct esp_sock *ep, struct sk_buff *skb, const struct enet_wire_esp *h)
{
	/* With the tag of the connection, and a number that the peer has not sent yet, if known. */
	bool is_close = be32_to_cpu(h->tag) == ep->tag &&
			(ep->es.sk.sk_state == TCP_SYN_SENT ||
			 !esp_before(be32_to_cpu(h->seq), ep->expected));

	if (!is_close && !esp_reset_is_refusal(ep, skb, h))
		return esp_drop(ep, skb, ENET_DROP_tag);
	consume_skb(skb);
	if (ep->es.sk.sk_state == TCP_SYN_SENT)
		esp_done(ep, ECONNREFUSED);
	else
		esp_done(ep, esp_is_over(ep) ? 0 : ECONNRESET);
}

/* A frame with the tag of the connection. */
static void esp_rcv_valid(struct esp_sock *ep, struct sk_buff *skb, const struct enet_wire_esp *h)
{
	struct sock *sk = &ep->es.sk;

	if (!esp_fits_state(ep, skb, h))
		return esp_drop(ep, skb, ENET_DROP_state);
	if (!(h->flags & ESP_ACK) || !esp_ack_is_valid(ep, h))
		return esp_drop(ep, skb, ENET_DROP_numbers);
	if (sk->sk_state == TCP_SYN_SENT)
		esp_rcv_syn_ack(ep, skb, h);
	ep->stats.received++;
	if (be32_to_cpu(h->stamp)) {
		ep->echo = be32_to_cpu(h->stamp);
		ep->echo_since_us = esp_now_us();
	}
	esp_rcv_ack(ep, h);
	if ((sk->sk_state == TCP_SYN_SENT || sk->sk_state == TCP_SYN_RECV) && ep->una == ep->next)
		esp_on_established(ep);
	if (h->flags & ESP_SYN) {
		consume_skb(skb);
		esp_schedule_ack(ep, true);
	} else if (h->len || (h->flags & ESP_FIN)) {
		esp_rcv_data(ep, skb);
	} else {
		if (h->flags & ESP_ASK)
			esp_schedule_ack(ep, true);
		consume_skb(skb);
	}
	esp_check_closed(ep);
}

/* A frame from the backlog does not hold its device any more. */
static void esp_refuse_old(struct esp_sock *ep, const struct enet_wire_esp *h)
{
	struct net_device *dev = enet_device_hold(sock_net(&ep->es.sk), ep->dev_ifindex);

	if (!dev)
		return;
	esp_refuse(dev, ep->peer, h);
	dev_put(dev);
}

/*
 * A frame without the tag of the connection. It may be a retransmitted SYN: the timer retransmits
 * the answer. If a host has forgotten the connection and begins a new one between the same ports,
 * its SYN is answered with an acknowledgement, which that host refuses; that ends the old
 * connection, and the next SYN finds a listener.
 */
static void esp_rcv_bad_tag(struct esp_sock *ep, struct sk_buff *skb, const struct enet_wire_esp *h)
{
	int state = ep->es.sk.sk_state;

	if (esp_is_first_syn(h) && state == TCP_ESTABLISHED)
		esp_send_ack(ep, 0);
	if (state == TCP_SYN_SENT && (h->flags & ESP_ACK))
		esp_refuse_old(ep, h);
	esp_drop(ep, skb, ENET_DROP_tag);
}

/* Under the lock. The header is before the data. */
static void esp_rcv_conn(struct esp_sock *ep, struct sk_buff *skb)
{
	const struct enet_wire_esp *h = (const void *)(skb->data - sizeof(*h));

	if (ep->done)
		return esp_drop(ep, skb, ENET_DROP_no_socket);
	if (h->flags & ESP_RST)
		return esp_rcv_reset(ep, skb, h);
	if (h->flags == ESP_COOKIE)
		return esp_rcv_cookie(ep, skb, h);
	if (be32_to_cpu(h->tag) != ep->tag)
		return esp_rcv_bad_tag(ep, skb, h);
	*esp_frame(skb) = (struct esp_frame){
		.seq = be32_to_cpu(h->seq), .flags = h->flags, .repeats = h->repeats,
	};
	esp_rcv_valid(ep, skb, h);
}

int esp_backlog(struct sock *sk, struct sk_buff *skb)
{
	skb_orphan(skb);		/* a queue charges it again */
	esp_rcv_conn(esp_sk(sk), skb);
	return 0;
}

/* ---- From the device ----- */

/* Handle it now, or put it into the backlog if a call holds the connection. */
static void esp_rcv_or_backlog(struct enet_net *en, struct esp_sock *ep, struct sk_buff *skb)
{
	struct sock *sk = &ep->es.sk;
	/* what esp_rcvbuf_is_full() lets in, and acknowledgements of what is in flight */
	s64 most = 2 * (s64)READ_ONCE(sk->sk_rcvbuf) + READ_ONCE(sk->sk_sndbuf);

	bh_lock_sock(sk);
	if (!sock_owned_by_user(sk))
		esp_rcv_conn(ep, skb);
	else if (!enet_memory_own_waiting(sk, skb))
		enet_drop(en, skb, ENET_DROP_memory);
	else if (sk_add_backlog(sk, skb, min_t(s64, most, INT_MAX)))
		enet_drop(en, skb, ENET_DROP_no_room);
	bh_unlock_sock(sk);
}

static void esp_rcv_demux(struct enet_net *en, struct sk_buff *skb, const struct enet_wire_esp *h)
{
	struct net *net = dev_net(skb->dev);
	int ifindex = skb->dev->ifindex;
	struct esp_sock *ep = esp_table_find(net, ifindex, h->dport, h->sport,
					     eth_hdr(skb)->h_source);
	struct enet_sock *es;

	if (ep)
		return esp_rcv_or_backlog(en, ep, skb);
	es = esp_is_first_syn(h) ? enet_find(&en->esp, h->dport, ifindex) : NULL;
	if (es && READ_ONCE(es->sk.sk_state) == TCP_LISTEN)
		return esp_rcv_syn(esp_sk(&es->sk), skb, h);
	if (!(h->flags & (ESP_RST | ESP_COOKIE)) && __ratelimit(&en->echo))
		esp_refuse(skb->dev, eth_hdr(skb)->h_source, h);
	enet_drop(en, skb, ENET_DROP_no_socket);
}

static bool esp_checksum_is_right(struct sk_buff *skb, const struct enet_wire_esp *h)
{
	struct enet_wire_esp copy = *h;
	u32 crc = esp_crc_from(skb, sizeof(*h));

	copy.crc = 0;
	return be32_to_cpu(h->crc) == crc32c(crc, &copy, sizeof(copy));
}

static void esp_rcv_frame(struct enet_net *en, struct sk_buff *skb)
{
	const struct enet_wire_esp *h;
	unsigned int len;

	if (!pskb_may_pull(skb, sizeof(*h)))
		return enet_drop(en, skb, ENET_DROP_truncated);
	h = (const struct enet_wire_esp *)skb->data;
	len = sizeof(*h) + ntohs(h->len);
	if (h->version != ENET_WIRE_VERSION)
		return enet_drop(en, skb, ENET_DROP_version);
	if (skb->len < len || pskb_trim_rcsum(skb, len))
		return enet_drop(en, skb, ENET_DROP_truncated);
	h = (const struct enet_wire_esp *)skb->data;
	if (!esp_checksum_is_right(skb, h))
		return enet_drop(en, skb, ENET_DROP_checksum);
	if (h->zero || h->zeros || (h->flags & ESP_COOKIE && h->flags != ESP_COOKIE))
		return enet_drop(en, skb, ENET_DROP_type);
	if (!h->sport || !h->dport)
		return enet_drop(en, skb, ENET_DROP_port_zero);
	if (is_multicast_ether_addr(eth_hdr(skb)->h_source))
		return enet_drop(en, skb, ENET_DROP_source);
	if (skb->pkt_type != PACKET_HOST)
		return enet_drop(en, skb, ENET_DROP_group);
	__skb_pull(skb, sizeof(*h));
	/* it may refer to the device, and the frame may stay longer in a queue */
	skb_dst_drop(skb);
	esp_rcv_demux(en, skb, h);
}

/* In softirq, under RCU. The hook receives frames of all namespaces. */
static int esp_rcv(struct sk_buff *skb, struct net_device *dev, struct packet_type *pt,
		   struct net_device *orig_dev)
{
	struct enet_net *en = enet_net_of(dev_net(dev));

	skb = enet_receive_skb(en, skb, dev);
	if (skb)
		esp_rcv_frame(en, skb);
	return NET_RX_SUCCESS;
}

struct packet_type esp_packets __read_mostly = {
	.type = cpu_to_be16(ENET_ETHERTYPE_ESP),
	.func = esp_rcv,
};
