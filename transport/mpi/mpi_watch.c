// SPDX-License-Identifier: BSD-3-Clause
/* mpi_watch.c - the host of mpi_host.c waits for the ends of parent and processes. */

/*
 * A process that has left keeps its connection to the host, in a thread of libpmix: should the
 * host end first, that thread ends the process. So the host lives as long as each process that
 * has entered. It gets a pidfd of each through the socket, and the kernel reports the end of that
 * process, however it ended, and whatever its children have inherited. Where pidfds are refused a
 * process keeps the socket open to its end; it closes at exec, so only a child that a process
 * forks and that never execs keeps the host longer then.
 */

#include "mpi_watch.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A notice with room for one descriptor: last, as clang takes CMSG_SPACE for no constant. */
struct watch_message {
	char notice;
	struct iovec iov;
	struct msghdr header;
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
};

/* @m stays where it is. */
static void watch_message_init(struct watch_message *m)
{
	*m = (struct watch_message){ .iov.iov_base = &m->notice, .iov.iov_len = sizeof(m->notice) };
	m->header.msg_iov = &m->iov;
	m->header.msg_iovlen = 1;
	m->header.msg_control = m->control.bytes;
	m->header.msg_controllen = sizeof(m->control.bytes);
}

/* ---- The host ---- */

/* The descriptor that came with a message, or -1. */
static int passed_descriptor(struct msghdr *message)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(message);
	int fd = -1;

	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
	    c->cmsg_len == CMSG_LEN(sizeof(fd)))
		memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	return fd;
}

/* The host waits for messages, and for the ends of the parent and of each process. */
struct mpi_watch {
	void (*all_left)(void);
	int nprocs, entered, ended, left;
	struct pollfd fds[];	/* -1: closed, or not yet known */
};

enum { WATCH_LIFE, WATCH_PARENT, WATCH_FIRST };

struct mpi_watch *mpi_watch_create(int life, int nprocs)
{
	size_t n = WATCH_FIRST + (size_t)nprocs;
	struct mpi_watch *w = calloc(1, sizeof(*w) + n * sizeof(w->fds[0]));

	if (!w)
		return NULL;
	w->nprocs = nprocs;
	for (size_t i = 0; i < n; i++)
		w->fds[i] = (struct pollfd){ .fd = -1, .events = POLLIN };
	w->fds[WATCH_LIFE].fd = life;
	return w;
}

static void watch_close(struct mpi_watch *w, int i)
{
	close(w->fds[i].fd);
	w->fds[i].fd = -1;
}

static void watch_on_notice(struct mpi_watch *w, char notice, int pidfd)
{
	if (notice == MPI_WATCH_LEAVE && ++w->left == w->nprocs)
		w->all_left();
	if (pidfd < 0)
		return;
	if (notice == MPI_WATCH_PARENT)
		w->fds[WATCH_PARENT].fd = pidfd;
	else if (w->entered < w->nprocs)
		w->fds[WATCH_FIRST + w->entered++].fd = pidfd;
}

/* One message; at the end of the stream life is closed. */
static void watch_receive(struct mpi_watch *w)
{
	struct watch_message message;
	ssize_t n;

	watch_message_init(&message);
	n = recvmsg(w->fds[WATCH_LIFE].fd, &message.header, MSG_CMSG_CLOEXEC);
	if (n > 0)
		watch_on_notice(w, message.notice, passed_descriptor(&message.header));
	else if (n == 0 || errno != EINTR)
		watch_close(w, WATCH_LIFE);
}

/* May a process still enter? Its message is read before the end of the parent is seen. */
static bool watch_expects_more(const struct mpi_watch *w, bool parent_ended)
{
	return w->entered < w->nprocs && w->fds[WATCH_LIFE].fd >= 0 && !parent_ended;
}

static void watch_see_ends(struct mpi_watch *w)
{
	for (int i = WATCH_FIRST; i < WATCH_FIRST + w->entered; i++)
		if (w->fds[i].revents) {
			watch_close(w, i);
			w->ended++;
		}
}

void mpi_watch_wait(struct mpi_watch *w, void (*all_left)(void))
{
	bool parent_ended = false;

	w->all_left = all_left;
	while (w->ended < w->entered || watch_expects_more(w, parent_ended)) {
		if (poll(w->fds, WATCH_FIRST + (nfds_t)w->entered, -1) < 0) {
			if (errno == EINTR)
				continue;
			return;
		}
		if (w->fds[WATCH_LIFE].revents) {
			watch_receive(w);
			continue;	/* ends when there are no messages */
		}
		if (w->fds[WATCH_PARENT].revents) {
			watch_close(w, WATCH_PARENT);
			parent_ended = true;
		}
		watch_see_ends(w);
	}
}

/* ---- Parent and processes ---- */

bool mpi_watch_notify(int life, enum mpi_watch_notice kind)
{
	int pidfd = (int)syscall(SYS_pidfd_open, getpid(), 0);
	struct watch_message message;
	struct cmsghdr *c;
	bool sent;

	if (pidfd < 0)
		return false;
	watch_message_init(&message);
	message.notice = (char)kind;
	c = CMSG_FIRSTHDR(&message.header);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(pidfd));
	memcpy(CMSG_DATA(c), &pidfd, sizeof(pidfd));
	sent = sendmsg(life, &message.header, MSG_NOSIGNAL) == sizeof(message.notice);
	close(pidfd);
	return sent;
}

bool mpi_watch_leave(int life)
{
	const char notice = MPI_WATCH_LEAVE;

	return send(life, &notice, sizeof(notice), MSG_NOSIGNAL) == sizeof(notice);
}
