// SPDX-License-Identifier: GPL-2.0-only
/* esp_out.c - sent frames: data, acknowledgements, grants, retransmissions. */

/*
 * A frame is lost when ESP_DUP frames that were sent after it have arrived, and when it is later
 * than the RTT and its variation, as a network may reorder frames. The same holds for
 * retransmissions: every transmission has a number (order), and the largest one that is known to
 * have arrived is kept. Where no more than ESP_DUP frames are in flight, as when many senders
 * share what one receiver can take, one later frame suffices; and if no acknowledgement comes at
 * which this would be seen, the timer expires as soon as the frame is late (compare RFC 5827 and
 * 8985). The retransmission timeout finds other losses: then all in flight counts as lost.
 *
 * Two limits bound what is in flight. The grant of the receiver: no more than it and its interface
 * can take (esp_next_grant()). And a congestion window as in RFC 5681: it begins at ESP_GRANT_MOST,
 * so that the grant decides; a loss makes it half of what is in flight, once for all frames that
 * were sent before; then it grows by one with each window that arrives, and after a timeout with
 * each frame, until it is half of what it was. Losses that later frames show leave it at least
 * ESP_WINDOW_LOSS, of which a loss can be seen so again.
 *
 * Acknowledgements. A receiver sends one for ESP_ACK_FRAMES small frames or two others, when half
 * of what it granted is used, or after ESP_ACK_DELAY_US, if no other frame to the peer carries it
 * before. So a barrier, a message of which goes over a connection once, pays for few frames that
 * carry none. A frame that asks (ESP_ASK) is acknowledged at once; the sender lets one ask if
 * something waits for that: see esp_asks(). Where no frame has asked, the retransmission timeout is
 * longer by the delay. After a loss ESP_ASK_FRAMES frames ask, so that where frames are lost, later
 * losses are found without the delay.
 */

#include "esp.h"

#include <linux/crc32c.h>
#include <linux/etherdevice.h>

u32 esp_now_us(void)
{
	return (u32)div_u64(ktime_get_ns(), NSEC_PER_USEC);
}

/* ---- Building a frame ------------------------------------------------------------- */

u32 esp_crc_from(struct sk_buff *skb, unsigned int start)
{
	struct skb_seq_state state;
	unsigned int len, done = 0;
	const u8 *data;
	u32 crc = 0;

	skb_prepare_seq_read(skb, start, skb->len, &state);
	while ((len = skb_seq_read(done, &data, &state))) {
		crc = crc32c(crc, data, len);
		done += len;
	}
	return crc;
}

/* @queued: it is to wait for its acknowledgement, and a clone of it is sent. */
static struct sk_buff *esp_alloc_frame_on(struct net_device *dev, size_t len, gfp_t gfp,
					  bool queued)
{
	size_t head = enet_headroom(dev) + ESP_HEADER;
	size_t bytes = head + len + READ_ONCE(dev->needed_tailroom);
	struct sk_buff *skb = queued ? alloc_skb_fclone(bytes, gfp) : alloc_skb(bytes, gfp);

	if (skb)
		skb_reserve(skb, head);
	return skb;
}

/* Add both headers to the data, whose checksum is @crc, and give the frame to the device. */
static int esp_transmit(struct sk_buff *skb, struct net_device *dev, const u8 *to,
			const struct enet_wire_esp *head, u32 crc)
{
	struct enet_wire_esp *h;
	int err;

	if (skb_cow_head(skb, enet_headroom(dev) + ESP_HEADER)) {
		kfree_skb(skb);
		return -ENOMEM;
	}
	h = __skb_push(skb, ESP_HEADER);
	*h = *head;
	h->crc = cpu_to_be32(crc32c(crc, h, ESP_HEADER));
	skb->dev = dev;
	skb->protocol = htons(ENET_ETHERTYPE_ESP);
	skb_reset_network_header(skb);
	err = dev_hard_header(skb, dev, ENET_ETHERTYPE_ESP, to, dev->dev_addr, skb->len);
	if (err < 0 || !netif_running(dev)) {
		kfree_skb(skb);
		return -ENETDOWN;
	}
	err = dev_queue_xmit(skb);
	return err > 0 ? net_xmit_errno(err) : err;
}

/* ---- Frames of a connection ----------------------------------------------------------- */

/* Bit i: the frame @expected + 1 + i has arrived. */
static u64 esp_sack_bits(const struct esp_sock *ep)
{
	struct sk_buff *skb;
	u64 bits = 0;

	skb_queue_walk(&ep->ooo_queue, skb) {
		u32 i = esp_frame(skb)->seq - ep->expected - 1;

		if (i < 64)
			bits |= 1ull << i;
	}
	return bits;
}

/* Flags, number and length differ by frame; the rest is the same for all frames sent now. */
static void esp_fill_header(struct esp_sock *ep, struct enet_wire_esp *h, u8 flags, u32 seq,
			    size_t len)
{
	u32 limit = esp_next_grant(ep), now_us = esp_now_us();

	if (limit != ep->grant_sent)
		ep->stats.requests_sent++;
	ep->grant_sent = limit;
	if (esp_before(ep->granted, limit))
		ep->granted = limit;
	esp_count_outstanding(ep);
	ep->unacked = 0;
	ep->unacked_weight = 0;
	ep->ack_at = 0;
	*h = (struct enet_wire_esp){
		.version = ENET_WIRE_VERSION,
		.flags = flags | (ep->peer_tag ? ESP_ACK : 0),
		.len = htons(len),
		.sport = ep->es.port,
		.dport = ep->peer_port,
		.tag = cpu_to_be32(ep->peer_tag ?: ep->cookie),
		.seq = cpu_to_be32(seq),
		.ack = cpu_to_be32(ep->expected),
		.grant = cpu_to_be32(limit),
		.sack = cpu_to_be64(esp_sack_bits(ep)),
		.stamp = cpu_to_be32(now_us),
		.echo = cpu_to_be32(ep->echo ? ep->echo + now_us - ep->echo_since_us : 0),
	};
	ep->echo = 0;
}

/* The small frames that those in flight count for, if at most @most; else more than that. */
static unsigned int esp_weight_in_flight(const struct esp_sock *ep, unsigned int most)
{
	unsigned int weight = 0;
	struct sk_buff *skb;

	skb_queue_walk(&ep->es.sk.sk_write_queue, skb) {
		const struct esp_frame *f = esp_frame(skb);

		if (!f->sent || weight > most)
			break;
		if (!f->sacked && !f->lost)
			weight += esp_ack_weight(skb->len);
	}
	return weight;
}

/*
 * Does the last frame leave the owner waiting for room that only a delayed acknowledgement makes?
 * A socket is writable when half of its buffer is free. If the buffer holds twice what shares an
 * acknowledgement, those that are not delayed free as much.
 */
static bool esp_fills_sndbuf(const struct esp_sock *ep)
{
	const struct sock *sk = &ep->es.sk;

	return !ep->unsent && sk_wmem_alloc_get(sk) >= READ_ONCE(sk->sk_sndbuf) &&
	       esp_weight_in_flight(ep, 2 * ESP_ACK_FRAMES) <= 2 * ESP_ACK_FRAMES;
}

/* The end of a transfer of several frames: its sender may wait for it, or for its pages. */
static bool esp_ends_transfer(struct sk_buff *skb)
{
	u8 flags = esp_frame(skb)->flags & (ESP_TXS | ESP_TXF);

	return flags == ESP_TXF || (flags && skb_zcopy(skb));
}

/* Is the frame to be acknowledged without delay? */
static bool esp_asks(struct esp_sock *ep, struct sk_buff *skb)
{
	if (ep->asks_left) {
		ep->asks_left--;
		return true;
	}
	return esp_ends_transfer(skb) || esp_fills_sndbuf(ep);
}

/* While the device has an earlier clone, its headers must not change. NULL: no memory. */
static struct sk_buff *esp_copy_frame(struct sock *sk, struct sk_buff *skb)
{
	struct sk_buff *copy = pskb_copy(skb, GFP_ATOMIC);

	if (!copy)
		return NULL;
	skb_set_owner_w(copy, sk);
	if (enet_memory_own_sent(copy))
		return copy;
	kfree_skb(copy);
	return NULL;
}

/* Send a clone of @skb, which stays in the queue. */
static void esp_send_frame(struct esp_sock *ep, struct net_device *dev, struct sk_buff *skb)
{
	struct esp_frame *f = esp_frame(skb);
	u8 flags = f->flags | (esp_asks(ep, skb) ? ESP_ASK : 0);
	struct enet_wire_esp head;
	struct sk_buff *copy;

	copy = skb_cloned(skb) ? esp_copy_frame(&ep->es.sk, skb) : skb_clone(skb, GFP_ATOMIC);
	esp_fill_header(ep, &head, flags, f->seq, skb->len);
	head.repeats = f->repeats;
	if (f->repeats < U8_MAX)
		f->repeats++;
	ep->asked = flags & (ESP_SYN | ESP_FIN | ESP_ASK);
	f->order = ++ep->order;
	f->sent_us = be32_to_cpu(head.stamp);
	if (!copy || esp_transmit(copy, dev, ep->peer, &head, f->crc))
		ep->stats.send_errors++;
	ep->stats.sent++;
}

void esp_send_ack(struct esp_sock *ep, u8 more_flags)
{
	struct net_device *dev = enet_device_hold(sock_net(&ep->es.sk), ep->dev_ifindex);
	struct enet_wire_esp head;
	struct sk_buff *skb;
	int err = -ENETDOWN;

	if (!dev)
		return;
	skb = esp_alloc_frame_on(dev, 0, GFP_ATOMIC, false);
	if (skb) {
		esp_fill_header(ep, &head, more_flags, ep->next, 0);
		err = esp_transmit(skb, dev, ep->peer, &head, 0);
	}
	dev_put(dev);
	ep->stats.sent++;
	if (err)
		ep->stats.send_errors++;
}

void esp_send_reset(struct esp_sock *ep)
{
	if (ep->peer_tag)
		esp_send_ack(ep, ESP_RST);
}

/* A frame of no connection, in answer to @h. */
static void esp_answer(struct net_device *dev, const u8 *to, const struct enet_wire_esp *h,
		       struct enet_wire_esp head, const void *data, size_t len)
{
	struct sk_buff *skb = esp_alloc_frame_on(dev, len, GFP_ATOMIC, false);

	if (!skb)
		return;
	head.version = ENET_WIRE_VERSION;
	head.len = htons(len);
	head.sport = h->dport;
	head.dport = h->sport;
	head.stamp = cpu_to_be32(esp_now_us());
	skb_put_data(skb, data, len);
	esp_transmit(skb, dev, to, &head, crc32c(0, data, len));
}

void esp_refuse(struct net_device *dev, const u8 *to, const struct enet_wire_esp *h)
{
	struct enet_wire_esp head = { .flags = ESP_RST, .seq = h->seq };
	struct esp_wire_refusal refusal = { .tag = h->tag };

	ether_addr_copy(refusal.addr, dev->dev_addr);
	esp_answer(dev, to, h, head, &refusal, sizeof(refusal));
}

void esp_send_cookie(struct net_device *dev, const struct esp_syn *syn, u32 cookie)
{
	struct enet_wire_esp head = {
		.flags = ESP_COOKIE, .tag = cpu_to_be32(syn->tag), .ack = syn->h->seq,
	};
	__be32 data = cpu_to_be32(cookie);

	esp_answer(dev, syn->from, syn->h, head, &data, sizeof(data));
}

void esp_schedule_ack(struct esp_sock *ep, bool now)
{
	if (now || ep->unacked_weight >= ESP_ACK_FRAMES ||
	    ep->unacked >= esp_granted_frames(ep)) {
		esp_send_ack(ep, 0);
		return;
	}
	if (!ep->ack_at)
		ep->ack_at = (jiffies + ESP_ACK_DELAY) | 1;
	esp_set_timer(ep);
}

void esp_update_grant(struct esp_sock *ep)
{
	u32 left = esp_granted_frames(ep), next;

	if (left > ESP_GRANT_MOST / 2)
		return;			/* all that may be granted is less than twice as much */
	next = esp_next_grant(ep) - ep->expected;
	if (ep->peer_tag && !ep->fin_received && next > left && next >= 2 * left)
		esp_send_ack(ep, 0);
}

/* ---- The queue ------------------------------------------------------------------------ */

static void esp_free_charged(struct sk_buff *skb)
{
	enet_memory_uncharge(skb->sk, esp_frame(skb)->charged);
	sock_wfree(skb);
}

int esp_charge_frame(struct sk_buff *skb)
{
	if (!enet_memory_charge(skb->sk, skb->truesize)) {
		kfree_skb(skb);
		return -ENOBUFS;
	}
	esp_frame(skb)->charged = skb->truesize;
	skb->destructor = esp_free_charged;
	return 0;
}

void esp_queue(struct esp_sock *ep, struct sk_buff *skb, u8 flags)
{
	*esp_frame(skb) = (struct esp_frame){
		.seq = ep->next++, .flags = flags, .crc = esp_crc_from(skb, 0),
		.charged = esp_frame(skb)->charged,
	};
	/* Clones may write before the data: one at a time does, see esp_send_frame(). */
	__skb_header_release(skb);
	__skb_queue_tail(&ep->es.sk.sk_write_queue, skb);
	ep->unsent++;
}

struct sk_buff *esp_alloc_frame(const struct esp_sock *ep, size_t len, gfp_t gfp)
{
	struct net_device *dev = enet_device_hold(sock_net(&ep->es.sk), ep->dev_ifindex);
	struct sk_buff *skb;

	if (!dev)
		return NULL;
	skb = esp_alloc_frame_on(dev, len, gfp, true);
	dev_put(dev);
	return skb;
}

int esp_queue_control(struct esp_sock *ep, u8 flags, const void *data, size_t len, gfp_t gfp)
{
	struct sk_buff *skb = esp_alloc_frame(ep, len, gfp);

	if (!skb)
		return esp_mtu(ep) ? -ENOMEM : -ENODEV;
	skb_put_data(skb, data, len);
	esp_queue(ep, skb, flags);
	return 0;
}

static void esp_retransmit(struct esp_sock *ep, struct net_device *dev)
{
	struct sk_buff *skb;

	skb_queue_walk(&ep->es.sk.sk_write_queue, skb) {
		struct esp_frame *f = esp_frame(skb);

		if (!ep->lost || ep->in_flight >= ep->window)
			break;
		if (!f->lost)
			continue;
		f->lost = false;
		ep->lost--;
		ep->in_flight++;
		ep->stats.retransmitted++;
		esp_send_frame(ep, dev, skb);
	}
}

/* A SYN needs no grant; before it is answered no other frame has one. */
static bool esp_may_send(const struct esp_sock *ep, const struct esp_frame *f)
{
	return (f->flags & ESP_SYN) ||
	       (esp_before(f->seq, ep->limit) && ep->in_flight < ep->window);
}

/* Unsent frames are the last ones of the queue. */
static struct sk_buff *esp_first_unsent(struct esp_sock *ep)
{
	struct sk_buff_head *queue = &ep->es.sk.sk_write_queue;
	struct sk_buff *skb, *first = NULL;

	skb_queue_reverse_walk(queue, skb) {
		if (esp_frame(skb)->sent)
			break;
		first = skb;
	}
	return first;
}

static void esp_send_new(struct esp_sock *ep, struct net_device *dev)
{
	struct sk_buff *skb = ep->unsent ? esp_first_unsent(ep) : NULL;

	while (skb && esp_may_send(ep, esp_frame(skb))) {
		esp_frame(skb)->sent = true;
		ep->unsent--;
		ep->in_flight++;
		esp_send_frame(ep, dev, skb);
		skb = skb_queue_is_last(&ep->es.sk.sk_write_queue, skb) ? NULL : skb->next;
	}
}

/* May the peer have all that is in flight, and delay its acknowledgement? */
static bool esp_ack_may_be_delayed(const struct esp_sock *ep)
{
	return ep->in_flight && ep->in_flight < ESP_ACK_FRAMES && !ep->asked;
}

/* Have so many later frames arrived that it is lost unless it comes soon? */
static bool esp_is_behind(const struct esp_sock *ep, const struct esp_frame *f)
{
	s32 enough = ep->in_flight > ESP_DUP ? ESP_DUP : 1;

	return (s32)(ep->delivered - f->order) >= enough && f->sent && !f->sacked && !f->lost;
}

/* A frame that is behind counts as lost so many microseconds after it was sent. */
static u32 esp_lateness(const struct esp_sock *ep)
{
	return ep->srtt_us + ep->rttvar_us;
}

/* A short timeout must allow some retransmissions: the peer may only have no room. */
static u32 esp_rto(const struct esp_sock *ep)
{
	u32 rto = ep->rto_us + (esp_ack_may_be_delayed(ep) ? ESP_ACK_DELAY_US : 0);
	struct sk_buff *first = skb_peek(&ep->es.sk.sk_write_queue);
	unsigned int ms = READ_ONCE(ep->timeout_ms);
	u64 most = ESP_RTO_MOST_US;

	if (first && esp_is_behind(ep, esp_frame(first)))
		return esp_lateness(ep);
	if (ms)
		most = min_t(u64, most, (u64)ms * USEC_PER_MSEC / 4);
	return min_t(u64, (u64)rto << ep->backoff, max_t(u64, most, ep->rto_us));
}

/* While an answer is awaited the timer runs; a grant may have been lost, too. */
static void esp_arm_rto(struct esp_sock *ep)
{
	bool waits = ep->in_flight || ep->lost || ep->unsent;

	if (!waits)
		ep->rto_at = 0;
	else if (!ep->rto_at)
		ep->rto_at = (jiffies + max_t(unsigned long, usecs_to_jiffies(esp_rto(ep)), 1)) | 1;
	if (!waits)
		ep->answered_at = 0;
	else if (!ep->answered_at)
		esp_answered(ep);
	esp_set_timer(ep);
}

void esp_push(struct esp_sock *ep)
{
	struct net_device *dev = NULL;

	if (ep->lost || ep->unsent)
		dev = enet_device_hold(sock_net(&ep->es.sk), ep->dev_ifindex);
	if (dev) {
		esp_retransmit(ep, dev);
		esp_send_new(ep, dev);
		dev_put(dev);
	}
	esp_arm_rto(ep);
}

/* It is the only frame in the queue. */
void esp_resend_syn(struct esp_sock *ep)
{
	struct sk_buff *skb = skb_peek(&ep->es.sk.sk_write_queue);

	if (skb && esp_frame(skb)->sent && !esp_frame(skb)->lost) {
		esp_frame(skb)->lost = true;
		ep->lost++;
		ep->in_flight--;
	}
	esp_push(ep);
}

/* ---- Acknowledgements ----- */

void esp_on_loss(struct esp_sock *ep, bool timeout)
{
	ep->slow_start_end = max_t(unsigned int, ep->in_flight / 2, ESP_WINDOW_LOSS);
	ep->window = timeout ? ESP_WINDOW_TIMEOUT : ep->slow_start_end;
	ep->grown = 0;
	ep->shrunk_at = ep->order;
	ep->asks_left = ESP_ASK_FRAMES;
}

/* A frame has arrived. */
static void esp_grow_window(struct esp_sock *ep)
{
	if (ep->window >= ESP_GRANT_MOST)
		return;
	if (ep->window >= ep->slow_start_end && ++ep->grown < ep->window)
		return;
	ep->grown = 0;
	ep->window++;
}

/* A frame has arrived: it was in flight, lost, or acknowledged before. */
static void esp_mark_delivered(struct esp_sock *ep, struct esp_frame *f)
{
	if (f->sacked)
		return;
	f->sacked = true;
	esp_grow_window(ep);
	if (f->lost)
		ep->lost--;
	else
		ep->in_flight--;
	f->lost = false;
	if (esp_before(ep->delivered, f->order))
		ep->delivered = f->order;
}

static bool esp_is_acked(const struct esp_frame *f, u32 ack, u64 sack)
{
	u32 i = f->seq - ack - 1;

	return esp_before(f->seq, ack) || (i < 64 && (sack >> i & 1));
}

bool esp_find_lost(struct esp_sock *ep)
{
	u32 now_us = esp_now_us();
	struct sk_buff *skb;
	bool found = false;

	skb_queue_walk(&ep->es.sk.sk_write_queue, skb) {
		struct esp_frame *f = esp_frame(skb);

		if (!f->sent)
			break;
		if (!esp_is_behind(ep, f) || now_us - f->sent_us < esp_lateness(ep))
			continue;
		if (esp_before(ep->shrunk_at, f->order))
			esp_on_loss(ep, false);
		f->lost = true;
		ep->lost++;
		ep->in_flight--;
		found = true;
	}
	return found;
}

/* Wake close(), which may wait for it. */
static void esp_on_fin_acked(struct esp_sock *ep)
{
	ep->fin_acked = true;
	ep->es.sk.sk_state_change(&ep->es.sk);
}

bool esp_on_ack(struct esp_sock *ep, u32 ack, u64 sack)
{
	struct sk_buff_head *queue = &ep->es.sk.sk_write_queue;
	bool news = esp_before(ep->una, ack);
	struct sk_buff *skb, *next;

	if (!news && !sack)
		return false;
	skb_queue_walk_safe(queue, skb, next) {
		struct esp_frame *f = esp_frame(skb);

		if (!f->sent)
			break;
		if (!esp_is_acked(f, ack, sack))
			continue;
		news |= !f->sacked;
		esp_mark_delivered(ep, f);
		if (!esp_before(f->seq, ack))
			continue;
		if (f->flags & ESP_FIN)
			esp_on_fin_acked(ep);
		__skb_unlink(skb, queue);
		consume_skb(skb);
	}
	if (esp_before(ep->una, ack))
		ep->una = ack;
	esp_find_lost(ep);
	if (!news)
		return false;
	ep->backoff = 0;
	ep->rto_at = 0;
	/* without an owner, but making progress */
	if (ep->destroy_at && ep->es.sk.sk_state != TCP_CLOSE)
		ep->destroy_at = (jiffies + msecs_to_jiffies(ESP_TIMEOUT_MS)) | 1;
	return true;
}

/* The estimator of RFC 6298, in microseconds. */
void esp_update_rtt(struct esp_sock *ep, u32 echo)
{
	u32 rtt = esp_now_us() - echo;

	if (!echo || rtt > 60 * USEC_PER_SEC)
		return;
	if (!ep->srtt_us) {
		ep->srtt_us = max(rtt, 1u);
		ep->rttvar_us = rtt / 2;
	} else {
		u32 off = rtt > ep->srtt_us ? rtt - ep->srtt_us : ep->srtt_us - rtt;

		ep->rttvar_us += (s32)(off - ep->rttvar_us) / 4;
		ep->srtt_us += (s32)(rtt - ep->srtt_us) / 8;
	}
	ep->rto_us = clamp_t(u32, ep->srtt_us + 4 * ep->rttvar_us, ESP_RTO_LEAST_US,
			     ESP_RTO_MOST_US);
}

/* ---- The timer ------------------------------------------------------------------------------ */

static void esp_sooner(unsigned long at, unsigned long *first, bool *any)
{
	if (at && (!*any || time_before(at, *first))) {
		*first = at;
		*any = true;
	}
}

void esp_set_timer(struct esp_sock *ep)
{
	struct sock *sk = &ep->es.sk;
	unsigned long first = 0;
	bool any = false;

	if (ep->done)
		return;
	esp_sooner(ep->rto_at, &first, &any);
	esp_sooner(ep->ack_at, &first, &any);
	esp_sooner(ep->destroy_at, &first, &any);
	if (any)
		sk_reset_timer(sk, &sk->sk_timer, first);
	else
		sk_stop_timer(sk, &sk->sk_timer);
}
