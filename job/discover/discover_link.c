// SPDX-License-Identifier: BSD-3-Clause
/* discover_link.c - messages between supervisors: exchanges, deaths, progress and the end. */

/*
 * On a connection there are notes: a head and its bytes. The hub forwards the notes of a part
 * about its processes to all others. No supervisor blocks on a connection: bytes that the kernel
 * does not accept are queued.
 *
 * A part is lost if its connection ends before the job is over. The kernels at both ends send
 * keepalive probes when data are not acknowledged, and each end sends a note now and then, so a
 * host that is down or cut off is lost after lifeline of BSP_WAIT. Kernels answer also for a
 * supervisor that is stopped or in a debugger.
 */

#include "discover.h"

#include "enet.h"
#include "job/launch/start.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind {
	DATA,			/* by a process in an exchange */
	FAILED,			/* a process, with this status; the text says how */
	OVER,			/* a part, with this status */
	END,			/* by the hub: all are over, the job with this status */
	ALIVE,
	MOVED,
	STUCK,
	WARN,
	KINDS
};

enum { FLUSH_MS = 2000, SIGNS = 3, WHAT_MOST = 200 };

struct head {
	uint32_t kind;
	int32_t process;
	uint32_t number;	/* round or status */
	uint32_t len;		/* bytes that follow */
};

struct link {
	int fd;			/* -1: there is none, or it is over */
	bool over;		/* all of its processes are */
	int status;
	char *out;		/* what has not left */
	size_t out_len, out_room;
	struct head head;	/* of the note that is coming, */
	char bytes[BSPJ_POST_MOST];
	size_t in_len;		/* of which so much is there */
};

struct bspj_parts {
	int nparts, mine;
	bool simulated;
	pid_t supervisor[BSPJ_PARTS_MOST];	/* as struct bspj_found has it */
	_Atomic int *fault;
	struct bspj_part part[BSPJ_PARTS_MOST];
	struct link link[BSPJ_PARTS_MOST];
	int *part_of;		/* of each process */
	struct bspj_post *post;
	double lifeline_s;
	uint64_t sent_ns;	/* when we have last sent a sign of life */
	bool failed;		/* the job, and that is known */
	bool ended;		/* the hub has said so */
	int status;
};

static bool link_is_hub(const struct bspj_parts *ps)
{
	return ps->mine == 0;
}

/* ---- Opening ------------------------------------------------------------------------ */

struct bspj_parts *bspj_parts_open(const struct bspj_found *found, struct bspj_post *post,
				   double lifeline_s)
{
	struct bspj_parts *ps = calloc(1, sizeof(*ps));
	int *part_of = calloc(found->part[0].nprocs, sizeof(*part_of));

	if (!ps || !part_of) {
		free(ps);
		free(part_of);
		return NULL;
	}
	ps->nparts = found->nparts;
	ps->mine = found->mine;
	ps->simulated = found->simulated;
	memcpy(ps->supervisor, found->supervisor, sizeof(ps->supervisor));
	ps->fault = found->fault;
	ps->part_of = part_of;
	ps->post = post;
	ps->lifeline_s = lifeline_s;
	for (int i = 0; i < found->nparts; i++) {
		unsigned int ms = (unsigned int)(ps->lifeline_s * 1000);

		ps->part[i] = found->part[i];
		ps->link[i].fd = found->fd[i];
		for (int p = found->part[i].first; p <= found->part[i].last; p++)
			ps->part_of[p] = i;
		if (found->fd[i] >= 0 && !found->simulated)
			setsockopt(found->fd[i], SOL_ENET, ESP_SO_TIMEOUT, &ms, sizeof(ms));
	}
	return ps;
}

void bspj_parts_close(struct bspj_parts *ps)
{
	for (int i = 0; i < ps->nparts; i++) {
		if (ps->link[i].fd >= 0)
			close(ps->link[i].fd);
		free(ps->link[i].out);
	}
	free(ps->part_of);
	free(ps);
}

int bspj_parts_first(const struct bspj_parts *ps)
{
	return ps->part[ps->mine].first;
}

const int *bspj_parts_of_processes(const struct bspj_parts *ps, int *mine, int *nprocs)
{
	*mine = ps->mine;
	*nprocs = ps->part[0].nprocs;
	return ps->part_of;
}

const char *bspj_parts_host(const struct bspj_parts *ps)
{
	return ps->part[ps->mine].host;
}

/* ---- Simulated nodes ---------------------------------------------------------------- */

bool bspj_parts_claim_fault(const struct bspj_parts *ps, int p)
{
	return !ps->fault || bspj_claim_once(ps->fault, p);
}

void bspj_parts_on_exit(struct bspj_parts *ps, pid_t pid)
{
	for (int i = 0; i < ps->nparts; i++)
		if (ps->supervisor[i] == pid)
			ps->supervisor[i] = 0;
}

bool bspj_parts_have_supervisors(const struct bspj_parts *ps)
{
	for (int i = 0; i < ps->nparts; i++)
		if (ps->supervisor[i])
			return true;
	return false;
}

void bspj_parts_signal(const struct bspj_parts *ps, int signo)
{
	for (int i = 0; i < ps->nparts; i++)
		if (ps->supervisor[i])
			kill(ps->supervisor[i], signo);
}

/* ---- Sending --------------------------------------------------------------------------- */

/* Without memory for the bytes the connection breaks, since the rest would make no sense. */
static void queue(struct link *l, const void *data, size_t len)
{
	size_t room = l->out_room ? l->out_room : 4096;
	char *grown;

	while (room < l->out_len + len)
		room *= 2;
	grown = room > l->out_room ? realloc(l->out, room) : l->out;
	if (!grown) {
		shutdown(l->fd, SHUT_RDWR);
		return;
	}
	l->out = grown;
	l->out_room = room;
	memcpy(l->out + l->out_len, data, len);
	l->out_len += len;
}

static void push(struct link *l)
{
	ssize_t n = 1;

	while (l->out_len && n > 0) {
		n = send(l->fd, l->out, l->out_len, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (n > 0) {
			l->out_len -= (size_t)n;
			memmove(l->out, l->out + n, l->out_len);
		}
	}
	/* One that is broken is seen to by reading it, as it may have said why. */
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		l->out_len = 0;
}

/* To all that are connected but @not: -1 for none. */
static void link_send_to_all(struct bspj_parts *ps, const struct head *head, const void *bytes,
			     int not )
{
	for (int i = 0; i < ps->nparts; i++) {
		struct link *l = &ps->link[i];

		if (i == not || l->fd < 0)
			continue;
		queue(l, head, sizeof(*head));
		queue(l, bytes, head->len);
		push(l);
	}
}

static void link_send_note(struct bspj_parts *ps, enum kind kind, int status)
{
	struct head head = { .kind = kind, .number = (uint32_t)status };

	link_send_to_all(ps, &head, "", -1);
}

void bspj_parts_send_failure(struct bspj_parts *ps, int p, int status, const char *what)
{
	struct head head = { .kind = FAILED, .process = p, .number = (uint32_t)status };
	size_t len = strlen(what);

	if (ps->failed)
		return;
	ps->failed = true;
	head.len = (uint32_t)(len < WHAT_MOST ? len : WHAT_MOST);
	link_send_to_all(ps, &head, what, -1);
}

void bspj_parts_send_moved(struct bspj_parts *ps)
{
	if (!link_is_hub(ps))
		link_send_note(ps, MOVED, 0);
}

void bspj_parts_send_stuck(struct bspj_parts *ps)
{
	link_send_note(ps, STUCK, 0);
}

void bspj_parts_send_warning(struct bspj_parts *ps)
{
	link_send_note(ps, WARN, 0);
}

/* End the job if all parts are over: false if not. */
static bool end_if_over(struct bspj_parts *ps)
{
	for (int i = 0; i < ps->nparts; i++)
		if (!ps->link[i].over)
			return false;
	/* The status of the part with process 0, else the first that is not 0. */
	ps->status = 0;
	for (int i = 0; i < ps->nparts && !ps->status; i++)
		ps->status = ps->link[i].status;
	ps->ended = true;
	return true;
}

void bspj_parts_send_over(struct bspj_parts *ps, int status)
{
	if (ps->link[ps->mine].over)
		return;
	ps->link[ps->mine].over = true;
	ps->link[ps->mine].status = status;
	if (!link_is_hub(ps))
		link_send_note(ps, OVER, status);
	else if (end_if_over(ps))
		link_send_note(ps, END, ps->status);
}

bool bspj_parts_are_over(const struct bspj_parts *ps, int *status)
{
	*status = ps->status;
	return ps->ended;
}

/* ---- Receiving ---------------------------------------------------------------------------- */

static struct bspj_news link_fail(struct bspj_parts *ps, int status)
{
	ps->failed = true;
	return (struct bspj_news){ .failed = true, .status = status };
}

/* Part @i is connected no more, for the reason @err, or has said what makes no sense (EPROTO). */
static struct bspj_news link_lost_peer(struct bspj_parts *ps, int i, int err)
{
	const struct bspj_part *part = &ps->part[i];
	struct head head = { .kind = FAILED, .process = part->first, .number = EXIT_FAILURE };
	char range[32], what[WHAT_MOST];	/* "2-3", or "2" */
	int n;

	close(ps->link[i].fd);
	ps->link[i].fd = -1;
	if (ps->failed || ps->ended)
		return (struct bspj_news){ .failed = false };
	n = snprintf(range, sizeof(range), "%d", part->first);
	if (part->last > part->first)
		snprintf(range + n, sizeof(range) - n, "-%d", part->last);
	if (err == ETIMEDOUT)
		snprintf(what, sizeof(what),
			 "is lost: no sign of life for %s s; is the link up, is that host alive?",
			 bspj_seconds(ps->lifeline_s).text);
	else
		snprintf(what, sizeof(what), "is lost: %s",
			 err == EPROTO ? "it has said what makes no sense" :
			 err	       ? strerror(err) :
			 ps->simulated ? "its supervisor has ended" :
					 "its bsprun has ended");
	/* The supervisors of simulated nodes are killed with the hub. */
	if (!(ps->simulated && i == 0) && bspj_parts_claim_fault(ps, part->first))
		bspj_say("bsp: part %s on %.64s %s\n", range, part->host, what);
	head.len = (uint32_t)strlen(what);
	link_send_to_all(ps, &head, what, -1);
	return link_fail(ps, EXIT_FAILURE);
}

static struct bspj_news link_on_failure(struct bspj_parts *ps, int i, const struct link *l)
{
	struct head head = l->head;
	int p = head.process;

	if (ps->failed)
		return (struct bspj_news){ .failed = false };
	if (p < 0 || p >= ps->part[0].nprocs)
		return link_lost_peer(ps, i, EPROTO);
	if (!ps->simulated)
		bspj_say("bsp: the job has ended: process %d on %.64s %.*s\n", p,
			 ps->part[ps->part_of[p]].host, (int)head.len, l->bytes);
	if (link_is_hub(ps))
		link_send_to_all(ps, &head, l->bytes, i);
	return link_fail(ps,
			 head.number >= 1 && head.number <= 255 ? (int)head.number : EXIT_FAILURE);
}

/* Does it report this of a process of its own? The hub forwards the notes of others. */
static bool is_theirs(const struct bspj_parts *ps, int i, int p)
{
	return p >= 0 && p < ps->part[0].nprocs && (i == 0 || ps->part_of[p] == i);
}

static struct bspj_news link_on_note(struct bspj_parts *ps, int i)
{
	struct link *l = &ps->link[i];
	struct bspj_news news = { .failed = false };

	switch ((enum kind)l->head.kind) {
	case DATA:
		if (!is_theirs(ps, i, l->head.process))
			return link_lost_peer(ps, i, EPROTO);
		bspj_post_put(ps->post, l->head.process, l->head.number, l->bytes, l->head.len);
		if (link_is_hub(ps))
			link_send_to_all(ps, &l->head, l->bytes, i);
		break;
	case FAILED:
		return link_on_failure(ps, i, l);
	case OVER:
		l->over = true;
		l->status = (int)l->head.number;
		if (link_is_hub(ps) && end_if_over(ps))
			link_send_note(ps, END, ps->status);
		break;
	case END:
		ps->ended = i == 0;
		ps->status = (int)l->head.number;
		break;
	case MOVED:
		news.moved = true;
		break;
	case WARN:
		news.warn = true;
		break;
	case STUCK:
		news.stuck = true;
		break;
	case ALIVE:
	case KINDS:
		break;
	}
	return news;
}

/*
 * The next bytes of the note that is coming: 1 when it is there, 0: more has to come, or a
 * negative errno.
 */
static int read_note(struct link *l)
{
	bool in_head = l->in_len < sizeof(l->head);
	size_t rest =
		in_head ? sizeof(l->head) - l->in_len : sizeof(l->head) + l->head.len - l->in_len;
	char *to = in_head ? (char *)&l->head + l->in_len : l->bytes + l->in_len - sizeof(l->head);
	ssize_t n = rest ? recv(l->fd, to, rest, MSG_DONTWAIT) : 0;

	if (rest && n <= 0)
		return n == 0 ? -EPIPE : -errno;
	l->in_len += (size_t)n;
	if (l->in_len >= sizeof(l->head) &&
	    (l->head.kind >= KINDS || l->head.len > sizeof(l->bytes)))
		return -EPROTO;
	return l->in_len >= sizeof(l->head) && l->in_len == sizeof(l->head) + l->head.len;
}

static void link_add(struct bspj_news *all, struct bspj_news more)
{
	all->moved |= more.moved;
	all->stuck |= more.stuck;
	all->warn |= more.warn;
	if (more.failed && !all->failed) {
		all->failed = true;
		all->status = more.status;
	}
}

static struct bspj_news link_receive(struct bspj_parts *ps, int i)
{
	struct bspj_news news = { .failed = false };
	struct link *l = &ps->link[i];
	int got = 0;

	while (l->fd >= 0 && (got = read_note(l)) >= 0) {
		if (!got)
			continue;
		l->in_len = 0;
		link_add(&news, link_on_note(ps, i));
	}
	if (l->fd >= 0 && got != -EAGAIN && got != -EINTR)
		link_add(&news, link_lost_peer(ps, i, got == -EPIPE ? 0 : -got));
	return news;
}

/* ---- The supervisor's turn ------------------------------------------------------------------ */

int bspj_parts_poll(const struct bspj_parts *ps, struct pollfd *fds)
{
	for (int i = 0; i < ps->nparts; i++)
		fds[i] = (struct pollfd){ .fd = ps->link[i].fd,
					  .events =
						  ps->link[i].out_len ? POLLIN | POLLOUT : POLLIN };
	fds[ps->nparts] = (struct pollfd){ .fd = bspj_post_event_fd(ps->post), .events = POLLIN };
	return ps->nparts + 1;
}

/* -1: there is no hurry. */
int bspj_parts_timeout_ms(const struct bspj_parts *ps)
{
	double ms = ps->lifeline_s * 1000 / SIGNS;

	return ms <= 0 ? -1 : ms < 10 ? 10 : ms > 10000 ? 10000 : (int)ms;
}

struct bspj_news bspj_parts_see_to(struct bspj_parts *ps, const struct pollfd *fds)
{
	struct bspj_news news = { .failed = false };
	int ms = bspj_parts_timeout_ms(ps);

	if (fds[ps->nparts].revents) {
		const struct bspj_part *mine = &ps->part[ps->mine];

		bspj_post_clear_event(ps->post);
		for (int p = mine->first; p <= mine->last; p++) {
			struct head head = { .kind = DATA, .process = p };
			const void *said;

			while ((said = bspj_post_take(ps->post, p, &head.number, &head.len)))
				link_send_to_all(ps, &head, said, -1);
		}
	}
	for (int i = 0; i < ps->nparts; i++) {
		if (ps->link[i].fd < 0 || !fds[i].revents)
			continue;
		push(&ps->link[i]);
		link_add(&news, link_receive(ps, i));
	}
	/* A sign of life, if it is time. */
	if (ms >= 0 && bspt_now_ns() - ps->sent_ns >= (uint64_t)ms * 900000) {
		ps->sent_ns = bspt_now_ns();
		link_send_note(ps, ALIVE, 0);
	}
	return news;
}

/* Whether there is nothing more to come. */
static bool has_closed(struct link *l)
{
	ssize_t n;

	while ((n = recv(l->fd, l->bytes, sizeof(l->bytes), MSG_DONTWAIT)) > 0)
		;
	return n == 0 || (errno != EAGAIN && errno != EINTR);
}

/*
 * A connection that is closed with something unread is reset, and takes along what the other
 * end has still to read.
 */
void bspj_parts_flush(struct bspj_parts *ps)
{
	uint64_t end = bspt_now_ns() + (uint64_t)FLUSH_MS * 1000000;
	struct pollfd fds[BSPJ_PARTS_FDS];
	int open = ps->nparts;

	while (open && bspt_now_ns() < end) {
		open = 0;
		for (int i = 0; i < ps->nparts; i++) {
			struct link *l = &ps->link[i];

			if (l->fd < 0)
				continue;
			/* All has been said: the other end may read it and close. */
			push(l);
			if (!l->out_len)
				shutdown(l->fd, SHUT_WR);
			if (has_closed(l)) {
				close(l->fd);
				l->fd = -1;
			}
			open += l->fd >= 0;
		}
		bspj_parts_poll(ps, fds);
		if (open)
			poll(fds, (nfds_t)ps->nparts, FLUSH_MS / 20);
	}
}
