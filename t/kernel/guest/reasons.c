// SPDX-License-Identifier: BSD-3-Clause
/* reasons.c - for every reason why frames are dropped a frame is made, and it is counted under that
 * reason alone. */

/* usage: reasons, after cable() of testlib. Frames come from a by hand; who drops them is b. */

#include "counters.h"
#include "espgoal.h"
#include "frames.h"

#include <linux/filter.h>
#include <linux/if_tun.h>
#include <net/if_arp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

enum {
	PORT = 2000,
	UNUSED_PORT = 2999,
	LISTENING = 3000,
	INVITING = 3001,
	CROWDED = 3002,
	ECHOES = 20000,
	LIMIT_MS = 30000
};

static const unsigned char mac_b[6] = { 2, 0, 0, 0, 0, 2 }, mac_absent[6] = { 2, 0, 0, 0, 0, 0x77 };
static const unsigned char all[6] = { 255, 255, 255, 255, 255, 255 },
			   group_of_others[6] = { 3, 0, 0, 0, 0, 5 };
static int wire;	/* of a */
static int memory_limit;	/* the file of net.enet.mem, which is in no other namespace */

/* ---- Frames ---------------------------------------------------------------------------- */

/* To b, of @len bytes of data that are numbers. */
static struct frame numbered(int protocol, int sport, int dport, int len)
{
	struct frame f = frame_of(protocol, mac_absent, sport, mac_b, dport, len);

	for (int i = 0; i < len; i++)
		f.at[f.len - len + i] = (unsigned char)i;
	return f;
}

static struct frame edp(int sport, int dport, int len)
{
	struct frame f = numbered(EDP, sport, dport, len);

	f.at[HEAD + 1] = 1;
	return f;
}

static struct frame esp(int flags, int sport, int dport, int len)
{
	struct frame f = numbered(ESP, sport, dport, len);

	f.at[HEAD + AT_FLAGS] = flags;
	sign(&f);
	return f;
}

static void give(const struct frame *f)
{
	if (send(wire, f->at, f->len, 0) != f->len)
		bail("send");
}

static void give_edp(int sport, int dport)
{
	struct frame f = edp(sport, dport, 10);

	give(&f);
}

/*
 * A busy kernel receives frames later, but in their order: what was given before this has been
 * dealt with when it returns.
 */
static void settle(void)
{
	int at = place_of_reason(&seen, "no_socket");
	unsigned long long before = seen.count[at], given = 0;

	for (int tries = 0; tries < 1000 && seen.count[at] == before; tries++) {
		if (tries % 200 == 0) {		/* it may have found no room */
			give_edp(1, UNUSED_PORT);
			given++;
		}
		usleep(10000);
		seen.count[at] = dropped("b", "no_socket");
	}
	late += given - (seen.count[at] - before);
}

static void give_esp(int flags, int sport, int dport)
{
	struct frame f = esp(flags, sport, dport, 0);

	give(&f);
}

/* The frame @f with byte @at of it set. */
static void give_changed(struct frame f, int at, int value, bool signed_again)
{
	f.at[at] = value;
	if (signed_again)
		sign(&f);
	give(&f);
}

static void give_cut(struct frame f, int len)
{
	f.len = len;
	give(&f);
}

static int datagrams(int port)
{
	struct sockaddr_en en = address(port, 0, NULL);
	int fd = socket_in("b", SOCK_DGRAM | SOCK_NONBLOCK);

	if (bind(fd, generic(&en), sizeof(en)))
		bail("bind");
	return fd;
}

/* ---- Headers ----------------------------------------------------------------------------- */

static void headers_must_be_whole(void)
{
	give_cut(edp(1, 2, 10), HEAD + 3);
	counted("truncated", 1, "EDP: half a header");
	give_cut(edp(1, 2, 10), HEAD + WIRE_EDP + 9);
	counted("truncated", 1, "EDP: less than it says");
	give_cut(esp(ACK, 1, 2, 10), HEAD + 20);
	counted("truncated", 1, "ESP: half a header");
	give_cut(esp(ACK, 1, 2, 10), HEAD + WIRE_ESP + 9);
	counted("truncated", 1, "ESP: less than it says");
	give_changed(edp(1, 2, 10), HEAD, 2, false);
	counted("version", 1, "EDP: of a version to come");
	give_changed(esp(ACK, 1, 2, 0), HEAD, 0, true);
	counted("version", 1, "ESP: of a version that never was");
	give_changed(edp(1, 2, 10), HEAD + 1, 9, false);
	counted("type", 1, "EDP: of type 9");
	give_changed(esp(ACK, 1, 2, 0), HEAD + AT_FLAGS, COOKIE | ACK, true);
	counted("type", 1, "ESP: with a cookie and another flag");
	give_changed(esp(ACK, 1, 2, 0), HEAD + 47, 1, true);
	counted("type", 1, "ESP: with something where nothing belongs");
	give_changed(esp(ACK, 1, 2, 5), HEAD + WIRE_ESP + 4, 99, false);
	counted("checksum", 1, "ESP: with a wrong checksum");
}

static void addresses_must_be_of_hosts(void)
{
	struct frame echo = edp(1, 2, 4);

	give_edp(0, PORT);
	counted("port_zero", 1, "EDP: from port 0");
	give_edp(1, 0);
	counted("port_zero", 1, "EDP: to port 0");
	give_esp(ACK, 0, PORT);
	counted("port_zero", 1, "ESP: from port 0");
	give_esp(SYN, 1, 0);
	counted("port_zero", 1, "ESP: to port 0");
	give_changed(edp(1, 2, 10), 6, 3, false);
	counted("source", 1, "EDP: from a group");
	give_changed(esp(SYN, 1, 2, 0), 6, 3, false);
	counted("source", 1, "ESP: from a group");
	give_changed(esp(SYN, 1, 2, 0), 0, 3, false);
	counted("group", 1, "ESP: to a group");
	echo.at[HEAD + 1] = 2;
	memcpy(echo.at, all, 6);
	give(&echo);
	counted("type", 1, "EDP: an echo request to all");
}

/* Frames of a device without Ethernet headers are dropped, whatever its type @link. */
static void frames_come_from_ethernet(int link, const char *what)
{
	struct ifreq ifr = { .ifr_name = "tun0", .ifr_flags = IFF_TUN };
	struct {
		struct tun_pi head;
		char data[20];
	} f = { .head.proto = htons(EDP) };
	int fd = open("/dev/net/tun", O_RDWR), control = socket_in("b", SOCK_DGRAM);

	if (fd < 0 || ioctl(fd, TUNSETIFF, &ifr) || ioctl(fd, TUNSETLINK, link))
		bail("tun");
	ifr.ifr_flags = IFF_UP;
	if (ioctl(control, SIOCSIFFLAGS, &ifr))
		bail("SIOCSIFFLAGS");
	for (int protocol = EDP; protocol <= ESP; protocol++) {
		f.head.proto = htons(protocol);
		if (write(fd, &f, sizeof(f)) != sizeof(f))
			bail("write");
		counted("medium", 1, what);
	}
	close(control);
	close(fd);
}

/* ---- Datagrams --------------------------------------------------------------------------- */

static void datagrams_are_for_a_socket(void)
{
	struct sockaddr_en peer = address(77, 0, MAC_A);
	struct sock_filter none = BPF_STMT(BPF_RET | BPF_K, 0);
	struct sock_fprog filter = { 1, &none };
	struct frame f = edp(1, PORT, 1000);
	int fd, few = 1, frames = 20;

	give_edp(1, PORT);
	counted("no_socket", 1, "EDP: to a port that no process has");
	fd = datagrams(PORT);
	memcpy(f.at, group_of_others, 6);
	give(&f);
	counted("not_joined", 1, "to a group of others");
	memcpy(f.at, mac_b, 6);
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &few, sizeof(few));
	for (int i = 0; i < frames; i++)
		give(&f);
	counted("no_room", frames / 2, "more datagrams than there is room for");
	if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter)))
		bail("SO_ATTACH_FILTER");
	while (recv(fd, &f, 1, 0) >= 0)
		;
	give_edp(1, PORT);
	counted("filtered", 1, "what the filter of the socket does not want");
	if (connect(fd, generic(&peer), sizeof(peer)))
		bail("connect");
	give_edp(1, PORT);
	counted("not_connected", 1, "from another than the peer");
	close(fd);
}

/* If they can be sent so fast. */
static void echoes_are_bounded(void)
{
	struct frame f = edp(1, 2, 4);

	f.at[HEAD + 1] = 2;
	for (int i = 0; i < ECHOES; i++)
		give(&f);
	counted("echo_limit", 1, "more echo requests in a second than are answered");
}

/* ---- Connections --------------------------------------------------------------------------- */

/* The next frame from b to mac_absent. */
static struct frame next_to_absent(int capture)
{
	struct frame f;

	do {
		if (!receive_frame(capture, LIMIT_MS, &f))
			bail("no frame of b");
	} while (memcmp(f.at, mac_absent, 6));
	return f;
}

static uint32_t cookie_from(int capture)
{
	struct frame f;

	do
		f = next_to_absent(capture);
	while (f.at[HEAD + AT_FLAGS] != COOKIE);
	return get32(f.at + HEAD + WIRE_ESP);
}

static void give_syn(int sport, uint32_t cookie)
{
	struct frame f = esp(SYN, sport, LISTENING, 4);

	put32(f.at + HEAD + AT_TAG, cookie);
	sign(&f);
	give(&f);
}

static void listeners_know_their_peers(void)
{
	struct sockaddr_en peers[2];
	struct espgoal_join join = { .version = ESPGOAL_VERSION, .nprocs = 2, .networks = 1,
				     .peers = (uintptr_t)peers };
	int device;

	enter("b");
	peers[0] = address(INVITING, if_nametoindex("b0"), MAC_B);
	peers[1] = address(INVITING, if_nametoindex("b0"), MAC_A);
	device = open("/dev/espgoal", O_RDWR);
	if (device < 0 || ioctl(device, ESPGOAL_JOIN, &join))
		bail("/dev/espgoal");
	give_changed(esp(SYN, 65535, INVITING, 4), 0, mac_b[0], false);
	counted("not_invited", 1, "a SYN of a host that is not of the job");
	give_changed(esp(SYN, 2, INVITING, 4), 11, 1, false);
	counted("not_invited", 1, "a SYN of a host of the job, from a port of programs");
	close(device);
}

static void unauthenticated_know_no_connection(void)
{
	struct sockaddr_en here = address(LISTENING, 0, NULL);
	int at, capture = packets_in("a", "a0", ESP);
	uint32_t cookie;

	give_esp(ACK, 1, LISTENING);
	counted("no_socket", 1, "ESP: of no connection");
	give_esp(RST, 1, LISTENING);
	counted("no_socket", 1, "ESP: an end of none");
	at = socket_in("b", SOCK_STREAM);
	if (bind(at, generic(&here), sizeof(here)) || listen(at, 1))
		bail("listen");
	give_esp(SYN, 1, LISTENING);
	counted("tag", 1, "a SYN without a tag");
	for (int port = 1; port <= 100; port++) {
		give_syn(port, 0);
		cookie = cookie_from(capture);
	}
	give_syn(99, cookie);
	counted("tag", 1, "a SYN with the cookie of another one");
	give_syn(100, cookie);
	give_syn(101, 0);
	counted("backlog", 1, "a SYN more than the listener has room for");
	close(capture);
	close(at);
}

/* The state of a peer of b, which has the address mac_absent. */
struct peer {
	int sport, dport;
	uint32_t tag, seq, ack, grant;
};

static void give_as(const struct peer *p, int flags, uint32_t seq, uint32_t ack, uint32_t grant,
		    int len)
{
	struct frame f = esp(flags | ACK, p->sport, p->dport, len);
	unsigned char *h = f.at + HEAD;

	put32(h + AT_TAG, p->tag);
	put32(h + AT_SEQ, seq);
	put32(h + AT_ACK, ack);
	put32(h + AT_GRANT, grant);
	sign(&f);
	give(&f);
}

/* b connects to mac_absent, for which this program answers: from what its SYN says. */
static struct peer overhear(int fd)
{
	struct sockaddr_en to = address(PORT, 0, "02:00:00:00:00:77");
	int capture = packets_in("a", "a0", ESP);
	struct frame f;
	const unsigned char *h = f.at + HEAD;

	fcntl(fd, F_SETFL, O_NONBLOCK);
	if (connect(fd, generic(&to), sizeof(to)) == 0 || errno != EINPROGRESS)
		bail("connect");
	do
		f = next_to_absent(capture);
	while (h[AT_FLAGS] != SYN);
	close(capture);
	return (struct peer){ .sport = PORT, .dport = h[AT_SPORT] << 8 | h[AT_SPORT + 1],
			      .tag = get32(h + WIRE_ESP), .seq = 1000,
			      .ack = get32(h + AT_SEQ) + 1, .grant = get32(h + AT_SEQ) + 65 };
}

static void answers_must_fit(const struct peer *p)
{
	give_as(p, 0, p->seq, p->ack, p->grant, 0);
	counted("state", 1, "no SYN as the answer to a SYN");
	give_as(p, SYN, p->seq, p->ack + 1, p->grant, 4);
	counted("state", 1, "an answer to another SYN");
	give_as(p, SYN, p->seq, p->ack, p->grant, 3);
	counted("state", 1, "an answer without a tag");
}

static void numbers_must_be_right(struct peer *p)
{
	struct peer unauthenticated = *p;

	give_as(p, 0, p->seq, p->ack + 1, p->grant, 0);
	counted("numbers", 1, "acknowledges what was not sent");
	give_as(p, 0, p->seq, p->ack, p->ack - 1, 0);
	counted("numbers", 1, "takes back what was granted");
	give_as(p, 0, p->seq, p->ack, p->ack + 100000, 0);
	counted("numbers", 1, "grants too much");
	unauthenticated.tag ^= 1;
	give_as(&unauthenticated, 0, p->seq, p->ack, p->grant, 10);
	counted("tag", 1, "without the tag of the connection");
	give_as(&unauthenticated, RST, p->seq, p->ack, p->grant, 0);
	counted("tag", 1, "an end without the tag");
	give_as(p, RST, p->seq - 1, p->ack, p->grant, 0);
	counted("tag", 1, "an end that was recorded");
	give_as(p, TXS, p->seq + 100000, p->ack, p->grant, 10);
	counted("not_granted", 1, "data that no process granted");
	give_as(p, TXS, p->seq - 1, p->ack, p->grant, 10);
	counted("duplicate", 1, "data that were here before");
}

/* The gap is never filled: no more is kept than was granted. */
static void what_is_early_is_bounded(const struct peer *p)
{
	for (int i = 1; i <= 2000; i++)
		give_as(p, 0, p->seq + i, p->ack, p->grant, 1000);
	settle();
	counted("not_granted", 2000 - 256, "frames beyond a gap, without bound");
	give_as(p, 0, p->seq + 1, p->ack, p->grant, 1000);
	counted("duplicate", 1, "one of those again");
}

static void connections_receive_from_their_peer_alone(void)
{
	int fd = socket_in("b", SOCK_STREAM);
	struct pollfd poll_it = { .fd = fd, .events = POLLOUT };
	struct peer p = overhear(fd);
	unsigned char in[64];

	answers_must_fit(&p);
	give_as(&p, SYN, p.seq++, p.ack, p.grant, 4);
	is(poll(&poll_it, 1, 10000), 1, "a right answer opens the connection");
	numbers_must_be_right(&p);
	give_as(&p, TXS, p.seq++, p.ack, p.grant, 10);
	fcntl(fd, F_SETFL, 0);
	is(recv(fd, in, sizeof(in), 0), 10, "right data arrive, in the midst of that");
	what_is_early_is_bounded(&p);
	give_as(&p, TXF, p.seq, p.ack, p.grant, 20);
	is(recv(fd, in, 20, MSG_WAITALL), 20, "and the connection goes on when the gap is filled");
	close(fd);
}

static struct peer established(int fd)
{
	struct pollfd poll_it = { .fd = fd, .events = POLLOUT };
	struct peer p = overhear(fd);

	give_as(&p, SYN, p.seq++, p.ack, p.grant, 4);
	is(poll(&poll_it, 1, 10000), 1, "a connection opens");
	fcntl(fd, F_SETFL, 0);
	return p;
}

/* Frames behind the gap can be neither read nor dropped. */
static void full_buffers_take_what_fills_a_gap(void)
{
	struct timeval limit = { .tv_sec = 5 };
	int fd = socket_in("b", SOCK_STREAM), bytes = 1;
	struct peer p = established(fd);
	unsigned char in[4000];

	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	for (int i = 1; i <= 40; i++)
		give_as(&p, 0, p.seq + i, p.ack, p.grant, 1000);
	settle();
	counted("not_granted", 1, "a small buffer is full");
	give_as(&p, TXS, p.seq, p.ack, p.grant, 1000);
	is(recv(fd, in, 2000, MSG_WAITALL), 2000, "and takes the frame that fills the gap");
	close(fd);
}

/* Twice as many bytes are no int. */
static void largest_buffers_are_not_full(void)
{
	struct timeval limit = { .tv_sec = 5 };
	int fd = socket_in("b", SOCK_STREAM), bytes = 1 << 30;
	struct peer p = established(fd);
	unsigned char in[2000];

	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	give_as(&p, TXS, p.seq, p.ack, p.grant, 1000);
	give_as(&p, TXF, p.seq + 1, p.ack, p.grant, 1000);
	is(recv(fd, in, 2000, MSG_WAITALL), 2000, "a buffer of 2 GiB takes two frames");
	close(fd);
}

/* Frames of the peer before it knows the connection. */
static void give_cookie(const struct peer *p, uint32_t cookie)
{
	struct frame f = esp(COOKIE, p->sport, p->dport, 4);
	unsigned char *h = f.at + HEAD;

	put32(h + AT_TAG, p->tag);
	put32(h + AT_ACK, p->ack - 1);
	put32(h + WIRE_ESP, cookie);
	sign(&f);
	give(&f);
}

/* Gives b a refusal of the frame with @tag, as if from @host. */
static void give_refusal(const struct peer *p, uint32_t tag, const unsigned char *host)
{
	struct frame f = frame_of(ESP, mac_absent, p->sport, mac_b, p->dport, REFUSAL);
	unsigned char *h = f.at + HEAD;

	h[AT_FLAGS] = RST;
	put32(h + AT_SEQ, p->ack - 1);
	put32(h + WIRE_ESP, tag);
	memcpy(h + WIRE_ESP + AT_REFUSER, host, 6);
	sign(&f);
	give(&f);
}

static void is_refused(int fd, const char *what)
{
	struct pollfd poll_it = { .fd = fd, .events = POLLOUT };
	int error = 0;
	socklen_t len = sizeof(error);

	poll(&poll_it, 1, 10000);
	getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len);
	is(error, ECONNREFUSED, what);
	close(fd);
}

/* The listener goes between the cookie and the SYN that returns it, or after that one's answer. */
static void refusals_are_received_late_too(void)
{
	int fd = socket_in("b", SOCK_STREAM);
	struct peer p = overhear(fd);

	give_cookie(&p, 4711);
	settle();
	give_refusal(&p, 4711, mac_b);
	counted("tag", 1, "a refusal of another host than the peer");
	give_refusal(&p, 4711, mac_absent);
	is_refused(fd, "a connection is refused by its cookie");
	fd = socket_in("b", SOCK_STREAM);
	p = overhear(fd);
	give_as(&p, RST, 0xc0000000u, p.ack, p.grant, 0);
	is_refused(fd, "and by its tag, whatever number the listener has");
}

/*
 * In a child, the last that has the connection once its parent has closed pipe @parent: close it,
 * and wait until its end has been acknowledged.
 */
static void linger(int fd, const int parent[2])
{
	struct linger wait_long = { 1, 100 };
	char none;

	close(parent[1]);
	if (read(parent[0], &none, 1))
		_exit(1);
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &wait_long, sizeof(wait_long));
	alarm(20);
	close(fd);
	_exit(0);
}

static bool is_fin_to(const struct frame *f, const struct peer *p)
{
	const unsigned char *h = f->at + HEAD, *from = h + AT_SPORT;

	return (h[AT_FLAGS] & FIN) && (from[0] << 8 | from[1]) == p->dport;
}

/* Its number. Earlier connections, from other ports of b, may still repeat theirs. */
static uint32_t await_fin(int capture, const struct peer *p)
{
	struct frame f;

	do
		f = next_to_absent(capture);
	while (!is_fin_to(&f, p));
	return get32(f.at + HEAD + AT_SEQ);
}

static void lingers_until(bool data, const char *what)
{
	int fd = socket_in("b", SOCK_STREAM), capture, status, parent[2];
	struct peer p = established(fd);
	uint32_t fin;
	pid_t child;

	capture = packets_in("a", "a0", ESP);
	fflush(stdout);
	if (pipe(parent))
		bail("pipe");
	child = fork();
	if (child == 0)
		linger(fd, parent);
	close(fd);
	close(parent[0]);
	close(parent[1]);
	fin = await_fin(capture, &p);
	settle();
	give_as(&p, data ? TXS | TXF : 0, p.seq, data ? fin : fin + 1, fin + 64, data ? 10 : 0);
	if (data)
		counted("closed", 1, "data that arrive while close() waits are refused");
	waitpid(child, &status, 0);
	is(status, 0, what);
	close(capture);
}

/* The peer has not acknowledged the end yet, and sends. */
static void closed_connections_take_no_data(void)
{
	int fd = socket_in("b", SOCK_STREAM);
	struct peer p = established(fd);

	close(fd);
	give_as(&p, TXS | TXF, p.seq, p.ack, p.grant, 10);
	counted("closed", 1, "and takes no data when its owner has closed it");
	give_as(&p, TXS | TXF, p.seq, p.ack, p.grant, 10);
	counted("no_socket", 1, "after which it is no more");
}

/*
 * ---- Memory ------------------------------------------------------------------------------------
 */

static void write_to(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		bail(path);
	close(fd);
}

/* Allocations that cannot wait fail until it has been received; see memory_fails in testlib. */
static void give_without_memory(const struct frame *f)
{
	write_to("/run/debug/failslab/probability", "100");
	give(f);
	settle();
	write_to("/run/debug/failslab/probability", "0");
}

/* An answer and a copy for a second socket are what enet itself allocates. */
static void memory_may_be_short(void)
{
	struct sockaddr_en here = address(PORT, 0, NULL);
	struct frame f = edp(1, PORT, 4);
	int yes = 1, fd[2];

	if (access("/run/debug/failslab", F_OK)) {
		ok(true, "no memory # SKIP this kernel cannot be told to fail allocations");
		return;
	}
	for (int i = 0; i < 2; i++) {
		fd[i] = socket_in("b", SOCK_DGRAM);
		setsockopt(fd[i], SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
		if (bind(fd[i], generic(&here), sizeof(here)))
			bail("bind");
	}
	memcpy(f.at, all, 6);
	give_without_memory(&f);
	counted("shared", 1, "no memory for the second socket that hears a frame");
	is(recv(fd[0], &f, 4, MSG_DONTWAIT) + recv(fd[1], &f, 4, MSG_DONTWAIT), 3,
	   "which the other one gets");
	close(fd[0]);
	close(fd[1]);
	f = edp(1, 2, 4);
	f.at[HEAD + 1] = 2;
	give_without_memory(&f);
	counted("echo_memory", 1, "no memory for an echo");
}

static void write_limit(const char *pages)
{
	if (pwrite(memory_limit, pages, strlen(pages), 0) < 0)
		bail("net.enet.mem");
}

/* A limit is exact up to a MiB for each processor; unread frames of several MiB exceed it. */
static void unread_frames_have_a_limit(void)
{
	int fd = datagrams(PORT), most = 64 << 20;
	struct frame f = edp(1, PORT, 1000);
	char usual[100] = "";

	if (pread(memory_limit, usual, sizeof(usual) - 1, 0) <= 0)
		bail("net.enet.mem");
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &most, sizeof(most));
	write_limit("1 1 1");
	for (int i = 0; i < 8000; i++)
		give(&f);
	counted("memory", 1000, "beyond net.enet.mem");
	write_limit(usual);
	close(fd);
}

/* But lack of memory, where that cannot be had. */
static void every_reason_had_its_frame(void)
{
	int missing = 0;

	for (int i = 0; i < seen.n; i++) {
		if (wanted[i])
			continue;
		printf("# nothing was made for %s\n", seen.reason[i]);
		missing += strcmp(seen.reason[i], "shared") &&
			   strcmp(seen.reason[i], "echo_memory");
	}
	is(missing, 0, "every reason has had its frame");
}

/* ---- Connections that are closed before their data are sent -------------------------- */

static long memory_kib(const char *what)
{
	FILE *f = fopen("/proc/meminfo", "r");
	char name[32];
	long kib = 0;

	while (f && fscanf(f, "%31s %ld%*[^\n]", name, &kib) == 2 && strcmp(name, what))
		;
	if (!f)
		bail("/proc/meminfo");
	fclose(f);
	return kib;
}

static int connect_to_a(void)
{
	struct sockaddr_en to = address(CROWDED, 0, MAC_A);
	int fd = socket_in("b", SOCK_STREAM), never = 0;

	if (setsockopt(fd, SOL_ENET, ESP_SO_TIMEOUT, &never, sizeof(never)) ||
	    connect(fd, generic(&to), sizeof(to)))
		bail("connect");
	return fd;
}

/* As much as the socket takes: more than 128 KiB, counted as what the frames take. */
static void fill(int fd)
{
	static const char data[4096];

	while (send(fd, data, sizeof(data), MSG_DONTWAIT) > 0)
		;
}

/* Nothing arrives at a, so they would hold their data for a minute from when they are closed. */
static void closed_connections_hold_little(void)
{
	struct sockaddr_en here = address(CROWDED, 0, NULL);
	int listener = socket_in("a", SOCK_STREAM), fd[900], n;
	long before;

	n = (int)(memory_kib("MemTotal:") / 16 / 128) + 20;
	if (n > 900 || bind(listener, generic(&here), sizeof(here)) || listen(listener, n))
		bail("listen");
	for (int i = 0; i < n; i++)
		fd[i] = connect_to_a();
	if (system("/sbin/ip -n a link set a0 down"))
		bail("ip");
	before = memory_kib("MemAvailable:");
	for (int i = 0; i < n; i++)
		fill(fd[i]);
	for (int i = 0; i < n; i++)
		close(fd[i]);
	printf("# %d closed connections hold %ld KiB of %ld\n", n,
	       before - memory_kib("MemAvailable:"), memory_kib("MemTotal:"));
	counted("orphans", 1, "what closed connections hold is bounded");
	close(listener);
}

int main(void)
{
	memory_limit = open("/proc/sys/net/enet/mem", O_RDWR);
	wire = packets_in("a", "a0", 0x88b7);	/* receives nothing */
	seen = drops_of("b");
	headers_must_be_whole();
	addresses_must_be_of_hosts();
	frames_come_from_ethernet(ARPHRD_NONE, "from a device that is no Ethernet");
	frames_come_from_ethernet(ARPHRD_ETHER, "from one that only calls itself so");
	datagrams_are_for_a_socket();
	unauthenticated_know_no_connection();
	listeners_know_their_peers();
	connections_receive_from_their_peer_alone();
	full_buffers_take_what_fills_a_gap();
	largest_buffers_are_not_full();
	refusals_are_received_late_too();
	closed_connections_take_no_data();
	lingers_until(false, "close() waits until the peer has the end, and no longer");
	lingers_until(true, "which end its wait");
	memory_may_be_short();
	unread_frames_have_a_limit();
	echoes_are_bounded();
	closed_connections_hold_little();
	every_reason_had_its_frame();
	return done_testing();
}
