/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note OR BSD-3-Clause */
/* enet.h - sockets on plain Ethernet: what programs and the kernel module agree on. */

/*
 * Two protocols of one address family, without IP:
 *
 *	EDP	socket(AF_ENET, SOCK_DGRAM, 0): datagrams of at most a frame, unreliable;
 *		unicast, multicast or broadcast
 *	ESP	socket(AF_ENET, SOCK_STREAM, 0): reliable connections
 *
 * Protocol 1, EZDP, does not exist here: EPROTONOSUPPORT, as for any protocol but 0.
 *
 * The usual socket calls work, and the usual ioctls of interfaces (SIOCGIFHWADDR, ...).
 */
#ifndef ENET_H
#define ENET_H

#ifdef __KERNEL__
#include <linux/socket.h>
#include <linux/types.h>
#else
#include <linux/types.h>
#include <sys/socket.h>
#endif

/* The family, unless the module was loaded with another (parameter family=). */
#define AF_ENET 28
#define PF_ENET AF_ENET

#define ENET_ADDR_BYTES 6

/*
 * Address of a socket. Any length of sizeof(struct sockaddr) or more is accepted. In a peer's
 * address that a call returns, sen_ifindex is an interface of this host.
 */
struct sockaddr_en {
	sa_family_t sen_family;		/* AF_ENET */
	__u16 sen_port;			/* in network order; 0 in bind(): a free one */
	unsigned int sen_ifindex;	/* 0: any interface, or the one that is bound */
	/* ENET_ADDR_BYTES; 0 in bind(): the address of the interface, elsewhere the same as 6 */
	unsigned char sen_addrlen;
	unsigned char sen_addr[ENET_ADDR_BYTES];
};

/*
 * Ports below 1024 need CAP_NET_BIND_SERVICE. Sockets of programs that do not ask for a port have
 * one from ENET_PORT_FIRST_FREE on. Ports from ENET_PORT_FIRST_KERNEL on are for sockets of the
 * kernel: a program that binds one needs CAP_NET_BIND_SERVICE as well, so what comes from there was
 * sent by the kernel of that host, or by its administrator.
 */
#define ENET_PORT_FIRST_FREE 49152
#define ENET_PORT_FIRST_KERNEL 61440

/* Bytes of the header of EDP, between the Ethernet header and the data. */
#define EDP_HEADER 8

/* Level of the options below. */
#define SOL_ENET 285

#define EDP_SO_MTU 1		/* get: unsigned int, bytes of the largest datagram */
#define EDP_SO_STATS 2		/* get: struct edp_stats */
#define EDP_SO_JOIN 3		/* set: struct sockaddr_en, a multicast group on an interface */
#define EDP_SO_LEAVE 4

#define ESP_SO_MTU 1		/* get: unsigned int, bytes of data in the largest frame */
#define ESP_SO_STATS 2		/* get: struct esp_stats */
/*
 * get, set: unsigned int, ms without any answer after which the connection fails with ETIMEDOUT;
 * 60000 by default; 0: never.
 */
#define ESP_SO_TIMEOUT 3
#define ESP_SO_TAGS 4		/* get: struct esp_tags */
/*
 * get, set: int, of a connected socket. 1: send() with MSG_ZEROCOPY sends from the caller's pages,
 * which must not change until a notice has arrived; 0 (the default): such a call fails with
 * EOPNOTSUPP. EOPNOTSUPP as well if the interface cannot send a frame from several pieces of
 * memory, ENOTCONN if there is no connection.
 *
 * Each such call that has sent something has a number, from 0 on. A notice is a control message
 * (SOL_ENET, ESP_RECVERR) of recvmsg() with MSG_ERRQUEUE: a struct sock_extended_err with ee_origin
 * SO_EE_ORIGIN_ZEROCOPY and the first and the last number in ee_info and ee_data; ee_code has
 * SO_EE_CODE_ZEROCOPY_COPIED if the kernel has copied the bytes nevertheless. poll() reports
 * POLLERR while there is one. They come in the order of the calls unless frames were lost. A
 * receiver drops frames whose bytes have changed; a connection in which that does not end fails
 * with ETIMEDOUT.
 *
 * The pages count against RLIMIT_MEMLOCK of the user: ENOBUFS.
 */
#define ESP_SO_ZEROCOPY 5
#define ESP_RECVERR 6

struct edp_stats {
	unsigned int sent;
	unsigned int send_errors;
	unsigned int received;
	unsigned int dropped;		/* no room in the socket */
};

/*
 * Random numbers that the ends have chosen for a connection; each end has both. A proof derived
 * from them and a secret shows on this connection alone that one knows the secret.
 */
struct esp_tags {
	unsigned int here, there;	/* of this end; of the peer, 0: it has not answered */
};

struct esp_stats {
	unsigned int sent;		/* frames, with retransmissions */
	unsigned int retransmitted;
	unsigned int send_errors;	/* the interface refused the frame */
	unsigned int received;
	unsigned int out_of_sequence;	/* arrived before a missing one */
	unsigned int dropped;		/* duplicates, or beyond the grant */
	unsigned int sequence_lost;	/* gaps that were noticed */
	unsigned int requests_sent;	/* grants */
};

#endif
