/* SPDX-License-Identifier: GPL-2.0-only */
/* esp.h - a connection of ESP, and what its files do with it. */

/*
 * The files, bottom up; none calls a function of a file below it in this list:
 *
 *   enet_net.c     state of a network namespace, counters of dropped frames
 *   enet_addr.c    addresses and devices
 *   enet_port.c    bound sockets, by port
 *   edp.c          datagrams; used by enet_main.c alone
 *   esp_table.c    connections, by ports and peer; how many are receiving
 *   esp_out.c      frames that are sent: data, acknowledgements, retransmissions
 *   esp_close.c    how connections end: close, shutdown, reset, loss of the interface
 *   esp_timer.c    the timer of a connection
 *   esp_open.c     how connections begin: bind, listen, accept, connect
 *   esp_in.c       frames that are received
 *   esp_sock.c     the other socket calls: send, receive, poll, options
 *   esp_kernel.c   send and receive for other modules, without sleeping; see esp_kernel.h
 *   enet_main.c    the socket family; loading and unloading
 *
 * States are those of TCP as far as there are such (sk->sk_state):
 *
 *   CLOSE -> LISTEN
 *   CLOSE -> SYN_SENT -> ESTABLISHED
 *   (a SYN at a listener) -> SYN_RECV -> ESTABLISHED
 *   ESTABLISHED -> CLOSE, when both FINs have been acknowledged, or by RST, or by timeout
 *
 * Between, which ends have closed is told by @fin_queued and @fin_received. After that a socket without
 * an owner stays for LINGER, to answer a FIN that comes again.
 *
 * Locks. All of a connection is under the lock of its socket: lock_sock() in calls; bh_lock_sock() in softirq, where
 * frames go to the backlog if a call has it. Tables have a lock of their own, taken inside, as is the lock of a
 * listener's queue; the lock of a listener and that of its child are never held together. Sockets are freed
 * after a grace period, so a frame's handler needs no reference.
 *
 * Who holds what. The table of connections holds one reference, the timer one while it is pending, a child
 * in a listener's queue is the queue's. esp_done() takes a connection out of everything, once.
 *
 * Frames to send wait in sk_write_queue until they are acknowledged, charged to the socket; what is given to the
 * device is a clone. Received frames are charged to it as well, in or out of order.
 */
#ifndef ESP_H
#define ESP_H

#include "enet_sock.h"

#include <linux/mutex.h>

enum {
	ESP_GRANT_MOST = 256,		/* frames granted at once, over all streams of an interface that are under way */
	ESP_GRANT_LEAST = 4,		/* but every stream gets so many */
	ESP_WINDOW_LEAST = 2,		/* frames in flight: so many are acknowledged at once */
	ESP_DUP = 3,			/* frames sent later that arrived: this one is lost, if it is late */
	ESP_RTO_LEAST_US = 10000,
	ESP_RTO_MOST_US = 1000000,
	ESP_RTO_FIRST_US = 200000,
	ESP_SYN_TRIES = 8,		/* of a SYN_RECV */
	ESP_TIMEOUT_MS = 60000,
	ESP_BACKLOG_MOST = 1024,
};

#define ESP_ACK_DELAY (HZ / 100 ? HZ / 100 : 1)
#define ESP_LINGER (2 * HZ)

/* Of a frame in a queue; in skb->cb. */
struct esp_frame {
	u32 seq;
	u32 order;		/* of its last transmission, among all of the connection */
	u32 sent_us;		/* when that was */
	u32 crc;		/* of its data */
	u32 offset;		/* received: bytes of it that have been read */
	u8 flags;		/* enum esp_wire_flag: SYN, FIN, TXS, TXF */
	bool sent;
	bool sacked;
	bool lost;		/* to be sent again */
};

static inline struct esp_frame *esp_frame(struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct esp_frame) > sizeof_field(struct sk_buff, cb));
	return (struct esp_frame *)skb->cb;
}

struct esp_sock {
	struct enet_sock es;
	/* to whom */
	__be16 peer_port;
	int dev_ifindex;			/* interface */
	u8 peer[ETH_ALEN];
	u32 tag;			/* frames to us have it */
	u32 peer_tag;			/* and frames to the peer this; 0: not known yet */
	struct hlist_node conn;		/* in the table of connections */
	bool done;
	bool device_gone;			/* the interface has gone; who has the lock ends the connection when it lets go */
	/* sending */
	struct mutex send_lock;		/* of a whole call of send(): transfers do not mix */
	u32 una;			/* first number that is not acknowledged */
	u32 next;			/* of the next frame that is queued */
	u32 limit;			/* first number that is not granted */
	u32 order;			/* transmissions so far */
	u32 delivered;			/* the latest order that has arrived */
	unsigned int unsent, lost, in_flight;	/* frames in the write queue */
	unsigned int window;		/* frames that may be in flight; see esp_on_rto() */
	bool fin_queued, fin_acked;
	bool in_transfer;		/* MSG_MORE: the next send() goes on with it */
	/* receiving */
	u32 expected;			/* first number that has not come */
	u32 granted;			/* first number that we have not granted, as told */
	unsigned int unacked;		/* data frames since the last acknowledgement */
	struct sk_buff_head ooo_queue;	/* frames beyond a gap, in order */
	u32 echo;			/* stamp to be sent back, 0: none */
	bool fin_received;
	bool receiving;			/* in the midst of a transfer: counts among the streams of the interface */
	/* time */
	u32 srtt_us, rttvar_us, rto_us;
	unsigned int backoff;
	unsigned long rto_at, ack_at, destroy_at;	/* jiffies; 0: not set */
	unsigned long answered_at;		/* jiffies of the last answer, while one is waited for */
	unsigned int timeouts;		/* times that the timer has asked since then */
	unsigned int timeout_ms;
	/* listening */
	spinlock_t queue_lock;		/* of a listener: for the next two, and of its children those after them; softirqs off */
	struct list_head children;	/* in SYN_RECV, and to be accepted */
	unsigned int nchildren;
	struct list_head sibling;	/* in that list */
	bool ready;			/* can be accepted */
	struct sock *listener;		/* whose child we are, with a reference; NULL: nobody's. Under our own lock */
	struct esp_stats stats;
};

static inline struct esp_sock *esp_sk(const struct sock *sk)
{
	return (struct esp_sock *)sk;
}

/* From now on the peer's silence counts. */
static inline void esp_answered(struct esp_sock *ep)
{
	ep->answered_at = jiffies | 1;
	ep->timeouts = 0;
}

static inline struct enet_table *esp_ports(const struct sock *sk)
{
	return &enet_net_of(sock_net(sk))->esp;
}

/* Is number @a before @b? */
static inline bool esp_before(u32 a, u32 b)
{
	return (s32)(a - b) < 0;
}

/* ---- esp_table.c --------------------------------------------------------------- */

void esp_table_init(struct enet_net *en);
/* -EADDRINUSE: there is one between these ports and hosts. */
int esp_table_add(struct esp_sock *ep);
void esp_table_del(struct esp_sock *ep);
/* Under RCU. */
struct esp_sock *esp_table_find(struct net *net, int ifindex, __be16 port, __be16 peer_port,
				const u8 *peer);
/* How many streams of the interface are under way, with this one. */
void esp_set_receiving(struct esp_sock *ep, bool on);
unsigned int esp_streams(const struct esp_sock *ep);

/* ---- esp_out.c ------------------------------------------------------------------- */

/* Bytes of data in a frame; 0: there is no interface. */
unsigned int esp_mtu(const struct esp_sock *ep);
/* A frame with @flags and @len bytes of data at @data is the next to be sent. -ENOMEM, -ENODEV. Under the lock. */
int esp_queue_control(struct esp_sock *ep, u8 flags, const void *data, size_t len, gfp_t gfp);
/* An empty frame with room for headers and @len bytes; NULL: no memory, or no interface. */
struct sk_buff *esp_alloc_frame(const struct esp_sock *ep, size_t len, gfp_t gfp);
void esp_queue(struct esp_sock *ep, struct sk_buff *skb, u8 flags);
/* Send what may be sent: lost frames first. */
void esp_push(struct esp_sock *ep);
/* A frame without a number: acknowledgement, request, grant. */
void esp_send_ack(struct esp_sock *ep, u8 more_flags);
/* There is something to acknowledge: now, or soon. */
void esp_schedule_ack(struct esp_sock *ep, bool now);
/* Room was made: tell, if it is worth a frame. */
void esp_update_grant(struct esp_sock *ep);
void esp_send_reset(struct esp_sock *ep);
/* Answer a frame that no connection knows. */
void esp_refuse(struct net_device *dev, const u8 *to, const struct enet_wire_esp *h);
/* Numbers before @ack have arrived, and those of @sack; returns whether that is news. */
bool esp_on_ack(struct esp_sock *ep, u32 ack, u64 sack);
void esp_update_rtt(struct esp_sock *ep, u32 echo);
/* Set the timer to whatever is first. */
void esp_set_timer(struct esp_sock *ep);
u32 esp_now_us(void);

/* ---- esp_close.c ----------------------------------------------------------------- */

/* The connection is over for reason @err (0: as it should): tell its owner, take it out of everything. */
void esp_done(struct esp_sock *ep, int err);
/* When a call lets go of the lock. */
void esp_release_cb(struct sock *sk);
/* Under its lock: both ends have closed, or there is no owner who could. */
void esp_check_closed(struct esp_sock *ep);
void esp_destruct(struct sock *sk);
int esp_release(struct socket *sock);
int esp_shutdown(struct socket *sock, int how);
/* Of devices: the connections of one that goes end. */
extern struct notifier_block esp_devices;

/* ---- esp_timer.c ----------------------------------------------------------------- */

void esp_timer(struct timer_list *t);

/* ---- esp_open.c ------------------------------------------------------------------ */

void esp_init_sock(struct esp_sock *ep);
/* A child of @listener for a SYN, in SYN_RECV, not hashed; NULL: no memory. In softirq. */
struct esp_sock *esp_new_child(struct sock *listener, int dev_ifindex, const u8 *peer, __be16 peer_port);
int esp_bind(struct socket *sock, struct sockaddr *uaddr, int len);
int esp_listen(struct socket *sock, int backlog);
int esp_accept(struct socket *sock, struct socket *newsock, int flags, bool kern);
int esp_connect(struct socket *sock, struct sockaddr *uaddr, int len, int flags);
/* Of a listener: would accept() return at once? */
bool esp_has_ready_child(struct esp_sock *listener);

/* ---- esp_in.c -------------------------------------------------------------------- */

int esp_backlog(struct sock *sk, struct sk_buff *skb);
extern struct packet_type esp_packets;

/* ---- esp_sock.c ------------------------------------------------------------------ */

int esp_create(struct net *net, struct socket *sock, int protocol, int kern);
int esp_init(void);
void esp_exit(void);
/* Under the lock: send a filled frame of data; if it returns an error the frame is still the caller's. */
int esp_queue_data(struct esp_sock *ep, struct sk_buff *skb, bool more);
/* Under the lock: copy what is there, up to @len bytes; what was copied goes, unless @peek. */
int esp_copy_out(struct sock *sk, struct msghdr *msg, size_t len, bool peek);

#endif
