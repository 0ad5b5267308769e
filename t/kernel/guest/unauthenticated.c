// SPDX-License-Identifier: BSD-3-Clause
/* unauthenticated.c - a third host sends frames of no connection, while a stream between two others
 * goes on. */

/*
 * usage: unauthenticated SEED FRAMES, or unauthenticated flood. Host c is on the same segment as a
 * and b (see segment() in testlib: h1, h2, h3) and receives nothing of what they send but
 * what it is allowed to record here: the test hands it real frames to replay, cut and change, with
 * a right checksum every second time.
 */

#include "bytes.h"
#include "frames.h"
#include "../../lib/random.h"

#include <signal.h>

enum { RECORDED = 256, PORT = 3000 };

static const unsigned char mac_a[6] = { 2, 0, 0, 0, 1, 1 }, mac_b[6] = { 2, 0, 0, 0, 1, 2 };

static struct frame recorded[RECORDED];
static int nrecorded;
static uint64_t state;

static uint32_t chance(uint32_t n)
{
	return (uint32_t)random_below(&state, n);
}

static void record(int fd)
{
	while (nrecorded < RECORDED) {
		struct frame *f = &recorded[nrecorded];

		f->len = recv(fd, f->at, FRAME, MSG_DONTWAIT);
		if (f->len <= 0)
			return;
		nrecorded++;
	}
}

/* The next frame of an unauthenticated peer, from what was recorded or from nothing. */
static struct frame invent(void)
{
	struct frame f = nrecorded && chance(4) ? recorded[chance(nrecorded)] : (struct frame){ 0 };

	if (!f.len) {
		f.len = HEAD + chance(FRAME - HEAD);
		for (int i = 0; i < f.len; i++)
			f.at[i] = (unsigned char)chance(256);
		f.at[12] = 0x88;
		f.at[13] = chance(4) ? ESP & 0xff : EDP & 0xff;
		f.at[HEAD] = chance(4) ? 1 : f.at[HEAD];
	}
	switch (chance(5)) {
	case 0:		/* as it was: a replay */
		break;
	case 1:
		f.len = HEAD + chance(f.len - HEAD + 1);
		break;
	default:	/* the tag stays, or is a guess */
		for (uint32_t n = 1 + chance(4); n > 0; n--) {
			int at = HEAD + chance(WIRE_ESP);

			if (at < HEAD + 8 || at >= HEAD + 12)
				f.at[at] = (unsigned char)chance(256);
		}
		for (int i = 8; i < 12; i++)
			f.at[HEAD + i] = (unsigned char)chance(256);
		if (chance(2))
			sign(&f);
	}
	memcpy(f.at, chance(2) ? mac_a : mac_b, 6);
	memcpy(f.at + 6, chance(2) ? mac_a : mac_b, 6);
	return f;
}

/* ---- Requests to connect ------------------------------------------------------------- */

/* To @port of b, from address and port number @i. */
static struct frame request_of_no_host(int port, uint32_t i)
{
	static const unsigned char forged[6] = { 2, 0xaa };
	struct frame f = frame_of(ESP, forged, 0xf001 + (int)(i % 200), mac_b, port, 4);
	unsigned char *h = f.at + HEAD;

	put32(f.at + 8, i);
	h[AT_FLAGS] = SYN;
	put32(h + AT_SEQ, i * 7);
	put32(h + WIRE_ESP, i | 1);
	sign(&f);
	return f;
}

static void flood(int raw, int port, int begun)
{
	for (uint32_t i = 0;; i++) {
		struct frame f = request_of_no_host(port, i);

		send(raw, f.at, f.len, 0);
		if (i == 500 && write(begun, "", 1) != 1)
			_exit(1);
		if (i % 10 == 0)
			usleep(10000);
	}
}

/* Room for 8, a thousand requests a second of which none is ever completed. */
static int connects_in_a_flood(void)
{
	enum { FLOODED = PORT + 1, WANTED = 8 };
	struct sockaddr_en here = address(FLOODED, 0, NULL);
	struct sockaddr_en there = address(FLOODED, 0, "02:00:00:00:01:02");
	struct timeval limit = { .tv_sec = 10 };
	int at = socket_in("h2", SOCK_STREAM), raw = packets_in("h3", "eth0", ETH_P_ALL);
	int connected = 0, begun[2];
	pid_t flooder;
	char byte;

	if (bind(at, generic(&here), sizeof(here)) || listen(at, WANTED) || pipe(begun))
		bail("listen");
	flooder = fork();
	if (flooder == 0)
		flood(raw, FLOODED, begun[1]);
	if (read(begun[0], &byte, 1) != 1)
		bail("read");
	for (int i = 0; i < WANTED; i++) {
		int fd = socket_in("h1", SOCK_STREAM);

		setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
		connected += connect(fd, generic(&there), sizeof(there)) == 0;
	}
	kill(flooder, SIGKILL);
	waitpid(flooder, NULL, 0);
	is(connected, WANTED, "requests with forged addresses keep no process from connecting");
	return done_testing();
}

int main(int argc, char **argv)
{
	uint32_t frames = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000;
	uint64_t bytes = 4 << 20;
	struct sockaddr_en here = address(PORT, 0, NULL),
			   there = address(PORT, 0, "02:00:00:00:01:02");
	int raw, capture, at, a, b, failed, sent = 0;

	if (argc > 1 && strcmp(argv[1], "flood") == 0)
		return connects_in_a_flood();
	state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	capture = packets_in("h2", "eth0", ESP);
	raw = packets_in("h3", "eth0", ETH_P_ALL);
	at = socket_in("h2", SOCK_STREAM);
	if (bind(at, generic(&here), sizeof(here)) || listen(at, 8))
		bail("listen");
	a = socket_in("h1", SOCK_STREAM);
	if (connect(a, generic(&there), sizeof(there)))
		bail("connect");
	b = accept(at, NULL, NULL);
	start_sending(a, 1, bytes);
	start_receiving(b, 1, bytes);
	for (uint32_t i = 0; i < frames; i++) {
		struct frame f;

		record(capture);
		f = invent();
		sent += f.len >= HEAD && send(raw, f.at, f.len, 0) == f.len;
	}
	failed = reap();
	printf("# %d frames sent, %d recorded\n", sent, nrecorded);
	ok(sent > (int)frames / 2 && nrecorded > 0, "frames of no connection are sent");
	ok(!failed, "the stream arrived as it was");
	close(a);
	close(b);
	a = socket_in("h1", SOCK_STREAM);
	ok(connect(a, generic(&there), sizeof(there)) == 0, "and new connections can be made");
	return done_testing();
}
