/* SPDX-License-Identifier: BSD-3-Clause */
/* proof.h - the proofs of espgoal's frames and connections, for tests that forge them. */
#ifndef GUEST_PROOF_H
#define GUEST_PROOF_H

#include "enet.h"
#include "transport/siphash.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* With the key of a job, as espgoal_auth.c makes one of SipHash from it. */
static inline uint64_t sip(const void *data, size_t len, uint64_t key)
{
	const struct siphash_key whole = { { key, 0x657370676f616c31 } };

	return siphash(data, len, &whole);
}

/* The proof of an EG_HELLO from rank @from to @to on network 0, without a group, over @fd. */
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

/* The proof of a multicast: @head are its first 40 bytes, with the place of the proof. */
static inline uint64_t proof_of_frame(const void *head, const void *data, size_t len, uint64_t key)
{
	unsigned char proved[40];
	uint64_t of_data = sip(data, len, key);

	memcpy(proved, head, sizeof(proved));
	memcpy(proved, &of_data, sizeof(of_data));
	return sip(proved, sizeof(proved), key);
}

#endif
