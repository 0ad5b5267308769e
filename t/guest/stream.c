// SPDX-License-Identifier: BSD-3-Clause
/* stream.c - connections between two hosts of a guest carry so many bytes each, every one of which is looked at. */

/* usage: stream CONNECTIONS KIBIBYTES [LABEL]: both ways at once on each connection. */

#include "guest.h"

#include <net/if.h>
#include <sys/wait.h>

enum { BLOCK = 1 << 16, PORT = 3000 };

/* Byte @i of a stream that differs for every @seed and repeats nowhere near. */
static unsigned char byte_at(uint32_t seed, uint64_t i)
{
	uint32_t x = (uint32_t)(i >> 2) * 2654435761u + seed * 2246822519u;

	return (unsigned char)(x >> 24 ^ x >> 9 ^ i);
}

/* Blocks of changing sizes, as a program may send them. */
static int send_all(int fd, uint32_t seed, uint64_t bytes)
{
	unsigned char block[BLOCK];
	uint64_t done = 0;

	while (done < bytes) {
		size_t len = 1 + (done * 7919 + seed) % BLOCK;
		ssize_t n;

		if (len > bytes - done)
			len = bytes - done;
		for (size_t i = 0; i < len; i++)
			block[i] = byte_at(seed, done + i);
		n = send(fd, block, len, MSG_NOSIGNAL);
		if (n <= 0)
			return printf("# stream %u: send after %llu bytes: %s\n", seed,
				      (unsigned long long)done, strerror(errno)), 1;
		done += n;
	}
	return shutdown(fd, SHUT_WR) != 0;
}

static int receive_all(int fd, uint32_t seed, uint64_t bytes)
{
	unsigned char block[BLOCK];
	uint64_t done = 0;
	ssize_t n;

	while ((n = recv(fd, block, sizeof(block), 0)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			if (block[i] != byte_at(seed, done + i))
				return printf("# stream %u: byte %llu is wrong\n", seed,
					      (unsigned long long)(done + i)), 1;
		done += n;
	}
	if (n < 0 || done != bytes)
		return printf("# stream %u: %llu of %llu bytes: %s\n", seed, (unsigned long long)done,
			      (unsigned long long)bytes, n < 0 ? strerror(errno) : "the end"), 1;
	return 0;
}

/* One process for each direction of each end. */
static void start(int (*what)(int, uint32_t, uint64_t), int fd, uint32_t seed, uint64_t bytes)
{
	int child;

	fflush(stdout);
	child = fork();
	if (child < 0)
		bail("fork");
	if (child)
		return;
	child = what(fd, seed, bytes);
	fflush(stdout);
	_exit(child);
}

static void show(int fd)
{
	struct esp_stats s;
	socklen_t len = sizeof(s);

	if (!getsockopt(fd, SOL_ENET, ESP_SO_STATS, &s, &len))
		printf("# sent %u, again %u, errors %u, received %u, out of sequence %u, dropped %u, gaps %u, requests %u\n",
		       s.sent, s.retransmitted, s.send_errors, s.received, s.out_of_sequence, s.dropped,
		       s.sequence_lost, s.requests_sent);
}

int main(int argc, char **argv)
{
	int connections = argc > 1 ? atoi(argv[1]) : 1, at, status, failed = 0;
	uint64_t bytes = (argc > 2 ? strtoull(argv[2], NULL, 10) : 1024) * 1024;
	struct sockaddr_en here = address(PORT, 0, NULL), there = address(PORT, 0, MAC_B);
	int ends[64][2];

	if (connections < 1 || connections > 64)
		return 2;
	at = socket_in("b", SOCK_STREAM);
	if (bind(at, generic(&here), sizeof(here)) || listen(at, connections))
		bail("listen");
	for (int i = 0; i < connections; i++) {
		ends[i][0] = socket_in("a", SOCK_STREAM);
		if (connect(ends[i][0], generic(&there), sizeof(there)))
			bail("connect");
		ends[i][1] = accept(at, NULL, NULL);
		if (ends[i][1] < 0)
			bail("accept");
	}
	for (int i = 0; i < connections; i++)
		for (int way = 0; way < 2; way++) {
			start(send_all, ends[i][way], 2 * i + way, bytes);
			start(receive_all, ends[i][!way], 2 * i + way, bytes);
		}
	while (wait(&status) > 0)
		failed += status != 0;
	show(ends[0][0]);
	for (int i = 0; i < connections; i++) {
		close(ends[i][0]);
		close(ends[i][1]);
	}
	close(at);
	ok(!failed, argc > 3 ? argv[3] : "every byte arrives once, in order");
	return done_testing();
}
