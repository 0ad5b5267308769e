/* SPDX-License-Identifier: BSD-3-Clause */
/* random.h - random numbers, the same in every run: the one generator of all tests. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

/*
 * Splitmix64 (Steele, Lea and Flood 2014). The state is a uint64_t that counts in steps of an odd
 * constant, and each number is the state, mixed; so the numbers repeat after 2^64 of them. Every
 * seed is good, 0 as well, and seeds that follow each other have nothing else in common. A test
 * that draws numbers prints its seed where it fails, or always has the same one.
 *
 *	uint64_t state = seed;
 *	size_t i = random_below(&state, n);
 *
 * Nothing but <stdint.h> is used, so that programs in guests and fuzzers have it, too; scripts have
 * it as the program random-numbers. repository/random-numbers-have-one-source.t looks for others.
 */

/* A number that depends on each bit of @x. */
static inline uint64_t random_mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* The next number: any of 64 bits. */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t x = random_mix(*state);

	*state += 0x9e3779b97f4a7c15u;
	return x;
}

/* The next one of 0 .. @n - 1; @n is not 0. */
static inline uint64_t random_below(uint64_t *state, uint64_t n)
{
	return random_next(state) % n;
}

#endif
