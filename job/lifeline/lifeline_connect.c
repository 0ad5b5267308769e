// SPDX-License-Identifier: BSD-3-Clause
/* lifeline_connect.c - make the connections of the lifeline. */

/*
 * A process with children listens: on a unix socket with a random name if there are some on its
 * host, and on all its addresses if there are others. Then all publish where they listen, so that
 * no process connects too early.
 *
 * A child tries all addresses of its parent at once: some addresses of a host are unreachable, or
 * belong to another host as well, such as those of bridges for containers. It greets with the
 * token of its parent and its own number, and the parent answers with the token of the child:
 * both got them from the launcher. The first connection with an answer stays.
 *
 * A process accepts its children when its parent has accepted it, so the tree is connected from its
 * root on. A child waits for longer the deeper it is, as its parent may have to wait itself; and a
 * parent waits for longer than its children, for one that cannot connect knows why and reports it.
 */

#include "lifeline.h"

#include "transport/interface.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum {
	ADDRESSES_MOST = 16,
	UNAUTH_MOST = 32,	/* connections that are none of ours, at once */
	CONNECT_S_LEAST = 5,	/* a machine may be busy starting the job */
	LATE_S = 3,		/* of a parent: a child that cannot connect reports first */
	SOCKET = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
};

/* Where a process listens, published by all. IPv4 addresses are mapped to IPv6. */
struct card {
	int32_t err;		/* it was to listen and cannot */
	uint16_t port;
	uint16_t naddresses;
	struct in6_addr addresses[ADDRESSES_MOST];
};

struct greeting {
	unsigned char token[BSPJ_TOKEN];	/* of the process that is greeted */
	int32_t from;
};

/* A connection that is being made. */
struct trial {
	int fd;			/* -1: it has failed, for the reason in @err */
	int err;
	bool greeted;		/* by us: its answer is awaited */
	const struct in6_addr *address;
};

struct listeners {
	int near, far;		/* -1: not needed */
};

static uint64_t deadline_of(uint64_t begun, double seconds)
{
	return begun + (uint64_t)(seconds * 1e9);
}

/* From the exchange of addresses on: how long a process waits for its parent. */
static double connect_s(const struct bspj_lifeline *l)
{
	double least = l->silence_s > CONNECT_S_LEAST ? l->silence_s : CONNECT_S_LEAST;

	return least + 2 * LATE_S * (l->depth - 1);
}

/* And for its children, which wait for 2 LATE_S longer than it does. */
static double accept_s(const struct bspj_lifeline *l)
{
	return connect_s(l) + 3 * LATE_S;
}

static const struct bspj_member *connect_member(const struct bspj_lifeline *l, int p)
{
	return bspj_member_of(l->job->members, p);
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* ---- Listening --------------------------------------------------------------- */

static socklen_t connect_name_of(const struct bspj_lifeline *l, int p, struct sockaddr_un *name)
{
	const unsigned char *token = connect_member(l, p)->token;
	int n;

	*name = (struct sockaddr_un){ .sun_family = AF_UNIX };
	n = snprintf(name->sun_path + 1, sizeof(name->sun_path) - 1, "bsp-");
	for (int i = 0; i < BSPJ_TOKEN; i++)
		n += snprintf(name->sun_path + 1 + n, sizeof(name->sun_path) - 1 - n, "%02x",
			      token[i]);
	return offsetof(struct sockaddr_un, sun_path) + 1 + n;
}

static int new_socket(int family)
{
	return socket(family, SOCKET, 0);
}

static int listen_near(const struct bspj_lifeline *l)
{
	struct sockaddr_un name;
	socklen_t len = connect_name_of(l, l->job->me, &name);
	int fd = new_socket(AF_UNIX);

	if (bind(fd, (struct sockaddr *)&name, len) == 0 && listen(fd, SOMAXCONN) == 0)
		return fd;
	close_if_open(fd);
	return -1;
}

/* For both families, or for the old one where that is all there is. */
static int listen_far(const struct bspj_lifeline *l)
{
	struct sockaddr_in6 any = { .sin6_family = AF_INET6 };
	struct sockaddr_in any4 = { .sin_family = AF_INET };
	int fd = bspt_ports_open(l->ports, l->job->me, SOCKET, (struct sockaddr *)&any,
				 sizeof(any));

	if (fd >= 0 || errno == EADDRINUSE)
		return fd;
	return bspt_ports_open(l->ports, l->job->me, SOCKET, (struct sockaddr *)&any4,
			       sizeof(any4));
}

static uint16_t port_of(int fd)
{
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	} address;
	socklen_t len = sizeof(address);

	if (getsockname(fd, &address.any, &len) < 0)
		return 0;
	return ntohs(address.any.sa_family == AF_INET ? address.v4.sin_port : address.v6.sin6_port);
}

/* An address that others can reach. Link-local ones mean nothing without the name of the link. */
static bool connect_address_of(const struct ifaddrs *i, struct in6_addr *address)
{
	const void *of = i->ifa_addr;

	if (!of || !(i->ifa_flags & IFF_UP) || (i->ifa_flags & IFF_LOOPBACK))
		return false;
	if (i->ifa_addr->sa_family == AF_INET) {
		*address = (struct in6_addr){ .s6_addr = { [10] = 0xff, 0xff } };
		memcpy(&address->s6_addr[12], &((const struct sockaddr_in *)of)->sin_addr, 4);
		return true;
	}
	if (i->ifa_addr->sa_family != AF_INET6)
		return false;
	*address = ((const struct sockaddr_in6 *)of)->sin6_addr;
	return !IN6_IS_ADDR_LINKLOCAL(address);
}

static void list_addresses(struct card *card, const char *networks)
{
	struct ifaddrs *all;

	if (getifaddrs(&all) < 0)
		return;
	for (struct ifaddrs *i = all; i && card->naddresses < ADDRESSES_MOST; i = i->ifa_next)
		card->naddresses +=
			connect_address_of(i, &card->addresses[card->naddresses]) &&
			bspt_interface_allows(networks, i->ifa_name, i->ifa_addr);
	freeifaddrs(all);
}

/* Has this process children on its host, or elsewhere? */
static bool has_children(const struct bspj_lifeline *l, bool near)
{
	for (int i = 0; i < l->nlines; i++)
		if (l->lines[i].peer != l->parent &&
		    bspj_lifeline_near(l->job, l->job->me, l->lines[i].peer) == near)
			return true;
	return false;
}

static struct card listen_for_children(const struct bspj_lifeline *l, struct listeners *at)
{
	struct card card = { .err = 0 };

	*at = (struct listeners){ -1, -1 };
	if (has_children(l, true)) {
		at->near = listen_near(l);
		card.err = at->near < 0 ? errno : 0;
	}
	if (has_children(l, false)) {
		at->far = listen_far(l);
		card.err = at->far < 0 ? errno : card.err;
		card.port = at->far < 0 ? 0 : port_of(at->far);
		list_addresses(&card, l->networks);
		if (!card.err && !card.naddresses && l->networks && *l->networks)
			card.err = EADDRNOTAVAIL;
	}
	return card;
}

/* ---- Connecting to the parent ------------------------------------------------- */

static int start_connecting(const void *address, socklen_t len, sa_family_t family, int *err)
{
	int fd = new_socket(family);

	if (fd >= 0 && (connect(fd, address, len) == 0 || errno == EINPROGRESS))
		return fd;
	*err = errno;
	close_if_open(fd);
	return -1;
}

/* Others may be in the queue before us: a unix socket says so instead of making us wait. */
static struct trial try_near(const struct bspj_lifeline *l, uint64_t deadline)
{
	struct sockaddr_un name;
	socklen_t len = connect_name_of(l, l->parent, &name);
	struct trial t = { .fd = -1 };

	do {
		t.fd = start_connecting(&name, len, AF_UNIX, &t.err);
		if (t.fd < 0 && t.err == EAGAIN)
			poll(NULL, 0, 10);
	} while (t.fd < 0 && t.err == EAGAIN && bspj_ms_until(deadline) > 0);
	return t;
}

static struct trial connect_try_far(const struct card *card, int i)
{
	struct trial t = { .fd = -1, .address = &card->addresses[i] };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons(card->port),
				   .sin6_addr = *t.address };
	struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons(card->port) };

	memcpy(&v4.sin_addr, &t.address->s6_addr[12], 4);
	if (IN6_IS_ADDR_V4MAPPED(t.address))
		t.fd = start_connecting(&v4, sizeof(v4), AF_INET, &t.err);
	else
		t.fd = start_connecting(&v6, sizeof(v6), AF_INET6, &t.err);
	return t;
}

static void fail_trial(struct trial *t, int err)
{
	close(t->fd);
	t->fd = -1;
	t->err = err;
}

/* It is connected, or is not: greet. */
static void greet(const struct bspj_lifeline *l, struct trial *t)
{
	struct greeting hello = { .from = l->job->me };
	socklen_t len = sizeof(t->err);

	if (getsockopt(t->fd, SOL_SOCKET, SO_ERROR, &t->err, &len) < 0)
		t->err = errno;
	memcpy(hello.token, connect_member(l, l->parent)->token, BSPJ_TOKEN);
	if (!t->err && send(t->fd, &hello, sizeof(hello), MSG_NOSIGNAL) != sizeof(hello))
		t->err = errno;
	t->greeted = true;
	if (t->err)
		fail_trial(t, t->err);
}

/* Is it our parent that has answered? */
static bool is_answered(const struct bspj_lifeline *l, struct trial *t)
{
	unsigned char token[BSPJ_TOKEN];
	ssize_t n = recv(t->fd, token, sizeof(token), 0);

	if (n == BSPJ_TOKEN && memcmp(token, connect_member(l, l->job->me)->token, BSPJ_TOKEN) == 0)
		return true;
	if (n >= 0 || (errno != EAGAIN && errno != EINTR))
		fail_trial(t, n < 0 ? errno : ECONNREFUSED);
	return false;
}

static struct trial *await_answer(const struct bspj_lifeline *l, struct trial *trials, int n,
				  uint64_t deadline)
{
	struct pollfd fds[ADDRESSES_MOST];
	struct trial *won = NULL;
	int open = 1;

	while (!won && open && bspj_ms_until(deadline) > 0) {
		open = 0;
		for (int i = 0; i < n; i++) {
			fds[i] = (struct pollfd){ .fd = trials[i].fd,
						  .events = trials[i].greeted ? POLLIN : POLLOUT };
			open += trials[i].fd >= 0;
		}
		if (!open || poll(fds, n, bspj_ms_until(deadline)) <= 0)
			continue;
		for (int i = 0; i < n && !won; i++) {
			if (trials[i].fd < 0 || !fds[i].revents)
				continue;
			if (!trials[i].greeted)
				greet(l, &trials[i]);
			else if (is_answered(l, &trials[i]))
				won = &trials[i];
		}
	}
	return won;
}

/* "at 10.0.0.1 port 4711 (No route to host), ..." */
static void list_trials(const struct trial *trials, int n, uint16_t port, char *text, size_t len)
{
	size_t at = 0;

	text[0] = '\0';
	for (int i = 0; i < n && at < len; i++) {
		const struct in6_addr *to = trials[i].address;
		char address[INET6_ADDRSTRLEN];
		const char *reason =
			trials[i].fd >= 0 ? "no answer in time" : strerror(trials[i].err);

		if (!to) {
			at += snprintf(text + at, len - at, " at its unix socket (%s)", reason);
			continue;
		}
		if (IN6_IS_ADDR_V4MAPPED(to))
			inet_ntop(AF_INET, &to->s6_addr[12], address, sizeof(address));
		else
			inet_ntop(AF_INET6, to, address, sizeof(address));
		at += snprintf(text + at, len - at, "%s %s port %u (%s)", i ? "," : " at", address,
			       port, reason);
	}
}

static int connect_explain(const struct bspj_lifeline *l, const struct trial *trials, int n,
			   uint16_t port, char *why, size_t len)
{
	char tried[512];
	int me = l->job->me;

	list_trials(trials, n, port, tried, sizeof(tried));
	snprintf(why, len,
		 "process %d on %s cannot reach process %d on %s%s; let these hosts reach each "
		 "other, or do without this (BSP_WAIT=lifeline:0)",
		 me, bspj_lifeline_host(l->job, me), l->parent,
		 bspj_lifeline_host(l->job, l->parent),
		 n ? tried : ", which has no address but that of loopback");
	return -EHOSTUNREACH;
}

static int connect_to_parent(struct bspj_lifeline *l, const struct card *card, uint64_t begun,
			     char *why, size_t len)
{
	uint64_t deadline = deadline_of(begun, connect_s(l));
	struct trial trials[ADDRESSES_MOST], *won;
	bool near = bspj_lifeline_near(l->job, l->job->me, l->parent);
	int n = 0, err = 0;

	if (near)
		trials[n++] = try_near(l, deadline);
	while (!near && n < card->naddresses && n < ADDRESSES_MOST) {
		trials[n] = connect_try_far(card, n);
		n++;
	}
	won = await_answer(l, trials, n, deadline);
	if (won)
		l->lines[0].fd = won->fd;
	else
		err = connect_explain(l, trials, n, card->port, why, len);
	for (int i = 0; i < n; i++)
		if (&trials[i] != won)
			close_if_open(trials[i].fd);
	return err;
}

/* ---- Accepting children --------------------------------------------------------- */

/* True: its greeting is not there yet. Else it has become a line, or is closed. */
static bool is_pending(struct bspj_lifeline *l, int fd)
{
	struct greeting hello;
	ssize_t n = recv(fd, &hello, sizeof(hello), 0);
	struct bspj_line *line = NULL;
	bool is_ours;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	is_ours = n == sizeof(hello) &&
		  memcmp(hello.token, connect_member(l, l->job->me)->token, BSPJ_TOKEN) == 0;
	for (int i = 0; is_ours && !line && i < l->nlines; i++)
		if (l->lines[i].peer == hello.from && hello.from != l->parent)
			line = &l->lines[i];
	if (line && line->fd < 0 &&
	    send(fd, connect_member(l, hello.from)->token, BSPJ_TOKEN, MSG_NOSIGNAL) == BSPJ_TOKEN)
		line->fd = fd;
	else
		close(fd);
	return false;
}

/*
 * If all slots are taken, connections without a greeting are closed for the next ones: a child
 * greets at once, and others must not keep it out. At most as many at a time as there are slots,
 * as their greetings are read next.
 */
static int accept_from(int listener, struct pollfd *fds, int n, int most)
{
	int fd;

	for (int i = 0; i < most; i++) {
		fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd < 0)
			break;
		if (n == most) {
			close(fds[0].fd);
			memmove(fds, fds + 1, --n * sizeof(*fds));
		}
		fds[n++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	}
	return n;
}

static struct bspj_line *missing_child(struct bspj_lifeline *l)
{
	for (int i = 0; i < l->nlines; i++)
		if (l->lines[i].fd < 0)
			return &l->lines[i];
	return NULL;
}

/* The listeners come first in @fds. */
static void accept_until(struct bspj_lifeline *l, const struct listeners *at, struct pollfd *fds,
			 int most, uint64_t deadline)
{
	int n = 0, came;

	while (missing_child(l) && bspj_ms_until(deadline) > 0) {
		fds[0] = (struct pollfd){ .fd = at->near, .events = POLLIN };
		fds[1] = (struct pollfd){ .fd = at->far, .events = POLLIN };
		if (poll(fds, 2 + n, bspj_ms_until(deadline)) <= 0)
			continue;
		/* Connections whose greeting is still to come stay. */
		came = n;
		n = 0;
		for (int i = 0; i < came; i++)
			if (!fds[2 + i].revents || is_pending(l, fds[2 + i].fd))
				fds[2 + n++] = fds[2 + i];
		n = fds[0].revents ? accept_from(at->near, fds + 2, n, most) : n;
		n = fds[1].revents ? accept_from(at->far, fds + 2, n, most) : n;
	}
	for (int i = 0; i < n; i++)
		close(fds[2 + i].fd);
}

static int accept_children(struct bspj_lifeline *l, const struct listeners *at, uint64_t begun,
			   char *why, size_t len)
{
	int most = l->nlines * ADDRESSES_MOST + UNAUTH_MOST;
	struct pollfd *fds = calloc(2 + most, sizeof(*fds));
	struct bspj_line *missing;

	if (!fds) {
		snprintf(why, len, "out of memory for %d connections", l->nlines);
		return -ENOMEM;
	}
	accept_until(l, at, fds, most, deadline_of(begun, accept_s(l)));
	free(fds);
	missing = missing_child(l);
	if (!missing)
		return 0;
	snprintf(why, len,
		 "process %d on %s has not connected to process %d on %s within %s s; is that host "
		 "alive?",
		 missing->peer, bspj_lifeline_host(l->job, missing->peer), l->job->me,
		 bspj_lifeline_host(l->job, l->job->me), bspj_seconds(accept_s(l)).text);
	return -ETIMEDOUT;
}

/* ---- All of it ------------------------------------------------------------------- */

/*
 * The kernels notify both ends when the other one is silent: they send a keepalive probe after
 * each tenth of that time without data, so that an outage of less than nine tenths is none.
 * Kernels answer also for a process that is stopped or in a debugger, and no process has to wake
 * up. Unacknowledged data have the same timeout.
 */
static void mind_silence(int fd, double silence_s)
{
	int on = 1, probe = silence_s > 20 ? (int)(silence_s / 10) : 1;
	unsigned int ms = (unsigned int)(silence_s * 1000);

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &probe, sizeof(probe));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &probe, sizeof(probe));
	setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, sizeof(ms));
}

/* Why process @p does not listen for its children. */
static void explain_listening(const struct bspj_lifeline *l, int p, int err, char *why, size_t len)
{
	const char *host = bspj_lifeline_host(l->job, p);
	char full[BSPT_PORTS_WHY];

	bspt_ports_explain(l->ports, full);
	if (err == EADDRNOTAVAIL)
		snprintf(why, len, "process %d on %s has no address that BSP_INTERFACE allows "
			 "(%s); ip address lists them", p, host, l->networks);
	else if (err == EADDRINUSE && l->ports.low)
		snprintf(why, len, "process %d on %s cannot listen for the others: %s", p, host,
			 full);
	else
		snprintf(why, len, "process %d on %s cannot listen for the others: %s; do without "
			 "it (BSP_WAIT=lifeline:0)", p, host, strerror(err));
}

/* The cards of all, as far as a process needs them. */
struct connect_cards {
	int parent;
	struct card of_parent;
	int failed, err;		/* the first that cannot listen, and why; err 0: none */
};

static void connect_take(void *arg, int p, const void *its)
{
	struct connect_cards *cards = arg;
	struct card card;

	memcpy(&card, its, sizeof(card));
	if (p == cards->parent)
		cards->of_parent = card;
	if (card.err && !cards->err) {
		cards->failed = p;
		cards->err = card.err;
	}
}

static int connect_tree(struct bspj_lifeline *l, struct listeners *at, char *why, size_t len)
{
	struct card mine = listen_for_children(l, at);
	struct connect_cards cards = { .parent = l->parent };
	int err = l->job->wire->exchange(l->job->wire, &mine, sizeof(mine), connect_take, &cards);
	uint64_t begun = bspt_now_ns();

	if (err) {
		snprintf(why, len,
			 "the launcher's daemons cannot bring the processes together (%s); is one "
			 "of its hosts lost?",
			 strerror(-err));
		return err;
	}
	if (cards.err) {
		explain_listening(l, cards.failed, cards.err, why, len);
		return bspj_handshake_fail(l->job, -cards.err);
	}
	if (l->parent >= 0)
		err = connect_to_parent(l, &cards.of_parent, begun, why, len);
	return err ? err : accept_children(l, at, begun, why, len);
}

int bspj_lifeline_connect(struct bspj_lifeline *l, char *why, size_t len)
{
	struct listeners at = { -1, -1 };
	int err = connect_tree(l, &at, why, len);

	close_if_open(at.near);
	close_if_open(at.far);
	for (int i = 0; i < l->nlines; i++) {
		if (err)
			close_if_open(l->lines[i].fd);
		else if (!bspj_lifeline_near(l->job, l->job->me, l->lines[i].peer))
			mind_silence(l->lines[i].fd, l->silence_s);
	}
	return err;
}
