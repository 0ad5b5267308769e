// SPDX-License-Identifier: BSD-3-Clause
/* input.c - files that are read, to whatever their names lead. */

#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { WRITER_MS = 5000 };

/* -1, with that errno. */
static int input_close(int fd, int err)
{
	close(fd);
	errno = err;
	return -1;
}

/* To open a pipe does not wait for its writer. */
static int open_at_once(const char *path, struct stat *st)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd >= 0 && fstat(fd, st) < 0)
		return input_close(fd, errno);
	if (fd < 0 && errno == ENXIO)
		errno = EINVAL;		/* a socket, or a device that is not there */
	return fd;
}

/* Stands, also in containers, in the place of a file that is to have nothing in it. */
static bool is_null_device(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3);
}

int input_descriptor(const char *path)
{
	struct stat st;
	int fd = open_at_once(path, &st);

	if (fd < 0 || S_ISREG(st.st_mode) || is_null_device(&st))
		return fd;
	return input_close(fd, S_ISDIR(st.st_mode) ? EISDIR : EINVAL);
}

/*
 * A pipe has data, or had a writer; or has one that takes its time: then read() says EAGAIN, where
 * without one it finds the end of the file.
 */
static bool has_writer(int fd)
{
	struct pollfd pipe = { .fd = fd, .events = POLLIN };
	char byte;

	return poll(&pipe, 1, WRITER_MS) != 0 || read(fd, &byte, 1) < 0;
}

static FILE *input_stream(int fd)
{
	FILE *in = fd < 0 ? NULL : fdopen(fd, "r");

	if (fd >= 0 && !in)
		input_close(fd, errno);
	return in;
}

FILE *input_open(const char *path)
{
	return input_stream(input_descriptor(path));
}

FILE *input_open_any(const char *path)
{
	struct stat st;
	int fd = open_at_once(path, &st);

	if (fd >= 0 && S_ISFIFO(st.st_mode) && !has_writer(fd))
		fd = input_close(fd, ENXIO);
	if (fd >= 0 && fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) < 0)
		fd = input_close(fd, errno);
	return input_stream(fd);
}

const char *input_reason(int err)
{
	return err == EINVAL ? "it is no file" :
	       err == ENXIO ? "no process writes to that pipe" : strerror(err);
}
