/* SPDX-License-Identifier: BSD-3-Clause */
/* siphash.h - SipHash-2-4 (Aumasson and Bernstein, 2012), by which one proves to have a key. */

/*
 * Without the key the hash of a message cannot be distinguished from a random number, even by one
 * that has seen those of others. It is the function that the kernel has in linux/siphash.h.
 */
#ifndef SIPHASH_H
#define SIPHASH_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct siphash_key {
	uint64_t word[2];
};

static inline uint64_t siphash_rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

static inline void siphash_rounds(uint64_t v[4], int n)
{
	for (int i = 0; i < n; i++) {
		v[0] += v[1];
		v[1] = siphash_rotate(v[1], 13) ^ v[0];
		v[0] = siphash_rotate(v[0], 32);
		v[2] += v[3];
		v[3] = siphash_rotate(v[3], 16) ^ v[2];
		v[0] += v[3];
		v[3] = siphash_rotate(v[3], 21) ^ v[0];
		v[2] += v[1];
		v[1] = siphash_rotate(v[1], 17) ^ v[2];
		v[2] = siphash_rotate(v[2], 32);
	}
}

static inline void siphash_add(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	siphash_rounds(v, 2);
	v[0] ^= word;
}

/* The hash of @len bytes at @data, of any alignment. */
static inline uint64_t siphash(const void *data, size_t len, const struct siphash_key *key)
{
	uint64_t v[4] = {
		key->word[0] ^ 0x736f6d6570736575,
		key->word[1] ^ 0x646f72616e646f6d,
		key->word[0] ^ 0x6c7967656e657261,
		key->word[1] ^ 0x7465646279746573,
	};
	const unsigned char *at = data, *end = at + len / 8 * 8;
	uint64_t word;

	for (; at < end; at += 8) {
		memcpy(&word, at, 8);
		siphash_add(v, le64toh(word));
	}
	word = 0;
	if (len % 8)	/* @data may be NULL if it is 0 */
		memcpy(&word, at, len % 8);
	siphash_add(v, le64toh(word) | (uint64_t)len << 56);
	v[2] ^= 0xff;
	siphash_rounds(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

#endif
