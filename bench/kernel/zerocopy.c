// SPDX-License-Identifier: BSD-3-Clause
/* zerocopy.c - streams of ESP sent with and without a copy: times and processor times. */

/*
 * usage: zerocopy receive INTERFACE
 *	  zerocopy send INTERFACE ADDRESS KIB ROUNDS BYTES...
 *
 * The receiver takes one connection and answers each batch of KIB KiB with a byte. For each
 * of the sizes the sender prints a row for each round, of a batch that it sends from a buffer of
 * that size with copies and of one without:
 *
 *	row BYTES ROUND copy|pages|copied MICROSECONDS BUSY
 *
 * from the first call to the answer, without copies to the last notice, too; BUSY: in how many of
 * them the processors of this host did not idle, on average over all of them. "copied": notices
 * said that the kernel has copied the bytes nevertheless.
 */

#include "enet.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Not before time.h, whose struct timespec it has. */
#include <linux/errqueue.h>

enum { PORT = 2000, BLOCK = 1 << 20 };

static char block[BLOCK] = { 1 };

static void fail(const char *what)
{
	fprintf(stderr, "zerocopy: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* ---- Time ------------------------------------------------------------------------ */

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

/* The idle time of all processors together, since the host began. */
static double idle_us(void)
{
	FILE *f = fopen("/proc/uptime", "r");
	double up, idle = 0;

	if (!f || fscanf(f, "%lf %lf", &up, &idle) != 2)
		fail("/proc/uptime");
	fclose(f);
	return 1e6 * idle;
}

/* ---- The receiver ---------------------------------------------------------------- */

static int receive(const char *interface)
{
	struct sockaddr_en here = { .sen_family = AF_ENET, .sen_port = htons(PORT),
				    .sen_ifindex = if_nametoindex(interface) };
	int at = socket(AF_ENET, SOCK_STREAM, 0), fd;
	uint64_t batch = 0, left;
	ssize_t n = 0;

	if (at < 0 || bind(at, (struct sockaddr *)&here, sizeof(here)) || listen(at, 1))
		fail("listen");
	fd = accept(at, NULL, NULL);
	if (fd < 0 || recv(fd, &batch, sizeof(batch), MSG_WAITALL) != sizeof(batch))
		fail("accept");
	for (;;) {
		for (left = batch; left; left -= (uint64_t)n) {
			n = recv(fd, block, left < BLOCK ? left : BLOCK, 0);
			if (n <= 0)
				return n < 0;
		}
		if (send(fd, "", 1, 0) != 1)
			fail("send");
	}
}

/* ---- The sender ------------------------------------------------------------------ */

static unsigned int calls, noticed;	/* of MSG_ZEROCOPY */
static bool copied;

/* All notices that have come. */
static void read_notices(int fd)
{
	char control[128];
	struct msghdr msg;
	const struct sock_extended_err *e;

	for (;;) {
		msg = (struct msghdr){ .msg_control = control,
				       .msg_controllen = sizeof(control) };
		if (recvmsg(fd, &msg, MSG_ERRQUEUE) < 0)
			return;
		e = (const struct sock_extended_err *)CMSG_DATA(CMSG_FIRSTHDR(&msg));
		noticed += e->ee_data - e->ee_info + 1;
		copied |= e->ee_code & SO_EE_CODE_ZEROCOPY_COPIED;
	}
}

static void await_notice(int fd)
{
	struct pollfd p = { .fd = fd };

	poll(&p, 1, -1);
	read_notices(fd);
}

static void send_block(int fd, size_t len, bool pages)
{
	for (const char *from = block; len;) {
		ssize_t n = send(fd, from, len, pages ? MSG_ZEROCOPY : 0);

		if (n < 0 && errno == ENOBUFS && noticed < calls) {
			await_notice(fd);
			continue;
		}
		if (n < 0)
			fail("send");
		from += n;
		len -= (size_t)n;
		calls += pages;
	}
}

static void send_batch(int fd, size_t len, uint64_t batch, bool pages)
{
	char byte;

	for (uint64_t left = batch; left; left -= len) {
		if (len > left)
			len = left;
		send_block(fd, len, pages);
		if (pages)
			read_notices(fd);
	}
	if (recv(fd, &byte, 1, 0) != 1)
		fail("recv");
	while (noticed < calls)
		await_notice(fd);
}

static void measure(int fd, size_t len, int round, uint64_t batch, bool pages)
{
	double idle = idle_us(), began = now_us(), took, rested;
	const char *way = "copy";

	send_batch(fd, len, batch, pages);
	took = now_us() - began;
	rested = (idle_us() - idle) / (double)sysconf(_SC_NPROCESSORS_ONLN);
	if (pages)
		way = copied ? "copied" : "pages";
	printf("row %zu %d %s %.0f %.0f\n", len, round, way, took, took - rested);
	fflush(stdout);
}

static int connect_to(const char *interface, const char *address)
{
	struct sockaddr_en there = { .sen_family = AF_ENET, .sen_port = htons(PORT),
				     .sen_ifindex = if_nametoindex(interface),
				     .sen_addrlen = ENET_ADDR_BYTES };
	unsigned char *to = there.sen_addr;
	int fd = socket(AF_ENET, SOCK_STREAM, 0), one = 1;

	if (sscanf(address, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", to, to + 1, to + 2, to + 3, to + 4,
		   to + 5) != ENET_ADDR_BYTES)
		fail(address);
	if (fd < 0 || connect(fd, (struct sockaddr *)&there, sizeof(there)))
		fail("connect");
	if (setsockopt(fd, SOL_ENET, ESP_SO_ZEROCOPY, &one, sizeof(one)))
		fail("ESP_SO_ZEROCOPY");
	return fd;
}

int main(int argc, char **argv)
{
	uint64_t batch;
	int fd, rounds;

	if (argc == 3 && strcmp(argv[1], "receive") == 0)
		return receive(argv[2]);
	if (argc < 7 || strcmp(argv[1], "send") != 0)
		fail("its first lines describe how to call it");
	batch = strtoull(argv[4], NULL, 10) << 10;
	rounds = atoi(argv[5]);
	fd = connect_to(argv[2], argv[3]);
	if (send(fd, &batch, sizeof(batch), 0) != sizeof(batch))
		fail("send");
	/* one to warm up */
	send_batch(fd, BLOCK, batch, false);
	for (int round = 0; round < rounds; round++)
		for (int i = 6; i < argc; i++) {
			size_t len = strtoull(argv[i], NULL, 10);

			if (!len || len > BLOCK)
				fail(argv[i]);
			measure(fd, len, round, batch, round & 1);
			measure(fd, len, round, batch, !(round & 1));
		}
	return 0;
}
