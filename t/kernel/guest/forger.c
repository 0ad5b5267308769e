// SPDX-License-Identifier: BSD-3-Clause
/* forger.c - a host that answers the cookie of a listener, and then acknowledges frames that it
 * cannot acknowledge. */

/* usage: forger, after segment(3) of testlib. h3 forges, h2 listens, h1 is a host as any other. */

#include "drops.h"
#include "frames.h"

#include <poll.h>
#include <time.h>

enum { PORT = 5000, PLACES = 4, AT_SACK = 24, LIMIT_S = 10, INTERVAL_US = 10000 };

static const unsigned char mac_h2[6] = { 2, 0, 0, 0, 1, 2 },
			   mac_forger[6] = { 2, 0, 0, 0, 1, 0x77 };
static int wire;	/* of h3 */

/* The forger's end of a connection: what its next frame says. */
struct end {
	int port;
	uint32_t tag, seq, ack;
};

/* Frame of @end with @len bytes of @data. */
static void give(const struct end *end, int flags, uint32_t ack, uint32_t grant, uint64_t sack,
		 const void *data, int len)
{
	struct frame f = frame_of(ESP, mac_forger, end->port, mac_h2, PORT, len);
	unsigned char *h = f.at + HEAD;

	h[AT_FLAGS] = flags;
	put32(h + AT_TAG, end->tag);
	put32(h + AT_SEQ, end->seq);
	put32(h + AT_ACK, ack);
	put32(h + AT_GRANT, grant);
	put32(h + AT_SACK, sack >> 32);
	put32(h + AT_SACK + 4, (uint32_t)sack);
	memcpy(h + WIRE_ESP, data, len);
	sign(&f);
	if (send(wire, f.at, f.len, 0) != f.len)
		bail("send");
}

static time_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

/* The next frame to the forger's @port with these @flags, and perhaps ASK. False: there is none. */
static bool await(int port, int flags, struct frame *f)
{
	const unsigned char *h = f->at + HEAD;
	time_t end = now() + LIMIT_S;

	while (now() <= end && receive_frame(wire, LIMIT_S * 1000, f))
		if (!memcmp(f->at, mac_forger, 6) &&
		    (h[AT_DPORT] << 8 | h[AT_DPORT + 1]) == port && (h[AT_FLAGS] & ~ASK) == flags)
			return true;
	return false;
}

/* Until now. */
static void forget_frames(void)
{
	struct frame f;

	while (recv(wire, f.at, FRAME, MSG_DONTWAIT) > 0)
		;
}

/* All but the acknowledgement of the SYN|ACK, whose number is one less than that of the end. */
static struct end half_open(int port)
{
	struct end end = { .port = port, .seq = 1000 };
	uint32_t tag = htonl(77 + port);
	struct frame f;

	give(&end, SYN, 0, 0, 0, &tag, sizeof(tag));
	if (!await(port, COOKIE, &f))
		bail("no cookie");
	end.tag = get32(f.at + HEAD + WIRE_ESP);
	give(&end, SYN, 0, 0, 0, &tag, sizeof(tag));
	if (!await(port, SYN | ACK, &f))
		bail("no answer");
	end.tag = get32(f.at + HEAD + WIRE_ESP);
	end.ack = get32(f.at + HEAD + AT_SEQ) + 1;
	end.seq++;
	return end;
}

static void give_right_ack(const struct end *end)
{
	give(end, ACK, end->ack, end->ack + 64, 0, "", 0);
}

/* The sack of an old acknowledgement has @first, the number of the first frame that is not
 * acknowledged. */
static void give_ack_around(const struct end *end, uint32_t first)
{
	give(end, ACK, first - 1, first - 1, 1, "", 0);
}

static unsigned long long mismatches(void)
{
	return dropped("h2", "numbers") + dropped("h2", "state");
}

/* @n more have been dropped than @before. */
static void are_dropped(unsigned long long before, unsigned long long n, const char *what)
{
	for (time_t end = now() + LIMIT_S; now() <= end && mismatches() < before + n;)
		usleep(INTERVAL_US);
	is((long)(mismatches() - before), (long)n, what);
}

static int listener(int places, unsigned int timeout_ms)
{
	struct sockaddr_en here = address(PORT, 0, NULL);
	int fd = socket_in("h2", SOCK_STREAM);

	if (setsockopt(fd, SOL_ENET, ESP_SO_TIMEOUT, &timeout_ms, sizeof(timeout_ms)) ||
	    bind(fd, generic(&here), sizeof(here)) || listen(fd, places))
		bail("listen");
	return fd;
}

static int accept_one(int at)
{
	struct pollfd p = { .fd = at, .events = POLLIN };
	int fd = poll(&p, 1, LIMIT_S * 1000) == 1 ? accept(at, NULL, NULL) : -1;
	struct timeval limit = { .tv_sec = LIMIT_S };

	ok(fd >= 0, "the connection is accepted");
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	return fd;
}

/* The forger acknowledges the SYN|ACK by a sack, which does not end the handshake. */
static void places_are_freed(void)
{
	struct sockaddr_en there = address(PORT, 0, "02:00:00:00:01:02");
	struct timeval limit = { .tv_sec = 2 * LIMIT_S };
	unsigned long long before = mismatches();
	int at = listener(PLACES, 60000), fd;

	for (int i = 0; i < PLACES; i++) {
		struct end end = half_open(2000 + i);

		give_ack_around(&end, end.ack - 1);
	}
	are_dropped(before, PLACES, "a sack that covers the SYN|ACK is dropped");
	fd = socket_in("h1", SOCK_STREAM);
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	is(connect(fd, generic(&there), sizeof(there)), 0,
	   "half-open connections are evicted from a full backlog");
	close(fd);
	close(at);
}

static void half_open_connections_time_out(void)
{
	int at = listener(1, 500);
	struct end end = half_open(2100);
	struct frame f;

	give_ack_around(&end, end.ack - 1);
	ok(await(end.port, RST | ACK, &f), "a half-open connection times out");
	close(at);
}

/* A frame that follows the SYN|ACK acknowledges it. */
static void frames_of_a_handshake_acknowledge_it(void)
{
	int at = listener(1, 60000), fd;
	struct end end = half_open(2200);
	unsigned long long before = mismatches();
	char in[8];

	give(&end, ACK, end.ack - 1, end.ack + 63, 0, "", 0);
	are_dropped(before, 1, "an acknowledgement without the SYN|ACK is dropped");
	give(&end, ACK | TXS | TXF, end.ack - 1, end.ack + 63, 0, "early", 5);
	are_dropped(before, 2, "so are data, which are not kept");
	give_right_ack(&end);
	fd = accept_one(at);
	fails(recv(fd, in, sizeof(in), MSG_DONTWAIT), EAGAIN, "and has none of the data");
	give(&end, ACK | TXS | TXF, end.ack, end.ack + 64, 0, "right", 5);
	ok(recv(fd, in, sizeof(in), 0) == 5 && !memcmp(in, "right", 5), "but those that follow");
	close(fd);
	close(at);
}

/* The frame with number @seq. */
static bool await_data(const struct end *end, uint32_t seq)
{
	struct frame f;

	return await(end->port, ACK | TXS | TXF, &f) && get32(f.at + HEAD + AT_SEQ) == seq;
}

static void first_frames_are_acknowledged_by_number(void)
{
	int at = listener(1, 60000), fd;
	struct end end = half_open(2300);
	unsigned long long before = dropped("h2", "numbers"),
			   others = dropped("h2", "state");
	char in[8];

	give_right_ack(&end);
	fd = accept_one(at);
	is(send(fd, "x", 1, 0), 1, "it sends a frame");
	ok(await_data(&end, end.ack), "which arrives");
	give_ack_around(&end, end.ack);
	are_dropped(before + others, 1, "a sack of the first unacknowledged frame is dropped");
	is((long)dropped("h2", "numbers"), (long)before + 1, "and counted as impossible numbers");
	forget_frames();
	ok(await_data(&end, end.ack), "the frame is retransmitted");
	end.ack++;
	give(&end, ACK | TXS | TXF, end.ack, end.ack + 64, 0, "right", 5);
	is(recv(fd, in, sizeof(in), 0), 5, "the connection goes on");
	close(fd);
	close(at);
}

int main(void)
{
	wire = packets_in("h3", "eth0", ESP);
	places_are_freed();
	half_open_connections_time_out();
	frames_of_a_handshake_acknowledge_it();
	first_frames_are_acknowledged_by_number();
	return done_testing();
}
