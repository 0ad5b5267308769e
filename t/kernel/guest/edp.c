// SPDX-License-Identifier: BSD-3-Clause
/* edp.c - datagrams between two hosts of a guest, and every way to call them wrong. */

#include "guest.h"

#include <net/if.h>
#include <poll.h>
#include <sys/ioctl.h>

enum { HEADER = 8, MTU = 1500 };

static unsigned int if_a, if_b;
static struct sockaddr_en host_a, host_b;	/* port 1000 there */

static unsigned int index_of(const char *ns, const char *name)
{
	unsigned int i;

	enter(ns);
	i = if_nametoindex(name);
	if (!i)
		bail(name);
	return i;
}

static int bound(const char *ns, int port, unsigned int ifindex)
{
	struct sockaddr_en en = address(port, ifindex, NULL);
	int fd = socket_in(ns, SOCK_DGRAM | SOCK_NONBLOCK);

	if (bind(fd, generic(&en), sizeof(en)))
		bail("bind");
	return fd;
}

static long transmit(int fd, const struct sockaddr_en *to, const void *data, size_t len)
{
	return sendto(fd, data, len, 0, (const struct sockaddr *)to, sizeof(*to));
}

/* Wait for it: a cable inside one kernel delivers before the poll returns, or never. */
static long receive(int fd, void *data, size_t len, struct sockaddr_en *from)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	socklen_t from_len = sizeof(*from);

	if (poll(&p, 1, 10000) != 1) {
		errno = ETIMEDOUT;
		return -1;
	}
	return recvfrom(fd, data, len, 0, from ? generic(from) : NULL, from ? &from_len : NULL);
}

static void datagrams_arrive(void)
{
	int a = bound("a", 1000, if_a), b = bound("b", 1000, 0);
	struct sockaddr_en from;
	char out[MTU], in[MTU];

	for (int i = 0; i < MTU; i++)
		out[i] = (char)(i * 7);
	is(transmit(a, &host_b, out, 100), 100, "a datagram leaves");
	is(receive(b, in, sizeof(in), &from), 100, "and arrives");
	ok(memcmp(in, out, 100) == 0, "with its bytes");
	ok(from.sen_port == htons(1000) && from.sen_ifindex == if_b &&
	   from.sen_addrlen == ENET_ADDR_BYTES && !memcmp(from.sen_addr, host_a.sen_addr, 6),
	   "from the address of its sender, on our interface");
	is(transmit(b, &from, out, 0), 0, "an empty one goes back");
	is(receive(a, in, sizeof(in), NULL), 0, "and arrives");
	is(transmit(a, &host_b, out, MTU - HEADER), MTU - HEADER, "a frame is filled");
	is(receive(b, in, 10, NULL), 10, "a short buffer gets its beginning");
	fails(transmit(a, &host_b, out, MTU - HEADER + 1), EMSGSIZE, "no larger one is taken");
	fails(recv(b, in, sizeof(in), 0), EAGAIN, "nothing else is there");
	close(a);
	close(b);
}

static void wrong_addresses_are_refused(void)
{
	int a = bound("a", 1000, if_a), free_one = socket_in("a", SOCK_DGRAM);
	struct sockaddr_en bad;

	bad = address(1000, if_a, NULL);
	fails(bind(free_one, generic(&bad), sizeof(bad)), EADDRINUSE, "a port has one owner");
	bad = address(1000, 0, NULL);
	fails(bind(free_one, generic(&bad), sizeof(bad)), EADDRINUSE, "on any interface as well");
	fails(bind(free_one, generic(&bad), 8), EINVAL, "bind() refuses half an address");
	bad.sen_family = AF_INET;
	fails(bind(free_one, generic(&bad), sizeof(bad)), EAFNOSUPPORT, "and another family");
	bad = address(2000, 4711, NULL);
	fails(bind(free_one, generic(&bad), sizeof(bad)), ENODEV, "and no interface");
	bad = address(2000, if_a, MAC_B);
	fails(bind(free_one, generic(&bad), sizeof(bad)), EADDRNOTAVAIL,
	      "and the address of another");
	bad = host_b;
	bad.sen_addrlen = 7;
	fails(transmit(a, &bad, "x", 1), EINVAL, "sendto() refuses an address of 7 bytes");
	bad = host_b;
	bad.sen_port = 0;
	fails(transmit(a, &bad, "x", 1), EINVAL, "and port 0");
	bad = host_b;
	bad.sen_ifindex = if_a + 1000;
	fails(transmit(a, &bad, "x", 1), ENETUNREACH, "and an interface it is not bound to");
	fails(send(free_one, "x", 1, 0), EDESTADDRREQ, "send() needs a peer");
	fails(socket(AF_ENET, SOCK_DGRAM, 17), EPROTONOSUPPORT, "there is one protocol of a type");
	fails(socket(AF_ENET, SOCK_SEQPACKET, 0), ESOCKTNOSUPPORT, "and no other types");
	close(a);
	close(free_one);
}

static void all_receive_a_broadcast(void)
{
	struct sockaddr_en all = address(1000, if_a, "ff:ff:ff:ff:ff:ff");
	int a = bound("a", 1000, if_a), b = bound("b", 1000, if_b), yes = 1;
	char in[8];

	fails(transmit(a, &all, "x", 1), EACCES, "a broadcast must be asked for");
	if (setsockopt(a, SOL_SOCKET, SO_BROADCAST, &yes, sizeof(yes)))
		bail("SO_BROADCAST");
	is(transmit(a, &all, "x", 1), 1, "then it leaves");
	is(receive(b, in, sizeof(in), NULL), 1, "and arrives");
	close(a);
	close(b);
}

static void groups_receive_their_datagrams(void)
{
	struct sockaddr_en group = address(1000, if_a, "03:00:00:00:00:01");
	struct sockaddr_en here = address(0, if_b, "03:00:00:00:00:01");
	int a = bound("a", 1000, if_a), b = bound("b", 1000, if_b);
	char in[8];

	transmit(a, &group, "1", 1);
	is(setsockopt(b, SOL_ENET, EDP_SO_JOIN, &here, sizeof(here)), 0, "a group is joined");
	fails(setsockopt(b, SOL_ENET, EDP_SO_JOIN, &here, sizeof(here)), EADDRINUSE, "once");
	transmit(a, &group, "2", 1);
	is(receive(b, in, sizeof(in), NULL), 1, "and received");
	ok(in[0] == '2', "from then on");
	is(setsockopt(b, SOL_ENET, EDP_SO_LEAVE, &here, sizeof(here)), 0, "and left");
	transmit(a, &group, "3", 1);
	transmit(a, &host_b, "4", 1);
	is(receive(b, in, sizeof(in), NULL), 1, "and what follows");
	ok(in[0] == '4', "is not of the group");
	here = address(0, if_b, MAC_A);
	fails(setsockopt(b, SOL_ENET, EDP_SO_JOIN, &here, sizeof(here)), EADDRNOTAVAIL,
	      "a host is no group");
	close(a);
	close(b);
}

static int sharing(const struct sockaddr_en *group)
{
	struct sockaddr_en here = address(1000, if_b, NULL);
	int fd = socket_in("b", SOCK_DGRAM | SOCK_NONBLOCK), yes = 1;

	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)))
		bail("SO_REUSEADDR");
	if (bind(fd, generic(&here), sizeof(here)))
		bail("bind");
	here = *group;
	here.sen_ifindex = if_b;
	if (setsockopt(fd, SOL_ENET, EDP_SO_JOIN, &here, sizeof(here)))
		bail("EDP_SO_JOIN");
	return fd;
}

static void sockets_of_one_port_receive_their_groups(void)
{
	struct sockaddr_en group = address(1000, if_a, "03:00:00:00:00:02"),
			   here = address(1000, 0, NULL);
	int a = bound("a", 1000, if_a), b[3], received = 0, alone = socket_in("b", SOCK_DGRAM);
	char in[8];

	for (int i = 0; i < 3; i++)
		b[i] = sharing(&group);
	fails(bind(alone, generic(&here), sizeof(here)), EADDRINUSE,
	      "a shared port is for sockets that share it");
	transmit(a, &group, "1", 1);
	for (int i = 0; i < 3; i++)
		received += receive(b[i], in, sizeof(in), NULL) == 1 && in[0] == '1';
	is(received, 3, "and each of them receives a datagram to a group");
	close(b[1]);
	transmit(a, &host_b, "2", 1);
	transmit(a, &group, "3", 1);
	received = 0;
	for (int i = 0; i < 3; i += 2)
		while (receive(b[i], in, 1, NULL) == 1 && in[0] == '2')
			received++;
	is(received, 1, "one of them receives one to the host");
	close(a);
	close(b[0]);
	close(b[2]);
	close(alone);
}

static void connected_sockets_receive_from_their_peer(void)
{
	int a = bound("a", 1000, if_a), other = bound("a", 1001, if_a), b = bound("b", 1000, if_b);
	struct sockaddr_en peer = address(1000, if_b, MAC_A), got;
	socklen_t len = sizeof(got);
	char in[8];

	fails(getpeername(b, generic(&got), &len), ENOTCONN, "at first there is no peer");
	is(connect(b, generic(&peer), sizeof(peer)), 0, "a peer is named");
	is(getpeername(b, generic(&got), &len), 0, "and remembered");
	ok(memcmp(&got, &peer, sizeof(got)) == 0, "as it was");
	transmit(other, &host_b, "n", 1);
	transmit(a, &host_b, "y", 1);
	is(receive(b, in, sizeof(in), NULL), 1, "one datagram comes in");
	ok(in[0] == 'y', "that of the peer");
	is(send(b, "back", 4, 0), 4, "send() goes to it");
	is(receive(a, in, sizeof(in), NULL), 4, "and arrives there");
	peer.sen_family = AF_UNSPEC;
	is(connect(b, generic(&peer), sizeof(peer)), 0, "AF_UNSPEC ends that");
	transmit(other, &host_b, "n", 1);
	is(receive(b, in, sizeof(in), NULL), 1, "and others are received again");
	close(a);
	close(other);
	close(b);
}

static void addresses_of_old_programs_are_accepted(void)
{
	int a = bound("a", 1000, if_a), b = bound("b", 1000, 0);
	struct sockaddr_en to = host_b, peer = address(1000, 0, MAC_A), got, none = host_b;
	socklen_t len = sizeof(got);

	to.sen_addrlen = 0;
	is(transmit(a, &to, "x", 1), 1, "an address may have the length 0");
	is(receive(b, &(char){ 0 }, 1, NULL), 1, "and gets its datagram");
	none.sen_addrlen = 0;
	memset(none.sen_addr, 0, sizeof(none.sen_addr));
	fails(transmit(a, &none, "x", 1), EINVAL, "no address may not");
	peer.sen_addrlen = 0;
	is(connect(b, generic(&peer), sizeof(peer)), 0, "a peer may have it, without an interface");
	is(getpeername(b, generic(&got), &len), 0, "whose address is returned");
	ok(got.sen_ifindex == if_b && got.sen_addrlen == ENET_ADDR_BYTES &&
		   !memcmp(got.sen_addr, host_a.sen_addr, 6),
	   "with the interface and the length");
	fails(socket(AF_ENET, SOCK_DGRAM, 1), EPROTONOSUPPORT, "EZDP is refused");
	close(a);
	close(b);
}

static void options_tell(void)
{
	int a = bound("a", 0, if_a);
	struct edp_stats stats;
	struct sockaddr_en name;
	struct ifreq request = { .ifr_name = "a0" };
	unsigned int mtu = 0;
	socklen_t len = sizeof(mtu);

	is(getsockopt(a, SOL_ENET, EDP_SO_MTU, &mtu, &len), 0, "the largest datagram");
	is(mtu, MTU - HEADER, "is a frame without its header");
	transmit(a, &host_b, "x", 1);
	len = sizeof(stats);
	is(getsockopt(a, SOL_ENET, EDP_SO_STATS, &stats, &len), 0, "statistics are there");
	ok(stats.sent == 1 && stats.received == 0, "and count");
	len = sizeof(name);
	is(getsockname(a, generic(&name), &len), 0, "so is the name");
	ok(ntohs(name.sen_port) >= ENET_PORT_FIRST_FREE &&
		   !memcmp(name.sen_addr, host_a.sen_addr, 6),
	   "with a free port and the interface's address");
	is(ioctl(a, SIOCGIFHWADDR, &request), 0, "ioctls of interfaces work");
	ok(memcmp(request.ifr_hwaddr.sa_data, host_a.sen_addr, 6) == 0, "and return its address");
	fails(getsockopt(a, SOL_ENET, 99, &mtu, &len), ENOPROTOOPT, "there is no option 99");
	close(a);
}

/* One call, with the flag that more follow. */
static void many_are_sent_at_once(void)
{
	int a = bound("a", 1000, 0), b = bound("b", 1000, 0);
	struct iovec what[2] = { { "one", 3 }, { "more", 4 } };
	struct mmsghdr calls[2] = { 0 };
	struct pollfd p = { .fd = b, .events = POLLIN };
	char in[8];

	for (int i = 0; i < 2; i++)
		calls[i].msg_hdr = (struct msghdr){ .msg_name = &host_b, .msg_iovlen = 1,
						    .msg_namelen = sizeof(host_b),
						    .msg_iov = &what[i] };
	is(sendmmsg(a, calls, 2, 0), 2, "sendmmsg() sends two datagrams");
	is(poll(&p, 1, 20000), 1, "which arrive");
	is(recv(b, in, sizeof(in), 0), 3, "one");
	is(poll(&p, 1, 20000), 1, "after");
	is(recv(b, in, sizeof(in), 0), 4, "the other");
	close(a);
	close(b);
}

int main(void)
{
	if_a = index_of("a", "a0");
	if_b = index_of("b", "b0");
	host_a = address(1000, if_b, MAC_A);
	host_b = address(1000, if_a, MAC_B);
	datagrams_arrive();
	many_are_sent_at_once();
	wrong_addresses_are_refused();
	all_receive_a_broadcast();
	groups_receive_their_datagrams();
	sockets_of_one_port_receive_their_groups();
	connected_sockets_receive_from_their_peer();
	addresses_of_old_programs_are_accepted();
	options_tell();
	return done_testing();
}
