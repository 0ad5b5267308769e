/* SPDX-License-Identifier: GPL-2.0-only */
/* esp_kernel.h - connections of ESP for other modules: to send and receive where nothing may sleep. */

/*
 * The interpreter's way. Whoever has a connection (sock_create_kern(), kernel_accept()) may send and receive with these
 * calls in softirq as well as in process context. They hold the lock of the socket as frames' handlers do, with softirqs
 * off, for one frame each, and never sleep. What they do not do is everything else: to connect, accept and release is for
 * process context.
 *
 * The socket is the caller's alone: he serialises his sends, and his receives, and mixes neither with sendmsg() and
 * recvmsg(). Errors stay at the socket: a later call returns them again.
 */
#ifndef ESP_KERNEL_H
#define ESP_KERNEL_H

#include <linux/gfp.h>
#include <linux/net.h>
#include <linux/uio.h>

/*
 * Send what the @npieces of @pieces have, which is copied: into full frames, across pieces. @more: the transfer goes on with
 * the next call. @gfp: for frames; GFP_ATOMIC in softirq, GFP_KERNEL may sleep before anything is locked.
 *
 * Returns bytes taken, perhaps fewer than there are, at least 1; else
 *   -EAGAIN   the socket has no room: SOCK_NOSPACE is set, and sk_write_space() called for each frame that is acknowledged
 *   -ENOBUFS  no memory
 *   -EBUSY    a call that may sleep has the socket
 *   or why the connection has ended.
 */
int esp_kernel_send(struct socket *sock, struct kvec *pieces, unsigned int npieces, bool more, gfp_t gfp);

/*
 * Receive what is there into @pieces. Returns bytes; 0: the peer has closed, and all has been read; -EAGAIN: there is nothing,
 * and sk_data_ready() is called when there is; -EBUSY as above; or why the connection has ended.
 */
int esp_kernel_receive(struct socket *sock, struct kvec *pieces, unsigned int npieces);

#endif
