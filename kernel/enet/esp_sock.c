// SPDX-License-Identifier: GPL-2.0-only
/* esp_sock.c - socket calls of ESP: send, receive, poll, options; the protocol's tables. */

#include "esp.h"

#include <linux/etherdevice.h>
#include <linux/poll.h>

#include <asm/ioctls.h>

/* ---- Sending ----- */

int esp_queue_data(struct esp_sock *ep, struct sk_buff *skb, bool more)
{
	struct sock *sk = &ep->es.sk;

	if (sk->sk_err)
		return sock_error(sk);
	if (sk->sk_state != TCP_ESTABLISHED || ep->fin_queued)
		return sk->sk_shutdown & SEND_SHUTDOWN ? -EPIPE : -ENOTCONN;
	esp_queue(ep, skb, (ep->in_transfer ? 0 : ESP_TXS) | (more ? 0 : ESP_TXF));
	ep->in_transfer = more;
	esp_push(ep);
	return 0;
}

static int esp_lock_and_queue(struct esp_sock *ep, struct sk_buff *skb, bool more)
{
	int err;

	lock_sock(&ep->es.sk);
	err = esp_queue_data(ep, skb, more);
	release_sock(&ep->es.sk);
	if (err)
		kfree_skb(skb);
	return err;
}

/* An empty frame for data of @len bytes in its linear part. May sleep until there is room. */
static struct sk_buff *esp_wait_for_frame(struct esp_sock *ep, size_t len, int flags, int *err)
{
	struct sock *sk = &ep->es.sk;
	struct enet_room room;
	struct sk_buff *skb;
	unsigned int head;

	*err = enet_room_of(sock_net(sk), ep->dev_ifindex, &room);
	if (*err)
		return NULL;
	head = room.head + sizeof(struct enet_wire_esp);
	skb = sock_alloc_send_skb(sk, head + len + room.tail, flags & MSG_DONTWAIT, err);
	if (!skb)
		return NULL;
	skb_reserve(skb, head);
	*err = esp_charge_frame(skb);
	return *err ? NULL : skb;
}

/* @notice: of the call, if it sends from the caller's pages. */
static int esp_send_piece(struct esp_sock *ep, struct msghdr *msg, struct ubuf_info *notice)
{
	unsigned int len = min_t(size_t, msg_data_left(msg), esp_mtu(ep));
	struct sk_buff *skb;
	int err;

	if (!len)
		return -ENODEV;
	skb = esp_wait_for_frame(ep, notice ? 0 : len, msg->msg_flags, &err);
	if (!skb)
		return err;
	if (notice)
		err = esp_pages_add(skb, &msg->msg_iter, len, notice);
	else
		err = memcpy_from_msg(skb_put(skb, len), msg, len);
	if (err) {
		kfree_skb(skb);
		return err;
	}
	len = skb->len;
	err = esp_lock_and_queue(ep, skb, msg_data_left(msg) || (msg->msg_flags & MSG_MORE));
	return err ? err : (int)len;
}

/* Another call may hold it and wait for room. */
static int esp_lock_transfer(struct esp_sock *ep, const struct msghdr *msg)
{
	if (msg->msg_flags & MSG_DONTWAIT)
		return mutex_trylock(&ep->send_lock) ? 0 : -EAGAIN;
	return mutex_lock_interruptible(&ep->send_lock) ? -ERESTARTSYS : 0;
}

/*
 * The connection ended during a call, which returns what was sent before: keep the error for the
 * next call.
 */
static void esp_keep_error(struct sock *sk, int err)
{
	static const int others[] = { 0, -EPIPE, -ENOTCONN, -EAGAIN, -EINTR, -ERESTARTSYS,
		-EFAULT, -ENOBUFS };

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (err == others[i])
			return;
	if (READ_ONCE(sk->sk_state) == TCP_CLOSE)
		cmpxchg(&sk->sk_err, 0, -err);
}

static int esp_sendmsg(struct socket *sock, struct msghdr *msg, size_t len)
{
	struct sock *sk = sock->sk;
	struct esp_sock *ep = esp_sk(sk);
	struct ubuf_info *notice;
	size_t sent = 0;
	int n = 0;

	/* the last ones by sendmmsg() and sendfile() */
	if (msg->msg_flags & ~(MSG_DONTWAIT | MSG_NOSIGNAL | MSG_MORE | MSG_ZEROCOPY |
			       MSG_CMSG_COMPAT | MSG_BATCH | MSG_SENDPAGE_NOTLAST |
			       MSG_SPLICE_PAGES))
		return -EOPNOTSUPP;
	if (msg->msg_flags & MSG_SENDPAGE_NOTLAST)
		msg->msg_flags |= MSG_MORE;
	/* sendfile() says so at the end of a file, too, after which nothing may follow for long */
	if (msg->msg_flags & MSG_SPLICE_PAGES)
		msg->msg_flags &= ~MSG_MORE;
	if (msg->msg_name)
		return READ_ONCE(sk->sk_state) == TCP_ESTABLISHED ? -EISCONN : -ENOTCONN;
	if (READ_ONCE(sk->sk_state) != TCP_ESTABLISHED && !(sk->sk_shutdown & SEND_SHUTDOWN))
		return sk->sk_err ? sock_error(sk) : -ENOTCONN;
	enet_memory_reclaim(sk);
	n = esp_lock_transfer(ep, msg);
	if (n)
		return n;
	n = esp_pages_begin(ep, msg, &notice);
	while (msg_data_left(msg) && n >= 0) {
		n = esp_send_piece(ep, msg, notice);
		sent += max(n, 0);
	}
	esp_pages_end(notice, sent);
	mutex_unlock(&ep->send_lock);
	if (sent && n < 0)
		esp_keep_error(sk, n);
	return sent ? (int)sent : n < 0 ? sk_stream_error(sk, msg->msg_flags, n) : 0;
}

/* ---- Receiving ----- */

int esp_copy_out(struct sock *sk, struct msghdr *msg, size_t len, bool peek)
{
	struct sk_buff *skb, *next;
	size_t copied = 0;

	skb_queue_walk_safe(&sk->sk_receive_queue, skb, next) {
		struct esp_frame *f = esp_frame(skb);
		size_t n = min_t(size_t, len - copied, skb->len - f->offset);

		if (copied == len)
			break;
		if (skb_copy_datagram_msg(skb, f->offset, msg, n))
			return copied ? (int)copied : -EFAULT;
		copied += n;
		if (peek)
			continue;
		f->offset += n;
		if (f->offset < skb->len)
			break;
		__skb_unlink(skb, &sk->sk_receive_queue);
		consume_skb(skb);
	}
	return copied;
}

/* Nothing to read: 1 to wait, 0 at the end, or an error. */
static int esp_receive_status(struct sock *sk, long timeo)
{
	if (esp_sk(sk)->fin_received)
		return 0;		/* whatever has happened since */
	if (sk->sk_err)
		return sock_error(sk);
	if (sk->sk_shutdown & RCV_SHUTDOWN)
		return 0;
	if (sk->sk_state != TCP_ESTABLISHED)
		return -ENOTCONN;
	if (!timeo)
		return -EAGAIN;
	return signal_pending(current) ? sock_intr_errno(timeo) : 1;
}

static int esp_receive(struct sock *sk, struct msghdr *msg, size_t len, int flags)
{
	long timeo = sock_rcvtimeo(sk, flags & MSG_DONTWAIT);
	size_t target = sock_rcvlowat(sk, flags & MSG_WAITALL, len), copied = 0;
	int n;

	for (;;) {
		n = esp_copy_out(sk, msg, len - copied, flags & MSG_PEEK);
		if (n > 0)
			copied += n;
		if (n > 0 && !(flags & MSG_PEEK))
			esp_update_grant(esp_sk(sk));
		if (n < 0 || copied >= target || (n > 0 && (flags & MSG_PEEK)))
			break;
		n = esp_receive_status(sk, timeo);
		if (n <= 0)
			break;
		sk_wait_data(sk, &timeo, skb_peek_tail(&sk->sk_receive_queue));
	}
	return copied ? (int)copied : n;
}

static int esp_recvmsg(struct socket *sock, struct msghdr *msg, size_t len, int flags)
{
	struct sock *sk = sock->sk;
	int n;

	if (flags & ~(MSG_DONTWAIT | MSG_PEEK | MSG_WAITALL | MSG_NOSIGNAL | MSG_CMSG_COMPAT |
		      MSG_CMSG_CLOEXEC | MSG_ERRQUEUE))
		return -EOPNOTSUPP;
	if (flags & MSG_ERRQUEUE)
		return sock_recv_errqueue(sk, msg, len, SOL_ENET, ESP_RECVERR);
	if (!len)
		return 0;
	enet_memory_reclaim(sk);
	lock_sock(sk);
	n = esp_receive(sk, msg, len, flags);
	release_sock(sk);
	msg->msg_namelen = 0;
	return n;
}

static __poll_t esp_poll(struct file *file, struct socket *sock, poll_table *wait)
{
	struct sock *sk = sock->sk;
	struct esp_sock *ep = esp_sk(sk);
	__poll_t mask = 0;
	int state;

	sock_poll_wait(file, sock, wait);
	state = READ_ONCE(sk->sk_state);
	if (state == TCP_LISTEN)
		return esp_has_ready_child(ep) ? EPOLLIN | EPOLLRDNORM : 0;
	if (READ_ONCE(sk->sk_err) || !skb_queue_empty_lockless(&sk->sk_error_queue))
		mask |= EPOLLERR;
	if (sk->sk_shutdown == SHUTDOWN_MASK || state == TCP_CLOSE)
		mask |= EPOLLHUP;
	if (sk->sk_shutdown & RCV_SHUTDOWN)
		mask |= EPOLLIN | EPOLLRDNORM | EPOLLRDHUP;
	if (!skb_queue_empty_lockless(&sk->sk_receive_queue))
		mask |= EPOLLIN | EPOLLRDNORM;
	if (state == TCP_SYN_SENT)
		return mask;
	if ((sk->sk_shutdown & SEND_SHUTDOWN) || sock_writeable(sk))
		return mask | EPOLLOUT | EPOLLWRNORM | EPOLLWRBAND;
	sk_set_bit(SOCKWQ_ASYNC_NOSPACE, sk);
	set_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
	/* Room made before the bit was visible wakes no process. */
	smp_mb__after_atomic();
	if (sock_writeable(sk))
		mask |= EPOLLOUT | EPOLLWRNORM | EPOLLWRBAND;
	return mask;
}

/* ---- Names, options ----- */

static int esp_getname(struct socket *sock, struct sockaddr *uaddr, int peer)
{
	const struct esp_sock *ep = esp_sk(sock->sk);
	struct sockaddr_en *sen = (struct sockaddr_en *)uaddr;

	if (peer && sock->sk->sk_state != TCP_ESTABLISHED)
		return -ENOTCONN;
	if (peer)
		enet_addr_fill(sen, ep->peer_port, ep->dev_ifindex, ep->peer);
	else
		enet_addr_local(&ep->es, sen);
	return sizeof(*sen);
}

static int esp_setsockopt(struct socket *sock, int level, int option, sockptr_t value,
			  unsigned int len)
{
	struct esp_sock *ep = esp_sk(sock->sk);
	unsigned int number;

	if (level != SOL_ENET || (option != ESP_SO_TIMEOUT && option != ESP_SO_ZEROCOPY))
		return -ENOPROTOOPT;
	if (len < sizeof(number))
		return -EINVAL;
	if (copy_from_sockptr(&number, value, sizeof(number)))
		return -EFAULT;
	if (option == ESP_SO_ZEROCOPY)
		return number > 1 ? -EINVAL : esp_pages_allow(ep, number);
	if (number > 24 * 3600 * 1000)
		return -EINVAL;
	WRITE_ONCE(ep->timeout_ms, number);
	return 0;
}

static int esp_getsockopt(struct socket *sock, int level, int option, char __user *to,
			  int __user *to_len)
{
	const struct esp_sock *ep = esp_sk(sock->sk);
	struct esp_stats stats;
	struct esp_tags tags;
	unsigned int number;

	if (level != SOL_ENET)
		return -ENOPROTOOPT;
	switch (option) {
	case ESP_SO_MTU:
		number = esp_mtu(ep);
		return number ? enet_copy_option(&number, sizeof(number), to, to_len) : -ENODEV;
	case ESP_SO_TIMEOUT:
		number = READ_ONCE(ep->timeout_ms);
		return enet_copy_option(&number, sizeof(number), to, to_len);
	case ESP_SO_ZEROCOPY:
		number = sock_flag(sock->sk, SOCK_ZEROCOPY);
		return enet_copy_option(&number, sizeof(number), to, to_len);
	case ESP_SO_STATS:
		lock_sock(sock->sk);
		stats = ep->stats;
		release_sock(sock->sk);
		return enet_copy_option(&stats, sizeof(stats), to, to_len);
	case ESP_SO_TAGS:
		tags = (struct esp_tags){ ep->tag, READ_ONCE(ep->peer_tag) };
		return enet_copy_option(&tags, sizeof(tags), to, to_len);
	default:
		return -ENOPROTOOPT;
	}
}

static int esp_readable_bytes(struct sock *sk)
{
	struct sk_buff *skb;
	int bytes = 0;

	lock_sock(sk);
	skb_queue_walk(&sk->sk_receive_queue, skb)
		bytes += skb->len - esp_frame(skb)->offset;
	release_sock(sk);
	return bytes;
}

static int esp_ioctl(struct socket *sock, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case SIOCOUTQ:
		return put_user(sk_wmem_alloc_get(sock->sk), (int __user *)arg);
	case SIOCINQ:
		return put_user(esp_readable_bytes(sock->sk), (int __user *)arg);
	default:
		return -ENOIOCTLCMD;
	}
}

static struct proto esp_proto = {
	.name	     = "ESP",
	.owner	     = THIS_MODULE,
	.obj_size    = sizeof(struct esp_sock),
	.backlog_rcv = esp_backlog,
	.release_cb  = esp_release_cb,
	ENET_MEMORY,
};

COMPAT_DEFINE_ACCEPT(esp_accept)

static const struct proto_ops esp_ops = {
	.owner	    = THIS_MODULE,
	.release    = esp_release,
	.bind	    = esp_bind,
	.connect    = esp_connect,
	.socketpair = sock_no_socketpair,
	.accept	    = COMPAT_ACCEPT(esp_accept),
	.getname    = esp_getname,
	.poll	    = esp_poll,
	.ioctl	    = esp_ioctl,
	.gettstamp  = sock_gettstamp,
	.listen	    = esp_listen,
	.shutdown   = esp_shutdown,
	.setsockopt = esp_setsockopt,
	.getsockopt = esp_getsockopt,
	.sendmsg    = esp_sendmsg,
	.recvmsg    = esp_recvmsg,
	.mmap	    = sock_no_mmap,
};

int esp_create(struct net *net, struct socket *sock, int protocol, int kern)
{
	/*
	 * With a reference to the namespace, even for the kernel: a closed socket lives until its
	 * data are delivered.
	 */
	struct sock *sk = sk_alloc(net, enet_family, GFP_KERNEL, &esp_proto, 0);

	if (!sk)
		return -ENOMEM;
	sock->ops = &esp_ops;
	sock_init_data(sock, sk);
	esp_init_sock(esp_sk(sk));
	enet_sk(sk)->kern = kern;
	return 0;
}

int esp_init(void)
{
	int err = proto_register(&esp_proto, 1);

	if (err)
		return err;
	err = register_netdevice_notifier(&esp_devices);
	if (err) {
		proto_unregister(&esp_proto);
		return err;
	}
	esp_cookie_init();
	esp_close_init();
	dev_add_pack(&esp_packets);
	return 0;
}

void esp_exit(void)
{
	dev_remove_pack(&esp_packets);
	unregister_netdevice_notifier(&esp_devices);
	esp_close_exit();
	proto_unregister(&esp_proto);
}
