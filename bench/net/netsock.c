/* SPDX-License-Identifier: BSD-3-Clause */
/* netsock.c - the floor: two processes, a TCP connection on the loopback, read(2) and write(2). */

/*
 * Nothing over TCP on one machine can be faster than this: no headers, no matching, no
 * copies but the kernel's, and no process sleeps. All transfers of a step are one stream.
 */
#include "net.h"

#include "tools/measure/stream.h"

#include <bsp.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The report of process 0: where it listens, and on which machine. Port 0: it does not. */
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

static int netsock_listen(struct place *here)
{
	struct sockaddr_in a = loopback(0);
	int fd = stream_listen((struct sockaddr *)&a, sizeof a, 1);

	if (fd >= 0)
		here->port = ntohs(a.sin_port);
	return fd;
}

static int netsock_connect_to(const struct place *there)
{
	struct sockaddr_in a = loopback(there->port);

	return stream_connect((struct sockaddr *)&a, sizeof a);
}

/* Process 0 sends it to process 1. */
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

/* Process 1 connects before process 0 accepts: the kernel needs no call of it for that. */
static bool netsock_meet(int me)
{
	struct place place = { .port = 0 };
	int listener = -1;

	uname(&place.machine);
	if (me == 0)
		listener = netsock_listen(&place);
	tell(&place);
	if (me == 1 && is_here(&place))
		wire = netsock_connect_to(&place);
	if (both(me == 0 ? listener >= 0 : wire >= 0) && me == 0)
		wire = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (listener >= 0)
		close(listener);
	return wire >= 0 && stream_tune(wire, true);
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

static size_t netsock_went(ssize_t went)
{
	if (went < 0)
		bsp_abort("sockets: the connection is lost: %s\n", stream_loss(errno));
	if (went == 0 && !alone)
		sched_yield();
	return (size_t)went;
}

static void netsock_stream(const char *src, char *dst, size_t nbytes)
{
	size_t sent = 0, got = 0;

	while (sent < nbytes || got < nbytes) {
		if (sent < nbytes)
			sent += netsock_went(stream_write(wire, src + sent, nbytes - sent));
		if (got < nbytes)
			got += netsock_went(stream_read(wire, dst + got, nbytes - got));
	}
}

/* The blocks of one step lie side by side. */
static void sockets_move(const struct net_transfer *t, int count)
{
	netsock_stream(t[0].src, t[0].dst, t[0].nbytes * (size_t)count);
}

static void sockets_barrier(void)
{
	char here = 1, there;

	netsock_stream(&here, &there, 1);
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
