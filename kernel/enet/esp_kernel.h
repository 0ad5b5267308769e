/* SPDX-License-Identifier: GPL-2.0-only */
/* esp_kernel.h - send and receive of ESP connections for other modules, without sleeping. */

/*
 * A module that has a connection (sock_create_kern(), kernel_accept()) may send and receive with
 * these functions in softirq as well as in process context. They take the lock of the socket as the
 * handler of frames does, with softirqs off, for one frame each, and never sleep. Connecting,
 * accepting and releasing need process context.
 *
 * The caller serialises its sends, and its receives, and uses neither sendmsg() nor recvmsg(). An
 * error stays with the socket: later calls return it again.
 */
#ifndef ESP_KERNEL_H
#define ESP_KERNEL_H

#include "../../include/enet.h"

#include <linux/gfp.h>
#include <linux/if_ether.h>
#include <linux/net.h>
#include <linux/uio.h>

/*
 * Send a copy of the @npieces of @pieces, in full frames, across pieces. @more: the transfer
 * continues with the next call. @gfp: for frames; GFP_ATOMIC in softirq, GFP_KERNEL may sleep
 * before anything is locked.
 *
 * Returns bytes accepted, at least 1, perhaps fewer than given; else
 *	-EAGAIN   the socket has no room: SOCK_NOSPACE is set, and sk_write_space() called for
 *		  each frame that is acknowledged
 *	-ENOBUFS  no memory
 *	-EBUSY    a call that may sleep holds the socket
 *	or why the connection has ended.
 */
int esp_kernel_send(struct socket *sock, struct kvec *pieces, unsigned int npieces, bool more,
		    gfp_t gfp);

/*
 * Receive available bytes into @pieces. Returns their number; 0: the peer has closed, and all has
 * been read; -EAGAIN: none, and sk_data_ready() is called when there are; -EBUSY as above; or why
 * the connection has ended.
 */
int esp_kernel_receive(struct socket *sock, struct kvec *pieces, unsigned int npieces);

/*
 * From now on sk_data_ready() is called when a transfer has ended (with the last frame of a call of
 * the peer without @more), and when the bytes of one that has not must be read: they fill half of
 * the receive buffer, or there is no memory for another frame. It is not called again before the
 * caller has read, which has to read until -EAGAIN, now and after each call. Other sockets have it
 * called for each frame in order.
 */
void esp_kernel_read_transfers(struct socket *sock);

/* Where an established connection comes from, and the tags of both ends. */
struct esp_kernel_peer {
	u8 addr[ETH_ALEN];
	u16 port;
	struct esp_tags tags;
};

void esp_kernel_peer(const struct socket *sock, struct esp_kernel_peer *peer);

/*
 * Before listen(): who may connect to @sock, by Ethernet address and port; others are not answered,
 * and nothing is kept of them. Called in softirq, under sk->sk_callback_lock for reading.
 */
void esp_kernel_invite(struct socket *sock,
		       bool (*may_connect)(const struct sock *sk, const u8 *addr, u16 port));

#endif
