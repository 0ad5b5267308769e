/* SPDX-License-Identifier: GPL-2.0-only */
/* enet_wire.h - the frames of EDP and ESP. */

/*
 * Both follow the Ethernet header. Ethertypes are those that IEEE 802 keeps for local experiments. All
 * numbers are in network order. Whatever is not as said here is counted by its reason and dropped.
 *
 * ESP. A connection has two directions; what is said of one holds for the other.
 *
 * Data frames are numbered from a random number on, one after the other; SYN takes a number, FIN takes one, and
 * nothing else without data does. A transfer is what one call of send() gives: its first frame has TXS, its last TXF.
 *
 * The receiver drives: it tells in @grant the first number that it does not take yet; the sender never sends that or a later
 * one. How much is granted depends on the room of the socket and the number of streams of the interface that are in the midst of a
 * transfer, so that many senders to one receiver do not drown it (Schneider and others, section 3.2). A
 * grant that changed is sent when half of the last one is used up or when the reader has made room; a sender out of
 * grant that has more to send asks (ASK) in doubling intervals, so that a lost grant is no deadlock.
 *
 * @ack is the first number that has not come; bit i of @sack says that @ack + 1 + i has. Three frames
 * acknowledged beyond a gap, or a timeout (from RTT measured by @stamp and @echo: RFC 6298's estimator, doubled each time), make the
 * sender send the missing ones again.
 *
 * @tag is a random number that the peer has chosen for the connection: frames of an older connection between the
 * same ports, or forged blindly, do not have it. 0 only in the first SYN, and in the RST by which a host refuses
 * a frame of no connection it knows: that has the number of the frame and, as its data, its tag. Who records frames
 * could end a connection or put bytes into it; there is no encryption. Replaying old ones does nothing.
 */
#ifndef ENET_WIRE_H
#define ENET_WIRE_H

#include <linux/build_bug.h>
#include <linux/types.h>

#define ENET_ETHERTYPE_EDP 0x88b5
#define ENET_ETHERTYPE_ESP 0x88b6

enum { ENET_WIRE_VERSION = 1 };

enum edp_wire_type {
	EDP_DATA = 1,
	EDP_ECHO_REQUEST = 2,	/* answered by the module, whatever the port */
	EDP_ECHO_REPLY = 3,	/* to the port that asked */
};

struct enet_wire_edp {
	__u8 version;		/*  0 */
	__u8 type;		/*  1: enum edp_wire_type */
	__be16 len;		/*  2: bytes of data that follow; what comes after them is padding */
	__be16 sport;		/*  4 */
	__be16 dport;		/*  6 */
};				/*  8 */

enum esp_wire_flag {
	ESP_SYN = 1 << 0,	/* opens; the 4 bytes of data are the tag that answers are to have */
	ESP_FIN = 1 << 1,	/* nothing follows */
	ESP_RST = 1 << 2,	/* there is no such connection (any more) */
	ESP_TXS = 1 << 3,	/* a transfer begins with this frame */
	ESP_TXF = 1 << 4,	/* and ends with this one */
	ESP_ACK = 1 << 5,	/* @ack, @sack and @grant count: all but the first SYN and a RST to it */
	ESP_ASK = 1 << 6,	/* answer at once */
};

struct enet_wire_esp {
	__u8 version;		/*  0 */
	__u8 flags;		/*  1: enum esp_wire_flag */
	__be16 len;		/*  2: bytes of data that follow */
	__be16 sport;		/*  4 */
	__be16 dport;		/*  6 */
	__be32 tag;		/*  8 */
	__be32 seq;		/* 12: of this frame, if it has one; else of the next */
	__be32 ack;		/* 16 */
	__be32 grant;		/* 20 */
	__be64 sack;		/* 24 */
	__be32 stamp;		/* 32: microseconds of the sender's clock */
	__be32 echo;		/* 36: the stamp of the frame that made @ack grow, 0: none */
	__be32 crc;		/* 40: CRC-32C of the data and then of the header with 0 here */
	__be32 zero;		/* 44 */
};				/* 48 */

static_assert(sizeof(struct enet_wire_edp) == 8, "as written above");
static_assert(sizeof(struct enet_wire_esp) == 48, "as written above");

#endif
