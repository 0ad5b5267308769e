/* SPDX-License-Identifier: BSD-3-Clause */
/* netsock.c - the floor: two processes, a TCP connection on the loopback, read(2) and write(2). */

/*
 * Nothing over TCP on one machine can be faster than this: no headers, no matching, no
 * copies but the kernel's, and nobody sleeps. All transfers of a step are one stream.
 */
#include "net.h"

#include <bsp.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

enum {
	BUFFER = 4 << 20,	/* a fixed one: the kernel's own choice is sometimes half as fast */
	AT_ONCE = 256 << 10,	/* of which the other reads one part while the next is written */
};

/* What process 0 tells: where it listens, and on which machine. Port 0: it does not. */
struct place {
	int port;
	struct utsname machine;
};

static int wire = -1;
static bool alone;	/* each process has its core */

static struct sockaddr_in loopback(int port)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return a;
}

static int listen_anywhere(struct place *here)
{
	struct sockaddr_in a = loopback(0);
	socklen_t len = sizeof a;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	if (bind(fd, (struct sockaddr *)&a, sizeof a) == 0 && listen(fd, 1) == 0 &&
	    getsockname(fd, (struct sockaddr *)&a, &len) == 0) {
		here->port = ntohs(a.sin_port);
		return fd;
	}
	close(fd);
	return -1;
}

static int netsock_connect_to(const struct place *there)
{
	struct sockaddr_in a = loopback(there->port);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof a) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Process 0 tells process 1. */
static void tell(struct place *place)
{
	bsp_push_reg(place, sizeof *place);
	bsp_sync();
	if (bsp_pid() == 0)
		bsp_put(1, place, place, 0, sizeof *place);
	bsp_sync();
	bsp_pop_reg(place);
	bsp_sync();
}

static bool is_here(const struct place *place)
{
	struct utsname machine;

	uname(&machine);
	return place->port != 0 && strcmp(machine.nodename, place->machine.nodename) == 0;
}

static bool both(bool mine)
{
	int all[2] = { 0, 0 }, one = mine;

	bsp_push_reg(all, sizeof all);
	bsp_sync();
	for (int pid = 0; pid < 2; pid++)
		bsp_put(pid, &one, all, (bsp_size_t)(bsp_pid() * (int)sizeof one), sizeof one);
	bsp_sync();
	bsp_pop_reg(all);
	bsp_sync();
	return all[0] && all[1];
}

static bool netsock_tune(int fd)
{
	int on = 1, bytes = BUFFER;

	return setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 &&
	       setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes) == 0 &&
	       setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes) == 0 &&
	       fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

/* Process 1 connects before process 0 accepts: the kernel does not need him for that. */
static bool netsock_meet(int me)
{
	struct place place = { .port = 0 };
	int listener = -1;

	uname(&place.machine);
	if (me == 0)
		listener = listen_anywhere(&place);
	tell(&place);
	if (me == 1 && is_here(&place))
		wire = netsock_connect_to(&place);
	if (both(me == 0 ? listener >= 0 : wire >= 0) && me == 0)
		wire = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (listener >= 0)
		close(listener);
	return wire >= 0 && netsock_tune(wire);
}

static int sockets_open(int me, int nprocs, const struct net_memory *memory)
{
	(void)memory;
	if (nprocs != 2)
		return -1;
	alone = sysconf(_SC_NPROCESSORS_ONLN) >= nprocs;
	if (both(netsock_meet(me)))
		return 0;
	if (wire >= 0)
		close(wire);
	wire = -1;
	return -1;
}

static void sockets_close(void)
{
	close(wire);
	wire = -1;
}

static size_t progress(ssize_t n)
{
	if (n > 0)
		return (size_t)n;
	if (n == 0 || (errno != EAGAIN && errno != EINTR))
		bsp_abort("sockets: the connection is lost: %s\n", strerror(errno));
	if (!alone)
		sched_yield();
	return 0;
}

static size_t part(size_t left)
{
	return left < AT_ONCE ? left : AT_ONCE;
}

static void stream(const char *src, char *dst, size_t nbytes)
{
	size_t sent = 0, got = 0;

	while (sent < nbytes || got < nbytes) {
		if (sent < nbytes)
			sent += progress(write(wire, src + sent, part(nbytes - sent)));
		if (got < nbytes)
			got += progress(read(wire, dst + got, part(nbytes - got)));
	}
}

/* Those of one step lie side by side. */
static void sockets_move(const struct net_transfer *t, int count)
{
	stream(t[0].src, t[0].dst, t[0].nbytes * (size_t)count);
}

static void sockets_barrier(void)
{
	char here = 1, there;

	stream(&here, &there, 1);
}

static void sockets_describe(char *text, size_t len)
{
	snprintf(text, len, "TCP by read(2) and write(2)");
}

const struct net_layer net_sockets = {
	.name = "sockets",
	.open = sockets_open,
	.move = sockets_move,
	.barrier = sockets_barrier,
	.describe = sockets_describe,
	.close = sockets_close,
};
