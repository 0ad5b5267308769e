/* SPDX-License-Identifier: BSD-3-Clause */
/* frames.h - frames as they are on the wire, made by hand; see kernel/enet/enet_wire.h. */
#ifndef FRAMES_H
#define FRAMES_H

#include "guest.h"

#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>

enum { ESP = 0x88b6, EDP = 0x88b5, FRAME = 1514, HEAD = 14, WIRE_EDP = 8, WIRE_ESP = 48 };

/* Where the fields of ESP's header are. */
enum {
	AT_FLAGS = 1,
	AT_LEN = 2,
	AT_SPORT = 4,
	AT_DPORT = 6,
	AT_TAG = 8,
	AT_SEQ = 12,
	AT_ACK = 16,
	AT_GRANT = 20,
	AT_CRC = 40
};
/* Data of an RST without a tag: their length, and where the address of the refusing host is. */
enum { REFUSAL = 12, AT_REFUSER = 4 };
enum { SYN = 1, FIN = 2, RST = 4, TXS = 8, TXF = 16, ACK = 32, ASK = 64, COOKIE = 128 };

struct frame {
	int len;
	unsigned char at[FRAME];
};

static inline void put16(unsigned char *to, int value)
{
	to[0] = (unsigned char)(value >> 8);
	to[1] = (unsigned char)value;
}

static inline void put32(unsigned char *to, uint32_t value)
{
	value = htonl(value);
	memcpy(to, &value, 4);
}

static inline uint32_t get32(const unsigned char *from)
{
	uint32_t value;

	memcpy(&value, from, 4);
	return ntohl(value);
}

/* With @len bytes of data, all 0, behind a header that says from and to where; not signed. */
static inline struct frame frame_of(int protocol, const unsigned char *from, int sport,
				    const unsigned char *to, int dport, int len)
{
	struct frame f = { .len = HEAD + (protocol == ESP ? WIRE_ESP : WIRE_EDP) + len };
	unsigned char *h = f.at + HEAD;

	memcpy(f.at, to, 6);
	memcpy(f.at + 6, from, 6);
	put16(f.at + 12, protocol);
	h[0] = 1;
	put16(h + AT_LEN, len);
	put16(h + AT_SPORT, sport);
	put16(h + AT_DPORT, dport);
	return f;
}

/* CRC-32C, bit by bit. */
static inline uint32_t crc32c(uint32_t crc, const unsigned char *p, int len)
{
	while (len-- > 0) {
		crc ^= *p++;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
	}
	return crc;
}

/* The right checksum, if there is a whole frame of ESP. */
static inline void sign(struct frame *f)
{
	unsigned char *h = f->at + HEAD;
	int len = h[AT_LEN] << 8 | h[AT_LEN + 1];

	if (f->len < HEAD + WIRE_ESP || len > f->len - HEAD - WIRE_ESP)
		return;
	memset(h + AT_CRC, 0, 4);
	put32(h + AT_CRC, crc32c(crc32c(0, h + WIRE_ESP, len), h, WIRE_ESP));
}

/* A socket that receives and sends whole frames on an interface of a namespace. */
static inline int packets_in(const char *ns, const char *interface, int protocol)
{
	struct sockaddr_ll ll = { .sll_family = AF_PACKET, .sll_protocol = htons(protocol) };
	int fd;

	enter(ns);
	ll.sll_ifindex = if_nametoindex(interface);
	fd = socket(AF_PACKET, SOCK_RAW, htons(protocol));
	if (fd < 0 || bind(fd, (struct sockaddr *)&ll, sizeof(ll)))
		bail("AF_PACKET");
	return fd;
}

/* The next frame with a whole header of ESP. False: none arrives for @limit_ms. */
static inline bool receive_frame(int fd, int limit_ms, struct frame *f)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	do {
		if (poll(&p, 1, limit_ms) != 1)
			return false;
		f->len = recv(fd, f->at, FRAME, 0);
	} while (f->len < HEAD + WIRE_ESP);
	return true;
}

#endif
