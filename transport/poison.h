/* SPDX-License-Identifier: BSD-3-Clause */
/* poison.h - memory of released chunks: some builds report reads of it. */

/*
 * Memory of chunks is used again and again, so a read of a chunk that has been given back finds
 * bytes, of that chunk or of a later one, and code that makes this mistake mostly works. Each place
 * where a transport gives out memory of a chunk, or takes it back, says so by a call:
 *
 *	bspt_poison_fresh()	chunk(): all of it may be written; what is in it has no meaning
 *	bspt_poison_sent()	the memory is the receiver's; no access here, and the bytes stay
 *	bspt_poison_arrived()	poll(): the first @len bytes may be read, the rest of @room not
 *	bspt_poison_released()	release(), discard(), or the transport is done: the bytes are gone
 *
 * With AddressSanitizer (--enable-sanitizer=address) a wrong access ends the process with its
 * place, "use-after-poison". With --enable-debug released bytes become BSPT_POISON, so that a wrong
 * read has a wrong result instead of a plausible one; of a large chunk only the first
 * BSPT_POISON_FILL_MOST, so that no memory is touched that was never used. There valgrind, where
 * its header was found, reports a wrong access with its place as well. In any other build all four
 * are nothing.
 *
 * Memory that two processes share is poisoned for each by itself. Where threads of one process play
 * processes, they share the sanitizer's state too; so a call comes before memory is handed over,
 * and after it has been acquired, as every other access to it.
 */
#ifndef BSPT_POISON_H
#define BSPT_POISON_H

#include <stddef.h>
#include <string.h>

enum { BSPT_POISON = 0xdb, BSPT_POISON_FILL_MOST = 64 << 10 };

#if defined(__SANITIZE_ADDRESS__)

#include <sanitizer/asan_interface.h>

static inline void bspt_poison_fresh(void *at, size_t len)
{
	ASAN_UNPOISON_MEMORY_REGION(at, len);
}

static inline void bspt_poison_sent(void *at, size_t len)
{
	ASAN_POISON_MEMORY_REGION(at, len);
}

static inline void bspt_poison_arrived(void *at, size_t len, size_t room)
{
	ASAN_POISON_MEMORY_REGION(at, room);
	ASAN_UNPOISON_MEMORY_REGION(at, len);
}

static inline void bspt_poison_released(void *at, size_t len)
{
	ASAN_POISON_MEMORY_REGION(at, len);
}

#elif defined(BSP_DEBUG)

#ifdef BSP_DEBUG_VALGRIND
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_UNDEFINED(at, len) ((void)(at), (void)(len))
#define VALGRIND_MAKE_MEM_DEFINED(at, len) ((void)(at), (void)(len))
#define VALGRIND_MAKE_MEM_NOACCESS(at, len) ((void)(at), (void)(len))
#endif

static inline void bspt_poison_fresh(void *at, size_t len)
{
	VALGRIND_MAKE_MEM_UNDEFINED(at, len);
}

static inline void bspt_poison_sent(void *at, size_t len)
{
	VALGRIND_MAKE_MEM_NOACCESS(at, len);
}

static inline void bspt_poison_arrived(void *at, size_t len, size_t room)
{
	VALGRIND_MAKE_MEM_NOACCESS(at, room);
	VALGRIND_MAKE_MEM_DEFINED(at, len);
}

static inline void bspt_poison_released(void *at, size_t len)
{
	VALGRIND_MAKE_MEM_UNDEFINED(at, len);
	memset(at, BSPT_POISON, len < BSPT_POISON_FILL_MOST ? len : BSPT_POISON_FILL_MOST);
	VALGRIND_MAKE_MEM_NOACCESS(at, len);
}

#else

static inline void bspt_poison_fresh(void *at, size_t len)
{
	(void)at;
	(void)len;
}

static inline void bspt_poison_sent(void *at, size_t len)
{
	(void)at;
	(void)len;
}

static inline void bspt_poison_arrived(void *at, size_t len, size_t room)
{
	(void)at;
	(void)len;
	(void)room;
}

static inline void bspt_poison_released(void *at, size_t len)
{
	(void)at;
	(void)len;
}

#endif

#endif
