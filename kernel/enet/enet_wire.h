/* SPDX-License-Identifier: GPL-2.0-only */
/* enet_wire.h - the frames of EDP and ESP. */

/*
 * Both follow the Ethernet header. The Ethertypes are those that IEEE 802 reserves for local
 * experiments. Numbers are in network order. A frame that violates this description is counted by
 * its reason and dropped.
 *
 * ESP. A connection has two directions; what follows holds for each.
 *
 * Data frames are numbered consecutively from a random number on; SYN and FIN take a number each,
 * and no other frame without data does. A transfer is the data of one call of send(): its first
 * frame has TXS, its last TXF.
 *
 * The receiver drives: @grant is the first number that the sender may not send; it never sends that
 * or a later one. The grant depends on the room of the socket and on the number of streams of the
 * interface that are receiving a transfer, so that many senders do not overload one receiver
 * (Schneider and others, section 3.2). A larger grant is sent when half of the last one is used or
 * when the reader has made room; a sender without a grant that has data asks (ASK) in doubling
 * intervals, so that a lost grant is no deadlock. A smaller one counts only for a sender of which
 * all frames have arrived, as @ack says; what was granted before is accepted nevertheless.
 *
 * @ack is the first number that has not arrived; bit i of @sack is set if @ack + 1 + i has. After
 * three frames acknowledged beyond a gap (or one, if no more than three are in flight), or a
 * timeout (by the estimator of RFC 6298 from the RTT measured with @stamp and @echo, doubled each
 * time), the sender retransmits the missing ones, and says so in @repeats, as the receiver cannot
 * see that the last frame was missing.
 *
 * A listener keeps nothing of a first SYN, whose source address may be forged: it answers with a
 * cookie (COOKIE), from which it knows later that it has sent it to that address and port, for that
 * SYN. The SYN is sent again with the cookie in place of a tag, and only that one makes a
 * connection (as SYN cookies of TCP, Bernstein 1996; here nothing has to be encoded in one).
 *
 * @tag is a random number that the peer has chosen for the connection: frames of an older
 * connection between the same ports, or forged ones, do not have it. It is 0 only in the first SYN,
 * and in the RST by which a host refuses a frame of an unknown connection: that RST has the number
 * of the frame and, as its data, the frame's tag and the host's address. A host that can record
 * frames can end a connection or insert bytes; there is no encryption. Replaying old frames has no
 * effect, nor has sending them to another host than before.
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
	EDP_ECHO_REPLY = 3,	/* to the port that sent the request */
};

struct enet_wire_edp {
	__u8 version;	/*  0 */
	__u8 type;	/*  1: enum edp_wire_type */
	__be16 len;	/*  2: bytes of data that follow; the rest is padding */
	__be16 sport;	/*  4 */
	__be16 dport;	/*  6 */
};			/*  8 */

enum esp_wire_flag {
	ESP_SYN = 1 << 0, /* opens a connection; its data, 4 bytes, are the tag for the answers */
	ESP_FIN = 1 << 1,	/* nothing follows */
	ESP_RST = 1 << 2,	/* there is no such connection */
	ESP_TXS = 1 << 3,	/* a transfer begins with this frame */
	ESP_TXF = 1 << 4,	/* and ends with this one */
	/* @ack, @sack and @grant are valid: all frames but the first SYN and an RST to it */
	ESP_ACK = 1 << 5,
	ESP_ASK = 1 << 6,	/* answer at once */
	/* alone, for a connection to be; its data, 4 bytes, are the cookie; @ack: of the SYN */
	ESP_COOKIE = 1 << 7,
};

/* Data of an RST that has no tag. */
struct esp_wire_refusal {
	__be32 tag;	/*  0: of the frame that is refused */
	__u8 addr[6];	/*  4: of the host that refuses it, which may be its sender */
	__be16 zero;	/* 10 */
};			/* 12 */

struct enet_wire_esp {
	__u8 version;	/*  0 */
	__u8 flags;	/*  1: enum esp_wire_flag */
	__be16 len;	/*  2: bytes of data that follow */
	__be16 sport;	/*  4 */
	__be16 dport;	/*  6 */
	__be32 tag;	/*  8 */
	__be32 seq;	/* 12: of this frame, if it has one; else of the next */
	__be32 ack;	/* 16 */
	__be32 grant;	/* 20 */
	__be64 sack;	/* 24 */
	__be32 stamp;	/* 32: microseconds of the sender's clock */
	/* 36: the stamp of the last frame, and the time for which it was kept; 0: none */
	__be32 echo;
	__be32 crc;	/* 40: CRC-32C of the data and then of the header with 0 here */
	__u8 repeats;	/* 44: how often this frame has been sent before; 255: or more often */
	__u8 zero;	/* 45 */
	__be16 zeros;	/* 46 */
};			/* 48 */

static_assert(sizeof(struct enet_wire_edp) == 8, "as written above");
static_assert(sizeof(struct enet_wire_esp) == 48, "as written above");
static_assert(sizeof(struct esp_wire_refusal) == 12, "as written above");

#endif
