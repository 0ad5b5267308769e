// SPDX-License-Identifier: BSD-3-Clause
/* reflector.c - a host sends frames back to where they came from, as if from where they went. */

/*
 * usage: reflector, after segment(3) of testlib. h1 and h2 are connected, h3 reflects. A reflected
 * frame belongs to no connection of the host that sent it, and is refused; the refusal, which has
 * the tag of the connection and a number that is good, is sent back in turn.
 */

#include "drops.h"
#include "frames.h"

enum { PORT = 4000, LIMIT_MS = 10000, INTERVAL_US = 10000 };

struct host {
	const char *name;
	unsigned char mac[6];
	int fd;		/* its end of the connection */
};

static struct host h1 = { .name = "h1", .mac = { 2, 0, 0, 0, 1, 1 } },
		   h2 = { .name = "h2", .mac = { 2, 0, 0, 0, 1, 2 } };
static int wire;	/* of h3 */

static void connect_hosts(void)
{
	struct sockaddr_en here = address(PORT, 0, NULL),
			   there = address(PORT, 0, "02:00:00:00:01:02");
	int at = socket_in("h2", SOCK_STREAM);

	h1.fd = socket_in("h1", SOCK_STREAM);
	if (bind(at, generic(&here), sizeof(here)) || listen(at, 1) ||
	    connect(h1.fd, generic(&there), sizeof(there)))
		bail("connect");
	h2.fd = accept(at, NULL, NULL);
	close(at);
}

/* False: the connection is broken, or nothing arrives. */
static bool byte_arrives(const struct host *from, const struct host *to)
{
	struct pollfd p = { .fd = to->fd, .events = POLLIN };
	char byte;

	return send(from->fd, "x", 1, MSG_NOSIGNAL) == 1 && poll(&p, 1, LIMIT_MS) == 1 &&
	       recv(to->fd, &byte, 1, MSG_DONTWAIT) == 1;
}

/* The next frame from @from to @to that has these @flags, of those that @capture receives. */
static struct frame captured(int capture, const struct host *from, const struct host *to, int flags)
{
	struct frame f;

	while (receive_frame(capture, LIMIT_MS, &f))
		if (!memcmp(f.at, to->mac, 6) && !memcmp(f.at + 6, from->mac, 6) &&
		    f.at[HEAD + AT_FLAGS] == flags)
			return f;
	bail("no such frame");
	return f;
}

static void reflect(struct frame f, const struct host *from, const struct host *to)
{
	memcpy(f.at, from->mac, 6);
	memcpy(f.at + 6, to->mac, 6);
	if (send(wire, f.at, f.len, 0) != f.len)
		bail("send");
}

/* An acknowledgement by @from, and then its refusal of that frame. */
static void reflected(const struct host *from, const struct host *to)
{
	int capture = packets_in(to->name, "eth0", ESP);
	unsigned long long before;
	struct frame f;

	connect_hosts();
	if (!byte_arrives(to, from))
		bail("no byte");
	f = captured(capture, from, to, ACK);
	before = dropped(from->name, "tag");
	reflect(f, from, to);
	reflect(captured(capture, from, to, RST), from, to);
	for (int ms = 0; ms < LIMIT_MS && dropped(from->name, "tag") == before; ms += 10)
		usleep(INTERVAL_US);
	is((long)(dropped(from->name, "tag") - before), 1, "a reflected refusal is dropped");
	ok(byte_arrives(from, to) && byte_arrives(to, from), "and the connection goes on");
	close(capture);
	close(h1.fd);
	close(h2.fd);
}

int main(void)
{
	wire = packets_in("h3", "eth0", ETH_P_ALL);
	reflected(&h1, &h2);
	reflected(&h2, &h1);
	return done_testing();
}
