// SPDX-License-Identifier: BSD-3-Clause
/* gauge_mod_stream.c - stream sockets as modules: TCP, and ESP on plain Ethernet. */

/*
 * A connection between any two processes. Messages have no headers: both sides know the
 * lengths. Sockets do not block; transfers of a connection queue up in each direction, and
 * asking for one moves on those before it. A process that waits spins, or gives the
 * processor away if there are too few.
 */

#include "tools/bspgauge/gauge.h"
#include "gauge_socket.h"
#include "tools/measure/stream.h"

#include "include/enet.h"
#include "transport/hostname.h"
#include "transport/ports.h"

#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 256 };

/* Where a process listens. */
struct place {
	bool good;
	char host[BSPT_HOSTNAME];
	socklen_t len;
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_en en;
	};
};

struct transfer {
	struct transfer *next;
	struct wire *wire;
	bool send, done;
	size_t at, bytes;
};

/* Transfers of a direction: the first is under way. */
struct queue {
	struct transfer *first, *last;
};

struct wire {
	int fd;
	struct queue out, in;
};

static struct wire *wires;	/* by process */

/* ---- Addresses ----------------------------------------------------------------------------- */

static struct gauge_option esp_options[] = GAUGE_SOCKET_OPTIONS;

static void place_tcp(struct place *p)
{
	p->in = (struct sockaddr_in){ .sin_family = AF_INET };
	p->in.sin_addr.s_addr = htonl(INADDR_ANY);
	p->len = sizeof(p->in);
}

static void place_esp(struct place *p)
{
	const char *interface = gauge_socket_interface(esp_options);

	p->en = (struct sockaddr_en){ .sen_family = AF_ENET,
				      .sen_ifindex = if_nametoindex(interface) };
	p->len = sizeof(p->en);
}

static bool publish_tcp(struct gauge_job *job, struct place *p, bool all_here)
{
	return gauge_socket_internet(job, &p->in, all_here);
}

static bool publish_esp(struct gauge_job *job, struct place *p, bool all_here)
{
	(void)job;
	(void)all_here;
	if (gauge_socket_ethernet(gauge_socket_interface(esp_options), p->en.sen_addr))
		p->en.sen_addrlen = ENET_ADDR_BYTES;
	return true;
}

/* The ports of TCP are those of BSP_PORTS. */
static int stream_open_listener(const struct gauge_job *job, struct place *p)
{
	struct bspt_ports ports = bspt_ports_read(p->any.sa_family == AF_INET ?
						  getenv("BSP_PORTS") : NULL);
	int fd;

	if (!bspt_ports_count(ports))
		return stream_listen(&p->any, p->len, BACKLOG);
	fd = bspt_ports_open(ports, job->me, SOCK_STREAM | SOCK_CLOEXEC, &p->any, p->len);
	if (fd >= 0)
		getsockname(fd, &p->any, &p->len);
	return fd;
}

/* ---- Connections -------------------------------------------------------------------- */

/* To process @q, which learns by the first bytes which process this is. */
static bool connect_wire(const struct place *there, int q, int me)
{
	int fd = wires[q].fd = stream_connect(&there->any, there->len);

	return fd >= 0 && write(fd, &me, sizeof(me)) == sizeof(me);
}

static bool accept_one(int listener, int nprocs)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC), who = -1;

	if (fd >= 0 && read(fd, &who, sizeof(who)) == sizeof(who) && who >= 0 && who < nprocs &&
	    wires[who].fd < 0) {
		wires[who].fd = fd;
		return true;
	}
	if (fd >= 0)
		close(fd);
	return false;
}

static void close_all(struct gauge_job *job)
{
	for (int q = 0; q < job->nprocs; q++)
		if (wires[q].fd >= 0)
			close(wires[q].fd);
	free(wires);
	wires = NULL;
}

/* Do all say so? */
static bool agreed(struct gauge_job *job, bool mine)
{
	bool *all = calloc((size_t)job->nprocs, sizeof(*all)), good = true;

	if (!all)
		job->fail("no memory");
	job->exchange(&mine, sizeof(mine), all);
	for (int q = 0; q < job->nprocs; q++)
		good = good && all[q];
	free(all);
	return good;
}

/* Lower numbers are connected to, without their help, and higher ones accepted. */
static bool stream_connect_all(struct gauge_job *job, const struct place *all, int listener)
{
	bool good = listener >= 0;

	for (int q = 0; q < job->me && good; q++)
		good = all[q].good && connect_wire(&all[q], q, job->me);
	good = agreed(job, good);
	for (int q = job->me + 1; q < job->nprocs && good; q++)
		good = accept_one(listener, job->nprocs);
	return agreed(job, good);
}

static int stream_open_any(struct gauge_job *job, void (*place)(struct place *p),
			   bool (*publish)(struct gauge_job *job, struct place *p, bool all_here),
			   char *why, size_t len)
{
	struct place mine = { .good = false }, *all = calloc((size_t)job->nprocs, sizeof(*all));
	bool good, all_here = true, tcp = place == place_tcp;
	int listener, bad = 0;

	wires = calloc((size_t)job->nprocs, sizeof(*wires));
	if (!wires || !all)
		job->fail("no memory");
	for (int q = 0; q < job->nprocs; q++)
		wires[q].fd = -1;
	bspt_hostname(mine.host);
	place(&mine);
	listener = stream_open_listener(job, &mine);
	mine.good = listener >= 0;
	job->exchange(&mine, sizeof(mine), all);
	for (int q = 0; q < job->nprocs; q++)
		all_here = all_here && strcmp(all[q].host, mine.host) == 0;
	mine.good = publish(job, &mine, all_here) && mine.good;
	job->exchange(&mine, sizeof(mine), all);
	while (bad < job->nprocs && all[bad].good)
		bad++;
	good = stream_connect_all(job, all, listener);
	if (listener >= 0)
		close(listener);
	for (int q = 0; q < job->nprocs && good; q++)
		if (q != job->me)
			stream_tune(wires[q].fd, tcp);
	free(all);
	if (good)
		return 0;
	snprintf(why, len, "processes cannot connect to each other: %s", strerror(errno));
	if (bad < job->nprocs)
		gauge_socket_explain(bad, why, len);
	close_all(job);
	return -1;
}

static int stream_open_tcp(struct gauge_job *job, char *why, size_t len)
{
	return stream_open_any(job, place_tcp, publish_tcp, why, len);
}

static int stream_open_esp(struct gauge_job *job, char *why, size_t len)
{
	return stream_open_any(job, place_esp, publish_esp, why, len);
}

/* ---- Messages ----------------------------------------------------------------------- */

static void move_on(struct gauge_job *job, struct queue *q)
{
	while (q->first) {
		struct transfer *t = q->first;
		size_t left = t->bytes - t->at;
		ssize_t went = t->send ? stream_write(t->wire->fd, (char *)job->src + t->at, left) :
					 stream_read(t->wire->fd, (char *)job->dst + t->at, left);

		if (went < 0)
			job->fail("the connection is lost: %s", stream_loss(errno));
		t->at += (size_t)went;
		if (t->at < t->bytes && went)
			continue;
		if (t->at < t->bytes)
			return;		/* no more can go now */
		t->done = true;
		q->first = t->next;
	}
}

static void *stream_start(struct gauge_job *job, int peer, size_t bytes, bool send)
{
	struct transfer *t = gauge_memory(NULL, sizeof(*t));
	struct wire *w = &wires[peer];
	struct queue *q = send ? &w->out : &w->in;

	*t = (struct transfer){ .wire = w, .send = send, .bytes = bytes };
	if (q->first)
		q->last->next = t;
	else
		q->first = t;
	q->last = t;
	move_on(job, q);
	return t;
}

static void *stream_isend(struct gauge_job *job, int to, size_t bytes)
{
	return stream_start(job, to, bytes, true);
}

static void *stream_irecv(struct gauge_job *job, int from, size_t bytes)
{
	return stream_start(job, from, bytes, false);
}

static bool stream_test(struct gauge_job *job, void *request)
{
	struct transfer *t = request;

	if (!t->done)
		move_on(job, t->send ? &t->wire->out : &t->wire->in);
	if (!t->done && !job->alone)
		sched_yield();
	if (!t->done)
		return false;
	free(t);
	return true;
}

static void stream_send(struct gauge_job *job, int to, size_t bytes)
{
	void *t = stream_start(job, to, bytes, true);

	while (!stream_test(job, t))
		;
}

static bool stream_recv(struct gauge_job *job, int from, size_t bytes)
{
	void *t = stream_start(job, from, bytes, false);

	while (!stream_test(job, t))
		;
	return true;
}

static int probe_esp(char *why, size_t len)
{
	return gauge_socket_probe(AF_ENET, SOCK_STREAM, 0,
				  "the kernel module enet is not loaded", why, len);
}

enum { CAN = GAUGE_NONBLOCKING | GAUGE_RELIABLE | GAUGE_CHANNEL };

const struct gauge_module gauge_mod_tcp = {
	.name = "tcp",
	.summary = "TCP sockets, by read and write",
	.can = CAN,
	.open = stream_open_tcp,
	.close = close_all,
	.send = stream_send,
	.recv = stream_recv,
	.isend = stream_isend,
	.irecv = stream_irecv,
	.test = stream_test,
};

const struct gauge_module gauge_mod_esp = {
	.name = "esp",
	.summary = "ESP, streams on plain Ethernet, of the kernel module enet",
	.can = CAN,
	.options = esp_options,
	.probe = probe_esp,
	.open = stream_open_esp,
	.close = close_all,
	.send = stream_send,
	.recv = stream_recv,
	.isend = stream_isend,
	.irecv = stream_irecv,
	.test = stream_test,
};
