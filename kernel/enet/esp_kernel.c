// SPDX-License-Identifier: GPL-2.0-only
/* esp_kernel.c - send and receive for other modules; see esp_kernel.h. */

#include "esp_kernel.h"

#include "esp.h"

#include <linux/etherdevice.h>
#include <linux/export.h>

/* Softirqs are off until esp_kernel_unlock(). False: a call holds the socket. */
static bool esp_kernel_lock(struct sock *sk)
{
	local_bh_disable();
	bh_lock_sock(sk);
	return !sock_owned_by_user(sk);
}

static void esp_kernel_unlock(struct sock *sk)
{
	bh_unlock_sock(sk);
	local_bh_enable();
}

static size_t esp_kernel_bytes(const struct kvec *pieces, unsigned int npieces)
{
	size_t bytes = 0;

	for (unsigned int i = 0; i < npieces; i++)
		bytes += pieces[i].iov_len;
	return bytes;
}

/* ---- Sending -------------------------------------------------------------------------- */

/* Only acknowledgements make room, and only the caller uses it. */
static bool esp_kernel_has_room(struct sock *sk)
{
	if (sk_wmem_alloc_get(sk) < READ_ONCE(sk->sk_sndbuf))
		return true;
	set_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
	/* Room made before the bit was visible is not reported. */
	smp_mb__after_atomic();
	if (sk_wmem_alloc_get(sk) >= READ_ONCE(sk->sk_sndbuf))
		return false;
	/* perhaps the last acknowledgement, after which nothing would clear it */
	clear_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
	return true;
}

/* A frame with the next bytes, charged to the socket. */
static struct sk_buff *esp_kernel_fill(struct esp_sock *ep, struct iov_iter *from, gfp_t gfp)
{
	size_t len = min_t(size_t, iov_iter_count(from), esp_mtu(ep));
	struct sk_buff *skb = len ? esp_alloc_frame(ep, len, gfp) : NULL;

	if (!skb)
		return NULL;
	skb_set_owner_w(skb, &ep->es.sk);
	if (esp_charge_frame(skb))
		return NULL;
	/* without the check of copies from users: it is the kernel's own memory */
	if (_copy_from_iter(skb_put(skb, len), len, from) == len)
		return skb;
	kfree_skb(skb);
	return NULL;
}

static int esp_kernel_send_frame(struct esp_sock *ep, struct iov_iter *from, bool more, gfp_t gfp)
{
	struct sock *sk = &ep->es.sk;
	struct sk_buff *skb;
	int len, err = -EBUSY;

	if (!esp_kernel_has_room(sk))
		return -EAGAIN;
	skb = esp_kernel_fill(ep, from, gfp);
	if (!skb)
		return esp_mtu(ep) ? -ENOBUFS : -ENETDOWN;
	len = skb->len;
	if (esp_kernel_lock(sk))
		err = -sk->sk_err ?: esp_queue_data(ep, skb, more || iov_iter_count(from));
	esp_kernel_unlock(sk);
	if (err)
		kfree_skb(skb);
	return err ? err : len;
}

int esp_kernel_send(struct socket *sock, struct kvec *pieces, unsigned int npieces, bool more,
		    gfp_t gfp)
{
	struct esp_sock *ep = esp_sk(sock->sk);
	struct iov_iter from;
	int sent = 0, n = 1;

	iov_iter_kvec(&from, ITER_SOURCE, pieces, npieces, esp_kernel_bytes(pieces, npieces));
	while (n > 0 && iov_iter_count(&from)) {
		n = esp_kernel_send_frame(ep, &from, more, gfp);
		sent += max(n, 0);
	}
	return sent ? sent : n;
}
EXPORT_SYMBOL_GPL(esp_kernel_send);

/* ---- The peer ------------------------------------------------------------------------- */

/* None of it changes any more. */
void esp_kernel_peer(const struct socket *sock, struct esp_kernel_peer *peer)
{
	const struct esp_sock *ep = esp_sk(sock->sk);

	ether_addr_copy(peer->addr, ep->peer);
	peer->port = ntohs(ep->peer_port);
	peer->tags = (struct esp_tags){ ep->tag, ep->peer_tag };
}
EXPORT_SYMBOL_GPL(esp_kernel_peer);

void esp_kernel_invite(struct socket *sock,
		       bool (*may_connect)(const struct sock *sk, const u8 *addr, u16 port))
{
	WRITE_ONCE(esp_sk(sock->sk)->may_connect, may_connect);
}
EXPORT_SYMBOL_GPL(esp_kernel_invite);

/* ---- Receiving -------------------------------------------------------------------------- */

static int esp_kernel_status(const struct sock *sk)
{
	if (esp_sk(sk)->fin_received)
		return 0;		/* whatever has happened since */
	if (sk->sk_err)
		return -sk->sk_err;
	if (sk->sk_shutdown & RCV_SHUTDOWN)
		return 0;
	return sk->sk_state == TCP_ESTABLISHED ? -EAGAIN : -ENOTCONN;
}

/* Under the lock. */
static int esp_kernel_copy_out(struct sock *sk, struct msghdr *msg)
{
	int n = esp_copy_out(sk, msg, iov_iter_count(&msg->msg_iter), false);

	esp_sk(sk)->transfer_ended = false;
	esp_sk(sk)->reader_woken = false;
	if (n > 0)
		esp_update_grant(esp_sk(sk));
	return n ? n : esp_kernel_status(sk);
}

int esp_kernel_receive(struct socket *sock, struct kvec *pieces, unsigned int npieces)
{
	struct msghdr msg = { 0 };
	int n = -EBUSY;

	iov_iter_kvec(&msg.msg_iter, ITER_DEST, pieces, npieces, esp_kernel_bytes(pieces, npieces));
	if (esp_kernel_lock(sock->sk))
		n = esp_kernel_copy_out(sock->sk, &msg);
	esp_kernel_unlock(sock->sk);
	return n;
}
EXPORT_SYMBOL_GPL(esp_kernel_receive);

/* Under the lock, as the handler of frames reads it. */
void esp_kernel_read_transfers(struct socket *sock)
{
	lock_sock(sock->sk);
	esp_sk(sock->sk)->reads_transfers = true;
	release_sock(sock->sk);
}
EXPORT_SYMBOL_GPL(esp_kernel_read_transfers);
