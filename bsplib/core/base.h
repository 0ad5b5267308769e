/* SPDX-License-Identifier: BSD-3-Clause */
/* base.h - for every file: likely branches, sizes, alignment. */
#ifndef BSPI_BASE_H
#define BSPI_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BSPI_LIKELY(x) __builtin_expect(!!(x), 1)
#define BSPI_UNLIKELY(x) __builtin_expect(!!(x), 0)

enum { BSPI_ALIGN = 8 };

static inline size_t bspi_align(size_t n)
{
	return (n + BSPI_ALIGN - 1) & ~(size_t)(BSPI_ALIGN - 1);
}

/* Messages and their parts. */
static inline size_t bspi_align16(size_t n)
{
	return (n + 15) & ~(size_t)15;
}

/* Sizes arrive sign-extended from either interface, so a negative one has its top bit set. */
static inline bool bspi_negative(size_t n)
{
	return n > SIZE_MAX / 2;
}

/* Is superstep @a before @b? */
static inline bool bspi_before(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

#endif
