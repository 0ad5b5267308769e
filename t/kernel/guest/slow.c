// SPDX-License-Identifier: BSD-3-Clause
/* slow.c - receivers that do not read for long, or have little room, or many senders at once. */

/* usage: slow, after cable() of testlib. */

#include "bytes.h"
#include "frames.h"

#include <poll.h>
#include <sys/ioctl.h>

enum { PORT = 2000, STREAMS_MOST = 64, ACKS_MOST = 200000, ROOM = 75000, FRAMES_OF_ROOM = 64 };

static struct sockaddr_en server;
static int ends[STREAMS_MOST][2];

/* Each has room for @rcvbuf bytes, which the kernel doubles; 0: for what is usual. */
static void connect_all(int n, int rcvbuf)
{
	struct sockaddr_en here = address(PORT, 0, NULL);
	int at = socket_in("b", SOCK_STREAM);

	if (rcvbuf && setsockopt(at, SOL_SOCKET, SO_RCVBUF, &rcvbuf, sizeof(rcvbuf)))
		bail("SO_RCVBUF");
	if (bind(at, generic(&here), sizeof(here)) || listen(at, n))
		bail("listen");
	for (int i = 0; i < n; i++) {
		ends[i][0] = socket_in("a", SOCK_STREAM);
		if (connect(ends[i][0], generic(&server), sizeof(server)))
			bail("connect");
		ends[i][1] = accept(at, NULL, NULL);
		if (ends[i][1] < 0)
			bail("accept");
	}
	close(at);
}

static void close_all(int n)
{
	for (int i = 0; i < n; i++) {
		close(ends[i][0]);
		close(ends[i][1]);
	}
}

static int errno_of(int fd)
{
	int err = 0;
	socklen_t len = sizeof(err);

	getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len);
	return err;
}

/* The peer says again and again that it has no room, which is an answer. */
static void who_does_not_read_is_waited_for(void)
{
	unsigned int ms = 1000;
	struct pollfd p = { .events = 0 };
	uint64_t sent = 0, got = 0;
	unsigned char in[4096];
	bool good = true;
	ssize_t n;

	connect_all(1, 0);
	setsockopt(ends[0][0], SOL_ENET, ESP_SO_TIMEOUT, &ms, sizeof(ms));
	while ((n = send(ends[0][0], bytes_of(1, sent, 5000), 5000, MSG_DONTWAIT)) > 0)
		sent += n;
	is(errno, EAGAIN, "a sender fills all there is");
	p.fd = ends[0][0];
	is(poll(&p, 1, 5 * ms) ? errno_of(p.fd) : 0, 0,
	   "and is patient for longer than it would wait for an answer");
	shutdown(ends[0][0], SHUT_WR);
	for (; (n = recv(ends[0][1], in, sizeof(in), 0)) > 0; got += n)
		good &= !memcmp(in, bytes_of(1, got, n), n);
	ok(n == 0 && good && got == sent, "what was sent is read at last");
	close_all(1);
}

static void little_room_is_enough(void)
{
	enum { STREAMS = 16, BYTES = 100000 };

	connect_all(STREAMS, 1);
	for (int i = 0; i < STREAMS; i++) {
		start_sending(ends[i][0], i, BYTES);
		start_receiving(ends[i][1], i, BYTES);
	}
	is(reap(), 0, "streams arrive in buffers that one frame fills");
	close_all(STREAMS);
}

/* ---- What is granted ---------------------------------------------------------------------- */

static unsigned int grants[ACKS_MOST];
static int ngrants;
static uint32_t first_ack[65536];

/*
 * An acknowledgement without data, beyond what was granted before the sender was known to have
 * much.
 */
static void note_grant(const struct frame *f)
{
	const unsigned char *h = f->at + HEAD;
	int to = h[AT_DPORT] << 8 | h[AT_DPORT + 1];
	uint32_t ack = get32(h + AT_ACK);

	if (f->len < HEAD + WIRE_ESP || h[AT_FLAGS] != ACK || ngrants == ACKS_MOST)
		return;
	if (!first_ack[to])
		first_ack[to] = ack;
	if (ack - first_ack[to] > 2 * FRAMES_OF_ROOM)
		grants[ngrants++] = get32(h + AT_GRANT) - ack;
}

static int smaller(const void *a, const void *b)
{
	return (int)(*(const unsigned int *)a - *(const unsigned int *)b);
}

/* The frames granted at a time when @n streams are in the midst of a transfer. */
static unsigned int usual_grant(int n)
{
	enum { BYTES = 400000 };
	int capture = packets_in("a", "a0", ESP), all_bytes = 32 << 20, failed = 0, status;
	static char out[BYTES];
	struct frame f;

	/* We may get the processor when all is over. */
	setsockopt(capture, SOL_SOCKET, SO_RCVBUFFORCE, &all_bytes, sizeof(all_bytes));
	ngrants = 0;
	memset(first_ack, 0, sizeof(first_ack));
	connect_all(n, ROOM);
	fflush(stdout);
	for (int i = 0; i < n; i++)
		if (fork() == 0)
			_exit(send(ends[i][0], out, BYTES, 0) != BYTES);
	/* All have begun before any is read. */
	for (int i = 0; i < n; i++)
		recv(ends[i][1], out, 1, MSG_PEEK);
	for (int i = 0; i < n; i++)
		if (fork() == 0)
			_exit(recv(ends[i][1], out, BYTES, MSG_WAITALL) != BYTES);
	for (int left = 2 * n; left > 0;) {
		while ((f.len = recv(capture, f.at, sizeof(f.at), MSG_DONTWAIT)) > 0)
			note_grant(&f);
		for (; waitpid(-1, &status, WNOHANG) > 0; left--)
			failed += status != 0;
		usleep(1000);
	}
	close_all(n);
	close(capture);
	qsort(grants, ngrants, sizeof(grants[0]), smaller);
	printf("# %d streams: %u frames at a time, of %d grants\n", n, grants[ngrants / 2],
	       ngrants);
	ok(!failed && ngrants > 10, "all arrives, and is granted bit by bit");
	return grants[ngrants / 2];
}

/* 256 frames for all of an interface, but 4 for each at least; see kernel/enet/esp.h. */
static void many_streams_get_less_each(void)
{
	unsigned int one = usual_grant(1), many = usual_grant(64);

	ok(many >= 1 && many <= 8,
	   "each of sixty-four gets a sixty-fourth of what the interface bears");
	if (!ok(one > 2 * many, "a stream of its own gets more"))
		printf("# %u and %u\n", one, many);
}

/* ---- Datagrams ------------------------------------------------------------------------------- */

static void datagrams_without_room_are_counted(void)
{
	enum { MANY = 500 };
	struct sockaddr_en here = address(PORT, 0, NULL);
	int a = socket_in("a", SOCK_DGRAM), b = socket_in("b", SOCK_DGRAM | SOCK_NONBLOCK),
	    few = 20000, got = 0;
	struct edp_stats stats = { 0 };
	socklen_t len = sizeof(stats);
	char block[1000] = "";

	setsockopt(b, SOL_SOCKET, SO_RCVBUF, &few, sizeof(few));
	if (bind(b, generic(&here), sizeof(here)))
		bail("bind");
	for (int i = 0; i < MANY; i++)
		if (sendto(a, block, sizeof(block), 0, generic(&server), sizeof(server)) !=
		    sizeof(block))
			bail("sendto");
	for (int tries = 0; tries < 1000 && stats.received + stats.dropped < MANY; tries++) {
		usleep(10000);
		getsockopt(b, SOL_ENET, EDP_SO_STATS, &stats, &len);
	}
	while (recv(b, block, sizeof(block), 0) > 0)
		got++;
	ok(got > 0 && stats.received == (unsigned int)got, "what there is room for is received");
	is(stats.dropped, MANY - got, "the rest is counted");
	close(a);
	close(b);
}

int main(void)
{
	enter("a");
	server = address(PORT, if_nametoindex("a0"), MAC_B);
	who_does_not_read_is_waited_for();
	little_room_is_enough();
	many_streams_get_less_each();
	datagrams_without_room_are_counted();
	return done_testing();
}
