// SPDX-License-Identifier: BSD-3-Clause
/* ofi_datagram.c - requests for addresses that need no third process. */

/*
 * The first process of a node answers for the others of it when it polls (ofi_late.c). In relaxed
 * supersteps, and for bsp_direct_get, two processes may need each other while it computes. So each
 * process without an endpoint has a socket of UDP from open() on, and all know its port. A request
 * that has no answer yet goes there as well, with the address of the process that asks:
 *
 *	a, on node A			b, on node B
 *
 *	  --- address of a ------------>  polls: opens its endpoint
 *	  <-- NAME ---------------------
 *	  --- what is queued ---------->
 *
 * Where an answer of the first process comes before OFI_ASK_FIRST is over, no datagram is sent. UDP
 * may lose a datagram, and a firewall all of them: so a request is repeated, at growing intervals,
 * until there is an address by either way. A process that asks many others sends a few requests at
 * a time, as a burst would be lost in the queue of an interface or of a receiver. A datagram is
 * dropped and counted unless it has the length of a request and the secret of the job, which are
 * looked at before all else.
 *
 * A node has one address here, that of its first process, so requests need a provider over IP; and
 * one whose ports are ours to choose, as the socket is at a port of BSP_PORTS. Elsewhere, where no
 * port is free, and with provider udp and BSP_PORTS, whose endpoints need these ports, the first
 * process alone answers.
 */

#include "ofi.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { NAME_ROOM = OFI_DATAGRAM_NAME, DATAGRAMS_AT_ONCE = 8, ASKED_AT_ONCE = 16 };

#define ASK_MOST 1000000000ull
#define ASK_PAUSE 1000000ull		/* before the next ones that are due */

/* In the byte order of the machine, as struct ofi_head. */
struct datagram {
	uint64_t secret;
	uint32_t from, of;
	uint32_t len;			/* of the address */
	uint32_t zero;
	char name[NAME_ROOM];		/* the address of @from */
};

_Static_assert(sizeof(struct sockaddr_in6) <= NAME_ROOM, "addresses of IP have room");

uint32_t bspt_ofi_datagram_open(struct bspt_ofi *s)
{
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	} at;
	socklen_t len = sizeof(at);
	int type = bspt_ofi_socket_type(s->info);

	if (!s->late || bspt_ofi_leads(s, s->base.me) || !type ||
	    (type == SOCK_DGRAM && bspt_ports_count(s->ports)))
		return 0;
	s->datagram_fd = bspt_ports_open(s->ports, s->base.me,
					 SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
					 s->info->src_addr, (socklen_t)s->info->src_addrlen);
	if (s->datagram_fd < 0 || getsockname(s->datagram_fd, &at.any, &len) < 0)
		return 0;
	return ntohs(at.v4.sin_port);	/* in an address of IPv6 it is at the same place */
}

/* ---- The process that asks ----------------------------------------------------- */

/* A datagram that does not get there is one that was lost. */
static void send_request(struct bspt_ofi *s, int fd, const struct ofi_peer *p)
{
	struct datagram d = {
		.secret = s->secret, .from = (uint32_t)s->base.me, .of = (uint32_t)p->number,
		.len = (uint32_t)s->name_len,
	};
	const char *of_node = bspt_ofi_peer(s, bspt_ofi_first_of(s, p->number))->name;
	struct sockaddr_in6 at = { 0 };

	memcpy(d.name, bspt_ofi_peer(s, s->base.me)->name, s->name_len);
	memcpy(&at, of_node, s->name_len < sizeof(at) ? s->name_len : sizeof(at));
	at.sin6_port = htons(s->datagram_ports[p->number]);
	sendto(fd, &d, sizeof(d), MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&at,
	       at.sin6_family == AF_INET6 ? sizeof(at) : sizeof(struct sockaddr_in));
}

void bspt_ofi_datagram_ask(struct bspt_ofi *s)
{
	const struct sockaddr *own = (const void *)bspt_ofi_peer(s, s->base.me)->name;
	struct ofi_peer **at = s->ask_next ? s->ask_next : &s->asked_peers;
	uint64_t now = bspt_now_ns();
	int fd, sent = 0;

	if (now < s->ask_at)
		return;
	fd = socket(own->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	while (*at && sent < ASKED_AT_ONCE) {
		struct ofi_peer *p = *at;

		if (p->known) {
			*at = p->next_asked;
			continue;
		}
		if (fd >= 0)
			send_request(s, fd, p);
		sent++;
		at = &p->next_asked;
	}
	if (fd >= 0)
		close(fd);
	s->ask_next = *at ? at : NULL;
	if (!s->ask_next)
		s->ask_interval =
			2 * s->ask_interval < ASK_MOST ? 2 * s->ask_interval : ASK_MOST;
	s->ask_at = now + (s->ask_next ? ASK_PAUSE : s->ask_interval);
}

/* ---- The process that is asked for ------------------------------------------------ */

static bool is_request(const struct bspt_ofi *s, const struct datagram *d, ssize_t len)
{
	return len == sizeof(*d) && d->secret == s->secret && d->of == (uint32_t)s->base.me &&
	       d->from < (uint32_t)s->base.nprocs && d->from != d->of && d->len == s->name_len &&
	       d->len <= NAME_ROOM;
}

void bspt_ofi_datagram_receive(struct bspt_ofi *s)
{
	for (int i = 0; i < DATAGRAMS_AT_ONCE; i++) {
		struct datagram d;
		ssize_t len = recv(s->datagram_fd, &d, sizeof(d), MSG_DONTWAIT | MSG_TRUNC);

		if (len < 0)
			return;
		if (!is_request(s, &d, len)) {
			s->base.stats.refused++;
			continue;
		}
		bspt_ofi_need_endpoint(s);
		bspt_ofi_late_learn(s, (int)d.from, d.name);
		if (!bspt_ofi_peer(s, d.from)->introduced)
			bspt_ofi_introduce(s, (int)d.from);
	}
}
