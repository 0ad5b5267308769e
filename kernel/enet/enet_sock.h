/* SPDX-License-Identifier: GPL-2.0-only */
/* enet_sock.h - declarations that the files of the module share. */

/*
 * Each network namespace has a struct enet_net: its sockets and counters. Frames are received in
 * softirq and find their socket under RCU; bind and unbind hold the lock of the table, with
 * softirqs off.
 *
 * References. A table holds a reference to each of its sockets, released after the socket is
 * removed. The handler of a frame takes none: it is in one RCU section from lookup to queueing, and
 * sockets are freed after a grace period (SOCK_RCU_FREE). No reference to a device is kept: sockets
 * have its index.
 */
#ifndef ENET_SOCK_H
#define ENET_SOCK_H

#include "../../include/enet.h"
#include "../compat/compat.h"
#include "enet_wire.h"

#include <linux/if_arp.h>
#include <linux/netdevice.h>
#include <linux/siphash.h>
#include <linux/spinlock.h>
#include <net/net_namespace.h>
#include <net/sock.h>

static_assert(sizeof(struct enet_wire_edp) == EDP_HEADER, "as programs know it");

enum enet_drop {
#define ENET_DROP(name, text) ENET_DROP_##name,
#include "drops.def"
#undef ENET_DROP
	ENET_DROPS,
};

enum {
	ENET_PORTS = 65536,
	ENET_HASH = 512,		/* buckets of ports, by number */
	ENET_SHARERS_MOST = 1024,	/* sockets of a port: each gets what is sent to all */
	ENET_HOLDERS_BITS = 6,		/* of the number of buckets of users */
};

/* The bound sockets of one protocol in one namespace; see enet_port.c. */
struct enet_table {
	spinlock_t lock;		/* for changes, and of what follows; softirqs off */
	struct hlist_head at[ENET_HASH];	/* struct enet_port; read under RCU */
	struct hlist_head holders[1 << ENET_HOLDERS_BITS]; /* struct enet_holder */
	/* of the ports from ENET_PORT_FIRST_FREE on: those with sockets */
	DECLARE_BITMAP(taken, ENET_PORTS - ENET_PORT_FIRST_FREE);
	/* for programs, of the kernel: how many that are, and the bit to try first */
	unsigned int ntaken[2], next_free[2];
};

struct enet_port;

enum { ESP_HASH = 1024, ESP_INTERFACES = 64 };

/* The connections that share what the hosts and the network of an interface take: esp_grant.c. */
struct esp_receivers {
	atomic_t expecting;		/* connections whose peers may send more */
	atomic_t receiving;		/* a transfer */
	atomic_t outstanding;		/* frames granted that have not arrived; of a shrunk pool */
	unsigned int pool;		/* frames that may be granted to all of them */
	unsigned int arrived;		/* frames, since the pool last grew */
	unsigned int lost_at;		/* the pool when a frame was missing last; 0: none was */
	bool grown;			/* the pool, since then */
	unsigned long shrunk_at;	/* jiffies */
};

struct enet_net {
	struct enet_table edp, esp;
	spinlock_t esp_lock;		/* for changes of esp_conns */
	struct hlist_head esp_conns[ESP_HASH];	/* connections, by ports and peer */
	siphash_key_t esp_hash_key;
	struct list_head edp_members;	/* sockets that are in groups; under RTNL */
	struct esp_receivers esp_receivers[ESP_INTERFACES];	/* by index modulo the number */
	atomic_long_t esp_orphan_bytes;	/* held by connections without an owner */
	u64 __percpu *drops;		/* ENET_DROPS */
	struct ratelimit_state echo;
};

/*
 * First member of each socket of the family. Written under lock_sock and, once bound, the lock of
 * the table.
 */
struct enet_sock {
	struct sock sk;
	__be16 port;			/* 0: not bound */
	/* NULL: not in the table; a child or a connection of the kernel shares its port */
	struct enet_port *bound;
	int ifindex;			/* 0: any */
	bool kern;			/* of the kernel; with sk_kern_sock it holds no namespace */
	spinlock_t memory_lock;		/* of sk_forward_alloc; a leaf, softirqs off */
};

static inline struct enet_sock *enet_sk(const struct sock *sk)
{
	return (struct enet_sock *)sk;
}

/* ---- enet_net.c ------------------------------------------------------------ */

extern unsigned int enet_net_id;
extern int enet_family;

struct enet_net *enet_net_of(const struct net *net);
/* Do its frames have an Ethernet header? */
static inline bool enet_is_ethernet(const struct net_device *dev)
{
	return dev->type == ARPHRD_ETHER || dev->type == ARPHRD_LOOPBACK;
}
/*
 * Bytes to reserve before the own header of a frame. Read once for a frame: the device may change
 * while an allocation sleeps, or at any other time. The room may then be less than it would like,
 * but no link's header is longer than LL_MAX_HEADER.
 */
static inline unsigned int enet_headroom(const struct net_device *dev)
{
	return max_t(unsigned int, LL_RESERVED_SPACE(dev), LL_MAX_HEADER);
}
/* The counters and their file in /proc/net. */
int enet_drops_init(struct net *net);
void enet_drops_exit(struct net *net);

/* Count a dropped frame, and free it. Any context. */
void enet_drop(struct enet_net *en, struct sk_buff *skb, enum enet_drop why);
/* The frame that a packet hook was given, unshared; NULL: not for this host, or dropped. */
struct sk_buff *enet_receive_skb(struct enet_net *en, struct sk_buff *skb,
				 const struct net_device *dev);

/* ---- enet_memory.c --------------------------------------------------------- */

extern atomic_long_t enet_memory_allocated;
DECLARE_PER_CPU(int, enet_memory_reserve);
extern struct percpu_counter enet_sockets_allocated;
extern unsigned long enet_memory_pressure;
extern int enet_memory_least;		/* bytes that a socket has also under pressure */
extern long enet_memory_limits[3];
void enet_memory_enter_pressure(struct sock *sk);

/* For the tables of both protocols, which share the limits. */
#define ENET_MEMORY							\
	.memory_allocated	= &enet_memory_allocated,		\
	.per_cpu_fw_alloc	= &enet_memory_reserve,			\
	.sockets_allocated	= &enet_sockets_allocated,		\
	.memory_pressure	= &enet_memory_pressure,		\
	.enter_memory_pressure	= enet_memory_enter_pressure,		\
	.sysctl_mem		= enet_memory_limits,			\
	.sysctl_wmem		= &enet_memory_least,			\
	.sysctl_rmem		= &enet_memory_least

/* For each socket when it is made; and last, when no frame is charged to it any more. */
void enet_memory_open(struct sock *sk);
void enet_memory_close(struct sock *sk);
/* In a call, without a lock: if a cgroup of the socket is too full, reclaim what is possible. */
void enet_memory_reclaim(const struct sock *sk);
/* Any context but hard interrupts. False: no memory, nothing is charged. */
bool enet_memory_charge(struct sock *sk, int bytes);
void enet_memory_uncharge(struct sock *sk, int bytes);
/*
 * Charge a frame until it is freed. A waiting one is in the backlog of @sk, a received one in a
 * queue, and counted by sk_rmem_alloc. A sent one belongs to its socket already, by sock_wfree().
 */
bool enet_memory_own_waiting(struct sock *sk, struct sk_buff *skb);
bool enet_memory_own_received(struct sock *sk, struct sk_buff *skb);
bool enet_memory_own_sent(struct sk_buff *skb);
int enet_memory_init(void);
void enet_memory_exit(void);

/* ---- enet_addr.c ----------------------------------------------------------- */

/*
 * Check the family and lengths of an address from user space. @any: addrlen 0 means no address,
 * else a length that was not set. @group: multicast and broadcast are allowed.
 */
int enet_addr_check(const struct sockaddr_en *sen, int len, bool any, bool group);
void enet_addr_fill(struct sockaddr_en *sen, __be16 port, int ifindex, const u8 *addr);
/*
 * The device with that index, or if 0 the first that is up and no loopback. Under RCU; NULL: none.
 */
struct net_device *enet_device(struct net *net, int ifindex);
/* Its state, and bytes to reserve before and after the data of a frame. */
struct enet_room {
	int ifindex;
	bool is_up;
	unsigned int mtu, head, tail;
};

/*
 * For a call that may sleep until it has memory or the data: it must not hold the device meanwhile,
 * as a call that removes it waits for that. -ENODEV.
 */
int enet_room_of(struct net *net, int ifindex, struct enet_room *room);
/* The same device as enet_device() with a reference; NULL: none. */
struct net_device *enet_device_hold(struct net *net, int ifindex);
/* Copy the value of an option to user space. */
int enet_copy_option(const void *value, size_t size, char __user *to, int __user *to_len);
/* The checks of bind(), and the address of getsockname(), for both protocols. */
int enet_addr_check_local(const struct sock *sk, const struct sockaddr_en *sen, int len);
void enet_addr_local(const struct enet_sock *es, struct sockaddr_en *sen);

/* ---- enet_port.c ----------------------------------------------------------- */

void enet_table_init(struct enet_table *table);
/*
 * Bind @es to a port (0: one without sockets) on an interface (0: all), or -EADDRINUSE, -ENOMEM.
 * Datagram sockets share one, at most ENET_SHARERS_MOST, if all have SO_REUSEADDR and belong to the
 * same user, or all to the kernel. A user holds no more of the ports from ENET_PORT_FIRST_FREE on
 * than it leaves. The caller holds lock_sock.
 */
int enet_bind(struct enet_table *table, struct enet_sock *es, __be16 port, int ifindex);
/* Give @es a port at which no socket is bound, without binding it; 0: there is none. */
void enet_choose_port(struct enet_table *table, struct enet_sock *es, int ifindex);
void enet_unbind(struct enet_table *table, struct enet_sock *es);
/* The first socket bound to @port on interface @ifindex, under RCU; NULL: none. */
struct enet_sock *enet_find(struct enet_table *table, __be16 port, int ifindex);
/* The next one; NULL: none. */
struct enet_sock *enet_find_after(struct enet_sock *es, __be16 port, int ifindex);

/* ---- edp.c ------------------------------------------------------------------- */

int edp_create(struct net *net, struct socket *sock, int protocol, int kern);
void edp_net_init(struct enet_net *en);
int edp_init(void);
void edp_exit(void);

#endif
