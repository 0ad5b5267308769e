// SPDX-License-Identifier: BSD-3-Clause
/* wire_pass.c - a file without a name, passed to the other processes of a machine by a socket. */

/*
 * For processes that do not see each other below /proc: of user or PID namespaces of their own, of
 * a program without read permission, or without /proc. The socket has an abstract name, which
 * belongs to the network namespace, and other users find it in /proc/net/unix. So a process says a
 * secret first that it has from the launcher; any other gets nothing. Names are random: no
 * process can take one before.
 */

#include "wire_pass.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum { BACKLOG = 4096, TAKE_MOST_S = 60, SAID_MOST_S = 10 };

static socklen_t pass_address(struct sockaddr_un *at, uint64_t name)
{
	int len;

	*at = (struct sockaddr_un){ .sun_family = AF_UNIX };
	len = snprintf(at->sun_path + 1, sizeof(at->sun_path) - 1, "bsp-%016" PRIx64, name);
	return offsetof(struct sockaddr_un, sun_path) + 1 + len;
}

int bspj_pass_listen(uint64_t *name)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct sockaddr_un at;
	int err;

	if (fd < 0)
		return -errno;
	if (getrandom(name, sizeof(*name), 0) == sizeof(*name) &&
	    bind(fd, (struct sockaddr *)&at, pass_address(&at, *name |= 1)) == 0 &&
	    listen(fd, BACKLOG) == 0)
		return fd;
	err = -errno;
	close(fd);
	return err;
}

static void wait_at_most(int fd, int seconds)
{
	struct timeval most = { .tv_sec = seconds };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most));
}

int bspj_pass_connect(uint64_t name, uint64_t secret)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct sockaddr_un at;
	int err;

	if (fd < 0)
		return -errno;
	if (connect(fd, (struct sockaddr *)&at, pass_address(&at, name)) == 0 &&
	    send(fd, &secret, sizeof(secret), MSG_NOSIGNAL) == sizeof(secret))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

static bool pass_has_said(int connection, uint64_t secret)
{
	uint64_t said = ~secret;

	wait_at_most(connection, SAID_MOST_S);
	return recv(connection, &said, sizeof(said), 0) == sizeof(said) && said == secret;
}

/* The control message of one descriptor. */
union pass_control {
	struct cmsghdr head;
	char room[CMSG_SPACE(sizeof(int))];
};

static void pass_send(int connection, int fd)
{
	union pass_control control = { .head = {
		.cmsg_len = CMSG_LEN(sizeof(fd)), .cmsg_level = SOL_SOCKET,
		.cmsg_type = SCM_RIGHTS,
	} };
	struct iovec byte = { "", 1 };
	struct msghdr message = { .msg_iov = &byte, .msg_iovlen = 1, .msg_control = &control,
				  .msg_controllen = sizeof(control) };

	memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
	sendmsg(connection, &message, MSG_NOSIGNAL);
}

void bspj_pass_give(int listener, int fd, uint64_t secret, int n)
{
	wait_at_most(listener, TAKE_MOST_S);
	while (n > 0) {
		int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

		if (connection < 0 && errno != EINTR && errno != ECONNABORTED)
			return;
		if (connection < 0)
			continue;
		if (pass_has_said(connection, secret)) {
			pass_send(connection, fd);
			n--;
		}
		close(connection);
	}
}

int bspj_pass_take(int connection)
{
	union pass_control control;
	struct pollfd there = { .fd = connection, .events = POLLIN };
	char byte;
	struct iovec room = { &byte, 1 };
	struct msghdr message = { .msg_iov = &room, .msg_iovlen = 1, .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	int fd;

	if (poll(&there, 1, TAKE_MOST_S * 1000) != 1)
		return -ETIMEDOUT;
	if (recvmsg(connection, &message, MSG_CMSG_CLOEXEC) < 0)
		return -errno;
	if (message.msg_controllen < sizeof(control.head) ||
	    control.head.cmsg_type != SCM_RIGHTS)
		return -EPROTO;
	memcpy(&fd, CMSG_DATA(&control.head), sizeof(fd));
	return fd;
}
