// SPDX-License-Identifier: GPL-2.0-only
/* esp_grant.c - how many frames a receiver lets its peer send. */

/*
 * A grant is bounded by the receive buffer of its connection, and by the share of the connection in
 * a pool of frames that all connections of an interface have together. The pool is what the hosts
 * and the network before them are known to take at once. It begins at ESP_GRANT_MOST. A frame is
 * missing: it loses a quarter, or half if it has not grown since the last loss. As many frames
 * have come as it has: it grows by one; but about the size at which a frame was missing last it
 * takes POOL_CAREFUL times as many. So it finds the size of the smallest queue on the way, and
 * remembers it from one transfer to the next; no sender has to find out by itself that there are
 * others.
 *
 * Connections that are receiving a transfer share the pool; one that begins may at first send as
 * much as if it were one of them. If eight begin together, each takes itself for the only one.
 * So where frames have been lost, and the pool has shrunk, what peers have been granted and have
 * not sent is counted: together they are granted no more than the pool, but for one frame each,
 * without which none would go on. A transfer has ended: what it has left of its grant is taken
 * back, for the next may begin with those of others. Between transfers all connections have half of
 * the pool; one that uses up what it has sends many small messages, and has a few frames more.
 *
 * Softirqs of several processors change the pool, under locks of different connections. An update
 * that is lost does no harm: the next frames make it again. Frames that are outstanding are an
 * atomic sum, to which each connection adds its own. While the pool is whole it is neither read nor
 * written, as several processors would contend for it.
 */

#include "esp.h"

enum {
	BUFFER_FRAMES = 6,	/* at least, in a buffer whose size is not set */
	POOL_LEAST = 16,
	POOL_CAREFUL = 8,	/* times as many frames before it grows to where it was too large */
};

/* ---- The size of a frame ---------------------------------------------------------------- */

unsigned int esp_mtu(const struct esp_sock *ep)
{
	struct net_device *dev;
	unsigned int mtu = 0;

	rcu_read_lock();
	dev = enet_device(sock_net(&ep->es.sk), ep->dev_ifindex);
	if (dev)
		mtu = clamp_t(unsigned int, READ_ONCE(dev->mtu), ESP_HEADER, U16_MAX) - ESP_HEADER;
	rcu_read_unlock();
	return mtu;
}

/* Memory of a full frame: what the allocator gives for it, or more, if one has taken more. */
static unsigned int esp_frame_cost(const struct esp_sock *ep)
{
	size_t bytes = LL_MAX_HEADER + ESP_HEADER + esp_mtu(ep);
	size_t block = kmalloc_size_roundup(SKB_DATA_ALIGN(bytes) +
					    SKB_DATA_ALIGN(sizeof(struct skb_shared_info)));

	return max_t(size_t, block + sizeof(struct sk_buff), ep->largest_cost);
}

void esp_fit_buffers(struct esp_sock *ep)
{
	struct sock *sk = &ep->es.sk;
	int least = BUFFER_FRAMES * esp_frame_cost(ep);

	if (!(sk->sk_userlocks & SOCK_SNDBUF_LOCK))
		WRITE_ONCE(sk->sk_sndbuf, max(sk->sk_sndbuf, least));
	if (!(sk->sk_userlocks & SOCK_RCVBUF_LOCK))
		WRITE_ONCE(sk->sk_rcvbuf, max(sk->sk_rcvbuf, least));
}

/*
 * Frames for which the socket has room, if they are as large as they can be; at least one if it is
 * empty.
 */
static unsigned int esp_rcvbuf_frames(const struct esp_sock *ep)
{
	const struct sock *sk = &ep->es.sk;
	int used = atomic_read(&sk->sk_rmem_alloc), left = READ_ONCE(sk->sk_rcvbuf) - used;

	return max(left > 0 ? left / (int)esp_frame_cost(ep) : 0, !used);
}

bool esp_needs_reader(const struct esp_sock *ep)
{
	const struct sock *sk = &ep->es.sk;

	return atomic_read(&sk->sk_rmem_alloc) >= READ_ONCE(sk->sk_rcvbuf) / 2 ||
	       !esp_rcvbuf_frames(ep);
}

/* ---- The pool ----------------------------------------------------------------------------- */

void esp_grant_init(struct enet_net *en)
{
	for (int i = 0; i < ESP_INTERFACES; i++)
		en->esp_receivers[i].pool = ESP_GRANT_MOST;
}

void esp_join_receivers(struct esp_sock *ep)
{
	struct enet_net *en = enet_net_of(sock_net(&ep->es.sk));

	ep->all = &en->esp_receivers[ep->dev_ifindex % ESP_INTERFACES];
}

void esp_set_expecting(struct esp_sock *ep, bool on)
{
	if (on == ep->expecting)
		return;
	ep->expecting = on;
	atomic_add(on ? 1 : -1, &ep->all->expecting);
}

void esp_set_receiving(struct esp_sock *ep, bool on)
{
	if (on == ep->receiving)
		return;
	ep->receiving = on;
	atomic_add(on ? 1 : -1, &ep->all->receiving);
}

/* Arrivals after which it grows. */
static unsigned int esp_pool_wait(unsigned int pool, unsigned int lost_at)
{
	bool careful = pool <= lost_at && pool >= lost_at - lost_at / 8;

	return careful ? POOL_CAREFUL * pool : pool;
}

void esp_pool_on_arrival(const struct esp_sock *ep)
{
	struct esp_receivers *all = ep->all;
	unsigned int pool = READ_ONCE(all->pool), arrived = READ_ONCE(all->arrived) + 1;

	if (pool >= ESP_GRANT_MOST)
		return;
	if (arrived >= esp_pool_wait(pool, READ_ONCE(all->lost_at))) {
		WRITE_ONCE(all->pool, pool + 1);
		WRITE_ONCE(all->grown, true);
		arrived = 0;
	}
	WRITE_ONCE(all->arrived, arrived);
}

/* Frames that were on their way when it shrank may be missing, too: they count as the same loss. */
void esp_pool_on_loss(const struct esp_sock *ep)
{
	struct esp_receivers *all = ep->all;
	unsigned int pool = READ_ONCE(all->pool);

	if (pool < ESP_GRANT_MOST && READ_ONCE(all->shrunk_at) == jiffies)
		return;
	WRITE_ONCE(all->shrunk_at, jiffies);
	WRITE_ONCE(all->lost_at, pool);
	pool -= READ_ONCE(all->grown) ? pool / 4 : pool / 2;
	WRITE_ONCE(all->grown, false);
	WRITE_ONCE(all->pool, max_t(unsigned int, pool, POOL_LEAST));
}

unsigned int esp_granted_frames(const struct esp_sock *ep)
{
	return esp_before(ep->expected, ep->grant_sent) ? ep->grant_sent - ep->expected : 0;
}

static unsigned int esp_share_of_whole(const struct esp_sock *ep)
{
	int sharers = atomic_read(&ep->all->receiving) + !ep->receiving;

	return max(ESP_GRANT_MOST / max(sharers, 1), ESP_GRANT_LEAST);
}

static int esp_fair_share(const struct esp_sock *ep, int pool)
{
	struct esp_receivers *all = ep->all;

	if (ep->receiving)
		return pool / max(atomic_read(&all->receiving), 1);
	if (ep->unacked && !esp_granted_frames(ep))
		return ESP_GRANT_LEAST;
	return pool / 2 / max(atomic_read(&all->expecting), 1);
}

/* At least one, even if that is more than the pool has. */
static unsigned int esp_share(const struct esp_sock *ep)
{
	int pool = READ_ONCE(ep->all->pool), others;

	if (pool >= ESP_GRANT_MOST)
		return esp_share_of_whole(ep);
	others = atomic_read(&ep->all->outstanding) - (int)ep->outstanding;
	return max(min(esp_fair_share(ep, pool), pool - others), 1);
}

/* ---- Grants --------------------------------------------------------------------------------- */

void esp_count_outstanding(struct esp_sock *ep)
{
	unsigned int now = ep->expecting ? esp_granted_frames(ep) : 0;

	if (now == ep->outstanding || (now && READ_ONCE(ep->all->pool) >= ESP_GRANT_MOST))
		return;
	atomic_add(now - ep->outstanding, &ep->all->outstanding);
	ep->outstanding = now;
}

u32 esp_next_grant(const struct esp_sock *ep)
{
	unsigned int share = esp_share(ep);
	u32 limit = ep->expected + share;

	if (esp_before(ep->granted, limit)) {
		limit = ep->expected + min(esp_rcvbuf_frames(ep), share);
		if (esp_before(limit, ep->granted))
			limit = ep->granted;
	}
	return ep->receiving && esp_before(limit, ep->grant_sent) ? ep->grant_sent : limit;
}
