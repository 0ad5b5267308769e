// SPDX-License-Identifier: BSD-3-Clause
/* exchange.c - two programs send each other messages of many sizes, by turns. */

/*
 * usage: exchange veth|lo. After segment 2 of testlib; over the Ethernet between h1 and h2, or over
 * the loopback interface of h1.
 */

#include "drops.h"

#include <net/if.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>

enum { PORT = 3000, ROUNDS = 40, MOST = 1 << 20, LARGE = 1 << 16, LARGE_ROUNDS = 8 };

static unsigned char *block;

static int rounds_of(size_t size)
{
	return size > LARGE ? LARGE_ROUNDS : ROUNDS;
}

static void move_all(int fd, size_t len, bool sending)
{
	for (size_t done = 0; done < len;) {
		ssize_t n = sending ? send(fd, block + done, len - done, 0) :
				      recv(fd, block + done, len - done, 0);

		if (n <= 0)
			bail(sending ? "send" : "recv");
		done += (size_t)n;
	}
}

static void answer(const char *host, bool lo)
{
	struct sockaddr_en to;
	int fd = socket_in(host, SOCK_STREAM);

	to = address(PORT, if_nametoindex(lo ? "lo" : "eth0"),
		     lo ? "00:00:00:00:00:00" : "02:00:00:00:01:02");
	if (connect(fd, generic(&to), sizeof(to)))
		bail("connect");
	for (size_t size = 64; size <= MOST; size *= 2)
		for (int i = 0; i < rounds_of(size); i++) {
			move_all(fd, size, false);
			move_all(fd, size, true);
		}
	exit(0);
}

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

/* The least time of a round trip of @size bytes. */
static double exchange(int fd, size_t size)
{
	double least = 1e12;

	for (int i = 0; i < rounds_of(size); i++) {
		double begin = now_us(), took;

		move_all(fd, size, true);
		move_all(fd, size, false);
		took = now_us() - begin;
		least = took < least ? took : least;
	}
	return least;
}

/* Frames that came when there was no room for them. */
static long without_room(const char *host)
{
	return (long)(dropped(host, "not_granted") + dropped(host, "no_room"));
}

int main(int argc, char **argv)
{
	bool lo = argc > 1 && strcmp(argv[1], "lo") == 0;
	const char *host = lo ? "h1" : "h2";
	struct sockaddr_en here = address(PORT, 0, NULL);
	long before = without_room("h1") + without_room("h2");
	int at = socket_in(host, SOCK_STREAM), fd, status;

	block = calloc(1, MOST);
	if (!block || bind(at, generic(&here), sizeof(here)) || listen(at, 1))
		bail("listen");
	if (fork() == 0)
		answer("h1", lo);
	fd = accept(at, NULL, NULL);
	for (size_t size = 64; size <= MOST; size *= 2)
		printf("# %zu bytes there and back: %.0f us at least\n", size, exchange(fd, size));
	wait(&status);
	is(status, 0, "messages of 64 bytes to a MiB go there and back");
	is(without_room("h1") + without_room("h2") - before, 0,
	   "no frame that was granted is dropped");
	close(fd);
	close(at);
	return done_testing();
}
