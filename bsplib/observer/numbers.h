/* SPDX-License-Identifier: BSD-3-Clause */
/* numbers.h - tables that find the number of a thing by its hash; the user has the things. */
#ifndef BSPI_NUMBERS_H
#define BSPI_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Open addressing: numbers + 1, 0 is none. All zero at first; the user frees @at. */
struct bspi_numbers {
	uint32_t *at;
	size_t n, room;		/* numbers in it; places, a power of two, or 0 */
};

static inline uint64_t bspi_numbers_hash(uint64_t x)
{
	x *= UINT64_C(0x9e3779b97f4a7c15);
	return x ^ x >> 29;
}

uint32_t bspi_numbers_hash_bytes(const unsigned char *bytes, size_t n);

/*
 * Called before bspi_numbers_find(): keeps half of the places empty. Ends the job without memory.
 */
void bspi_numbers_make_room(struct bspi_numbers *t, uint64_t (*hash)(uint32_t number));

/*
 * Where the number + 1 that has @hash and is_it(number, key) stands; or 0, where it may stand: the
 * caller that puts it there counts it in @t->n.
 */
uint32_t *bspi_numbers_find(const struct bspi_numbers *t, uint64_t hash,
			    bool (*is_it)(uint32_t number, const void *key), const void *key);

#endif
