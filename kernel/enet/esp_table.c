// SPDX-License-Identifier: GPL-2.0-only
/* esp_table.c - connections by ports and peer, and what those without an owner hold. */

#include "esp.h"

#include <linux/etherdevice.h>
#include <linux/mm.h>
#include <linux/random.h>

void esp_table_init(struct enet_net *en)
{
	enet_table_init(&en->esp);
	spin_lock_init(&en->esp_lock);
	get_random_bytes(&en->esp_hash_key, sizeof(en->esp_hash_key));
}

/* With a secret, as users choose ports and peers, and could choose those of one bucket. */
static struct hlist_head *esp_table_bucket(struct enet_net *en, __be16 port, __be16 peer_port,
					   const u8 *peer)
{
	u64 ports = (__force u16)port << 16 | (__force u16)peer_port;

	return &en->esp_conns[siphash_2u64(ether_addr_to_u64(peer), ports, &en->esp_hash_key) %
			      ESP_HASH];
}

static bool esp_table_matches(const struct esp_sock *ep, int ifindex, __be16 port, __be16 peer_port,
			      const u8 *peer)
{
	return ep->es.port == port && ep->peer_port == peer_port && ep->dev_ifindex == ifindex &&
	       ether_addr_equal(ep->peer, peer);
}

struct esp_sock *esp_table_find(struct net *net, int ifindex, __be16 port, __be16 peer_port,
				const u8 *peer)
{
	struct esp_sock *ep;

	hlist_for_each_entry_rcu(ep, esp_table_bucket(enet_net_of(net), port, peer_port, peer),
				 conn)
		if (esp_table_matches(ep, ifindex, port, peer_port, peer))
			return ep;
	return NULL;
}

int esp_table_add(struct esp_sock *ep)
{
	struct net *net = sock_net(&ep->es.sk);
	struct enet_net *en = enet_net_of(net);
	int err = -EADDRINUSE;

	spin_lock_bh(&en->esp_lock);
	rcu_read_lock();
	if (!esp_table_find(net, ep->dev_ifindex, ep->es.port, ep->peer_port, ep->peer)) {
		sock_hold(&ep->es.sk);
		hlist_add_head_rcu(&ep->conn,
				   esp_table_bucket(en, ep->es.port, ep->peer_port, ep->peer));
		esp_set_expecting(ep, true);
		err = 0;
	}
	rcu_read_unlock();
	spin_unlock_bh(&en->esp_lock);
	return err;
}

void esp_table_del(struct esp_sock *ep)
{
	struct enet_net *en = enet_net_of(sock_net(&ep->es.sk));
	bool was_there;

	spin_lock_bh(&en->esp_lock);
	was_there = !hlist_unhashed(&ep->conn);
	hlist_del_init_rcu(&ep->conn);
	spin_unlock_bh(&en->esp_lock);
	if (!was_there)
		return;
	sock_put(&ep->es.sk);
}

/*
 * Connections of a namespace without an owner may hold a sixteenth of the memory of the host, or
 * this, if that is less. The page is for the connection itself.
 */
enum { ESP_ORPHAN_BYTES_MOST = 256 << 20, ESP_ORPHAN_BYTES = 4096 };

static long esp_orphan_bytes_most(void)
{
	return min_t(u64, (u64)totalram_pages() * PAGE_SIZE / 16, ESP_ORPHAN_BYTES_MOST);
}

bool esp_orphan_charge(struct esp_sock *ep)
{
	struct sock *sk = &ep->es.sk;
	atomic_long_t *all = &enet_net_of(sock_net(sk))->esp_orphan_bytes;
	long bytes = ESP_ORPHAN_BYTES + sk_wmem_alloc_get(sk) + sk_rmem_alloc_get(sk);

	if (atomic_long_add_return(bytes, all) > esp_orphan_bytes_most()) {
		atomic_long_sub(bytes, all);
		return false;
	}
	ep->orphan_bytes = bytes;
	return true;
}

void esp_orphan_uncharge(struct esp_sock *ep)
{
	atomic_long_sub(ep->orphan_bytes, &enet_net_of(sock_net(&ep->es.sk))->esp_orphan_bytes);
	ep->orphan_bytes = 0;
}
