// SPDX-License-Identifier: BSD-3-Clause
/* across.c - streams and datagrams between two machines, with frames of up to 9000 bytes. */

/*
 * usage: across GUEST		what both guests do, the second of which listens
 *	  across lose		connects to the second, sends until the connection fails, and prints
 *				after how long
 *	  across hold		takes that connection and keeps it
 *
 * Where one has to wait until the other has come so far, both ring the bell of their segment
 * (descriptor 9).
 */

#include "guest.h"

#include <net/if.h>
#include <poll.h>
#include <pthread.h>
#include <time.h>

enum { BYTES = 4 << 20, PORT = 2000, DATAGRAMS = 8, TIMEOUT_MS = 3000 };

static const char *const mac[] = { NULL, "02:00:00:00:02:01", "02:00:00:00:02:02" };
static const char group_of_ours[] = "01:00:5e:7f:00:01", all[] = "ff:ff:ff:ff:ff:ff";
static unsigned int eth0;

static void barrier(void)
{
	char line[8];

	if (write(9, "come\n", 5) != 5 || read(9, line, sizeof(line)) <= 0)
		bail("the bell");
}

static struct sockaddr_en at(int port, const char *to)
{
	return address(port, eth0, to);
}

static unsigned char byte_of(int from, long i)
{
	return (unsigned char)(i * 31 + (i >> 8) + from);
}

/* ---- Streams ------------------------------------------------------------------- */

struct stream {
	int fd, from;
	bool good;
};

static void *send_all(void *arg)
{
	struct stream *s = arg;
	static unsigned char out[BYTES];
	long done = 0, n = 0;

	for (long i = 0; i < BYTES; i++)
		out[i] = byte_of(s->from, i);
	while (done < BYTES &&
	       (n = send(s->fd, out + done, (size_t)(BYTES - done), MSG_NOSIGNAL)) > 0)
		done += n;
	s->good = done == BYTES && shutdown(s->fd, SHUT_WR) == 0;
	return NULL;
}

static bool receive_all(int fd, int from)
{
	unsigned char in[65536];
	long done = 0, n;

	while ((n = read(fd, in, sizeof(in))) > 0) {
		for (long i = 0; i < n; i++)
			if (done + i >= BYTES || in[i] != byte_of(from, done + i))
				return false;
		done += n;
	}
	return n == 0 && done == BYTES;
}

static int listen_on(int port)
{
	struct sockaddr_en here = at(port, NULL);
	int fd = socket(AF_ENET, SOCK_STREAM, 0);

	if (fd < 0 || bind(fd, generic(&here), sizeof(here)) || listen(fd, 4))
		bail("listen");
	return fd;
}

static int connect_to(int port, const char *to)
{
	struct sockaddr_en there = at(port, to);
	int fd = socket(AF_ENET, SOCK_STREAM, 0);

	if (fd < 0 || connect(fd, generic(&there), sizeof(there)))
		bail("connect");
	return fd;
}

static void streams_are_whole(int me)
{
	int listener = me == 2 ? listen_on(PORT) : -1, fd, one = 1;
	struct stream s = { .from = me };
	struct esp_stats stats;
	socklen_t len = sizeof(stats);
	unsigned int mtu = 0;
	socklen_t mtu_len = sizeof(mtu);
	pthread_t sender;

	barrier();
	fd = me == 2 ? accept(listener, NULL, NULL) : connect_to(PORT, mac[2]);
	s.fd = fd;
	ok(fd >= 0, "they are connected");
	is(getsockopt(fd, SOL_ENET, ESP_SO_MTU, &mtu, &mtu_len), 0,
	   "the connection reports its frames");
	ok(mtu > 8900, "which are large");
	fails(setsockopt(fd, SOL_ENET, ESP_SO_ZEROCOPY, &one, sizeof(one)), EOPNOTSUPP,
	      "an interface that takes a frame in one piece cannot send from the caller's pages");
	if (pthread_create(&sender, NULL, send_all, &s))
		bail("pthread_create");
	ok(receive_all(fd, 3 - me), "what the other sends is whole");
	pthread_join(sender, NULL);
	ok(s.good, "while all of ours leaves");
	is(getsockopt(fd, SOL_ENET, ESP_SO_STATS, &stats, &len), 0, "it has counted");
	ok(stats.received > BYTES / 9000 && stats.received < BYTES / 1500 + stats.sent,
	   "frames that are filled");
	barrier();
	close(fd);
	if (listener >= 0)
		close(listener);
}

/* ---- Datagrams -------------------------------------------------------------------- */

static void transmit(int fd, const char *to, int number, size_t len)
{
	struct sockaddr_en there = at(PORT, to);
	unsigned char out[9000];

	memset(out, number, sizeof(out));
	if (sendto(fd, out, len, 0, generic(&there), sizeof(there)) != (long)len)
		bail("sendto");
}

/* How many datagrams of @len with different numbers come, in order; as many as there are to be. */
static int count(int fd, size_t len)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	unsigned char in[9000];
	int n = 0;

	while (n < DATAGRAMS && poll(&p, 1, 20000) == 1) {
		if (recv(fd, in, sizeof(in), 0) != (long)len || in[0] != n || in[len - 1] != n)
			return -1;
		n++;
	}
	return n;
}

static void datagrams_reach(int me, int fd, const char *to, size_t len, const char *what)
{
	for (int sender = 1; sender <= 2; sender++) {
		if (sender == me)
			for (int i = 0; i < DATAGRAMS; i++)
				transmit(fd, to, i, len);
		else
			is(count(fd, len), DATAGRAMS, what);
		barrier();
	}
}

static void datagrams_arrive(int me)
{
	struct sockaddr_en here = at(PORT, NULL), group = at(0, group_of_ours);
	int fd = socket(AF_ENET, SOCK_DGRAM, 0), on = 1;
	char byte;

	if (fd < 0 || bind(fd, generic(&here), sizeof(here)) ||
	    setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &on, sizeof(on)))
		bail("EDP");
	is(setsockopt(fd, SOL_ENET, EDP_SO_JOIN, &group, sizeof(group)), 0, "a group is joined");
	barrier();
	datagrams_reach(me, fd, mac[3 - me], 8900, "datagrams to the other arrive in order, whole");
	datagrams_reach(me, fd, group_of_ours, 8000, "so do those to the group");
	datagrams_reach(me, fd, all, 1000, "and those to all");
	setsockopt(fd, SOL_ENET, EDP_SO_LEAVE, &group, sizeof(group));
	barrier();
	transmit(fd, group_of_ours, 1, 100);
	transmit(fd, all, 2, 100);
	is(read(fd, &byte, 1), 1, "a socket that has left the group");
	is(byte, 2, "receives only broadcasts");
	barrier();
	close(fd);
}

/* ---- A machine that vanishes --------------------------------------------------------- */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int lose(void)
{
	int fd = connect_to(PORT, mac[2]);
	unsigned int ms = TIMEOUT_MS;
	char out[10000] = { 0 };
	double began;

	is(setsockopt(fd, SOL_ENET, ESP_SO_TIMEOUT, &ms, sizeof(ms)), 0, "its timeout is set");
	is(send(fd, out, sizeof(out), MSG_NOSIGNAL), sizeof(out), "the other is there");
	barrier();		/* the other goes, its process having been stopped before */
	began = now();
	while (send(fd, out, sizeof(out), MSG_NOSIGNAL) > 0)
		;
	is(errno, ETIMEDOUT, "a machine that is gone ends the connection");
	if (!ok(now() - began > 0.8 * TIMEOUT_MS / 1000, "not before the time that was set"))
		printf("# %.1f s\n", now() - began);
	return done_testing();
}

static int hold(void)
{
	char in[10000];
	int fd = accept(listen_on(PORT), NULL, NULL);

	return recv(fd, in, sizeof(in), MSG_WAITALL) == sizeof(in) ? pause() : 1;
}

int main(int argc, char **argv)
{
	int me = argc > 1 ? atoi(argv[1]) : 0;

	eth0 = if_nametoindex("eth0");
	if (argc > 1 && strcmp(argv[1], "lose") == 0)
		return lose();
	if (argc > 1 && strcmp(argv[1], "hold") == 0)
		return hold();
	if (me != 1 && me != 2)
		bail("usage");
	streams_are_whole(me);
	datagrams_arrive(me);
	return done_testing();
}
