// SPDX-License-Identifier: BSD-3-Clause
/* offload_sockets.c - schedules run by the process itself, over sockets: ESP's or TCP's. */

/*
 * A message is a header and its bytes. It goes to the first receive of its source and tag that
 * has been posted, or waits for one. Nothing moves but in sockets_start() and sockets_finish():
 * what arrives in between stays in the sockets.
 */
#include "offload.h"

#include "enet.h"
#include "goal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	BODY = 64 * OFFLOAD_BLOCK,	/* bytes of a message, at most */
	MESSAGES = 64,			/* that wait on one process, at most */
	PORT = 2001,
};

struct header {
	uint32_t tag, bytes;
};

struct message {
	uint32_t from, tag, bytes;
	unsigned char body[BODY];
};

/* The bytes of a peer, as far as they have been read. */
struct inbox {
	unsigned char data[4 * (BODY + sizeof(struct header))];
	size_t len;
};

struct operation {
	struct goal_run run;
	unsigned char *buffers[2];
};

struct sockets {
	struct offload_job job;
	int fd[OFFLOAD_PROCESSES];	/* -1 of ourselves */
	struct inbox inbox[OFFLOAD_PROCESSES];
	struct operation operation[OFFLOAD_OPERATIONS];
	const struct goal_op *posted[MESSAGES];
	struct message waiting[MESSAGES];
	int nposted, nwaiting;
};

static struct sockets esp, tcp;

/* ---- Connections ------------------------------------------------------------------ */

/* Fill in the address of @rank; its length. */
typedef socklen_t address_fn(void *at, int rank);

static socklen_t esp_address(void *at, int rank)
{
	struct sockaddr_en en = { .sen_family = AF_ENET,
				  .sen_port = htons(PORT),
				  .sen_ifindex = if_nametoindex("eth0"),
				  .sen_addrlen = ENET_ADDR_BYTES,
				  .sen_addr = { 2, 0, 0, 0, 1, (unsigned char)(rank + 1) } };

	memcpy(at, &en, sizeof en);
	return sizeof en;
}

static socklen_t tcp_address(void *at, int rank)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(PORT),
				  .sin_addr.s_addr = htonl(0x0a000001u + (uint32_t)rank) };

	memcpy(at, &in, sizeof in);
	return sizeof in;
}

static void all(ssize_t got, size_t wanted, const char *what)
{
	if (got == (ssize_t)wanted)
		return;
	if (got >= 0)
		errno = ECONNRESET;
	offload_fail(what);
}

/* From every process below; one that connects sends its number. */
static void call_lower(struct sockets *s, int family, address_fn *address)
{
	for (int q = 0; q < s->job.rank; q++) {
		struct sockaddr_storage at;
		socklen_t len = address(&at, q);
		int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

		if (fd < 0 || connect(fd, (struct sockaddr *)&at, len))
			offload_fail("connect");
		all(send(fd, &s->job.rank, sizeof s->job.rank, 0), sizeof s->job.rank, "send");
		s->fd[q] = fd;
	}
}

static void receive_higher(struct sockets *s, int listener)
{
	for (int n = s->job.rank + 1; n < s->job.nprocs; n++) {
		int q, fd = accept(listener, NULL, NULL);

		if (fd < 0)
			offload_fail("accept");
		all(recv(fd, &q, sizeof q, MSG_WAITALL), sizeof q, "recv");
		s->fd[q] = fd;
	}
}

static void sockets_connect_all(struct sockets *s, const struct offload_job *job, int family,
				address_fn *address, void (*meet)(void))
{
	struct sockaddr_storage at;
	socklen_t len = address(&at, job->rank);
	int listener = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;

	s->job = *job;
	s->fd[job->rank] = -1;
	if (family == AF_INET)
		setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	if (listener < 0 || bind(listener, (struct sockaddr *)&at, len) ||
	    listen(listener, OFFLOAD_PROCESSES))
		offload_fail("listen");
	meet();
	call_lower(s, family, address);
	receive_higher(s, listener);
	close(listener);
	meet();
}

/* ---- Messages ------------------------------------------------------------------------ */

static void sockets_send_message(struct sockets *s, struct goal_run *run, const struct goal_op *op)
{
	const struct goal_part *part = goal_parts(op);
	struct {
		struct header header;
		unsigned char body[BODY];
	} out = { { op->tag, (uint32_t)op->bytes }, { 0 } };
	size_t at = 0, len = sizeof out.header + op->bytes;

	for (uint32_t i = 0; i < op->nparts; at += part[i++].bytes)
		memcpy(out.body + at, goal_run_at(run, &part[i]), part[i].bytes);
	all(send(s->fd[op->peer], &out, len, MSG_NOSIGNAL), len, "send");
}

static void sockets_take(struct goal_run *run, const struct goal_op *op, const unsigned char *body)
{
	const struct goal_part *part = goal_parts(op);

	for (uint32_t i = 0; i < op->nparts; body += part[i++].bytes)
		memcpy(goal_run_at(run, &part[i]), body, part[i].bytes);
}

/* Has a message of an earlier moment come? */
static bool take_waiting(struct sockets *s, struct goal_run *run, const struct goal_op *op)
{
	for (int i = 0; i < s->nwaiting; i++) {
		struct message *m = &s->waiting[i];

		if (m->from != op->peer || m->tag != op->tag)
			continue;
		sockets_take(run, op, m->body);
		memmove(m, m + 1, (size_t)(--s->nwaiting - i) * sizeof *m);
		return true;
	}
	return false;
}

static bool sockets_move_op(struct goal_run *run, const struct goal_op *op)
{
	struct sockets *s = run->owner;

	if (op->type == GOAL_SEND) {
		sockets_send_message(s, run, op);
		return true;
	}
	if (take_waiting(s, run, op))
		return true;
	s->posted[s->nposted++] = op;
	return false;
}

static const struct goal_host host = { .move = sockets_move_op };

static void wait_for_receive(struct sockets *s, uint32_t from, const struct header *h,
			     const unsigned char *body)
{
	struct message *m = &s->waiting[s->nwaiting++];

	if (s->nwaiting == MESSAGES) {
		errno = ENOBUFS;
		offload_fail("messages");
	}
	*m = (struct message){ .from = from, .tag = h->tag, .bytes = h->bytes };
	memcpy(m->body, body, h->bytes);
}

static void arrive(struct sockets *s, struct goal_run *run, uint32_t from, const struct header *h,
		   const unsigned char *body)
{
	for (int i = 0; i < s->nposted; i++) {
		const struct goal_op *op = s->posted[i];

		if (op->peer != from || op->tag != h->tag)
			continue;
		memmove(&s->posted[i], &s->posted[i + 1], (size_t)(--s->nposted - i) * sizeof op);
		sockets_take(run, op, body);
		goal_run_done(run, op);
		return;
	}
	wait_for_receive(s, from, h, body);
}

static void read_from(struct sockets *s, struct goal_run *run, int q)
{
	struct inbox *in = &s->inbox[q];
	ssize_t got = recv(s->fd[q], in->data + in->len, sizeof in->data - in->len, MSG_DONTWAIT);
	struct header h;
	size_t at = 0;

	if (got <= 0)
		all(got, 1, "recv");
	in->len += (size_t)got;
	while (in->len - at >= sizeof h) {
		memcpy(&h, in->data + at, sizeof h);
		if (in->len - at < sizeof h + h.bytes)
			break;
		arrive(s, run, (uint32_t)q, &h, in->data + at + sizeof h);
		at += sizeof h + h.bytes;
	}
	in->len -= at;
	memmove(in->data, in->data + at, in->len);
}

/* ---- Schedules -------------------------------------------------------------------------- */

static void *sockets_some(size_t bytes)
{
	void *memory = calloc(1, bytes ? bytes : 1);

	if (!memory)
		offload_fail("memory");
	return memory;
}

static void sockets_load(struct sockets *s, int operation, const void *block, size_t len)
{
	struct goal_prog prog;
	size_t at, room = goal_check_bytes(len);
	void *work = sockets_some(room);

	errno = EBADMSG;
	if (goal_check(block, len, 0, work, room, &prog, &at))
		offload_fail("goal_check");
	free(work);
	goal_run_init(&s->operation[operation].run, &prog, &host, s, false,
		      sockets_some(goal_run_bytes(&prog, false)),
		      sockets_some(prog.header->scratch_bytes));
}

static void sockets_step(struct goal_run *run)
{
	while (goal_run_step(run, UINT32_MAX))
		;
}

static void sockets_start(struct sockets *s, int operation, void *source, void *target)
{
	struct operation *o = &s->operation[operation];

	o->buffers[0] = source;
	o->buffers[1] = target;
	goal_run_start(&o->run, o->buffers, 0);
	sockets_step(&o->run);
}

static void sockets_finish(struct sockets *s, int operation)
{
	struct goal_run *run = &s->operation[operation].run;
	struct pollfd p[OFFLOAD_PROCESSES];

	for (int q = 0; q < s->job.nprocs; q++)
		p[q] = (struct pollfd){ .fd = s->fd[q], .events = POLLIN };
	while (!goal_run_is_over(run)) {
		if (poll(p, (nfds_t)s->job.nprocs, -1) < 0 && errno != EINTR)
			offload_fail("poll");
		for (int q = 0; q < s->job.nprocs; q++)
			if (p[q].fd >= 0 && p[q].revents)
				read_from(s, run, q);
		sockets_step(run);
	}
}

/* ---- The two ------------------------------------------------------------------------------- */

static void sockets_open_esp(const struct offload_job *job, void (*meet)(void))
{
	sockets_connect_all(&esp, job, AF_ENET, esp_address, meet);
}

static void sockets_open_tcp(const struct offload_job *job, void (*meet)(void))
{
	int yes = 1;

	sockets_connect_all(&tcp, job, AF_INET, tcp_address, meet);
	for (int q = 0; q < job->nprocs; q++)
		if (tcp.fd[q] >= 0)
			setsockopt(tcp.fd[q], IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

static void load_esp(int operation, const void *block, size_t len)
{
	sockets_load(&esp, operation, block, len);
}

static void load_tcp(int operation, const void *block, size_t len)
{
	sockets_load(&tcp, operation, block, len);
}

static void start_esp(int operation, void *source, void *target)
{
	sockets_start(&esp, operation, source, target);
}

static void start_tcp(int operation, void *source, void *target)
{
	sockets_start(&tcp, operation, source, target);
}

static void finish_esp(int operation)
{
	sockets_finish(&esp, operation);
}

static void finish_tcp(int operation)
{
	sockets_finish(&tcp, operation);
}

const struct offload_way offload_esp = {
	.name = "esp",
	.open = sockets_open_esp,
	.load = load_esp,
	.start = start_esp,
	.finish = finish_esp,
};

const struct offload_way offload_tcp = {
	.name = "tcp",
	.open = sockets_open_tcp,
	.load = load_tcp,
	.start = start_tcp,
	.finish = finish_tcp,
};
