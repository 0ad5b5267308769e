// SPDX-License-Identifier: BSD-3-Clause
/* malformed.c - sends to the hub of a job messages that it is to drop: at its port of EDP, and on
 * connections. */

/* usage: malformed MAC */

#include "guest.h"

#include "../../lib/random.h"

#include <net/if.h>
#include <poll.h>

enum { PORT = 1998, CALLS = 300, CONNECTIONS = 40, CALL_BYTES = 168, KIND = 16, JOB = 32 };

static unsigned int eth0;
static uint64_t state;
static const unsigned char mark[8] = { 0x0a, 0x62, 0x70, 0x73, 0x63, 0x61, 0x6c, 0x6c };

static void fill(unsigned char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		bytes[i] = (unsigned char)random_next(&state);
}

/* Makes a call for the job "job" whose other bytes are random. */
static void make_call(unsigned char *call, unsigned char kind)
{
	fill(call, CALL_BYTES);
	memcpy(call, mark, sizeof(mark));
	memset(call + KIND, 0, 8);
	call[KIND] = kind;
	call[KIND + 4] = 1; /* it does not have process 0: two that have end each other */
	memset(call + KIND + 16, 0, 64);
	memcpy(call + KIND + 16, "job", 3);
}

static int say(int fd, const struct sockaddr_en *to)
{
	unsigned char call[1400];
	size_t len;

	for (int i = 0; i < CALLS; i++) {
		make_call(call, 1);
		len = i % 3 ? random_below(&state, sizeof(call)) : CALL_BYTES;
		if (i % 3 == 1)
			fill(call, len);
		if (sendto(fd, call, len, 0, (const struct sockaddr *)to, sizeof(*to)) != (long)len)
			return -1;
	}
	return 0;
}

/* The port at which the hub listens, out of its answer. */
static int port_of_hub(int fd, const struct sockaddr_en *to)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	unsigned char call[CALL_BYTES], answer[1400];
	unsigned short port;

	for (int i = 0; i < 100; i++) {
		make_call(call, 1);
		if (sendto(fd, call, sizeof(call), 0, (const struct sockaddr *)to, sizeof(*to)) < 0)
			return -1;
		while (poll(&p, 1, 100) == 1 && recv(fd, answer, sizeof(answer), 0) == CALL_BYTES)
			if (answer[KIND] == 2) {
				memcpy(&port, answer + KIND + 12, sizeof(port));
				return ntohs(port);
			}
	}
	return -1;
}

/* More connections than it has places for unauthenticated ones, some of which say something. */
static int connect_often(int port, const char *mac)
{
	unsigned char bytes[300];
	int fd[CONNECTIONS], n = 0;

	for (int i = 0; i < CONNECTIONS; i++) {
		struct sockaddr_en to = address(port, eth0, mac);

		fd[i] = socket(AF_ENET, SOCK_STREAM, 0);
		if (fd[i] < 0 || connect(fd[i], generic(&to), sizeof(to)))
			continue;
		fill(bytes, sizeof(bytes));
		n += i % 2 == 0 ||
		     send(fd[i], bytes, 1 + random_below(&state, sizeof(bytes)), MSG_NOSIGNAL) > 0;
	}
	for (int i = 0; i < CONNECTIONS; i++)
		if (fd[i] >= 0 && i % 4)
			close(fd[i]);
	return n;
}

int main(int argc, char **argv)
{
	struct sockaddr_en to = address(PORT, 0, argc > 1 ? argv[1] : NULL);
	int fd = socket(AF_ENET, SOCK_DGRAM, 0), port;

	eth0 = if_nametoindex("eth0");
	to.sen_ifindex = eth0;
	if (fd < 0 || to.sen_addrlen == 0)
		bail("usage");
	port = port_of_hub(fd, &to);
	if (port < 0 || say(fd, &to) < 0)
		bail("no hub");
	return connect_often(port, argv[1]) >= CONNECTIONS / 2 ? 0 : 1;
}
