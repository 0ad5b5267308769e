/* SPDX-License-Identifier: GPL-2.0-only */
/* esp.h - an ESP connection, and the functions of its files. */

/*
 * The files, bottom up; none calls a function of a file below it in this list:
 *
 *   enet_net.c     state of a network namespace, counters of dropped frames
 *   enet_memory.c  what frames of sockets hold, and the limits of it
 *   enet_addr.c    addresses and devices
 *   enet_port.c    bound sockets, by port
 *   edp.c          datagrams; used by enet_main.c alone
 *   esp_cookie.c   cookies of listeners
 *   esp_grant.c    how many frames a receiver lets its peer send
 *   esp_table.c    connections, by ports and peer; what orphans hold
 *   esp_out.c      frames that are sent: data, acknowledgements, retransmissions
 *   esp_close.c    how connections end: close, shutdown, reset, loss of the interface
 *   esp_timer.c    the timer of a connection; what calls do when they release its lock
 *   esp_open.c     how connections begin: bind, listen, accept, connect
 *   esp_in.c       frames that are received
 *   esp_pages.c    bytes that are sent from the pages of their process
 *   esp_sock.c     the other socket calls: send, receive, poll, options
 *   esp_kernel.c   send and receive for other modules, without sleeping; see esp_kernel.h
 *   enet_main.c    the socket family; loading and unloading
 *
 * States (sk->sk_state) have the names of TCP's:
 *
 *   CLOSE -> LISTEN
 *   CLOSE -> SYN_SENT -> ESTABLISHED
 *   (a SYN with a cookie at a listener) -> SYN_RECV -> ESTABLISHED
 *   ESTABLISHED -> CLOSE, when both FINs have been acknowledged, or by RST, or by timeout
 *
 * @fin_queued and @fin_received tell which ends have closed. After both, a socket without an owner
 * remains for ESP_LINGER, to acknowledge a retransmitted FIN.
 *
 * Locks. The lock of its socket protects a connection: lock_sock() in calls, bh_lock_sock() in
 * softirq, where frames go to the backlog if a call holds it. Tables and the queue of a listener
 * have locks of their own, taken inside. The locks of a listener and of its child are never held
 * together. Sockets are freed after a grace period, so the handler of a frame needs no reference.
 *
 * References. The table of connections holds one, a pending timer one, the queue of a listener one
 * to each child. esp_done() removes a connection from all of them, once.
 *
 * Frames wait in sk_write_queue until they are acknowledged, and are charged to the socket; the
 * device is given clones. Received frames are charged to the socket, in or out of order, and so are
 * those of its backlog. A frame for which there is no memory is dropped without an answer: its
 * sender retransmits it, or its connection times out. SYN and FIN are charged to the cgroup of the
 * process as other memory of the kernel is, since what was sent before a FIN must not be lost.
 */
#ifndef ESP_H
#define ESP_H

#include "enet_sock.h"

#include <linux/mutex.h>

enum {
	ESP_HEADER = sizeof(struct enet_wire_esp),
	/* frames granted at once, over all receiving streams of an interface */
	ESP_GRANT_MOST = 256,
	ESP_GRANT_LEAST = 4,		/* at least to each stream, where no frame was lost */
	ESP_WINDOW_TIMEOUT = 2,		/* congestion window after a timeout */
	ESP_WINDOW_LOSS = 8,		/* and at least after a loss that later frames show */
	ESP_DUP = 3,			/* a frame is lost when this many later ones have arrived */
	ESP_SMALL = 256,		/* bytes of data in a small frame, at most */
	ESP_ACK_FRAMES = 8,		/* small frames that share an acknowledgement */
	ESP_ACK_LARGE = 4,		/* small frames that a larger one counts for */
	ESP_ASK_FRAMES = 64,		/* frames that ask for an acknowledgement after a loss */
	ESP_ACK_DELAY_US = 40000,
	ESP_RTO_LEAST_US = 10000,
	ESP_RTO_MOST_US = 1000000,
	ESP_RTO_FIRST_US = 200000,
	ESP_SYN_TRIES = 8,		/* of a SYN_RECV */
	ESP_TIMEOUT_MS = 60000,
	ESP_BACKLOG_MOST = 1024,
};

#define ESP_ACK_DELAY (HZ / (USEC_PER_SEC / ESP_ACK_DELAY_US))
#define ESP_LINGER (2 * HZ)

/* State of a frame in a queue, in skb->cb. */
struct esp_frame {
	u32 seq;
	u32 order;			/* of its last transmission, counted over the connection */
	u32 sent_us;			/* time of that, in microseconds */
	u32 crc;			/* of its data, when it was queued */
	union {
		u32 offset;		/* received frames: bytes that have been read */
		u32 charged;		/* sent frames: bytes; not the pages of ESP_SO_ZEROCOPY */
	};
	u8 flags;			/* enum esp_wire_flag: SYN, FIN, TXS, TXF */
	bool sent;
	bool sacked;
	bool lost;			/* to be retransmitted */
	u8 repeats;			/* transmissions before the next, or the received, one */
};

static inline struct esp_frame *esp_frame(struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct esp_frame) > sizeof_field(struct sk_buff, cb));
	return (struct esp_frame *)skb->cb;
}

struct esp_sock {
	struct enet_sock es;
	/* the peer */
	__be16 peer_port;
	int dev_ifindex;		/* index of the interface */
	u8 peer[ETH_ALEN];
	u32 tag;			/* of frames that it receives */
	u32 peer_tag;			/* of frames to the peer; 0: not known yet */
	u32 cookie;			/* in its place until then; 0: none */
	struct hlist_node conn;		/* in the table of connections */
	bool done;
	bool evicted;			/* a half-open child in whose place another one is wanted */
	long orphan_bytes;		/* charged as it has no owner any more; 0: not */
	/* while a call held the lock: left to esp_release_cb() */
	bool device_gone;		/* the interface was removed */
	bool timer_expired;
	/* sending */
	struct mutex send_lock;		/* of a call of send(), so that transfers do not mix */
	u32 una;			/* first number that is not acknowledged */
	u32 next;			/* of the next frame to be queued */
	u32 limit;			/* first number that the peer has not granted */
	u32 order;			/* transmissions so far */
	u32 delivered;			/* the largest order that has arrived */
	unsigned int unsent, lost, in_flight;	/* frames in the write queue */
	unsigned int asks_left;		/* frames that will ask for an acknowledgement */
	bool asked;			/* the last frame is acknowledged without delay */
	/* congestion control: see esp_out.c */
	unsigned int window;		/* frames that may be in flight */
	unsigned int slow_start_end;	/* up to there the window grows fast */
	unsigned int grown;		/* frames that have arrived since it last grew slowly */
	u32 shrunk_at;			/* order of the last transmission before it shrank */
	bool fin_queued, fin_acked;
	bool closing;			/* its owner has closed it, or waits in close() */
	bool in_transfer;		/* MSG_MORE: the next send() continues the transfer */
	/* receiving */
	u32 expected;			/* first number that has not arrived */
	u32 granted;			/* first number that was never granted to the peer */
	u32 grant_sent;		/* the grant of the last frame to the peer, never beyond */
	unsigned int outstanding;	/* frames of that which the interface counts */
	unsigned int unacked;		/* data frames since the last acknowledgement */
	unsigned int unacked_weight;	/* of these, by esp_ack_weight() */
	unsigned int largest_cost;	/* memory of a received frame */
	struct sk_buff_head ooo_queue;	/* frames beyond a gap, in order */
	u32 echo;			/* stamp to be echoed, 0: none */
	u32 echo_since_us;		/* time at which it arrived */
	bool fin_received;
	bool reads_transfers;		/* wake its reader as esp_kernel_read_transfers() says */
	bool transfer_ended, reader_woken; /* and it has not read since; of such a one alone */
	struct esp_receivers *all;	/* of the interface; NULL: not connected, by these two */
	bool expecting;			/* the peer may send more */
	bool receiving;			/* a transfer has begun and not ended */
	/* time */
	u32 srtt_us, rttvar_us, rto_us;
	unsigned int backoff;
	unsigned long rto_at, ack_at, destroy_at;	/* jiffies; 0: not set */
	unsigned long answered_at;	/* jiffies of the last answer, while one is awaited */
	unsigned int timeouts;		/* expirations of rto_at since then */
	unsigned int timeout_ms;
	/* listening */
	/* of a listener, for the next two and the last three of its children; softirqs off */
	spinlock_t queue_lock;
	struct list_head children;	/* in SYN_RECV, or waiting for accept() */
	unsigned int nchildren;
	struct list_head sibling;	/* in that list */
	bool ready;			/* can be accepted */
	/* the listener, with a reference, until accept(). Under the lock of the child */
	struct sock *listener;
	/* of a listener: who may connect to it; NULL: all; see esp_kernel_invite() */
	bool (*may_connect)(const struct sock *sk, const u8 *addr, u16 port);
	struct esp_stats stats;
};

static inline struct esp_sock *esp_sk(const struct sock *sk)
{
	return (struct esp_sock *)sk;
}

/* The peer has answered, or an answer is awaited from now on. */
static inline void esp_answered(struct esp_sock *ep)
{
	ep->answered_at = jiffies | 1;
	ep->timeouts = 0;
}

/* Small frames that a frame with @len bytes of data counts for, when it is to be acknowledged. */
static inline unsigned int esp_ack_weight(unsigned int len)
{
	return len > ESP_SMALL ? ESP_ACK_LARGE : 1;
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

/* ---- esp_cookie.c -------------------------------------------------------------- */

/* A SYN at a listener: @tag is in its data. */
struct esp_syn {
	const struct enet_wire_esp *h;
	const u8 *from;
	int ifindex;
	u32 tag;
};

void esp_cookie_init(void);
u32 esp_cookie_for(const struct esp_syn *syn);
/* Is the tag of the header the cookie of such a SYN, sent not long ago? */
bool esp_cookie_is_good(const struct esp_syn *syn);

/* ---- esp_grant.c --------------------------------------------------------------- */

/* Bytes of data in a frame; 0: there is no interface. */
unsigned int esp_mtu(const struct esp_sock *ep);
/* The interface is known: buffers whose size is not set hold several frames of it. */
void esp_fit_buffers(struct esp_sock *ep);
void esp_grant_init(struct enet_net *en);
/* Its interface is known. */
void esp_join_receivers(struct esp_sock *ep);
/* Its peer may send, or has ended. */
void esp_set_expecting(struct esp_sock *ep, bool on);
/* It is receiving a transfer, or no longer. */
void esp_set_receiving(struct esp_sock *ep, bool on);
/* A frame has arrived, or is missing. */
void esp_pool_on_arrival(const struct esp_sock *ep);
void esp_pool_on_loss(const struct esp_sock *ep);
/*
 * The first number that the peer may not send now. It may be less than what the last frame said,
 * which counts if the peer has nothing to send.
 */
u32 esp_next_grant(const struct esp_sock *ep);
/*
 * Has the socket room for no more than half of what it may hold, or for no further frame? Until it
 * has not, the peer can be granted a frame whatever the reader does.
 */
bool esp_needs_reader(const struct esp_sock *ep);
/* Frames that the peer may still send by the grant that it was sent last. */
unsigned int esp_granted_frames(const struct esp_sock *ep);
/* Add up those of all connections: after a change of @expected, @grant_sent or @expecting. */
void esp_count_outstanding(struct esp_sock *ep);

/* ---- esp_table.c --------------------------------------------------------------- */

void esp_table_init(struct enet_net *en);
/* -EADDRINUSE: a connection exists between these ports and hosts. */
int esp_table_add(struct esp_sock *ep);
void esp_table_del(struct esp_sock *ep);
/* Under RCU. */
struct esp_sock *esp_table_find(struct net *net, int ifindex, __be16 port, __be16 peer_port,
				const u8 *peer);
/*
 * Its owner has closed it: charge what it holds to its namespace, until esp_orphan_uncharge().
 * False: those of the namespace hold too much.
 */
bool esp_orphan_charge(struct esp_sock *ep);
void esp_orphan_uncharge(struct esp_sock *ep);

/* ---- esp_out.c ------------------------------------------------------------------- */

/* Queue a frame with @flags and @len bytes of data. -ENOMEM, -ENODEV. Under the lock. */
int esp_queue_control(struct esp_sock *ep, u8 flags, const void *data, size_t len, gfp_t gfp);
/* The checksum of its bytes from @start on. */
u32 esp_crc_from(struct sk_buff *skb, unsigned int start);
/* An empty frame for esp_queue(), with room for @len bytes; NULL: no memory, or no interface. */
struct sk_buff *esp_alloc_frame(const struct esp_sock *ep, size_t len, gfp_t gfp);
/* Charge a frame that belongs to its socket, before it has data. -ENOBUFS: it is freed. */
int esp_charge_frame(struct sk_buff *skb);
void esp_queue(struct esp_sock *ep, struct sk_buff *skb, u8 flags);
/* Send what window and grant allow: lost frames first. */
void esp_push(struct esp_sock *ep);
/* Send a frame without a number: acknowledgement, request or grant. */
void esp_send_ack(struct esp_sock *ep, u8 more_flags);
/* A frame is to be acknowledged: now, or soon. */
void esp_schedule_ack(struct esp_sock *ep, bool now);
/* The reader has made room: grant it, if it is worth a frame. */
void esp_update_grant(struct esp_sock *ep);
void esp_send_reset(struct esp_sock *ep);
/* Answer a SYN with @cookie. */
void esp_send_cookie(struct net_device *dev, const struct esp_syn *syn, u32 cookie);
/* The SYN is to be sent again now, with the cookie. Under the lock. */
void esp_resend_syn(struct esp_sock *ep);
/* Answer a frame of an unknown connection. */
void esp_refuse(struct net_device *dev, const u8 *to, const struct enet_wire_esp *h);
/* Numbers before @ack and those of @sack have arrived; returns whether any is new. */
bool esp_on_ack(struct esp_sock *ep, u32 ack, u64 sack);
/* Frames of which later ones show that they are lost count as lost now; false: there are none. */
bool esp_find_lost(struct esp_sock *ep);
/* Frames are to count as lost, and do not yet: shrink the window. */
void esp_on_loss(struct esp_sock *ep, bool timeout);
void esp_update_rtt(struct esp_sock *ep, u32 echo);
/* Set the timer to the earliest deadline. */
void esp_set_timer(struct esp_sock *ep);
u32 esp_now_us(void);

/* ---- esp_close.c ----------------------------------------------------------------- */

/* Before the first socket is created, and after the last one is freed. */
void esp_close_init(void);
void esp_close_exit(void);
/* End the connection: report @err (0: none) to its owner, remove it from all tables. */
void esp_done(struct esp_sock *ep, int err);
/* The interface was removed. Under the lock. */
void esp_on_device_gone(struct esp_sock *ep);
/* If both ends have closed: end it, if it has no owner who could. Under the lock. */
void esp_check_closed(struct esp_sock *ep);
void esp_destruct(struct sock *sk);
int esp_release(struct socket *sock);
int esp_shutdown(struct socket *sock, int how);
/* Ends the connections of a device that is removed. */
extern struct notifier_block esp_devices;

/* ---- esp_timer.c ----------------------------------------------------------------- */

void esp_timer(struct timer_list *t);
/* Called when a call releases the lock. */
void esp_release_cb(struct sock *sk);

/* ---- esp_open.c ------------------------------------------------------------------ */

void esp_init_sock(struct esp_sock *ep);
/* Its backlog is full: the oldest child that is half open, and not answered for long, is to end. */
void esp_evict_child(struct esp_sock *listener);
/*
 * A child of @listener for a SYN: in SYN_RECV, locked, with a reference; NULL: no memory, or no
 * room. In softirq.
 */
struct esp_sock *esp_new_child(struct sock *listener, int dev_ifindex, const u8 *peer,
			       __be16 peer_port);
int esp_bind(struct socket *sock, struct sockaddr_unsized *uaddr, int len);
int esp_listen(struct socket *sock, int backlog);
int esp_accept(struct socket *sock, struct socket *newsock, struct proto_accept_arg *arg);
int esp_connect(struct socket *sock, struct sockaddr_unsized *uaddr, int len, int flags);
/* Would accept() return at once? */
bool esp_has_ready_child(struct esp_sock *listener);

/* ---- esp_in.c -------------------------------------------------------------------- */

int esp_backlog(struct sock *sk, struct sk_buff *skb);
extern struct packet_type esp_packets;

/* ---- esp_pages.c ----------------------------------------------------------------- */

/* ESP_SO_ZEROCOPY is set. -ENOTCONN, -ENODEV, -EOPNOTSUPP. */
int esp_pages_allow(struct esp_sock *ep, bool on);
/*
 * A call of send() begins; NULL: it copies. -EOPNOTSUPP, -ENOBUFS. Under send_lock, as is the next
 * one.
 */
int esp_pages_begin(struct esp_sock *ep, struct msghdr *msg, struct ubuf_info **notice);
/* It ends; @sent: at least one frame has been queued. */
void esp_pages_end(struct ubuf_info *notice, bool sent);
/* At most the next @len bytes become the data of @skb, which has none. -EFAULT: not even one. */
int esp_pages_add(struct sk_buff *skb, struct iov_iter *from, size_t len,
		  struct ubuf_info *notice);

/* ---- esp_sock.c ------------------------------------------------------------------ */

int esp_create(struct net *net, struct socket *sock, int protocol, int kern);
int esp_init(void);
void esp_exit(void);
/* Under the lock: queue and send a filled frame; on error it remains the caller's. */
int esp_queue_data(struct esp_sock *ep, struct sk_buff *skb, bool more);
/* Under the lock: copy up to @len received bytes, and consume them unless @peek. */
int esp_copy_out(struct sock *sk, struct msghdr *msg, size_t len, bool peek);

#endif
