// SPDX-License-Identifier: BSD-3-Clause
/* stream.c - connections, and moving what can be moved at once. */

#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <unistd.h>

enum {
	BUFFER = 4 << 20,	/* a fixed one: the kernel's own choice is sometimes half as fast */
	AT_ONCE = 256 << 10,	/* the other side reads one part while the next is written */
};

static int stream_close_failed(int fd)
{
	int error = errno;

	close(fd);
	errno = error;
	return -1;
}

int stream_listen(struct sockaddr *at, socklen_t len, int backlog)
{
	int fd = socket(at->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	if (bind(fd, at, len) == 0 && listen(fd, backlog) == 0 && getsockname(fd, at, &len) == 0)
		return fd;
	return stream_close_failed(fd);
}

int stream_connect(const struct sockaddr *there, socklen_t len)
{
	int fd = socket(there->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, there, len) == 0)
		return fd;
	return stream_close_failed(fd);
}

bool stream_tune(int fd, bool tcp)
{
	int on = 1, bytes = BUFFER;
	bool good = !tcp || setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) == 0;

	good &= setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes)) == 0;
	good &= setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes)) == 0;
	return fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && good;
}

static size_t stream_part(size_t left)
{
	return left < AT_ONCE ? left : AT_ONCE;
}

/* The result of read() or write(), in the form of stream.h. */
static ssize_t stream_result(ssize_t went)
{
	if (went > 0)
		return went;
	if (went < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (went == 0)
		errno = 0;
	return -1;
}

ssize_t stream_write(int fd, const void *from, size_t left)
{
	return stream_result(write(fd, from, stream_part(left)));
}

ssize_t stream_read(int fd, void *to, size_t left)
{
	return stream_result(read(fd, to, stream_part(left)));
}

const char *stream_loss(int error)
{
	return error ? strerror(error) : "closed by the other side";
}
