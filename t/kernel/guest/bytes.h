/* SPDX-License-Identifier: BSD-3-Clause */
/* bytes.h - streams of bytes of which each is known, so that one that is lost, doubled or changed
 * is seen. */
#ifndef BYTES_H
#define BYTES_H

#include "guest.h"

#include "../../lib/random.h"

#include <stdint.h>
#include <sys/wait.h>

enum { BYTES_BLOCK = 1 << 16 };

/* Eight bytes of a stream that differs for every @seed and repeats nowhere near. */
static inline uint64_t bytes_word(uint32_t seed, uint64_t i)
{
	return random_mix(((uint64_t)seed << 40) + i);
}

/* Bytes @from to @from + @len of the stream, at most BYTES_BLOCK, until the next call. */
static inline const unsigned char *bytes_of(uint32_t seed, uint64_t from, size_t len)
{
	static uint64_t words[BYTES_BLOCK / 8 + 1];
	uint64_t first = from / 8, last = (from + len + 7) / 8;

	for (uint64_t i = first; i < last; i++)
		words[i - first] = bytes_word(seed, i);
	return (unsigned char *)words + from % 8;
}

static inline int bytes_complain(uint32_t seed, const char *what, uint64_t done)
{
	printf("# stream %u: %s after %llu bytes: %s\n", seed, what, (unsigned long long)done,
	       strerror(errno));
	fflush(stdout);
	return 1;
}

/* Blocks of changing sizes, as a program may send them. 0: all were taken. */
static inline int send_bytes(int fd, uint32_t seed, uint64_t bytes)
{
	for (uint64_t done = 0; done < bytes;) {
		size_t len = 1 + (done * 7919 + seed) % BYTES_BLOCK;
		ssize_t n;

		if (len > bytes - done)
			len = bytes - done;
		n = send(fd, bytes_of(seed, done, len), len, MSG_NOSIGNAL);
		if (n <= 0)
			return bytes_complain(seed, "send", done);
		done += n;
	}
	return 0;
}

/* Until the end. 0: they were so many, and right. */
static inline int receive_bytes(int fd, uint32_t seed, uint64_t bytes)
{
	static unsigned char block[BYTES_BLOCK];
	uint64_t done = 0;
	ssize_t n;

	while ((n = recv(fd, block, sizeof(block), 0)) > 0) {
		if (memcmp(block, bytes_of(seed, done, n), n))
			return bytes_complain(seed, "wrong bytes", done);
		done += n;
	}
	if (n < 0 || done != bytes)
		return bytes_complain(seed, "recv", done);
	return 0;
}

/* The same in processes of their own. */
static inline void start_sending(int fd, uint32_t seed, uint64_t bytes)
{
	fflush(stdout);
	if (fork() == 0)
		_exit(send_bytes(fd, seed, bytes) || shutdown(fd, SHUT_WR));
}

static inline void start_receiving(int fd, uint32_t seed, uint64_t bytes)
{
	fflush(stdout);
	if (fork() == 0)
		_exit(receive_bytes(fd, seed, bytes));
}

/* How many of the processes that this one has started did not end well. */
static inline int reap(void)
{
	int status, failed = 0;

	while (wait(&status) > 0)
		failed += status != 0;
	return failed;
}

#endif
