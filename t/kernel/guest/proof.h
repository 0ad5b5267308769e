/* SPDX-License-Identifier: BSD-3-Clause */
/* proof.h - the proofs of espgoal's frames and connections, for tests that forge them. */
#ifndef GUEST_PROOF_H
#define GUEST_PROOF_H

#include "enet.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t turned(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

static inline void sip_round(uint64_t v[4])
{
	v[0] += v[1], v[1] = turned(v[1], 13) ^ v[0], v[0] = turned(v[0], 32);
	v[2] += v[3], v[3] = turned(v[3], 16) ^ v[2];
	v[0] += v[3], v[3] = turned(v[3], 21) ^ v[0];
	v[2] += v[1], v[1] = turned(v[1], 17) ^ v[2], v[2] = turned(v[2], 32);
}

static inline void sip_word(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	sip_round(v);
	sip_round(v);
	v[0] ^= word;
}

/* SipHash-2-4 (Aumasson and Bernstein, 2012) with the key of a job. */
static inline uint64_t sip(const void *data, size_t len, uint64_t key)
{
	const uint64_t second = 0x657370676f616c31;
	uint64_t v[4] = { key ^ 0x736f6d6570736575, second ^ 0x646f72616e646f6d,
			  key ^ 0x6c7967656e657261, second ^ 0x7465646279746573 };
	const unsigned char *at = data;
	uint64_t word;
	size_t i;

	for (i = 0; i + 8 <= len; i += 8) {
		memcpy(&word, at + i, 8);
		sip_word(v, word);
	}
	word = 0;
	if (len > i)
		memcpy(&word, at + i, len - i);
	sip_word(v, word | (uint64_t)len << 56);
	v[2] ^= 0xff;
	for (i = 0; i < 4; i++)
		sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* Of EG_HELLO from rank @from to @to on network 0, without a group, over the connection @fd. */
static inline uint64_t proof_of_hello(int fd, uint32_t from, uint32_t to, uint64_t key)
{
	struct esp_tags tags = { 0 };
	socklen_t len = sizeof(tags);
	uint64_t words[4];

	getsockopt(fd, SOL_ENET, ESP_SO_TAGS, &tags, &len);
	words[0] = (uint64_t)from << 32 | to;
	words[1] = 0;
	words[2] = tags.here;
	words[3] = tags.there;
	return sip(words, sizeof(words), key);
}

/* Of a multicast: @head are its first 40 bytes, the proof among them. */
static inline uint64_t proof_of_frame(const void *head, const void *data, size_t len, uint64_t key)
{
	unsigned char proved[40];
	uint64_t of_data = sip(data, len, key);

	memcpy(proved, head, sizeof(proved));
	memcpy(proved, &of_data, sizeof(of_data));
	return sip(proved, sizeof(proved), key);
}

#endif
