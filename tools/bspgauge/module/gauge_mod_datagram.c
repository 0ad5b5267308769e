// SPDX-License-Identifier: BSD-3-Clause
/* gauge_mod_datagram.c - datagrams as modules: UDP, raw IP, EDP, and raw Ethernet by AF_PACKET. */

/*
 * A datagram has a header with its job, the processes that it is from and for, and its round.
 * Datagrams that come late are dropped, and those of other jobs, since all see the frames of an
 * interface, and of IP those of the host. A process that waits too long takes the message for lost.
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
#include <netinet/ip.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	BUFFER = 8 << 20,
	ETHERTYPE = 0x88b5,	/* for experiments, IEEE 802 */
	PROTOCOL = 253,		/* of IP likewise, RFC 3692 */
	IP_MOST = 65535 - sizeof(struct iphdr),
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
	bool has_ip_header;	/* before what is received; it has no options, as none are sent */
	uint32_t job;
	struct place *all;	/* by process */
} here = { .fd = -1 };

/* ---- Addresses ------------------------------------------------------------------------------ */

static struct gauge_option edp_options[] = GAUGE_SOCKET_OPTIONS;
static struct gauge_option eth_options[] = GAUGE_SOCKET_OPTIONS;

static unsigned int datagram_interface(const struct gauge_option *o)
{
	return if_nametoindex(gauge_socket_interface(o));
}

static void open_udp_address(struct place *p)
{
	p->in = (struct sockaddr_in){ .sin_family = AF_INET };
	p->in.sin_addr.s_addr = htonl(INADDR_ANY);
	p->len = sizeof(p->in);
}

static int open_udp(struct place *p)
{
	open_udp_address(p);
	return socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

static int open_ip(struct place *p)
{
	open_udp_address(p);
	here.has_ip_header = true;
	return socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, PROTOCOL);
}

static int open_edp(struct place *p)
{
	p->en = (struct sockaddr_en){ .sen_family = AF_ENET,
				      .sen_ifindex = datagram_interface(edp_options) };
	p->len = sizeof(p->en);
	return socket(AF_ENET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

static int open_eth(struct place *p)
{
	p->ll = (struct sockaddr_ll){ .sll_family = AF_PACKET, .sll_protocol = htons(ETHERTYPE),
				      .sll_ifindex = (int)datagram_interface(eth_options),
				      .sll_halen = ENET_ADDR_BYTES };
	p->len = sizeof(p->ll);
	return socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, htons(ETHERTYPE));
}

static bool publish_udp(struct gauge_job *job, struct place *p, bool all_here)
{
	return gauge_socket_internet(job, &p->in, all_here);
}

static bool publish_edp(struct gauge_job *job, struct place *p, bool all_here)
{
	(void)job;
	(void)all_here;
	gauge_socket_ethernet(gauge_socket_interface(edp_options), p->en.sen_addr);
	p->en.sen_addrlen = ENET_ADDR_BYTES;
	return true;
}

static bool publish_eth(struct gauge_job *job, struct place *p, bool all_here)
{
	(void)job;
	(void)all_here;
	gauge_socket_ethernet(gauge_socket_interface(eth_options), p->ll.sll_addr);
	p->ll.sll_protocol = htons(ETHERTYPE);
	return true;
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
	here.has_ip_header = false;
}

static int datagram_open_any(struct gauge_job *job, int (*open_socket)(struct place *p),
			     bool (*publish)(struct gauge_job *job, struct place *p, bool all_here),
			     char *why, size_t len)
{
	struct place mine = { .good = false, .job = (uint32_t)getpid() };
	bool all_here = true;
	int bad = 0;

	here.all = calloc((size_t)job->nprocs, sizeof(*here.all));
	if (!here.all)
		job->fail("no memory");
	bspt_hostname(mine.host);
	here.fd = open_socket(&mine);
	mine.good = here.fd >= 0 && gauge_socket_bind(job, here.fd, &mine.any, mine.len);
	job->exchange(&mine, sizeof(mine), here.all);
	for (int q = 0; q < job->nprocs; q++)
		all_here = all_here && strcmp(here.all[q].host, mine.host) == 0;
	here.job = here.all[0].job;
	mine.good = publish(job, &mine, all_here) && mine.good;
	job->exchange(&mine, sizeof(mine), here.all);
	while (bad < job->nprocs && here.all[bad].good)
		bad++;
	if (bad < job->nprocs) {
		gauge_socket_explain(bad, why, len);
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

static int start_ip(struct gauge_job *job, char *why, size_t len)
{
	return datagram_open_any(job, open_ip, publish_udp, why, len);
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
	struct iphdr ip;
	struct iovec part[3] = { { &ip, sizeof(ip) }, { &h, sizeof(h) }, { job->dst, bytes } };
	int first = here.has_ip_header ? 0 : 1;
	struct msghdr m = { .msg_iov = part + first, .msg_iovlen = 3 - (size_t)first };
	ssize_t n = recvmsg(here.fd, &m, MSG_DONTWAIT),
		whole = (ssize_t)(sizeof(h) + bytes + (here.has_ip_header ? sizeof(ip) : 0));

	if (n < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNREFUSED)
		job->fail("no datagram can be received: %s", strerror(errno));
	return n >= whole && h.job == here.job && h.to == job->me &&
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
	return gauge_socket_probe(AF_ENET, SOCK_DGRAM, 0,
				  "the kernel module enet is not loaded", why, len);
}

static int probe_eth(char *why, size_t len)
{
	return gauge_socket_probe(AF_PACKET, SOCK_DGRAM, 0, "packet sockets need CAP_NET_RAW",
				  why, len);
}

static int probe_ip(char *why, size_t len)
{
	return gauge_socket_probe(AF_INET, SOCK_RAW, PROTOCOL, "raw IP sockets need CAP_NET_RAW",
				  why, len);
}

const struct gauge_module gauge_mod_udp = {
	.name = "udp", .summary = "UDP sockets", .can = GAUGE_CHANNEL,
	.bytes_most = 65507 - sizeof(struct header), .header_bytes = sizeof(struct header),
	.open = start_udp, .close = close_it, .send = send_it, .recv = wait_for_it,
};

const struct gauge_module gauge_mod_ip = {
	.name = "ip",
	.summary = "raw IP sockets",
	.can = GAUGE_CHANNEL,
	.bytes_most = IP_MOST - sizeof(struct header),
	.header_bytes = sizeof(struct iphdr) + sizeof(struct header),
	.probe = probe_ip,
	.open = start_ip,
	.close = close_it,
	.send = send_it,
	.recv = wait_for_it,
};

const struct gauge_module gauge_mod_edp = {
	.name = "edp",
	.summary = "EDP, datagrams on plain Ethernet, of the kernel module enet",
	.can = GAUGE_CHANNEL,
	.bytes_most = 1400,
	.options = edp_options,
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
	.can = GAUGE_CHANNEL,
	.bytes_most = 1500 - sizeof(struct header),
	.options = eth_options,
	.header_bytes = sizeof(struct header),
	.probe = probe_eth,
	.open = start_eth,
	.close = close_it,
	.send = send_it,
	.recv = wait_for_it,
};
