// SPDX-License-Identifier: BSD-3-Clause
/* gauge_mod_datagram.c - datagrams as modules: UDP, EDP, and raw Ethernet by AF_PACKET. */

/*
 * A datagram has a header that says which job it is of, from whom and to whom, and of which
 * round. Datagrams that come late are dropped, and those of other jobs, since all see the frames of
 * an interface. A process that waits too long takes the message for lost.
 */

#include "tools/bspgauge/gauge.h"
#include "gauge_socket.h"

#include "include/enet.h"
#include "transport/hostname.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	BUFFER = 8 << 20,
	ETHERTYPE = 0x88b5,	/* for experiments, IEEE 802 */
};

struct header {
	uint32_t job, round;
	int32_t from, to;
};

/* Where a process receives. */
struct place {
	bool good;
	char host[BSPT_HOSTNAME];
	uint32_t job;
	socklen_t len;
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_en en;
		struct sockaddr_ll ll;
	};
};

static struct {
	int fd;
	uint32_t job;
	struct place *all;	/* by process */
} here = { .fd = -1 };

/* ---- Addresses ------------------------------------------------------------------------------ */

static int open_udp(struct place *p)
{
	p->in = (struct sockaddr_in){ .sin_family = AF_INET };
	p->in.sin_addr.s_addr = htonl(INADDR_ANY);
	p->len = sizeof(p->in);
	return socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

static int open_edp(struct place *p)
{
	p->en = (struct sockaddr_en){ .sen_family = AF_ENET,
				      .sen_ifindex = if_nametoindex(gauge_request.interface) };
	p->len = sizeof(p->en);
	return socket(AF_ENET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

static int open_eth(struct place *p)
{
	p->ll = (struct sockaddr_ll){ .sll_family = AF_PACKET, .sll_protocol = htons(ETHERTYPE),
				      .sll_ifindex = (int)if_nametoindex(gauge_request.interface),
				      .sll_halen = ENET_ADDR_BYTES };
	p->len = sizeof(p->ll);
	return socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, htons(ETHERTYPE));
}

static void publish_udp(struct place *p, bool all_here)
{
	gauge_socket_internet(&p->in, p->host, all_here);
}

static void publish_edp(struct place *p, bool all_here)
{
	(void)all_here;
	gauge_socket_ethernet(p->en.sen_addr);
	p->en.sen_addrlen = ENET_ADDR_BYTES;
}

static void publish_eth(struct place *p, bool all_here)
{
	(void)all_here;
	gauge_socket_ethernet(p->ll.sll_addr);
	p->ll.sll_protocol = htons(ETHERTYPE);
}

/* ---- Open and close ----------------------------------------------------------------- */

static void datagram_tune(int fd)
{
	int bytes = BUFFER, on = 1;

	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes)))
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
	setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof(on));
}

static void close_it(struct gauge_job *job)
{
	(void)job;
	if (here.fd >= 0)
		close(here.fd);
	free(here.all);
	here.all = NULL;
	here.fd = -1;
}

static int datagram_open_any(struct gauge_job *job, int (*open_socket)(struct place *p),
			     void (*publish)(struct place *p, bool all_here), char *why, size_t len)
{
	struct place mine = { .good = false, .job = (uint32_t)getpid() };
	bool good = true, all_here = true;
	socklen_t room = sizeof(struct sockaddr_ll);

	here.all = calloc((size_t)job->nprocs, sizeof(*here.all));
	if (!here.all)
		job->fail("no memory");
	bspt_hostname(mine.host);
	here.fd = open_socket(&mine);
	mine.good = here.fd >= 0 && bind(here.fd, &mine.any, mine.len) == 0 &&
		    getsockname(here.fd, &mine.any, &room) == 0;
	snprintf(why, len, "no socket: %s", strerror(errno));
	job->exchange(&mine, sizeof(mine), here.all);
	for (int q = 0; q < job->nprocs; q++) {
		all_here = all_here && strcmp(here.all[q].host, mine.host) == 0;
		good = good && here.all[q].good;
	}
	here.job = here.all[0].job;
	publish(&mine, all_here);
	job->exchange(&mine, sizeof(mine), here.all);
	if (!good) {
		close_it(job);
		return -1;
	}
	datagram_tune(here.fd);
	return 0;
}

static int start_udp(struct gauge_job *job, char *why, size_t len)
{
	return datagram_open_any(job, open_udp, publish_udp, why, len);
}

static int start_edp(struct gauge_job *job, char *why, size_t len)
{
	return datagram_open_any(job, open_edp, publish_edp, why, len);
}

static int start_eth(struct gauge_job *job, char *why, size_t len)
{
	return datagram_open_any(job, open_eth, publish_eth, why, len);
}

/* ---- Messages ----------------------------------------------------------------------- */

static void send_it(struct gauge_job *job, int to, size_t bytes)
{
	struct header h = { .job = here.job, .round = job->round, .from = job->me, .to = to };
	struct iovec part[2] = { { &h, sizeof(h) }, { job->src, bytes } };
	struct msghdr m = { .msg_name = &here.all[to].any,
			    .msg_namelen = here.all[to].len,
			    .msg_iov = part,
			    .msg_iovlen = 2 };

	while (sendmsg(here.fd, &m, 0) < 0)
		if (errno != EAGAIN && errno != EINTR && errno != ENOBUFS && errno != ECONNREFUSED)
			job->fail("a datagram of %zu bytes cannot be sent: %s", bytes,
				  strerror(errno));
}

/* Has the one that is awaited come? */
static bool receive_it(struct gauge_job *job, int from, size_t bytes)
{
	struct header h;
	struct iovec part[2] = { { &h, sizeof(h) }, { job->dst, bytes } };
	struct msghdr m = { .msg_iov = part, .msg_iovlen = 2 };
	ssize_t n = recvmsg(here.fd, &m, MSG_DONTWAIT);

	if (n < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNREFUSED)
		job->fail("no datagram can be received: %s", strerror(errno));
	return n >= (ssize_t)(sizeof(h) + bytes) && h.job == here.job && h.to == job->me &&
	       h.from == from && h.round == job->round;
}

static bool wait_for_it(struct gauge_job *job, int from, size_t bytes)
{
	static const struct measure real = { .virtual_time = false };
	double began = measure_now(&real);

	while (!receive_it(job, from, bytes)) {
		if (measure_now(&real) - began > GAUGE_LOST_MS * 1e6)
			return false;
		if (!job->alone)
			sched_yield();
	}
	return true;
}

static int probe_edp(char *why, size_t len)
{
	return gauge_socket_probe(AF_ENET, SOCK_DGRAM, "the kernel module enet is not loaded", why,
				  len);
}

static int probe_eth(char *why, size_t len)
{
	return gauge_socket_probe(AF_PACKET, SOCK_DGRAM, "packet sockets need CAP_NET_RAW", why,
				  len);
}

const struct gauge_module gauge_mod_udp = {
	.name = "udp", .summary = "UDP sockets",
	.bytes_most = 65507 - sizeof(struct header), .header_bytes = sizeof(struct header),
	.open = start_udp, .close = close_it, .send = send_it, .recv = wait_for_it,
};

const struct gauge_module gauge_mod_edp = {
	.name = "edp",
	.summary = "EDP, datagrams on plain Ethernet, of the kernel module enet",
	.bytes_most = 1400,
	.header_bytes = sizeof(struct header),
	.probe = probe_edp,
	.open = start_edp,
	.close = close_it,
	.send = send_it,
	.recv = wait_for_it,
};

const struct gauge_module gauge_mod_eth = {
	.name = "eth",
	.summary = "raw Ethernet frames of the interface, by AF_PACKET",
	.bytes_most = 1500 - sizeof(struct header),
	.header_bytes = sizeof(struct header),
	.probe = probe_eth,
	.open = start_eth,
	.close = close_it,
	.send = send_it,
	.recv = wait_for_it,
};
