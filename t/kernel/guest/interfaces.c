// SPDX-License-Identifier: BSD-3-Clause
/* interfaces.c - two cables between two hosts, one for frames of 9000 bytes: each gets what
 * it is bound to. */

/* usage: interfaces, after cable() and a second one, a1 to b1, with addresses ...:11 and ...:12. */

#include "bytes.h"
#include "frames.h"

#include <poll.h>
#include <sys/ioctl.h>

enum { PORT = 2000, CABLES = 2, MUCH = 1 << 21, GROUPS = 64 };

static const char *const mac_of_b[CABLES] = { "02:00:00:00:00:02", "02:00:00:00:00:12" };
static const char group[] = "03:00:00:00:00:01", all[] = "ff:ff:ff:ff:ff:ff";
static unsigned int if_a[CABLES], if_b[CABLES];

static void find_interfaces(void)
{
	enter("a");
	if_a[0] = if_nametoindex("a0");
	if_a[1] = if_nametoindex("a1");
	enter("b");
	if_b[0] = if_nametoindex("b0");
	if_b[1] = if_nametoindex("b1");
	if (!if_a[0] || !if_a[1] || !if_b[0] || !if_b[1])
		bail("interfaces");
}

static int bound(const char *ns, int type, int port, unsigned int ifindex)
{
	struct sockaddr_en en = address(port, ifindex, NULL);
	int fd = socket_in(ns, type | SOCK_NONBLOCK);

	if (bind(fd, generic(&en), sizeof(en)))
		bail("bind");
	return fd;
}

/* From a, over one cable. */
static void say(int fd, int cable, const char *to, const char *what)
{
	struct sockaddr_en en = address(PORT, if_a[cable], to);

	if (sendto(fd, what, 1, 0, generic(&en), sizeof(en)) != 1)
		bail("sendto");
}

/*
 * The next datagram, and its interface; 0: none. Cables deliver before the call that sends is over,
 * or soon.
 */
static int received(int fd, unsigned int *from)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct sockaddr_en en;
	socklen_t len = sizeof(en);
	char what = 0;

	if (poll(&p, 1, 10000) != 1)
		return 0;
	if (recvfrom(fd, &what, 1, 0, generic(&en), &len) != 1)
		bail("recvfrom");
	*from = en.sen_ifindex;
	return what;
}

/* A socket on each cable, for what goes to @to: it receives only what was sent on its own. */
static void each_receives_its_own(int a, const int *b, const char *const *to, const char *what)
{
	unsigned int from;

	say(a, 0, to[0], "0");
	say(a, 1, to[1], "1");
	for (int i = 0; i < CABLES; i++)
		ok(received(b[i], &from) == '0' + i && from == if_b[i] &&
		   recv(b[i], &from, 1, 0) == -1 && errno == EAGAIN, what);
}

static void set_group(int fd, int option, unsigned int ifindex, const char *mac)
{
	struct sockaddr_en en = address(0, ifindex, mac);

	if (setsockopt(fd, SOL_ENET, option, &en, sizeof(en)))
		bail("group");
}

static void datagrams_keep_to_their_interface(void)
{
	static const char *const groups[] = { group, group }, *const to_all[] = { all, all };
	int a = socket_in("a", SOCK_DGRAM), yes = 1, b[CABLES], any;
	unsigned int from;

	setsockopt(a, SOL_SOCKET, SO_BROADCAST, &yes, sizeof(yes));
	for (int i = 0; i < CABLES; i++)
		b[i] = bound("b", SOCK_DGRAM, PORT, if_b[i]);
	each_receives_its_own(a, b, mac_of_b, "a bound socket receives only from its interface");
	each_receives_its_own(a, b, to_all, "of what is for all as well");
	for (int i = 0; i < CABLES; i++)
		set_group(b[i], EDP_SO_JOIN, if_b[i], group);
	each_receives_its_own(a, b, groups, "and of what is for a group");
	set_group(b[0], EDP_SO_LEAVE, if_b[0], group);
	say(a, 0, group, "n");
	say(a, 1, group, "y");
	is(received(b[1], &from), 'y', "a member still receives for the group");
	fails(recv(b[0], &from, 1, 0), EAGAIN, "a former member does not");
	close(b[0]);
	close(b[1]);
	any = bound("b", SOCK_DGRAM, PORT, 0);
	for (int i = 0; i < CABLES; i++) {
		say(a, i, mac_of_b[i], "x");
		ok(received(any, &from) == 'x' && from == if_b[i],
		   "an unbound socket receives all, with the interface");
	}
	set_group(any, EDP_SO_JOIN, if_b[1], group);
	say(a, 0, group, "n");
	say(a, 1, group, "y");
	is(received(any, &from), 'y', "a group is joined on one interface");
	close(any);
	close(a);
}

/* Groups that an interface of b listens to. */
static int groups_of(const char *interface)
{
	char line[128], name[32];
	int n = 0;
	FILE *f;

	enter("b");
	f = fopen("/proc/net/dev_mcast", "r");
	if (!f)
		bail("/proc/net/dev_mcast");
	while (fgets(line, sizeof(line), f))
		n += sscanf(line, "%*d %31s", name) == 1 && !strcmp(name, interface) &&
		     strstr(line, "0300000000");
	fclose(f);
	return n;
}

static void groups_are_given_back(void)
{
	struct sockaddr_en en = address(0, if_b[0], group);
	int b = bound("b", SOCK_DGRAM, PORT, 0), other = bound("b", SOCK_DGRAM, PORT + 1, 0);

	fails(setsockopt(b, SOL_ENET, EDP_SO_LEAVE, &en, sizeof(en)), EADDRNOTAVAIL,
	      "a group that was not joined cannot be left");
	for (int i = 0; i < GROUPS; i++) {
		en.sen_addr[5] = i;
		if (setsockopt(b, SOL_ENET, EDP_SO_JOIN, &en, sizeof(en)))
			bail("EDP_SO_JOIN");
	}
	en.sen_addr[5] = GROUPS;
	fails(setsockopt(b, SOL_ENET, EDP_SO_JOIN, &en, sizeof(en)), ENOBUFS,
	      "64 groups are enough for a socket");
	is(groups_of("b0"), GROUPS, "the interface listens to them");
	en.sen_addr[5] = 1;
	if (setsockopt(other, SOL_ENET, EDP_SO_JOIN, &en, sizeof(en)))
		bail("EDP_SO_JOIN");
	close(b);
	is(groups_of("b0"), 1, "but when a socket is closed only to those of others");
	en.sen_ifindex = 0;
	fails(setsockopt(other, SOL_ENET, EDP_SO_JOIN, &en, sizeof(en)), ENODEV,
	      "a group is of an interface");
	close(other);
	is(groups_of("b0"), 0, "and in the end to none");
}

/*
 * ---- Sizes ------------------------------------------------------------------------------------
 */

static unsigned int option(int fd, int name)
{
	unsigned int value = 0;
	socklen_t len = sizeof(value);

	if (getsockopt(fd, SOL_ENET, name, &value, &len))
		bail("getsockopt");
	return value;
}

static void large_frames_carry_large_datagrams(void)
{
	static const unsigned int mtu[CABLES] = { 1500, 9000 };
	static char out[9000], in[9000];

	for (int i = 0; i < CABLES; i++) {
		int a = bound("a", SOCK_DGRAM, PORT, if_a[i]),
		    b = bound("b", SOCK_DGRAM, PORT, if_b[i]);
		struct sockaddr_en to = address(PORT, 0, mac_of_b[i]);
		struct pollfd p = { .fd = b, .events = POLLIN };
		size_t most = mtu[i] - WIRE_EDP;
		struct edp_stats stats;
		socklen_t len = sizeof(stats);

		is(option(a, EDP_SO_MTU), most, "EDP_SO_MTU tells the most");
		memcpy(out, bytes_of(i, 0, most), most);
		is(sendto(a, out, most, 0, generic(&to), sizeof(to)), most, "which can be sent");
		poll(&p, 1, 10000);
		ok(recv(b, in, sizeof(in), 0) == (long)most && !memcmp(in, out, most),
		   "and arrives");
		fails(sendto(a, out, most + 1, 0, generic(&to), sizeof(to)), EMSGSIZE,
		      "one more cannot");
		getsockopt(a, SOL_ENET, EDP_SO_STATS, &stats, &len);
		ok(len == 16 && stats.sent == 1 && stats.send_errors == 1,
		   "EDP_SO_STATS counts both");
		close(a);
		close(b);
	}
}

/*
 * The kernel answers, whatever the port: the same bytes come back to the socket that has the port
 * they came from.
 */
static void echoes_come_back(void)
{
	int wire = packets_in("a", "a1", 0x88b7), a = bound("a", SOCK_DGRAM, 77, 0);
	struct pollfd p = { .fd = a, .events = POLLIN };
	struct frame f = { .len = HEAD + WIRE_EDP + 100,
			   .at = { 2, 0,    0,	  0,	0, 0x12, 2, 0,	 0, 0,
				   0, 0x11, 0x88, 0xb5, 1, 2,	 0, 100, 0, 77 } };
	struct sockaddr_en from;
	socklen_t len = sizeof(from);
	char in[200];

	memcpy(f.at + HEAD + WIRE_EDP, bytes_of(5, 0, 100), 100);
	if (send(wire, f.at, f.len, 0) != f.len)
		bail("send");
	is(poll(&p, 1, 10000), 1, "an echo request is answered");
	ok(recvfrom(a, in, sizeof(in), 0, generic(&from), &len) == 100 &&
		   !memcmp(in, bytes_of(5, 0, 100), 100),
	   "with what it brought");
	ok(from.sen_ifindex == if_a[1] && from.sen_addr[5] == 0x12 && from.sen_port == 0,
	   "by who was asked, from the port that was");
	close(wire);
	close(a);
}

/*
 * ---- Connections ------------------------------------------------------------------------------
 */

static void connect_by(int at, int cable, int *a, int *b)
{
	struct sockaddr_en to = address(PORT, if_a[cable], mac_of_b[cable]), peer;
	socklen_t len = sizeof(peer);
	struct pollfd p = { .fd = at, .events = POLLIN };

	*a = socket_in("a", SOCK_STREAM);
	if (connect(*a, generic(&to), sizeof(to)) || poll(&p, 1, 10000) != 1)
		bail("connect");
	*b = accept(at, generic(&peer), &len);
	if (*b < 0)
		bail("accept");
	ok(peer.sen_ifindex == if_b[cable],
	   "a listener on no interface hears of both, and by which");
}

static void connections_keep_to_their_interface(void)
{
	struct sockaddr_en to = address(PORT, if_a[0], mac_of_b[0]);
	int at = bound("b", SOCK_STREAM, PORT, if_b[1]), fd = socket_in("a", SOCK_STREAM),
	    a[CABLES], b[CABLES];
	struct pollfd p = { .events = POLLIN };

	listen(at, 4);
	fails(connect(fd, generic(&to), sizeof(to)), ECONNREFUSED,
	      "a listener on another interface does not hear");
	close(fd);
	close(at);
	at = bound("b", SOCK_STREAM, PORT, 0);
	listen(at, 4);
	for (int i = 0; i < CABLES; i++)
		connect_by(at, i, &a[i], &b[i]);
	is(option(a[0], ESP_SO_MTU), 1500 - WIRE_ESP,
	   "ESP_SO_MTU tells what a frame of one carries");
	is(option(b[1], ESP_SO_MTU), 9000 - WIRE_ESP, "and of the other");
	for (int i = 0; i < CABLES; i++) {
		start_sending(a[i], 2 * i, MUCH);
		start_receiving(b[i], 2 * i, MUCH);
		start_sending(b[i], 2 * i + 1, MUCH);
		start_receiving(a[i], 2 * i + 1, MUCH);
	}
	is(reap(), 0, "both ways on both at once every byte arrives");
	for (int i = 0; i < CABLES; i++) {
		close(a[i]);
		close(b[i]);
	}
	for (int i = 0; i < CABLES; i++)
		connect_by(at, i, &a[i], &b[i]);
	fflush(stdout);
	if (fork() == 0) {
		execl("/bin/sh", "sh", "-c", ". /testlib; ip -n a link del a1", NULL);
		_exit(1);
	}
	fails(recv(b[1], &p, 1, 0), ENODEV,
	      "who waits for bytes learns that the interface has gone");
	reap();
	fails(send(b[1], "x", 1, MSG_NOSIGNAL), ENODEV, "nothing can be sent any more");
	p.fd = a[1];
	ok(poll(&p, 1, 10000) == 1 && (p.revents & POLLERR), "poll() tells the other end");
	ok(send(a[0], "x", 1, MSG_NOSIGNAL) == 1 && recv(b[0], &p, 1, 0) == 1,
	   "the other connection goes on");
	close(a[1]);
	close(b[1]);
	close(a[0]);
	close(b[0]);
	close(at);
}

int main(void)
{
	find_interfaces();
	datagrams_keep_to_their_interface();
	groups_are_given_back();
	large_frames_carry_large_datagrams();
	echoes_come_back();
	connections_keep_to_their_interface();
	return done_testing();
}
