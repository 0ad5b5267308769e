/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note OR BSD-3-Clause */
/* enet.h - sockets on plain Ethernet: what programs and the kernel module agree on. */

/*
 * Two protocols of one address family, without IP:
 *
 *	EDP	socket(AF_ENET, SOCK_DGRAM, 0): datagrams of at most a frame, which may get lost; to one
 *		interface, to a multicast group or to all
 *	ESP	socket(AF_ENET, SOCK_STREAM, 0): connections that lose nothing
 *
 * The usual calls work, and the usual ioctls of interfaces (SIOCGIFHWADDR, ...).
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

/* Of bind(), connect(), sendto(), and what the kernel returns. Any length of sizeof(struct sockaddr) or more is taken. */
struct sockaddr_en {
	sa_family_t sen_family;		/* AF_ENET */
	__u16 sen_port;			/* in network order; 0 in bind(): a free one */
	unsigned int sen_ifindex;	/* 0: any interface, or the one that is bound */
	unsigned char sen_addrlen;	/* ENET_ADDR_BYTES; 0 in bind(): that of the interface */
	unsigned char sen_addr[ENET_ADDR_BYTES];
};

/* Ports from here on are given to sockets that did not ask for one. Below 1024: CAP_NET_BIND_SERVICE. */
#define ENET_PORT_FIRST_FREE 49152

/* Bytes of a frame, after Ethernet's header, that a datagram needs beside its data. */
#define EDP_HEADER 8

/* Level of the options below. */
#define SOL_ENET 285

#define EDP_SO_MTU 1		/* get: unsigned int, bytes of the largest datagram over the interface it is bound to */
#define EDP_SO_STATS 2		/* get: struct edp_stats */
#define EDP_SO_JOIN 3		/* set: struct sockaddr_en, whose address is a multicast group on an interface */
#define EDP_SO_LEAVE 4

#define ESP_SO_MTU 1		/* get: unsigned int, bytes of data in the largest frame of the connection */
#define ESP_SO_STATS 2		/* get: struct esp_stats */
#define ESP_SO_TIMEOUT 3	/* get, set: unsigned int, ms without any answer before the connection fails with ETIMEDOUT, 60000 at first; 0: never */

struct edp_stats {
	unsigned int sent;
	unsigned int send_errors;
	unsigned int received;
	unsigned int dropped;		/* no room in the socket */
};

struct esp_stats {
	unsigned int sent;		/* packets, with those sent again */
	unsigned int retransmitted;
	unsigned int send_errors;	/* the interface did not take it */
	unsigned int received;
	unsigned int out_of_sequence;	/* came before one that was missing */
	unsigned int dropped;		/* were here already, or beyond what was granted */
	unsigned int sequence_lost;	/* gaps that were noticed */
	unsigned int requests_sent;	/* grants */
};

#endif
